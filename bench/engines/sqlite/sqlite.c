/*
 * SQLite, in the process. The library is linked dynamically, so LD_LIBRARY_PATH chooses
 * another build, and its version is asked at run time. One database file in the target
 * folder; WAL unless the settings file says otherwise.
 */
#include "engine.h"
#include "engines/files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define FILE_NAME "benchbook.db"

static const char *version(struct database *db)
{
	(void)db;
	return sqlite3_libversion();
}

static sqlite3 *open_handle(struct database *db, char *why, size_t size)
{
	sqlite3 *handle = NULL;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	if (sqlite3_open_v2(db->path, &handle, flags, NULL) != SQLITE_OK) {
		snprintf(why, size, "cannot open the database %s: %s", db->path,
			 handle ? sqlite3_errmsg(handle) : "no memory");
	} else {
		sqlite3_extended_result_codes(handle, 1);
		if (sq_apply_settings(db, handle, why, size) &&
		    (!db->trace || sq_trace(handle, db->trace, why, size)))
			return handle;
	}
	sqlite3_close(handle);
	return NULL;
}

static struct database *open_database(const struct engine_target *target, char *why,
				      size_t size)
{
	static const char *const FILES[] = { "", "-wal", "-shm", "-journal", NULL };
	struct database *db;

	if (!sqlite3_threadsafe()) {
		snprintf(why, size, "this SQLite library was built without threads");
		return NULL;
	}
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
	db->trace = target->trace;
	if (target->create)
		files_remove(db->path, FILES);
	db->keeper = open_handle(db, why, size);
	if (!db->keeper) {
		free(db);
		return NULL;
	}
	return db;
}

static void close_database(struct database *db)
{
	sqlite3_close(db->keeper);
	free(db);
}

static uint64_t size_on_disk(struct database *db)
{
	static const char *const FILES[] = { "", "-wal", "-journal", NULL };

	return files_size(db->path, FILES);
}

static void disconnect(struct connection *conn)
{
	sq_unprepare(conn);
	sqlite3_close(conn->handle);
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
	conn->handle = open_handle(db, why, size);
	if (!conn->handle) {
		free(conn);
		return NULL;
	}
	if (sq_prepare(conn, work) != ENGINE_OK) {
		snprintf(why, size, "%s", conn->message);
		disconnect(conn);
		return NULL;
	}
	return conn;
}

static const char *message(struct connection *conn)
{
	return conn->message;
}

static void interrupt(struct connection *conn)
{
	sqlite3_interrupt(conn->handle);
}

static enum engine_status execute(struct connection *conn, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static enum engine_status execute(struct connection *conn, const char *format, ...)
{
	char sql[SQL_SIZE];
	va_list values;

	va_start(values, format);
	vsnprintf(sql, sizeof(sql), format, values);
	va_end(values);
	TRY(conn, sqlite3_exec(conn->handle, sql, NULL, NULL, NULL));
	return ENGINE_OK;
}

/* The whole numbers of the first row of a query, as many as asked; NULL reads as 0. */
static enum engine_status read_numbers(struct connection *conn, const char *sql,
				       int64_t *numbers, int count)
{
	sqlite3_stmt *statement;
	int code;

	TRY(conn, sqlite3_prepare_v2(conn->handle, sql, -1, &statement, NULL));
	code = sqlite3_step(statement);
	for (int i = 0; code == SQLITE_ROW && i < count; i++)
		numbers[i] = sqlite3_column_int64(statement, i);
	sqlite3_finalize(statement);
	TRY(conn, code);
	return ENGINE_OK;
}

static enum engine_status create_table(struct connection *conn)
{
	return execute(conn, "CREATE TABLE pi%u (transactionid INTEGER PRIMARY KEY, "
		       "dateandtime INTEGER NOT NULL, cashregisterid INTEGER NOT NULL, "
		       "customerid INTEGER NOT NULL, productid INTEGER NOT NULL, "
		       "price %s NOT NULL, data VARCHAR(4000) NOT NULL)",
		       conn->table, conn->db->real_price ? "REAL" : "INTEGER");
}

static void index_sql(struct connection *conn, unsigned i, char *sql, size_t size)
{
	const struct index_def *index = &conn->db->indexes[i];
	char columns[128];

	snprintf(sql, size, "CREATE INDEX pi%u_%s ON pi%u (%s)", conn->table,
		 index->name, conn->table, schema_columns(index, columns, sizeof(columns)));
}

static enum engine_status create_indexes(struct connection *conn, unsigned first,
					 unsigned *made)
{
	char sql[SQL_SIZE];

	*made = 1;
	index_sql(conn, first, sql, sizeof(sql));
	return execute(conn, "%s", sql);
}

static enum engine_status state(struct connection *conn, struct table_state *state)
{
	char sql[SQL_SIZE], definition[SQL_SIZE / 2];
	int64_t numbers[4], found;

	snprintf(sql, sizeof(sql), "SELECT count(*), min(transactionid), "
		 "max(transactionid) FROM pi%u", conn->table);
	enum engine_status status = read_numbers(conn, sql, numbers, 3);
	if (status != ENGINE_OK)
		return status;
	*state = (struct table_state){
		.rows = (uint64_t)numbers[0],
		.min_pk = numbers[1],
		.max_pk = numbers[0] ? numbers[2] : -1,
	};
	for (unsigned i = 0; i < SECONDARY_INDEXES; i++) {
		index_sql(conn, i, definition, sizeof(definition));
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM sqlite_master "
			 "WHERE type = 'index' AND sql = '%s'", definition);
		status = read_numbers(conn, sql, &found, 1);
		if (status != ENGINE_OK)
			return status;
		state->indexes += found == 1;
	}
	return ENGINE_OK;
}

static enum engine_status end_pk(struct connection *conn, bool newest, int64_t *pk)
{
	char sql[SQL_SIZE];

	snprintf(sql, sizeof(sql), "SELECT %s(transactionid) FROM pi%u",
		 newest ? "max" : "min", conn->table);
	return read_numbers(conn, sql, pk, 1);
}

/* The unary plus keeps the filter out of the index: every entry is read. */
static void scan_sql(struct connection *conn, unsigned number, char *sql, size_t size)
{
	const struct index_def *index;
	char columns[128];

	if (number == 0 || number == SCANS - 1) {
		snprintf(sql, size, "SELECT transactionid, data, customerid FROM pi%u "
			 "NOT INDEXED WHERE +customerid < 0", conn->table);
		return;
	}
	index = &conn->db->indexes[number - 1];
	schema_columns(index, columns, sizeof(columns));
	snprintf(sql, size, "SELECT %s FROM pi%u INDEXED BY pi%u_%s WHERE %s >= 0 "
		 "AND +customerid < 0 ORDER BY %s", columns, conn->table, conn->table,
		 index->name, index->columns[0], columns);
}

static enum engine_status scan(struct connection *conn, unsigned number,
			       uint64_t *returned)
{
	char sql[SQL_SIZE];
	sqlite3_stmt *statement;

	*returned = 0;
	scan_sql(conn, number, sql, sizeof(sql));
	TRY(conn, sqlite3_prepare_v2(conn->handle, sql, -1, &statement, NULL));
	while (sqlite3_step(statement) == SQLITE_ROW)
		(*returned)++;
	TRY(conn, sqlite3_finalize(statement));
	return ENGINE_OK;
}

/* Statistics from a sample of each index, then all of the WAL into the database. */
static enum engine_status cleanup(struct connection *conn, uint64_t *bytes)
{
	enum engine_status status;
	int frames = 0, moved = 0;
	char page_size[CONFIG_VALUE];

	status = execute(conn, "PRAGMA analysis_limit = 1000; ANALYZE");
	if (status != ENGINE_OK)
		return status;
	TRY(conn, sqlite3_wal_checkpoint_v2(conn->handle, NULL,
					    SQLITE_CHECKPOINT_PASSIVE, &frames, &moved));
	TRY(conn, sqlite3_wal_checkpoint_v2(conn->handle, NULL,
					    SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL));
	sq_pragma(conn->handle, "page_size", page_size, sizeof(page_size));
	*bytes = moved > 0 ? (uint64_t)moved * strtoull(page_size, NULL, 10) : 0;
	return ENGINE_OK;
}

extern const struct engine SQLITE_ENGINE;
const struct engine SQLITE_ENGINE = {
	.name = "sqlite",
	.about = "SQLite, in the process; settings are PRAGMAs",
	.caps = ENGINE_ONE_WRITER | ENGINE_DENSE_PK | ENGINE_TELLS_PK,
	.version = version,
	.check_config = sq_check_config,
	.open = open_database,
	.close = close_database,
	.settings = sq_settings,
	.size = size_on_disk,
	.connect = connect_table,
	.disconnect = disconnect,
	.message = message,
	.interrupt = interrupt,
	.create_table = create_table,
	.create_indexes = create_indexes,
	.state = state,
	.end_pk = end_pk,
	.insert = sq_insert,
	.delete_oldest = sq_delete,
	.range = sq_range,
	.point = sq_point,
	.scan = scan,
	.cleanup = cleanup,
	.placeholder = '?',
	.prepare = sq_prepare_any,
	.execute = sq_execute,
	.forget = sq_forget,
	.run = sq_run,
	.explain = sq_explain,
};
