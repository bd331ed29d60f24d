/* What the files of SQLite share; sqlite.c holds the engine's table. */
#ifndef BENCH_SQLITE_ENGINE_H
#define BENCH_SQLITE_ENGINE_H

#include "engines/engine.h"

#include <sqlite3.h>

#define SQL_SIZE 512

/* Reports where and what failed in the connection's message; the caller passes it on. */
#define TRY(conn, expr)                                                             \
	do {                                                                        \
		enum engine_status try_status =                                     \
			sq_check(conn, expr, __FILE__, __LINE__, #expr);            \
		if (try_status != ENGINE_OK)                                        \
			return try_status;                                          \
	} while (0)

enum step_statement {
	BEGIN, COMMIT, INSERT, DELETE, POINT,
	RANGE, RANGE_LAST = RANGE + SECONDARY_INDEXES - 1,
	STATEMENTS
};

struct database {
	char path[4096];
	const struct config *config;
	const struct index_def *indexes;
	bool prepare, real_price;
	FILE *trace;
	sqlite3 *keeper;	/* keeps the WAL from being removed between steps */
	char options[4096];
};

struct connection {
	struct database *db;
	sqlite3 *handle;
	unsigned table;
	sqlite3_stmt *statements[STATEMENTS];
	char sql[STATEMENTS][SQL_SIZE];	/* what they were made of */
	char message[ENGINE_TEXT];
};

/* statements.c: those of the steps, prepared once for each connection. */
enum engine_status sq_check(struct connection *conn, int code, const char *file, int line,
			    const char *expr);
enum engine_status sq_prepare(struct connection *conn, enum engine_work work);
void sq_unprepare(struct connection *conn);
enum engine_status sq_insert(struct connection *conn, const struct row *rows,
			     size_t nrows, int64_t *last_pk);
enum engine_status sq_delete(struct connection *conn, int64_t first, size_t nrows,
			     uint64_t *deleted);
enum engine_status sq_range(struct connection *conn, unsigned index, int64_t from,
			    struct answer *answer);
enum engine_status sq_point(struct connection *conn, const int64_t *ids,
			    struct answer *answer);

/* any.c: what is not of the insert benchmark. */
struct statement *sq_prepare_any(struct connection *conn, const char *sql,
				 const enum value_type *types, unsigned ntypes);
enum engine_status sq_execute(struct statement *statement, const struct value *values,
			      struct outcome *outcome);
void sq_forget(struct statement *statement);
enum engine_status sq_run(struct connection *conn, const char *sql,
			  struct outcome *outcome, row_fn *each, void *to);
bool sq_explain(struct connection *conn, const char *sql, char *text, size_t size);

/* trace.c. False with one sentence in why if this library cannot. */
bool sq_trace(sqlite3 *handle, FILE *trace, char *why, size_t size);

/* settings.c: the settings file's, and what SQLite made of them. */
bool sq_check_config(const struct config *config, char *why, size_t size);
/* One PRAGMA's value as text, "" if it has none. */
void sq_pragma(sqlite3 *handle, const char *name, char *value, size_t size);
/* Applies every setting to a connection and sees that SQLite took it. */
bool sq_apply_settings(struct database *db, sqlite3 *handle, char *why, size_t size);
void sq_settings(void *database, setting_fn *each, void *to);

#endif
