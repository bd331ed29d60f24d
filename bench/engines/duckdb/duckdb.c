/*
 * DuckDB, in the process: one file in the target folder, a connection for each client.
 * The library is found when the engine is used (api.h), and a settings file may
 * hold any setting that its release knows.
 *
 * A query runs on the thread that sends it and on those that DuckDB adds. It adds none
 * unless the settings file says `threads`: then --dop is what works at a time, as in
 * every other engine, and no client is helped by the CPU of another.
 */
#include "engine.h"
#include "engines/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "benchbook.duckdb"

/* Where ours differ from DuckDB's. Nothing is fetched beside a measurement. */
static const struct {
	const char *name, *value;
} STANDARD[] = {
	{ "threads", "1" },
	{ "autoinstall_known_extensions", "false" },
	{ "autoload_known_extensions", "false" },
};

/* Neither secrets nor where on this machine something lies. */
static const char SETTINGS[] =
	"SELECT name, coalesce(value, '') FROM duckdb_settings() WHERE scope = 'GLOBAL' "
	"AND NOT regexp_matches(name, 'director|path|password|user|secret|proxy') "
	"UNION ALL SELECT 'source_id', source_id FROM pragma_version() "
	"UNION ALL SELECT 'platform', platform FROM pragma_platform() ORDER BY 1";

static const char *version(struct database *db)
{
	const char *text;
	char why[ENGINE_TEXT];

	(void)db;
	if (!duck_load(why, sizeof(why)))
		return "";
	text = duck.library_version();
	return text + (*text == 'v');
}

/* DuckDB does not say what is wrong with a value; an unknown name it tells at opening. */
static bool set(duck_config made, const char *name, const char *value, char *why,
		size_t size)
{
	if (duck.set_config(made, name, value) == DUCK_OK)
		return true;
	snprintf(why, size, "DuckDB %s does not take the setting %s = %s", version(NULL),
		 name, value);
	return false;
}

static bool set_all(duck_config made, const struct config *config, char *why, size_t size)
{
	char folder[4096];

	for (size_t i = 0; i < sizeof(STANDARD) / sizeof(STANDARD[0]); i++)
		if (!set(made, STANDARD[i].name, STANDARD[i].value, why, size))
			return false;
	duck_extensions(folder, sizeof(folder));
	if (*folder && duck.set_config(made, "extension_directory", folder) != DUCK_OK) {
		snprintf(why, size, "DuckDB %s does not take a folder of extensions",
			 version(NULL));
		return false;
	}
	for (size_t i = 0; i < config->nlines; i++)
		if (!set(made, config->lines[i].name, config->lines[i].value, why, size))
			return false;
	return true;
}

/* NULL with one sentence in why. */
static duck_database open_file(const char *path, const struct config *config, char *why,
			       size_t size)
{
	duck_database db = NULL;
	duck_config made = NULL;
	char *error = NULL;

	if (duck.create_config(&made) != DUCK_OK) {
		snprintf(why, size, "there is no memory for DuckDB's settings");
	} else if (set_all(made, config, why, size) &&
		   duck.open_ext(path, &db, made, &error) != DUCK_OK) {
		dk_one_line(error, why, size);
		duck.free(error);
		duck.close(&db);
	}
	duck.destroy_config(&made);
	return db;
}

/* An empty database in memory shows what the release makes of the settings. */
static bool check_config(const struct config *config, char *why, size_t size)
{
	char said[ENGINE_TEXT / 2];
	duck_database db;

	if (!duck_load(why, size))
		return false;
	if (!config->nlines)
		return true;
	db = open_file(":memory:", config, said, sizeof(said));
	if (!db) {
		snprintf(why, size, "%s: %s", config->path, said);
		return false;
	}
	duck.close(&db);
	return true;
}

static bool open_handles(struct database *db, char *why, size_t size)
{
	char said[ENGINE_TEXT / 2];

	db->handle = open_file(db->path, db->config, said, sizeof(said));
	if (!db->handle) {
		snprintf(why, size, "cannot open the database: %s", said);
		return false;
	}
	if (duck.connect(db->handle, &db->keeper) == DUCK_OK)
		return true;
	snprintf(why, size, "DuckDB gives no connection to %s", db->path);
	duck.close(&db->handle);
	return false;
}

static struct database *open_database(const struct engine_target *target, char *why,
				      size_t size)
{
	static const char *const FILES[] = {
		"", ".wal", ".wal.checkpoint", ".wal.recovery", NULL,
	};
	struct database *db;

	if (!duck_load(why, size))
		return NULL;
	if (!files_folder(target->text, why, size))
		return NULL;
	db = calloc(1, sizeof(*db));
	if (!db) {
		snprintf(why, size, "there is no memory for a database");
		return NULL;
	}
	snprintf(db->path, sizeof(db->path), "%s/" FILE_NAME, target->text);
	db->config = target->config;
	db->indexes = target->indexes;
	db->prepare = target->prepare;
	db->real_price = target->real_price;
	db->rows_per_commit = target->rows_per_commit;
	if (target->create)
		files_remove(db->path, FILES);
	if (open_handles(db, why, size))
		return db;
	free(db);
	return NULL;
}

static void close_database(struct database *db)
{
	duck.disconnect(&db->keeper);
	duck.close(&db->handle);
	free(db);
}

static void settings(void *database, setting_fn *each, void *to)
{
	struct database *db = database;
	struct duck_result result;

	if (duck.query(db->keeper, SETTINGS, &result) == DUCK_OK)
		dk_pairs(&result, each, to);
	else
		duck.destroy_result(&result);
}

static uint64_t size_on_disk(struct database *db)
{
	static const char *const FILES[] = { "", ".wal", NULL };

	return files_size(db->path, FILES);
}

static void disconnect(struct connection *conn)
{
	dk_unprepare(conn);
	duck.disconnect(&conn->handle);
	free(conn);
}

static struct connection *connect_table(struct database *db, unsigned table,
					enum engine_work work, char *why, size_t size)
{
	struct connection *conn = calloc(1, sizeof(*conn));

	if (!conn) {
		snprintf(why, size, "there is no memory for a connection");
		return NULL;
	}
	conn->db = db;
	conn->table = table;
	if (duck.connect(db->handle, &conn->handle) != DUCK_OK)
		snprintf(why, size, "DuckDB gives no connection to %s", db->path);
	else if (dk_prepare(conn, work))
		return conn;
	else
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
	duck.interrupt(conn->handle);
}

static enum engine_status insert(struct connection *conn, const struct row *rows,
				 size_t nrows, int64_t *last_pk)
{
	*last_pk = 0;
	return conn->db->prepare ? dk_insert(conn, rows, nrows) :
				   dk_text_insert(conn, rows, nrows);
}

static enum engine_status delete_oldest(struct connection *conn, int64_t first,
					size_t nrows, uint64_t *deleted)
{
	struct duck_result result;
	enum engine_status status =
		conn->db->prepare ? dk_delete(conn, first, nrows, &result) :
				    dk_text_delete(conn, first, nrows, &result);

	if (status != ENGINE_OK)
		return status;
	*deleted = duck.rows_changed(&result);
	duck.destroy_result(&result);
	return ENGINE_OK;
}

static enum engine_status range(struct connection *conn, unsigned i, int64_t from,
				struct answer *answer)
{
	struct duck_result result;
	enum engine_status status =
		conn->db->prepare ? dk_range(conn, i, from, &result) :
				    dk_text_range(conn, i, from, &result);

	if (status == ENGINE_OK)
		dk_fetch(&result, conn->cells[i], conn->db->indexes[i].ncolumns, answer);
	return status;
}

static enum engine_status point(struct connection *conn, const int64_t *ids,
				struct answer *answer)
{
	static const enum cell CELLS[] = { CELL_BIG, CELL_INT, CELL_LENGTH };
	struct duck_result result;
	enum engine_status status = conn->db->prepare ?
				    dk_point(conn, ids, &result) :
				    dk_text_point(conn, ids, &result);

	if (status == ENGINE_OK)
		dk_fetch(&result, CELLS, 3, answer);
	return status;
}

extern const struct engine DUCKDB_ENGINE;
const struct engine DUCKDB_ENGINE = {
	.name = "duckdb",
	.about = "DuckDB 1.1 or later, in the process, of a library found when it runs",
	.caps = ENGINE_THREADS,
	.version = version,
	.check_config = check_config,
	.open = open_database,
	.close = close_database,
	.settings = settings,
	.size = size_on_disk,
	.connect = connect_table,
	.disconnect = disconnect,
	.message = message,
	.interrupt = interrupt,
	.create_table = dk_create_table,
	.create_indexes = dk_create_indexes,
	.state = dk_state,
	.end_pk = dk_end_pk,
	.insert = insert,
	.delete_oldest = delete_oldest,
	.range = range,
	.point = point,
	.scan = dk_scan,
	.cleanup = dk_cleanup,
	.placeholder = '?',
	.prepare = dk_prepare_any,
	.execute = dk_execute_any,
	.forget = dk_forget,
	.run = dk_run_any,
	.explain = dk_explain,
};
