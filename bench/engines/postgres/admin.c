/* PostgreSQL: tables, indexes, scans, cleanup, and what the server says of itself. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * The driver's tables, found by their names, which %s stands for. One that is called like
 * ours of the insert benchmark and lacks its columns is another's.
 */
#define TABLES "FROM pg_class WHERE relkind = 'r' AND relname ~ %s " \
	       "AND pg_table_is_visible(oid) AND (relname !~ '" SCHEMA_TABLES "' " \
	       "OR EXISTS (SELECT 1 FROM pg_attribute " \
	       "WHERE attrelid = pg_class.oid AND attname = 'cashregisterid'))"
#define LOOK_NS (10 * 1000 * 1000)
#define MOST_LOOKS 100

/* Runs a statement that holds the name of a table for each table. */
static enum engine_status for_tables(struct connection *conn, const char *before,
				     const char *after)
{
	PGresult *names;
	enum engine_status status =
		postgres_ask(conn, &names, "SELECT quote_ident(relname) " TABLES
			     " ORDER BY length(relname), relname", conn->db->tables);

	if (status != ENGINE_OK)
		return status;
	for (int i = 0; status == ENGINE_OK && i < PQntuples(names); i++)
		status = postgres_ask(conn, NULL, "%s %s%s", before,
				      PQgetvalue(names, i, 0), after);
	PQclear(names);
	return status;
}

enum engine_status postgres_drop_all(struct connection *conn)
{
	return for_tables(conn, "DROP TABLE", "");
}

/*
 * A connection takes 1000 keys at a time, so that the sequence is no hot spot. A table of
 * that name is not ours: postgres_drop_all has removed ours.
 */
enum engine_status postgres_create_table(struct connection *conn)
{
	unsigned n = conn->table;

	return postgres_ask(conn, NULL, "CREATE TABLE pi%u ("
			    "transactionid bigserial PRIMARY KEY, "
			    "dateandtime timestamp without time zone NOT NULL, "
			    "cashregisterid int NOT NULL, customerid int NOT NULL, "
			    "productid int NOT NULL, price %s NOT NULL, "
			    "data varchar(4000) NOT NULL); "
			    "ALTER SEQUENCE pi%u_transactionid_seq CACHE 1000", n,
			    conn->db->real_price ? "real" : "int", n);
}

enum engine_status postgres_create_indexes(struct connection *conn, unsigned first,
					   unsigned *made)
{
	const struct index_def *index = &conn->db->indexes[first];
	char columns[128];

	*made = 1;
	schema_columns(index, columns, sizeof(columns));
	return postgres_ask(conn, NULL, "CREATE INDEX pi%u_%s ON pi%u (%s)", conn->table,
			    index->name, conn->table, columns);
}

/* 1 if the index is there, usable, and as postgres_create_indexes makes it. */
static enum engine_status find_index(struct connection *conn, unsigned i, int64_t *found)
{
	const struct index_def *index = &conn->db->indexes[i];
	char columns[128];

	schema_columns(index, columns, sizeof(columns));
	return postgres_number(conn, found, "SELECT count(*) FROM pg_index "
			       "JOIN pg_class ON pg_class.oid = indexrelid "
			       "WHERE indrelid = 'pi%u'::regclass AND indisvalid "
			       "AND relname = 'pi%u_%s' AND NOT indisunique "
			       "AND substring(pg_get_indexdef(indexrelid) from "
			       "' USING .*') = ' USING btree (%s)'", conn->table,
			       conn->table, index->name, columns);
}

/* The statements are typed, so a table made with the other --price is not the one. */
static enum engine_status check_price(struct connection *conn)
{
	int64_t type;
	enum engine_status status =
		postgres_number(conn, &type, "SELECT atttypid FROM pg_attribute WHERE "
				"attrelid = 'pi%u'::regclass AND attname = 'price'",
				conn->table);

	if (status != ENGINE_OK || type == (conn->db->real_price ? FLOAT4 : INT4))
		return status;
	snprintf(conn->message, sizeof(conn->message), "its column price is not %s, as "
		 "--price asks", conn->db->real_price ? "real" : "int");
	return ENGINE_FAILED;
}

static int64_t value(const PGresult *rows, int column)
{
	return strtoll(PQgetvalue(rows, 0, column), NULL, 10);
}

enum engine_status postgres_state(struct connection *conn, struct table_state *state)
{
	PGresult *rows;
	int64_t found;
	enum engine_status status =
		postgres_ask(conn, &rows, "SELECT count(*), min(transactionid), "
			     "max(transactionid) FROM pi%u", conn->table);

	if (status != ENGINE_OK)
		return status;
	*state = (struct table_state){
		.rows = (uint64_t)value(rows, 0),
		.min_pk = value(rows, 1),
		.max_pk = PQgetisnull(rows, 0, 2) ? -1 : value(rows, 2),
	};
	PQclear(rows);
	status = check_price(conn);
	for (unsigned i = 0; status == ENGINE_OK && i < SECONDARY_INDEXES; i++) {
		status = find_index(conn, i, &found);
		state->indexes += status == ENGINE_OK && found == 1;
	}
	return status;
}

/* The sum keeps the filter out of every index: all of it is read, whatever it holds. */
static void scan_sql(struct connection *conn, const struct index_def *index, char *sql,
		     size_t size)
{
	char columns[128];

	if (!index) {
		snprintf(sql, size, "SELECT transactionid, data, customerid FROM pi%u "
			 "WHERE customerid + 0 < 0", conn->table);
		return;
	}
	schema_columns(index, columns, sizeof(columns));
	snprintf(sql, size, "SELECT %s FROM pi%u WHERE %s >= 0 AND customerid + 0 < 0 "
		 "ORDER BY %s", columns, conn->table, index->columns[0], columns);
}

static enum engine_status check_plan(struct connection *conn, const char *sql,
				     const char *index)
{
	char wanted[128];
	bool found = false;
	PGresult *plan;
	enum engine_status status = postgres_ask(conn, &plan, "EXPLAIN (COSTS OFF) %s",
						 sql);

	if (status != ENGINE_OK)
		return status;
	snprintf(wanted, sizeof(wanted), " using pi%u_%s on ", conn->table, index);
	for (int i = 0; i < PQntuples(plan); i++)
		found |= strstr(PQgetvalue(plan, i, 0), wanted) != NULL;
	PQclear(plan);
	if (found)
		return ENGINE_OK;
	snprintf(conn->message, sizeof(conn->message), "the server would not read the "
		 "index pi%u_%s for it", conn->table, index);
	return ENGINE_FAILED;
}

/* One process, and no other way than the index; the settings end with the transaction. */
static enum engine_status scan_by(struct connection *conn, const struct index_def *index,
				  uint64_t *returned)
{
	char sql[SQL_SIZE / 2];
	PGresult *rows;
	enum engine_status status = postgres_ask(
		conn, NULL, "BEGIN; SET LOCAL max_parallel_workers_per_gather = 0%s",
		index ? "; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; "
			"SET LOCAL enable_bitmapscan = off" : "");

	scan_sql(conn, index, sql, sizeof(sql));
	if (status == ENGINE_OK && index)
		status = check_plan(conn, sql, index->name);
	if (status == ENGINE_OK)
		status = postgres_ask(conn, &rows, "%s", sql);
	if (status != ENGINE_OK)
		return status;
	*returned = (uint64_t)PQntuples(rows);
	PQclear(rows);
	return ENGINE_OK;
}

enum engine_status postgres_scan(struct connection *conn, unsigned number,
				 uint64_t *returned)
{
	bool by_key = number == 0 || number == SCANS - 1;
	enum engine_status status;

	*returned = 0;
	status = scan_by(conn, by_key ? NULL : &conn->db->indexes[number - 1], returned);
	if (status == ENGINE_OK)
		return postgres_ask(conn, NULL, "COMMIT");
	PQclear(PQexec(conn->pg, "ROLLBACK"));
	return status;
}

/* Checkpoints that were made, and the bytes they wrote. False: not told. */
static bool read_checkpoints(struct connection *conn, int64_t *made, int64_t *bytes)
{
	PGresult *rows;

	if (postgres_ask(conn, &rows, "SELECT %s, "
			 "current_setting('block_size')::bigint * %s",
			 conn->db->number < 170000 ?
			 "checkpoints_timed + checkpoints_req" :
			 "num_timed + num_requested",
			 conn->db->number < 170000 ?
			 "buffers_checkpoint FROM pg_stat_bgwriter" :
			 "buffers_written FROM pg_stat_checkpointer") != ENGINE_OK)
		return false;
	*made = value(rows, 0);
	*bytes = value(rows, 1);
	PQclear(rows);
	return true;
}

/*
 * The counters of a checkpoint come a little after it is done. Before version 15 they are
 * renewed every half second, which shows when the vacuum was shorter than that.
 */
static uint64_t bytes_written(struct connection *conn, int64_t made, int64_t before)
{
	const struct timespec look = { 0, LOOK_NS };
	int64_t now_made, bytes;

	for (unsigned i = 0; i < MOST_LOOKS; i++) {
		nanosleep(&look, NULL);
		if (atomic_load(&conn->interrupted) ||
		    !read_checkpoints(conn, &now_made, &bytes))
			return 0;
		if (now_made > made)
			return (uint64_t)(bytes - before);
	}
	return 0;
}

/* Vacuum and statistics of all tables, then a checkpoint if this user may ask for one. */
enum engine_status postgres_cleanup(struct connection *conn, uint64_t *bytes)
{
	int64_t made, before;
	bool told = read_checkpoints(conn, &made, &before);
	enum engine_status status = for_tables(conn, "VACUUM (ANALYZE)", "");
	PGresult *done;
	const char *code;

	*bytes = 0;
	if (status != ENGINE_OK)
		return status;
	done = PQexec(conn->pg, "CHECKPOINT");
	code = PQresultErrorField(done, PG_DIAG_SQLSTATE);
	if (code && !strcmp(code, "42501")) {	/* no privilege */
		PQclear(done);
		return ENGINE_OK;
	}
	status = postgres_take(conn, done, NULL);
	if (status == ENGINE_OK && told)
		*bytes = bytes_written(conn, made, before);
	return status;
}

/*
 * Those that differ from the server's own defaults. Of texts only the ones known to name
 * no path, host or user; port and transaction_* tell nothing.
 */
void postgres_settings(void *database, setting_fn *each, void *to)
{
	struct database *db = database;
	PGresult *rows;

	if (postgres_ask(db->admin, &rows, "SELECT 'version_string', version() UNION ALL "
			 "SELECT name, current_setting(name) FROM (SELECT name "
			 "FROM pg_settings WHERE (source NOT IN ('default', 'client', "
			 "'session') OR name = 'server_encoding') AND name <> 'port' "
			 "AND name NOT LIKE 'transaction%%' AND (vartype <> 'string' "
			 "OR name IN ('server_encoding', 'lc_collate', 'lc_ctype', "
			 "'shared_preload_libraries', 'wal_consistency_checking', "
			 "'debug_io_direct')) ORDER BY name) shown") != ENGINE_OK)
		return;
	for (int i = 0; i < PQntuples(rows); i++)
		each(to, PQgetvalue(rows, i, 0), PQgetvalue(rows, i, 1));
	PQclear(rows);
}

uint64_t postgres_size(struct database *db)
{
	int64_t bytes = 0;

	postgres_number(db->admin, &bytes, "SELECT sum(pg_total_relation_size(oid)) "
			TABLES, db->tables);
	return (uint64_t)bytes;
}

bool postgres_log_bytes(struct database *db, uint64_t *bytes)
{
	int64_t position = 0;

	if (postgres_number(db->admin, &position, "SELECT %s() - '0/0'::pg_lsn",
			    db->number < 100000 ? "pg_current_xlog_location" :
						  "pg_current_wal_lsn") != ENGINE_OK)
		return false;
	*bytes = (uint64_t)position;
	return true;
}
