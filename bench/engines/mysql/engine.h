/*
 * What the files of the engines mysql, mariadb and myrocks share. All speak through
 * libmariadb, which has the prefixes mysql_ and my_; ours is mye_.
 */
#ifndef BENCH_MYSQL_ENGINE_H
#define BENCH_MYSQL_ENGINE_H

#include "engines/engine.h"

#include <mysql.h>
#include <regex.h>

#define SQL_SIZE 1024		/* of a statement but for the rows of an insert */
#define ROW_VALUES 6		/* the columns of a row but for its primary key */
#define MOST_VALUES 65535	/* placeholders of a statement: 16 bits in the protocol */
#define MOST_ROWS (MOST_VALUES / ROW_VALUES)
#define TARGET_WORD 256
#define TABLES_TEXT 256		/* of the tables' regular expression */
/* The driver's tables; %s is their regular expression in the database. */
#define MYE_TABLES "information_schema.tables WHERE table_schema = DATABASE() AND " \
		   "table_name REGEXP '%s'"

/* A storage engine and whose it is; each has a table of functions. */
struct kind {
	const char *storage;
	bool rocksdb;
	bool mariadb, mysql;	/* which servers it accepts */
};

/* Where the server is. Secret: no value of it may be in a message. */
struct target {
	char host[TARGET_WORD], socket[TARGET_WORD], user[TARGET_WORD];
	char password[TARGET_WORD], dbname[TARGET_WORD], port[TARGET_WORD];
};

struct database {
	const struct kind *kind;
	const struct index_def *indexes;
	struct target target;
	bool prepare, real_price;
	size_t rows_per_commit;
	char tables[2 * TABLES_TEXT];	/* escaped, for a string of SQL */
	regex_t table_names;
	MYSQL *keeper;		/* for what is asked between steps */
	char version[32];
};

/* An insert of so many rows; bound: the rows that its values are taken from. */
struct insert_statement {
	MYSQL_STMT *handle;
	size_t nrows;
	const struct row *bound;
};

/* How a column of an index comes: each in its own type, so that nothing is converted. */
enum key_type { KEY_INT, KEY_TIME, KEY_REAL };

/* Values of the prepared statements stay at one address, so they are bound once. */
struct prepared {
	struct insert_statement full, rest;
	MYSQL_BIND *binds;	/* of a full insert */
	unsigned long *lengths;	/* of data; one for each row */
	float *prices;		/* when they are real */
	MYSQL_TIME when;	/* the rows of a statement share it */
	int64_t when_second;
	MYSQL_STMT *delete, *point, *range[SECONDARY_INDEXES];
	enum key_type types[SECONDARY_INDEXES][KEY_COLUMNS];
	int64_t ids[ROWS_PER_QUERY];
	struct {		/* the columns of the row that was fetched */
		int64_t id;
		int32_t number[KEY_COLUMNS];
		float price;
		MYSQL_TIME when;
		char data[DATA_MAX + 4];
		unsigned long length;
	} row;
};

/* The same statements as text, in a buffer that is large enough for any of them. */
struct texts {
	char *buffer;
	size_t insert_head;	/* bytes of the buffer that never change */
};

/* Where a connection learns what the sessions wait for; found out when first asked. */
enum waits_from { WAITS_UNKNOWN, WAITS_EVENTS, WAITS_PROCESSLIST };

struct connection {
	struct database *db;
	MYSQL *handle;
	int socket;		/* a duplicate: it stays ours when the library closes its */
	unsigned table;
	struct prepared prepared;
	struct texts texts;
	enum waits_from waits_from;
	char message[ENGINE_TEXT];
};

/* target.c. False with one sentence in why if the text has no such form. */
bool mye_target_read(struct target *target, const char *text, char *why, size_t size);
/* Copies a message, with stars for what is secret and blanks for line breaks. */
void mye_scrub(const struct target *target, const char *text, char *to, size_t size);

/* errors.c: the failure of a statement, which is left in the message. */
enum engine_status mye_failed(struct connection *conn);
enum engine_status mye_failed_statement(struct connection *conn, MYSQL_STMT *statement);
/* One sentence on why there is no connection. */
void mye_refused(const struct target *target, MYSQL *handle, char *why, size_t size);

/* dial.c. NULL with one sentence in why. */
MYSQL *mye_dial(const struct target *target, char *why, size_t size);

/* query.c. The first row's value of a column; false without one. */
bool mye_value(MYSQL *handle, unsigned column, char *value, size_t size,
	       const char *format, ...) __attribute__((format(printf, 5, 6)));
bool mye_status(MYSQL *handle, const char *name, uint64_t *value);
/* Fresh statistics of all tables; false if the server answers with an error. */
bool mye_analyze(struct database *db, MYSQL *handle);
bool mye_variable(MYSQL *handle, const char *name, char *value, size_t size);
enum engine_status mye_execute(struct connection *conn, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The whole numbers of the first row, as many as asked; NULL reads as 0. */
enum engine_status mye_numbers(struct connection *conn, int64_t *numbers, unsigned count,
			       const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void mye_insert_sql(unsigned table, char *sql, size_t size);
void mye_range_sql(struct connection *conn, unsigned index, const char *from, char *sql,
		   size_t size);

/* statements.c and text.c: the timed statements. */
bool mye_prepare(struct connection *conn, enum engine_work work);
void mye_unprepare(struct connection *conn);
enum engine_status mye_insert(struct connection *conn, const struct row *rows,
			      size_t nrows, int64_t *last_pk);
enum engine_status mye_delete(struct connection *conn, int64_t first, size_t nrows,
			      uint64_t *deleted);
enum engine_status mye_range(struct connection *conn, unsigned index, int64_t from,
			     struct answer *answer);
enum engine_status mye_point(struct connection *conn, const int64_t *ids,
			     struct answer *answer);
bool mye_text_prepare(struct connection *conn, enum engine_work work);
enum engine_status mye_text_insert(struct connection *conn, const struct row *rows,
				   size_t nrows, int64_t *last_pk);
enum engine_status mye_text_delete(struct connection *conn, int64_t first, size_t nrows,
				   uint64_t *deleted);
enum engine_status mye_text_range(struct connection *conn, unsigned index, int64_t from,
				  struct answer *answer);
enum engine_status mye_text_point(struct connection *conn, const int64_t *ids,
				  struct answer *answer);

/* admin.c */
enum engine_status mye_create_table(struct connection *conn);
enum engine_status mye_create_indexes(struct connection *conn, unsigned first,
				      unsigned *made);
enum engine_status mye_state(struct connection *conn, struct table_state *state);
enum engine_status mye_end_pk(struct connection *conn, bool newest, int64_t *pk);
enum engine_status mye_scan(struct connection *conn, unsigned number, uint64_t *returned);

/* any.c: what is not of the insert benchmark. */
struct statement *mye_prepare_any(struct connection *conn, const char *sql,
				  const enum value_type *types, unsigned ntypes);
enum engine_status mye_execute_any(struct statement *statement,
				   const struct value *values, struct outcome *outcome);
void mye_forget(struct statement *statement);
enum engine_status mye_run(struct connection *conn, const char *sql,
			   struct outcome *outcome, row_fn *each, void *to);
bool mye_explain(struct connection *conn, const char *sql, char *text, size_t size);

/* server.c: what the server tells of itself. */
void mye_settings(void *db, setting_fn *each, void *to);
uint64_t mye_size(struct database *db);
bool mye_log_bytes(struct database *db, uint64_t *bytes);

/* cleanup.c */
enum engine_status mye_cleanup(struct connection *conn, uint64_t *bytes);

/* waits.c */
enum engine_status mye_waits(struct connection *conn, struct wait_counts *counts);

#endif
