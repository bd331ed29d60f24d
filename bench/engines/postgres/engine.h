/* What the files of Postgres share; postgres.c holds the table of engines/engine.h. */
#ifndef BENCH_POSTGRES_H
#define BENCH_POSTGRES_H

#include "engines/engine.h"

#include <libpq-fe.h>
#include <stdatomic.h>

#define SQL_SIZE 1024

/* Of the server's catalogue; the same in all versions. */
enum type {
	NAME = 19, INT8 = 20, INT2 = 21, INT4 = 23, TEXT = 25, FLOAT4 = 700, FLOAT8 = 701,
	BPCHAR = 1042, VARCHAR = 1043, TIMESTAMP = 1114, NUMERIC = 1700
};

#define TABLES_SQL 256		/* of the tables' regular expression in a statement */

struct batch;

struct database {
	char *target;
	const struct index_def *indexes;
	bool prepare, real_price;
	size_t rows_per_commit;
	char tables[TABLES_SQL];	/* the target's, as a literal */
	struct connection *admin;
	char version[32];
	int number;		/* of the version: 90624, 150020 */
	bool deaf;		/* the server did not take a cancel */
};

struct connection {
	struct database *db;
	PGconn *pg;
	PGcancel *cancel;
	atomic_bool interrupted;
	unsigned table;
	unsigned statements;	/* prepared so far, for their names */
	struct batch *batch;	/* of an inserter */
	char message[ENGINE_TEXT];
};

/* secrets.c: what may be said of a connection */

/*
 * A copy without what the target says; of_link: it is about the connection, so it may
 * name what the target does not say. NULL: there is no memory.
 */
char *postgres_scrubbed(const struct database *db, PGconn *pg, bool of_link,
			const char *said);

/* link.c: connections, and what becomes of the server's answers */

bool postgres_good_target(const char *text, char *why, size_t size);
/* NULL with one sentence in why. */
struct connection *postgres_link(struct database *db, unsigned table, char *why,
				 size_t size);
void postgres_unlink(struct connection *conn);
/* The result's status, and the message if it failed. It is kept in rows or freed. */
enum engine_status postgres_take(struct connection *conn, PGresult *result,
				 PGresult **rows);
/* A statement as text; rows may be NULL. */
enum engine_status postgres_ask(struct connection *conn, PGresult **rows,
				const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The first value of the first row as a number; 0 if it is NULL. */
enum engine_status postgres_number(struct connection *conn, int64_t *number,
				   const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* admin.c: statements that no step repeats */

enum engine_status postgres_drop_all(struct connection *conn);
enum engine_status postgres_create_table(struct connection *conn);
enum engine_status postgres_create_indexes(struct connection *conn, unsigned first,
					   unsigned *made);
enum engine_status postgres_state(struct connection *conn, struct table_state *state);
enum engine_status postgres_scan(struct connection *conn, unsigned scan,
				 uint64_t *returned);
enum engine_status postgres_cleanup(struct connection *conn, uint64_t *bytes);
void postgres_settings(void *db, setting_fn *each, void *to);
uint64_t postgres_size(struct database *db);
bool postgres_log_bytes(struct database *db, uint64_t *bytes);

/* waits.c: what the sessions do */

enum engine_status postgres_waits(struct connection *conn, struct wait_counts *counts);

/* insert.c: many rows in one statement */

/* NULL: there is no memory. */
struct batch *postgres_batch(const struct database *db);
/* NULL is freed, too. */
void postgres_free_batch(struct batch *batch);
size_t postgres_most_rows(void);
enum engine_status postgres_insert(struct connection *conn, const struct row *rows,
				   size_t nrows, int64_t *last_pk);

/* any.c: what is not of the insert benchmark */

struct statement *postgres_prepare(struct connection *conn, const char *sql,
				   const enum value_type *types, unsigned ntypes);
enum engine_status postgres_execute(struct statement *statement,
				    const struct value *values, struct outcome *outcome);
void postgres_forget(struct statement *statement);
enum engine_status postgres_run(struct connection *conn, const char *sql,
				struct outcome *outcome, row_fn *each, void *to);
bool postgres_explain(struct connection *conn, const char *sql, char *text, size_t size);

/* numeric.c: a NUMERIC as it comes in a binary answer, which has so many bytes */

void postgres_numeric(const char *bytes, size_t length, struct field *field);

#endif
