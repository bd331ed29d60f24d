/* What the files of DuckDB share; duckdb.c holds the engine's table. */
#ifndef BENCH_DUCKDB_ENGINE_H
#define BENCH_DUCKDB_ENGINE_H

#include "api.h"
#include "engines/engine.h"

#define SQL_SIZE 640
#define ROW_VALUES 6

struct database {
	char path[4096];
	const struct config *config;
	const struct index_def *indexes;
	bool prepare, real_price;
	size_t rows_per_commit;
	duck_database handle;
	duck_connection keeper;	/* asks for the settings */
};

/* How a column's values lie in a vector; of text only the length is a key. */
enum cell { CELL_INT, CELL_BIG, CELL_REAL, CELL_LENGTH };

/* An INSERT of so many rows. */
struct insert_statement {
	duck_statement handle;
	size_t nrows;
};

struct connection {
	struct database *db;
	duck_connection handle;
	unsigned table;
	struct insert_statement full, rest;
	duck_statement delete, point, range[SECONDARY_INDEXES];
	enum cell cells[SECONDARY_INDEXES][KEY_COLUMNS];
	char *text;		/* a statement that is not prepared */
	size_t insert_head;	/* of an INSERT there: what never changes */
	int64_t newest;		/* the largest primary key that was seen */
	char message[ENGINE_TEXT];
};

/* What the kind and the text of a failure mean. */
enum engine_status dk_status(enum duck_error kind, const char *text);

/* A text of DuckDB's, or its silence, as one line. */
void dk_one_line(const char *text, char *line, size_t size);

/* The rows are the caller's to destroy, if the status is ENGINE_OK. */
enum engine_status dk_query(struct connection *conn, const char *sql,
			    struct duck_result *result);
enum engine_status dk_run(struct connection *conn, duck_statement statement,
			  struct duck_result *result);
/* One or more statements whose rows nobody wants. */
enum engine_status dk_execute(struct connection *conn, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reads and destroys a result: its first rows into the answer, text as its length. */
void dk_fetch(struct duck_result *result, const enum cell *cells, unsigned columns,
	      struct answer *answer);
/* Calls each with the two texts of every row, and destroys the result. */
void dk_pairs(struct duck_result *result, setting_fn *each, void *to);

/* Where the characters of a text in a vector lie; no NUL ends them. */
const char *dk_text(const struct duck_string *string);

/* cells.c: a value of a result as its column's type makes it. */
struct column {
	enum duck_type type;
	unsigned decimals;	/* of a DECIMAL, whose type is that of its digits */
	bool decimal;
};

struct column dk_column(struct duck_result *result, uint64_t number);
/* False if its type cannot be read. */
bool dk_cell(const struct column *column, duck_vector vector, uint64_t row,
	     struct field *field);

/* any.c: what is not of the insert benchmark. */
struct statement *dk_prepare_any(struct connection *conn, const char *sql,
				 const enum value_type *types, unsigned ntypes);
enum engine_status dk_execute_any(struct statement *statement, const struct value *values,
				  struct outcome *outcome);
void dk_forget(struct statement *statement);
enum engine_status dk_run_any(struct connection *conn, const char *sql,
			      struct outcome *outcome, row_fn *each, void *to);

/* plan.c */
bool dk_explain(struct connection *conn, const char *sql, char *text, size_t size);

/* sql.c. The INSERT as far as its first row; a range query that begins at from. */
void dk_insert_sql(unsigned table, char *sql, size_t size);
void dk_range_sql(struct connection *conn, unsigned index, const char *from, char *sql,
		  size_t size);

/* Prepared statements, and the same as text. */
bool dk_prepare(struct connection *conn, enum engine_work work);
void dk_unprepare(struct connection *conn);
enum engine_status dk_insert(struct connection *conn, const struct row *rows,
			     size_t nrows);
enum engine_status dk_delete(struct connection *conn, int64_t first, size_t nrows,
			     struct duck_result *result);
enum engine_status dk_range(struct connection *conn, unsigned index, int64_t from,
			    struct duck_result *result);
enum engine_status dk_point(struct connection *conn, const int64_t *ids,
			    struct duck_result *result);

bool dk_text_prepare(struct connection *conn, enum engine_work work);
enum engine_status dk_text_insert(struct connection *conn, const struct row *rows,
				  size_t nrows);
enum engine_status dk_text_delete(struct connection *conn, int64_t first, size_t nrows,
				  struct duck_result *result);
enum engine_status dk_text_range(struct connection *conn, unsigned index, int64_t from,
				 struct duck_result *result);
enum engine_status dk_text_point(struct connection *conn, const int64_t *ids,
				 struct duck_result *result);

/* Tables, indexes and what is done to them as a whole. */
enum engine_status dk_create_table(struct connection *conn);
enum engine_status dk_create_indexes(struct connection *conn, unsigned first,
				     unsigned *made);
enum engine_status dk_state(struct connection *conn, struct table_state *state);
enum engine_status dk_end_pk(struct connection *conn, bool newest, int64_t *pk);
enum engine_status dk_scan(struct connection *conn, unsigned number, uint64_t *returned);
enum engine_status dk_cleanup(struct connection *conn, uint64_t *bytes);

#endif
