/*
 * SQLite, in the process. The library is linked dynamically, so LD_LIBRARY_PATH chooses
 * another build, and its version is asked at run time. One database file in the target
 * folder; WAL unless the settings file says otherwise.
 */
#include "engine.h"
#include "files.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FILE_NAME "benchbook.db"
#define SQL_SIZE 512

/* Reports where and what failed in the connection's message; the caller passes it on. */
#define TRY(conn, expr)                                                          \
	do {                                                                     \
		enum engine_status try_status = check(conn, expr, __LINE__, #expr); \
		if (try_status != ENGINE_OK)                                     \
			return try_status;                                       \
	} while (0)

enum statement {
	BEGIN, COMMIT, INSERT, DELETE, POINT,
	RANGE, RANGE_LAST = RANGE + SECONDARY_INDEXES - 1,
	STATEMENTS
};

struct database {
	char path[4096];
	const struct config *config;
	const struct index_def *indexes;
	bool prepare, real_price;
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

enum value_kind {
	INTEGER,		/* any whole number */
	NUMBERED,		/* a name, reported as its position in names */
	NAMED,			/* a name, reported as itself */
};

/* The settings a file may give, in the order in which they take effect. */
static const struct pragma {
	const char *name;
	enum value_kind kind;
	const char *names;	/* space after each */
	const char *standard;	/* where ours differs from SQLite's */
} PRAGMAS[] = {
	{ "page_size",          INTEGER,  NULL, NULL },
	{ "auto_vacuum",        NUMBERED, "none full incremental ", NULL },
	{ "journal_mode",       NAMED,    "delete truncate persist memory wal off ",
	  "wal" },
	{ "synchronous",        NUMBERED, "off normal full extra ", NULL },
	{ "busy_timeout",       INTEGER,  NULL, "10000" },
	{ "cache_size",         INTEGER,  NULL, NULL },
	{ "mmap_size",          INTEGER,  NULL, NULL },
	{ "wal_autocheckpoint", INTEGER,  NULL, NULL },
	{ "journal_size_limit", INTEGER,  NULL, NULL },
	{ "temp_store",         NUMBERED, "default file memory ", NULL },
	{ "secure_delete",      NUMBERED, "off on fast ", NULL },
	{ "threads",            INTEGER,  NULL, NULL },
	{ "max_page_count",     INTEGER,  NULL, NULL },
};

#define NPRAGMAS (sizeof(PRAGMAS) / sizeof(PRAGMAS[0]))

static const char *version(struct database *db)
{
	(void)db;
	return sqlite3_libversion();
}

static const struct pragma *find_pragma(const char *name)
{
	for (size_t i = 0; i < NPRAGMAS; i++)
		if (!strcmp(PRAGMAS[i].name, name))
			return &PRAGMAS[i];
	return NULL;
}

static bool is_integer(const char *text)
{
	text += *text == '-';
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The position of a value, by name or number, in a list of names; -1 if not there. */
static int name_position(const char *names, const char *value)
{
	size_t length = strlen(value);
	int position = 0;

	for (; *names; names += strcspn(names, " ") + 1, position++) {
		if (strcspn(names, " ") == length && !strncasecmp(names, value, length))
			return position;
		if (length == 1 && value[0] == '0' + position)
			return position;
	}
	return -1;
}

static bool good_value(const struct pragma *pragma, const char *value)
{
	if (pragma->kind == INTEGER)
		return is_integer(value);
	return (pragma->kind == NUMBERED || !isdigit((unsigned char)*value)) &&
	       name_position(pragma->names, value) >= 0;
}

static bool check_config(const struct config *config, char *why, size_t size)
{
	for (size_t i = 0; i < config->nlines; i++) {
		const struct config_line *line = &config->lines[i];
		const struct pragma *pragma = find_pragma(line->name);

		if (pragma && good_value(pragma, line->value))
			continue;
		if (!pragma)
			snprintf(why, size, "%s line %u: %s is not a SQLite setting that "
				 "ingest knows", config->path, line->number, line->name);
		else if (pragma->kind == INTEGER)
			snprintf(why, size, "%s line %u: %s = %s is not a whole number",
				 config->path, line->number, line->name, line->value);
		else
			snprintf(why, size, "%s line %u: %s = %s is not one of: %.*s",
				 config->path, line->number, line->name, line->value,
				 (int)strlen(pragma->names) - 1, pragma->names);
		return false;
	}
	return true;
}

static enum engine_status status_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return ENGINE_OK;
	case SQLITE_BUSY:
		return code == SQLITE_BUSY_SNAPSHOT ? ENGINE_LOCKED : ENGINE_BUSY;
	case SQLITE_LOCKED:
		return ENGINE_LOCKED;
	case SQLITE_FULL:
		return ENGINE_FULL;
	default:
		return ENGINE_FAILED;
	}
}

static enum engine_status check(struct connection *conn, int code, int line,
				const char *expr)
{
	enum engine_status status = status_of(code);

	if (status != ENGINE_OK)
		snprintf(conn->message, sizeof(conn->message), "sqlite.c:%d: %s: %s",
			 line, expr, sqlite3_errmsg(conn->handle));
	return status;
}

/* One PRAGMA's value as text, "" if it has none. */
static void read_pragma(sqlite3 *handle, const char *name, char *value, size_t size)
{
	char sql[SQL_SIZE];
	sqlite3_stmt *statement;

	value[0] = '\0';
	snprintf(sql, sizeof(sql), "PRAGMA %s", name);
	if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) != SQLITE_OK)
		return;
	if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
		snprintf(value, size, "%s",
			 (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
}

static bool took(const struct pragma *pragma, const char *wanted, const char *got)
{
	if (pragma->kind == NAMED)
		return !strcasecmp(wanted, got);
	if (pragma->kind == NUMBERED)
		return name_position(pragma->names, wanted) ==
		       name_position(pragma->names, got);
	return strtoll(wanted, NULL, 10) == strtoll(got, NULL, 10);
}

/* Applies every setting to a connection and sees that SQLite took it. */
static bool apply_settings(struct database *db, sqlite3 *handle, char *why, size_t size)
{
	for (size_t i = 0; i < NPRAGMAS; i++) {
		const struct pragma *pragma = &PRAGMAS[i];
		const char *value = config_value(db->config, pragma->name);
		char sql[SQL_SIZE], got[CONFIG_VALUE];

		if (!value)
			value = pragma->standard;
		if (!value)
			continue;
		snprintf(sql, sizeof(sql), "PRAGMA %s = %s", pragma->name, value);
		if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK) {
			snprintf(why, size, "%s: %s: %s", db->path, sql,
				 sqlite3_errmsg(handle));
			return false;
		}
		read_pragma(handle, pragma->name, got, sizeof(got));
		if (!took(pragma, value, got)) {
			snprintf(why, size, "SQLite did not take the setting %s = %s; it "
				 "says %s", pragma->name, value, got);
			return false;
		}
	}
	return true;
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
		if (apply_settings(db, handle, why, size))
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

/* A NUMBERED setting is reported by its name: `normal`, not 1. */
static void report_pragma(struct database *db, const struct pragma *pragma,
			  setting_fn *each, void *to)
{
	char value[CONFIG_VALUE];
	int position;

	read_pragma(db->keeper, pragma->name, value, sizeof(value));
	if (pragma->kind == NUMBERED) {
		const char *names = pragma->names;

		position = name_position(names, value);
		for (int i = 0; i < position; i++)
			names += strcspn(names, " ") + 1;
		if (position >= 0)
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(names, " "),
				 names);
	}
	each(to, pragma->name, value);
}

static void settings(void *database, setting_fn *each, void *to)
{
	struct database *db = database;
	const char *option;
	size_t used = 0;

	for (size_t i = 0; i < NPRAGMAS; i++)
		report_pragma(db, &PRAGMAS[i], each, to);
	for (int i = 0; (option = sqlite3_compileoption_get(i)); i++) {
		if (!strncmp(option, "COMPILER=", 9))
			each(to, "compiler", option + 9);
		if (used + strlen(option) + 2 < sizeof(db->options))
			used += (size_t)sprintf(db->options + used, "%s%s",
						used ? " " : "", option);
	}
	each(to, "compile_options", db->options);
	each(to, "source_id", sqlite3_sourceid());
}

static uint64_t size_on_disk(struct database *db)
{
	static const char *const FILES[] = { "", "-wal", "-journal", NULL };

	return files_size(db->path, FILES);
}

static enum engine_status prepare(struct connection *conn, enum statement which,
				  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static enum engine_status prepare(struct connection *conn, enum statement which,
				  const char *format, ...)
{
	char *sql = conn->sql[which];
	va_list values;

	va_start(values, format);
	vsnprintf(sql, SQL_SIZE, format, values);
	va_end(values);
	TRY(conn, sqlite3_prepare_v2(conn->handle, sql, -1, &conn->statements[which],
				     NULL));
	return ENGINE_OK;
}

/* With --no-prepare every use of a statement makes it anew. */
static enum engine_status made(struct connection *conn, enum statement which,
			       sqlite3_stmt **statement)
{
	if (!conn->db->prepare) {
		sqlite3_finalize(conn->statements[which]);
		conn->statements[which] = NULL;
		TRY(conn, sqlite3_prepare_v2(conn->handle, conn->sql[which], -1,
					     &conn->statements[which], NULL));
	}
	*statement = conn->statements[which];
	return ENGINE_OK;
}

static enum engine_status prepare_range(struct connection *conn, unsigned i)
{
	const struct index_def *index = &conn->db->indexes[i];
	char columns[128];

	schema_columns(index, columns, sizeof(columns));
	return prepare(conn, RANGE + i,
		       "SELECT %s FROM pi%u INDEXED BY pi%u_%s WHERE %s %s ?1 "
		       "ORDER BY %s LIMIT %d", columns, conn->table, conn->table,
		       index->name, index->columns[0], index->compare, columns,
		       ROWS_PER_QUERY);
}

static enum engine_status prepare_point(struct connection *conn)
{
	return prepare(conn, POINT,
		       "SELECT transactionid, productid, data FROM pi%u WHERE "
		       "transactionid IN (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
		       conn->table);
}

static enum engine_status prepare_insert(struct connection *conn)
{
	enum engine_status status = prepare(conn, BEGIN, "BEGIN IMMEDIATE");

	if (status == ENGINE_OK)
		status = prepare(conn, COMMIT, "COMMIT");
	if (status == ENGINE_OK)
		status = prepare(conn, INSERT,
				 "INSERT INTO pi%u (dateandtime, cashregisterid, "
				 "customerid, productid, price, data) "
				 "VALUES (?1, ?2, ?3, ?4, ?5, ?6)", conn->table);
	return status;
}

static enum engine_status prepare_work(struct connection *conn, enum engine_work work)
{
	enum engine_status status = ENGINE_OK;

	switch (work) {
	case WORK_ADMIN:
		return ENGINE_OK;
	case WORK_INSERT:
		return prepare_insert(conn);
	case WORK_DELETE:
		return prepare(conn, DELETE, "DELETE FROM pi%u WHERE "
			       "transactionid >= ?1 AND transactionid < ?2",
			       conn->table);
	case WORK_RANGE:
		for (unsigned i = 0; status == ENGINE_OK && i < SECONDARY_INDEXES; i++)
			status = prepare_range(conn, i);
		return status;
	case WORK_POINT:
		return prepare_point(conn);
	}
	return ENGINE_FAILED;
}

static void disconnect(struct connection *conn)
{
	for (size_t i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(conn->statements[i]);
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
	if (prepare_work(conn, work) != ENGINE_OK) {
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

/* Runs a statement that returns no row, and makes it ready for the next time. */
static int run(sqlite3_stmt *statement)
{
	sqlite3_step(statement);
	return sqlite3_reset(statement);
}

static int insert_row(sqlite3_stmt *statement, const struct row *row, bool real_price)
{
	sqlite3_bind_int64(statement, 1, row->when_us);
	sqlite3_bind_int(statement, 2, row->cashregisterid);
	sqlite3_bind_int(statement, 3, row->customerid);
	sqlite3_bind_int(statement, 4, row->productid);
	if (real_price)
		sqlite3_bind_double(statement, 5, row->price);
	else
		sqlite3_bind_int(statement, 5, row->price);
	sqlite3_bind_text(statement, 6, row->data, row->length, SQLITE_STATIC);
	return run(statement);
}

static enum engine_status insert_all(struct connection *conn, const struct row *rows,
				     size_t nrows)
{
	bool real_price = conn->db->real_price;
	enum engine_status status;
	sqlite3_stmt *statement;

	for (size_t i = 0; i < nrows; i++) {
		status = made(conn, INSERT, &statement);
		if (status != ENGINE_OK)
			return status;
		TRY(conn, insert_row(statement, &rows[i], real_price));
	}
	status = made(conn, COMMIT, &statement);
	if (status != ENGINE_OK)
		return status;
	TRY(conn, run(statement));
	return ENGINE_OK;
}

static enum engine_status insert(struct connection *conn, const struct row *rows,
				 size_t nrows, int64_t *last_pk)
{
	enum engine_status status;
	sqlite3_stmt *begin;

	status = made(conn, BEGIN, &begin);
	if (status != ENGINE_OK)
		return status;
	TRY(conn, run(begin));
	status = insert_all(conn, rows, nrows);
	*last_pk = sqlite3_last_insert_rowid(conn->handle);
	if (status != ENGINE_OK && !sqlite3_get_autocommit(conn->handle))
		sqlite3_exec(conn->handle, "ROLLBACK", NULL, NULL, NULL);
	return status;
}

static enum engine_status delete_oldest(struct connection *conn, int64_t first,
					size_t nrows, uint64_t *deleted)
{
	sqlite3_stmt *statement;
	enum engine_status status = made(conn, DELETE, &statement);

	if (status != ENGINE_OK)
		return status;
	sqlite3_bind_int64(statement, 1, first);
	sqlite3_bind_int64(statement, 2, first + (int64_t)nrows);
	TRY(conn, run(statement));
	*deleted = (uint64_t)sqlite3_changes(conn->handle);
	return ENGINE_OK;
}

/* Fetches the answer's rows; columns beyond the key are read and dropped. */
static int fetch(sqlite3_stmt *statement, unsigned columns, struct answer *answer)
{
	answer->rows = 0;
	while (sqlite3_step(statement) == SQLITE_ROW && answer->rows < ROWS_PER_QUERY) {
		int64_t *key = answer->key[answer->rows++];

		for (unsigned i = 0; i < columns; i++)
			key[i] = sqlite3_column_int64(statement, (int)i);
	}
	return sqlite3_reset(statement);
}

static enum engine_status range(struct connection *conn, unsigned i, int64_t from,
				struct answer *answer)
{
	sqlite3_stmt *statement;
	enum engine_status status = made(conn, RANGE + i, &statement);

	if (status != ENGINE_OK)
		return status;
	sqlite3_bind_int64(statement, 1, from);
	TRY(conn, fetch(statement, conn->db->indexes[i].ncolumns, answer));
	return ENGINE_OK;
}

static enum engine_status point(struct connection *conn, const int64_t *ids,
				struct answer *answer)
{
	sqlite3_stmt *statement;
	enum engine_status status = made(conn, POINT, &statement);

	if (status != ENGINE_OK)
		return status;
	for (int i = 0; i < ROWS_PER_QUERY; i++)
		sqlite3_bind_int64(statement, i + 1, ids[i]);
	answer->rows = 0;
	while (sqlite3_step(statement) == SQLITE_ROW && answer->rows < ROWS_PER_QUERY) {
		int64_t *key = answer->key[answer->rows++];

		key[0] = sqlite3_column_int64(statement, 0);
		key[1] = sqlite3_column_int64(statement, 1);
		key[2] = sqlite3_column_text(statement, 2) ?
			 sqlite3_column_bytes(statement, 2) : 0;
	}
	TRY(conn, sqlite3_reset(statement));
	return ENGINE_OK;
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
	read_pragma(conn->handle, "page_size", page_size, sizeof(page_size));
	*bytes = moved > 0 ? (uint64_t)moved * strtoull(page_size, NULL, 10) : 0;
	return ENGINE_OK;
}

extern const struct engine SQLITE_ENGINE;
const struct engine SQLITE_ENGINE = {
	.name = "sqlite",
	.about = "SQLite, in the process; settings are PRAGMAs",
	.caps = ENGINE_ONE_WRITER | ENGINE_DENSE_PK | ENGINE_TELLS_PK,
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
	.create_table = create_table,
	.create_indexes = create_indexes,
	.state = state,
	.end_pk = end_pk,
	.insert = insert,
	.delete_oldest = delete_oldest,
	.range = range,
	.point = point,
	.scan = scan,
	.cleanup = cleanup,
};
