/* What the files of RocksDB share; rocksdb.c holds the engine's table. */
#ifndef BENCH_ROCKSDB_ENGINE_H
#define BENCH_ROCKSDB_ENGINE_H

#include "api.h"
#include "engines/engine.h"
#include "keys.h"

#include <pthread.h>
#include <stdatomic.h>

#define INDEXES (1 + SECONDARY_INDEXES)		/* the primary key is number 0 */
#define NAME_MOST 128				/* of a table or an index */
#define VERSION_TEXT 32

/* Where the columns of an index come from. */
enum column { COLUMN_TIME, COLUMN_REGISTER, COLUMN_CUSTOMER, COLUMN_PRODUCT, COLUMN_PRICE };

/* How the keys of a secondary index lie. */
struct layout {
	enum column columns[KEY_COLUMNS];
	unsigned ncolumns;
	size_t length;
	size_t customerid;	/* where it stands in a key */
};

struct database {
	char path[4096], version[VERSION_TEXT];
	const struct config *config;
	const struct index_def *indexes;	/* NULL: another driver's tables */
	struct layout layouts[SECONDARY_INDEXES];
	bool real_price, logs;
	rocks_db handle;
	rocks_options options;
	rocks_write write;
	pthread_mutex_t naming;		/* who gives a new index its number */
	_Atomic uint64_t log_bytes;
	_Atomic int64_t next[MAX_TABLES + 1];	/* primary key of pi<number> */
	/* watch.c */
	pthread_t watcher;
	pthread_mutex_t watching;
	pthread_cond_t stopped;
	bool watched, stop;
	atomic_bool broken;		/* for good, and that is why: */
	char reason[ENGINE_TEXT / 2];
};

struct connection {
	struct database *db;
	unsigned table;
	uint32_t index[INDEXES];	/* their numbers; 0: there is none */
	rocks_read read;		/* of everything */
	rocks_read within[INDEXES];	/* of an index alone */
	char bounds[INDEXES][INDEX_BYTES];
	rocks_batch batch;
	char *record;			/* of any.c, as long as the longest so far */
	size_t record_size;
	atomic_bool interrupted;
	char message[ENGINE_TEXT];
};

/* store.c. What a failure means; the text is freed, and told by the connection. */
enum engine_status rx_check(struct connection *conn, char *error);
enum engine_status rx_status(const char *error);
void rx_one_line(const char *text, char *line, size_t size);
enum engine_status rx_fail(struct connection *conn, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Fails once another thread has interrupted the connection. */
enum engine_status rx_go_on(struct connection *conn);
/* What is in the connection's batch as one transaction. */
enum engine_status rx_write(struct connection *conn);
/* A property that is a whole number; 0 where the release does not have it. */
uint64_t rx_property(const struct database *db, const char *name);
/* Options of a read that ends where the index does; bound is kept. */
rocks_read rx_read_within(const struct database *db, uint32_t index, char *bound);
rocks_read rx_read(const struct database *db);
/* At the last entry of an index; false: it has none. */
bool rx_seek_last(rocks_iterator iterator, uint32_t index);
/* Is there an entry, and is it of this index? */
bool rx_is_of(rocks_iterator iterator, uint32_t index);
/* Ends an iterator; its failure, if it had one. */
enum engine_status rx_end(struct connection *conn, rocks_iterator iterator);

/*
 * names.c: index 0 keeps the numbers of the others, by name, each with a word on what it
 * is. number: 0 if there is none of that name. definition may be NULL.
 */
enum engine_status rx_name_find(struct connection *conn, const char *name,
				uint32_t *number, char *definition, size_t size);
enum engine_status rx_name_add(struct connection *conn, const char *name,
			       const char *definition, uint32_t *number);

/* options.c: the settings file as RocksDB's options. NULL with one sentence in why. */
rocks_options rx_options(const struct config *config, char *why, size_t size);
bool rx_is_on(const struct config *config, const char *name);

/* facts.c: what RocksDB writes beside its data. "" if it is not there. */
void rx_version_in(const char *folder, char *version, size_t size);
/* Bytes of the files of the database whose names end so. */
uint64_t rx_files_size(const struct database *db, const char *ending);
void rx_settings(void *database, setting_fn *each, void *to);

/* watch.c: once a second, whether something failed in the background. */
void rx_watch_start(struct database *db);
void rx_watch_stop(struct database *db);

/* tables.c: tables and indexes of the insert benchmark, and what is done to the whole. */
enum engine_status rx_find_indexes(struct connection *conn);
enum engine_status rx_create_table(struct connection *conn);
enum engine_status rx_create_indexes(struct connection *conn, unsigned first,
				     unsigned *made);
enum engine_status rx_state(struct connection *conn, struct table_state *state);
enum engine_status rx_end_pk(struct connection *conn, bool newest, int64_t *pk);
enum engine_status rx_scan(struct connection *conn, unsigned number, uint64_t *returned);
enum engine_status rx_cleanup(struct connection *conn, uint64_t *bytes);

/* rows.c: how rows and their index entries lie in keys and values. */
#define RECORD_HEAD 24		/* of a row's value, before its data */
#define RECORD_CUSTOMERID 12	/* where it stands there */
#define RECORD_MOST (RECORD_HEAD + DATA_MAX + 3)
#define ENTRY_MOST (INDEX_BYTES + KEY_COLUMNS * 8 + 8)

void rx_layout(const struct index_def *index, struct layout *layout);
size_t rx_primary_key(uint32_t index, int64_t pk, char *key);
size_t rx_record(const struct row *row, bool real_price, char *value);
bool rx_row(const char *value, size_t length, bool real_price, struct row *row);
size_t rx_entry(const struct layout *layout, bool real_price, uint32_t index,
		const struct row *row, int64_t pk, char *key);
void rx_columns(const struct layout *layout, bool real_price, const char *key,
		int64_t columns[KEY_COLUMNS]);

/* statements.c: the timed ones of the insert benchmark. */
enum engine_status rx_insert(struct connection *conn, const struct row *rows,
			     size_t nrows, int64_t *last_pk);
enum engine_status rx_delete(struct connection *conn, int64_t first, size_t nrows,
			     uint64_t *deleted);
enum engine_status rx_range(struct connection *conn, unsigned i, int64_t from,
			    struct answer *answer);
enum engine_status rx_point(struct connection *conn, const int64_t *ids,
			    struct answer *answer);

/* any.c: statements of keys and values. */
struct statement *rx_prepare_any(struct connection *conn, const char *text,
				 const enum value_type *types, unsigned ntypes);
enum engine_status rx_execute_any(struct statement *statement,
				  const struct value *values, struct outcome *outcome);
void rx_forget(struct statement *statement);
enum engine_status rx_run_any(struct connection *conn, const char *text,
			      struct outcome *outcome, row_fn *each, void *to);

#endif
