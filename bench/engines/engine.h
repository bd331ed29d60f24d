/*
 * An engine is a table of functions. To add one: write engines/<name>.c with its table
 * and add a line to ENGINES in engines.c.
 */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "common/record.h"
#include "config.h"
#include "schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ENGINE_TEXT 512

/* Busy and locked statements were undone and may be sent again; the rest end the run. */
enum engine_status {
	ENGINE_OK,
	ENGINE_BUSY,		/* another connection is writing */
	ENGINE_LOCKED,		/* a table is, or the snapshot is too old */
	ENGINE_FULL,
	ENGINE_FAILED,
	ENGINE_STATUSES
};

enum engine_caps {
	ENGINE_ONE_WRITER = 1,	/* one write transaction at a time in all tables */
	ENGINE_DENSE_PK = 2,	/* primary keys have no gaps */
	ENGINE_SERVER = 4,	/* the target is a connection string, not a folder */
	ENGINE_TELLS_PK = 8,	/* an insert says the primary key of its last row */
	ENGINE_THREADS = 16,	/* embedded, and may work on threads of its own */
	ENGINE_EMPTY = 32,	/* keeps no rows, so an answer says nothing */
};

/* What a connection will be used for; statements are prepared when it is opened. */
enum engine_work { WORK_ADMIN, WORK_INSERT, WORK_DELETE, WORK_RANGE, WORK_POINT };

struct engine_target {
	/*
	 * A folder, or of a server the words `host= port= socket= user= password=
	 * dbname=`, each optional. Servers keep what they need of it: it may be secret,
	 * so no message may hold a value of it.
	 */
	const char *text;
	const struct config *config;	/* of an embedded engine */
	/*
	 * The names of the driver's tables as a POSIX regular expression, where a server
	 * tells how large they are and cleans up after them.
	 */
	const char *tables;	/* NULL: SCHEMA_TABLES */
	FILE *trace;		/* SQLite writes there what it runs; NULL: nowhere */
	const struct index_def *indexes;
	bool create;		/* remove what an earlier run left and start empty */
	bool prepare;		/* statements are prepared once, not sent as text */
	bool real_price;	/* price is a floating-point number, as until 2023 */
	size_t rows_per_commit;	/* the most rows that an insert will have */
};

struct table_state {
	uint64_t rows;
	int64_t min_pk, max_pk;	/* 0 and -1 in an empty table */
	unsigned indexes;	/* those that are there and as defined */
};

/* The rows of one query; point queries fill key[][0] with the primary keys. */
struct answer {
	unsigned rows;
	int64_t key[ROWS_PER_QUERY][KEY_COLUMNS];
};

/* How a value goes to an engine, and how it comes back. */
enum value_type { VALUE_INT = 1, VALUE_BIGINT, VALUE_REAL, VALUE_TEXT, VALUE_BYTES };

/*
 * The field that its type names counts: number, of 32 or 64 bits, real, or text. Bytes are a
 * text that goes as it stands: a value in the binary form of the engine's own type.
 */
struct value {
	int64_t number;
	double real;
	const char *text;
	size_t length;		/* of text */
};

#define FIELDS 8
#define FIELD_TEXT 128

/* One value of an answer; a longer text is cut. */
struct field {
	enum value_type type;
	bool null;
	int64_t number;
	double real;
	size_t length;
	char text[FIELD_TEXT];
};

/*
 * What a statement brought. The caller's are wanted, so many fields of the first row, and
 * keys: the first column, a whole number, of as many rows as there is room for.
 */
struct outcome {
	unsigned wanted, room;
	int64_t *keys;
	uint64_t rows, affected;
	unsigned fields;
	struct field field[FIELDS];
};

/* One row as text; a NULL is NULL. */
typedef void row_fn(void *to, unsigned ncolumns, const char *const *names,
		    const char *const *texts);

struct database;
struct connection;
struct statement;

struct engine {
	const char *name, *about;
	unsigned caps;
	/* Of the server or of the embedded library; db is NULL for the library's. */
	const char *(*version)(struct database *db);

	/*
	 * Asked first of an embedded engine. False with one sentence in why if a line is
	 * none of its settings, or if its library is not there.
	 */
	bool (*check_config)(const struct config *config, char *why, size_t size);

	/* NULL with one sentence in why if it cannot be done. */
	struct database *(*open)(const struct engine_target *target, char *why,
				 size_t size);
	void (*close)(struct database *db);
	void (*settings)(void *db, setting_fn *each, void *to);
	uint64_t (*size)(struct database *db);	/* bytes of the tables and indexes */
	/* Bytes written to the log since some fixed moment; NULL or false: not told. */
	bool (*log_bytes)(struct database *db, uint64_t *bytes);

	/* A connection works on one table, pi<number>; one thread uses it at a time. */
	struct connection *(*connect)(struct database *db, unsigned table,
				      enum engine_work work, char *why, size_t size);
	void (*disconnect)(struct connection *conn);
	/* What the last statement that failed said. */
	const char *(*message)(struct connection *conn);
	/* From another thread: the statement in progress fails soon, for good. */
	void (*interrupt)(struct connection *conn);

	enum engine_status (*create_table)(struct connection *conn);
	/*
	 * One statement, which makes the index `first` and as many of those after it as
	 * the engine makes together in the published results; made: how many.
	 */
	enum engine_status (*create_indexes)(struct connection *conn, unsigned first,
					     unsigned *made);
	enum engine_status (*state)(struct connection *conn, struct table_state *state);
	/* The smallest or the largest primary key; 0 or -1 in an empty table. */
	enum engine_status (*end_pk)(struct connection *conn, bool newest, int64_t *pk);

	/* One transaction. last_pk: the primary key of the last row, if ENGINE_TELLS_PK. */
	enum engine_status (*insert)(struct connection *conn, const struct row *rows,
				     size_t nrows, int64_t *last_pk);
	/* Deletes the rows with first <= primary key < first + nrows. */
	enum engine_status (*delete_oldest)(struct connection *conn, int64_t first,
					    size_t nrows, uint64_t *deleted);
	/* ROWS_PER_QUERY rows of one index from a start value on, in index order. */
	enum engine_status (*range)(struct connection *conn, unsigned index, int64_t from,
				    struct answer *answer);
	/* The rows whose primary key is one of ids[ROWS_PER_QUERY]. */
	enum engine_status (*point)(struct connection *conn, const int64_t *ids,
				    struct answer *answer);
	/* Reads one whole index (0 and 4: the primary key) and returns no row. */
	enum engine_status (*scan)(struct connection *conn, unsigned scan,
				   uint64_t *returned);
	/* Pays the debt of earlier writes; bytes: how much was written back. */
	enum engine_status (*cleanup)(struct connection *conn, uint64_t *bytes);
	/*
	 * What the other sessions do or wait for now, into empty counts; asked on an
	 * admin connection of its own. NULL: embedded, there are no sessions.
	 */
	enum engine_status (*waits)(struct connection *conn, struct wait_counts *counts);

	/*
	 * Any statement, on a connection for WORK_ADMIN. Parameters are ?, ? or $1, $2 as
	 * placeholder says. NULL: message tells why. All rows of an answer are read; after
	 * a failure the connection can be used again when ROLLBACK was sent.
	 */
	char placeholder;
	struct statement *(*prepare)(struct connection *conn, const char *sql,
				     const enum value_type *types, unsigned ntypes);
	enum engine_status (*execute)(struct statement *statement,
				      const struct value *values, struct outcome *outcome);
	void (*forget)(struct statement *statement);
	/* One statement as text; each, if not NULL, is called with every row. */
	enum engine_status (*run)(struct connection *conn, const char *sql,
				  struct outcome *outcome, row_fn *each, void *to);
	/*
	 * How a statement would be done, as lines, without costs and numbers of rows: the
	 * same text means the same plan. False if the engine does not say of this one;
	 * NULL: of none.
	 */
	bool (*explain)(struct connection *conn, const char *sql, char *text, size_t size);
};

extern const struct engine *const ENGINES[];
extern const size_t NENGINES;

const struct engine *engine_find(const char *name);

#endif
