/*
 * RocksDB, in the process: a folder in the target folder, one column family. The library
 * is found when the engine is used (api.h), so that releases take turns under one client.
 * What the insert benchmark does to keys and values is what MyRocks does: rows.c.
 */
#include "common/leftovers.h"
#include "engine.h"
#include "engines/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER_NAME "benchbook.rocksdb"

/* No function of RocksDB's says its version: a database that was opened does. */
static char version_text[VERSION_TEXT];

static const char *version(struct database *db)
{
	return db ? db->version : version_text;
}

/* NULL with one sentence in why. */
static rocks_db open_at(const char *path, rocks_options options, char *why, size_t size)
{
	char *error = NULL;
	rocks_db db = rocks.open(options, path, &error);

	if (!error)
		return db;
	rx_one_line(error, why, size);
	rocks.free(error);
	return NULL;
}

/* An empty database shows what the release makes of the settings, and which one it is. */
static bool try_options(rocks_options options, char *why, size_t size)
{
	const char *where = getenv("TMPDIR");
	char folder[4096], mark[MARK_SIZE];
	rocks_db db;

	snprintf(folder, sizeof(folder), "%s/benchbook-rocksdb-%s-XXXXXX",
		 where && *where ? where : P_tmpdir, process_mark(mark, sizeof(mark)));
	if (!mkdtemp(folder)) {
		snprintf(why, size, "cannot make a folder in %s to try RocksDB's settings",
			 where && *where ? where : P_tmpdir);
		return false;
	}
	leftovers_clear(folder);
	db = open_at(folder, options, why, size);
	if (db) {
		rx_version_in(folder, version_text, sizeof(version_text));
		rocks.close(db);
	}
	remove_tree(folder);
	return db;
}

static bool check_config(const struct config *config, char *why, size_t size)
{
	char said[ENGINE_TEXT / 2];
	rocks_options options;
	bool good;

	if (!rocks_load(why, size))
		return false;
	options = rx_options(config, why, size);
	if (!options)
		return false;
	good = try_options(options, said, sizeof(said));
	rocks.options_destroy(options);
	if (!good)
		snprintf(why, size, "%s%s%s", config->nlines ? config->path : "",
			 config->nlines ? ": " : "", said);
	return good;
}

static void free_database(struct database *db)
{
	if (db->handle) {
		rx_watch_stop(db);
		rocks.close(db->handle);
	}
	if (db->write)
		rocks.writeoptions_destroy(db->write);
	if (db->options)
		rocks.options_destroy(db->options);
	pthread_mutex_destroy(&db->naming);
	free(db);
}

static bool open_handles(struct database *db, bool create, char *why, size_t size)
{
	char said[ENGINE_TEXT / 2];

	db->options = rx_options(db->config, why, size);
	if (!db->options)
		return false;
	if (create)
		remove_tree(db->path);
	db->handle = open_at(db->path, db->options, said, sizeof(said));
	if (!db->handle) {
		snprintf(why, size, "cannot open the database: %s", said);
		return false;
	}
	rx_watch_start(db);
	db->logs = !rx_is_on(db->config, "write.disable_wal");
	db->write = rocks.writeoptions_create();
	rocks.writeoptions_set_sync(db->write, rx_is_on(db->config, "write.sync"));
	rocks.writeoptions_disable_WAL(db->write, !db->logs);
	rx_version_in(db->path, db->version, sizeof(db->version));
	return true;
}

static struct database *open_database(const struct engine_target *target, char *why,
				      size_t size)
{
	struct database *db;

	if (!rocks_load(why, size) || !files_folder(target->text, why, size))
		return NULL;
	db = calloc(1, sizeof(*db));
	if (!db) {
		snprintf(why, size, "there is no memory for a database");
		return NULL;
	}
	snprintf(db->path, sizeof(db->path), "%s/" FOLDER_NAME, target->text);
	pthread_mutex_init(&db->naming, NULL);
	db->config = target->config;
	db->indexes = target->indexes;
	db->real_price = target->real_price;
	for (unsigned i = 0; db->indexes && i < SECONDARY_INDEXES; i++)
		rx_layout(&db->indexes[i], &db->layouts[i]);
	if (open_handles(db, target->create, why, size))
		return db;
	free_database(db);
	return NULL;
}

/* The tables, and the log of what is still in memory. */
static uint64_t size_on_disk(struct database *db)
{
	return rx_property(db, "rocksdb.total-sst-files-size") + rx_files_size(db, ".log");
}

static bool log_bytes(struct database *db, uint64_t *bytes)
{
	*bytes = atomic_load(&db->log_bytes);
	return db->logs;
}

static void disconnect(struct connection *conn)
{
	for (unsigned i = 0; i < INDEXES; i++)
		if (conn->within[i])
			rocks.readoptions_destroy(conn->within[i]);
	rocks.readoptions_destroy(conn->read);
	rocks.writebatch_destroy(conn->batch);
	free(conn->record);
	free(conn);
}

/* Keys go on behind the largest that is there. */
static enum engine_status find_table(struct connection *conn)
{
	_Atomic int64_t *next = &conn->db->next[conn->table];
	int64_t newest = 0;
	enum engine_status status = rx_find_indexes(conn);

	if (status != ENGINE_OK || !conn->index[0] || atomic_load(next))
		return status;
	status = rx_end_pk(conn, true, &newest);
	atomic_store(next, newest < 0 ? 1 : newest + 1);
	return status;
}

static struct connection *connect_table(struct database *db, unsigned table,
					enum engine_work work, char *why, size_t size)
{
	struct connection *conn = calloc(1, sizeof(*conn));

	(void)work;
	if (!conn) {
		snprintf(why, size, "there is no memory for a connection");
		return NULL;
	}
	conn->db = db;
	conn->table = table;
	conn->read = rx_read(db);
	conn->batch = rocks.writebatch_create();
	if (!table || find_table(conn) == ENGINE_OK)
		return conn;
	snprintf(why, size, "%s", conn->message);
	disconnect(conn);
	return NULL;
}

static const char *message(struct connection *conn)
{
	return conn->message;
}

static void interrupt(struct connection *conn)
{
	atomic_store(&conn->interrupted, true);
	if (rocks.cancel_all_background_work)	/* a write may wait for it */
		rocks.cancel_all_background_work(conn->db->handle, 0);
}

extern const struct engine ROCKSDB_ENGINE;
const struct engine ROCKSDB_ENGINE = {
	.name = "rocksdb",
	.about = "RocksDB 4.13 or later, in the process, of a library found when it runs",
	.caps = ENGINE_THREADS | ENGINE_TELLS_PK,
	.version = version,
	.check_config = check_config,
	.open = open_database,
	.close = free_database,
	.settings = rx_settings,
	.size = size_on_disk,
	.log_bytes = log_bytes,
	.connect = connect_table,
	.disconnect = disconnect,
	.message = message,
	.interrupt = interrupt,
	.create_table = rx_create_table,
	.create_indexes = rx_create_indexes,
	.state = rx_state,
	.end_pk = rx_end_pk,
	.insert = rx_insert,
	.delete_oldest = rx_delete,
	.range = rx_range,
	.point = rx_point,
	.scan = rx_scan,
	.cleanup = rx_cleanup,
	.placeholder = '?',
	.prepare = rx_prepare_any,
	.execute = rx_execute_any,
	.forget = rx_forget,
	.run = rx_run_any,
};
