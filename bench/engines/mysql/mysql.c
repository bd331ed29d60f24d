/*
 * MySQL and MariaDB with InnoDB, and MyRocks, by libmariadb. The target is a connection
 * string; the server's settings are its own business and only recorded here.
 */
#include "engine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct kind MYSQL_KIND = {
	.storage = "InnoDB", .mysql = true,
};
static const struct kind MARIADB_KIND = {
	.storage = "InnoDB", .mariadb = true,
};
static const struct kind MYROCKS_KIND = {
	.storage = "ROCKSDB", .rocksdb = true, .mysql = true, .mariadb = true,
};

static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static void init_library(void)
{
	mysql_library_init(0, NULL, NULL);
}

static const char *version(struct database *db)
{
	return db ? db->version : "";
}

static bool check_config(const struct config *config, char *why, size_t size)
{
	if (!config->nlines)
		return true;
	snprintf(why, size, "%s line %u: a server reads its settings itself when it is "
		 "started; leave --config out", config->path, config->lines[0].number);
	return false;
}

/* MariaDB 10 puts 5.5.5- before its version, for clients that know only MySQL's. */
static void read_version(struct database *db, const char *text)
{
	if (!strncmp(text, "5.5.5-", 6))
		text += 6;
	snprintf(db->version, sizeof(db->version), "%.*s",
		 (int)strspn(text, "0123456789."), text);
}

static bool has_storage(struct database *db)
{
	char support[16];

	return mye_value(db->keeper, 0, support, sizeof(support), "SELECT support FROM "
			 "information_schema.engines WHERE engine = '%s' AND support IN "
			 "('YES', 'DEFAULT')", db->kind->storage);
}

/* Another server or other primary keys would give results under the wrong name. */
static bool suits(struct database *db, char *why, size_t size)
{
	bool mariadb = strstr(mysql_get_server_info(db->keeper), "MariaDB");
	char step[24];

	if (mariadb ? !db->kind->mariadb : !db->kind->mysql)
		snprintf(why, size, "the target is %s %s: give it --engine %s",
			 mariadb ? "MariaDB" : "MySQL", db->version,
			 mariadb ? "mariadb" : "mysql");
	else if (!has_storage(db))
		snprintf(why, size, "the server %s has no storage engine %s: load its "
			 "plugin", db->version, db->kind->storage);
	else if (mye_variable(db->keeper, "auto_increment_increment", step,
			      sizeof(step)) && strcmp(step, "1"))
		snprintf(why, size, "the server's auto_increment_increment is %s: primary "
			 "keys must follow one another, set it to 1", step);
	else
		return true;
	return false;
}

static void close_database(struct database *db)
{
	if (db->keeper)
		mysql_close(db->keeper);
	explicit_bzero(&db->target, sizeof(db->target));
	regfree(&db->table_names);
	free(db);
}

/* The names of the tables, for files and, once there is a server, for statements. */
static bool take_tables(struct database *db, const char *tables, char *why, size_t size)
{
	if (strlen(tables) < TABLES_TEXT &&
	    !regcomp(&db->table_names, tables, REG_EXTENDED | REG_NOSUB))
		return true;
	snprintf(why, size, "\"%s\" is no regular expression for the names of tables, or "
		 "is longer than %d characters", tables, TABLES_TEXT - 1);
	return false;
}

static struct database *open_kind(const struct kind *kind,
				  const struct engine_target *target, char *why,
				  size_t size)
{
	const char *tables = target->tables ? target->tables : SCHEMA_TABLES;
	struct database *db = calloc(1, sizeof(*db));

	pthread_once(&library_once, init_library);
	if (!db) {
		snprintf(why, size, "there is no memory for a database");
		return NULL;
	}
	if (target->rows_per_commit > MOST_ROWS) {
		snprintf(why, size, "an insert of %zu rows is too large for a prepared "
			 "statement: at most %d", target->rows_per_commit, MOST_ROWS);
		free(db);
		return NULL;
	}
	if (!take_tables(db, tables, why, size)) {
		free(db);
		return NULL;
	}
	db->kind = kind;
	db->indexes = target->indexes;
	db->prepare = target->prepare;
	db->real_price = target->real_price;
	db->rows_per_commit = target->rows_per_commit;
	if (mye_target_read(&db->target, target->text, why, size))
		db->keeper = mye_dial(&db->target, why, size);
	if (db->keeper) {
		mysql_real_escape_string(db->keeper, db->tables, tables,
					 (unsigned long)strlen(tables));
		read_version(db, mysql_get_server_info(db->keeper));
		if (suits(db, why, size))
			return db;
	}
	close_database(db);
	return NULL;
}

static struct database *open_mysql(const struct engine_target *target, char *why,
				   size_t size)
{
	return open_kind(&MYSQL_KIND, target, why, size);
}

static struct database *open_mariadb(const struct engine_target *target, char *why,
				     size_t size)
{
	return open_kind(&MARIADB_KIND, target, why, size);
}

static struct database *open_myrocks(const struct engine_target *target, char *why,
				     size_t size)
{
	return open_kind(&MYROCKS_KIND, target, why, size);
}

static void disconnect(struct connection *conn)
{
	mye_unprepare(conn);
	mysql_close(conn->handle);
	if (conn->socket >= 0)
		close(conn->socket);
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
	conn->handle = mye_dial(&db->target, why, size);
	if (!conn->handle) {
		free(conn);
		return NULL;
	}
	conn->socket = dup(mysql_get_socket(conn->handle));
	if (db->prepare ? mye_prepare(conn, work) : mye_text_prepare(conn, work))
		return conn;
	snprintf(why, size, "%s", conn->message);
	disconnect(conn);
	return NULL;
}

static const char *message(struct connection *conn)
{
	return conn->message;
}

/* The library is not for two threads at once, so the socket is closed under it. */
static void interrupt(struct connection *conn)
{
	shutdown(conn->socket, SHUT_RDWR);
}

static enum engine_status insert(struct connection *conn, const struct row *rows,
				 size_t nrows, int64_t *last_pk)
{
	return conn->db->prepare ? mye_insert(conn, rows, nrows, last_pk) :
				   mye_text_insert(conn, rows, nrows, last_pk);
}

static enum engine_status delete_oldest(struct connection *conn, int64_t first,
					size_t nrows, uint64_t *deleted)
{
	return conn->db->prepare ? mye_delete(conn, first, nrows, deleted) :
				   mye_text_delete(conn, first, nrows, deleted);
}

static enum engine_status range(struct connection *conn, unsigned i, int64_t from,
				struct answer *answer)
{
	return conn->db->prepare ? mye_range(conn, i, from, answer) :
				   mye_text_range(conn, i, from, answer);
}

static enum engine_status point(struct connection *conn, const int64_t *ids,
				struct answer *answer)
{
	return conn->db->prepare ? mye_point(conn, ids, answer) :
				   mye_text_point(conn, ids, answer);
}

/*
 * last_pk of MyRocks may be too small while others insert into the same table: it numbers
 * one row after the other and not the statement's together, so only the first is known.
 */
#define ENGINE_TABLE(NAME, ABOUT, OPEN)                 \
	{                                               \
		.name = NAME, .about = ABOUT,           \
		.caps = ENGINE_SERVER | ENGINE_TELLS_PK, \
		.version = version,                     \
		.check_config = check_config,           \
		.open = OPEN,                           \
		.close = close_database,                \
		.settings = mye_settings,               \
		.size = mye_size,                       \
		.log_bytes = mye_log_bytes,             \
		.connect = connect_table,               \
		.disconnect = disconnect,               \
		.message = message,                     \
		.interrupt = interrupt,                 \
		.create_table = mye_create_table,       \
		.create_indexes = mye_create_indexes,   \
		.state = mye_state,                     \
		.end_pk = mye_end_pk,                   \
		.insert = insert,                       \
		.delete_oldest = delete_oldest,         \
		.range = range,                         \
		.point = point,                         \
		.scan = mye_scan,                       \
		.cleanup = mye_cleanup,                 \
		.waits = mye_waits,                     \
		.placeholder = '?',                     \
		.prepare = mye_prepare_any,             \
		.execute = mye_execute_any,             \
		.forget = mye_forget,                   \
		.run = mye_run,                         \
		.explain = mye_explain,                 \
	}

extern const struct engine MYSQL_ENGINE, MARIADB_ENGINE, MYROCKS_ENGINE;

const struct engine MYSQL_ENGINE =
	ENGINE_TABLE("mysql", "a MySQL server, tables in InnoDB", open_mysql);
const struct engine MARIADB_ENGINE =
	ENGINE_TABLE("mariadb", "a MariaDB server, tables in InnoDB", open_mariadb);
const struct engine MYROCKS_ENGINE =
	ENGINE_TABLE("myrocks", "a MariaDB or MySQL server, tables in MyRocks",
		     open_myrocks);
