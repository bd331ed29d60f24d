/* Tables and indexes, what DuckDB knows of them, and whole scans. */
#include "engine.h"
#include "engines/files.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Up to three BIGINTs of a query's first row, none of them NULL. */
static enum engine_status numbers(struct connection *conn, int64_t *found,
				  unsigned columns, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static enum engine_status numbers(struct connection *conn, int64_t *found,
				  unsigned columns, const char *format, ...)
{
	static const enum cell CELLS[] = { CELL_BIG, CELL_BIG, CELL_BIG };
	struct duck_result result;
	struct answer answer;
	enum engine_status status;
	char sql[SQL_SIZE];
	va_list values;

	va_start(values, format);
	vsnprintf(sql, sizeof(sql), format, values);
	va_end(values);
	status = dk_query(conn, sql, &result);
	if (status != ENGINE_OK)
		return status;
	dk_fetch(&result, CELLS, columns, &answer);
	memcpy(found, answer.key[0], columns * sizeof(*found));
	return ENGINE_OK;
}

static const char *price_type(const struct connection *conn)
{
	return conn->db->real_price ? "FLOAT" : "INTEGER";
}

/* A sequence gives the keys; what a statement took of it and then failed is a gap. */
enum engine_status dk_create_table(struct connection *conn)
{
	unsigned n = conn->table;

	return dk_execute(conn, "CREATE SEQUENCE pi%u_id; CREATE TABLE pi%u ("
			  "transactionid BIGINT PRIMARY KEY DEFAULT nextval('pi%u_id'), "
			  "dateandtime TIMESTAMP NOT NULL, "
			  "cashregisterid INTEGER NOT NULL, customerid INTEGER NOT NULL, "
			  "productid INTEGER NOT NULL, price %s NOT NULL, "
			  "data VARCHAR(4000) NOT NULL)", n, n, n, price_type(conn));
}

/* ART indexes, each in a statement of its own. */
enum engine_status dk_create_indexes(struct connection *conn, unsigned first,
				     unsigned *made)
{
	const struct index_def *index = &conn->db->indexes[first];
	char columns[128];

	*made = 1;
	schema_columns(index, columns, sizeof(columns));
	return dk_execute(conn, "CREATE INDEX pi%u_%s ON pi%u (%s)", conn->table,
			  index->name, conn->table, columns);
}

static enum engine_status find_index(struct connection *conn,
				     const struct index_def *index, int64_t *found)
{
	char columns[128];

	schema_columns(index, columns, sizeof(columns));
	return numbers(conn, found, 1, "SELECT count(*) FROM duckdb_indexes() WHERE "
		       "table_name = 'pi%u' AND index_name = 'pi%u_%s' AND NOT is_unique "
		       "AND expressions = '[%s]'", conn->table, conn->table,
		       index->name, columns);
}

/* Rows are read by the type of their columns: another --price made another table. */
static enum engine_status check_price(struct connection *conn)
{
	int64_t good;
	enum engine_status status = numbers(
		conn, &good, 1, "SELECT count(*) FROM duckdb_columns() WHERE "
		"table_name = 'pi%u' AND column_name = 'price' AND data_type = '%s'",
		conn->table, price_type(conn));

	if (status != ENGINE_OK || good)
		return status;
	snprintf(conn->message, sizeof(conn->message), "its column price is not %s, as "
		 "--price asks", conn->db->real_price ? "real" : "int");
	return ENGINE_FAILED;
}

enum engine_status dk_state(struct connection *conn, struct table_state *state)
{
	int64_t found[3], index;
	enum engine_status status = numbers(
		conn, found, 3, "SELECT count(*), coalesce(min(transactionid), 0), "
		"coalesce(max(transactionid), -1) FROM pi%u", conn->table);

	if (status == ENGINE_OK)
		status = check_price(conn);
	if (status != ENGINE_OK)
		return status;
	*state = (struct table_state){
		.rows = (uint64_t)found[0], .min_pk = found[1], .max_pk = found[2],
	};
	for (unsigned i = 0; status == ENGINE_OK && i < SECONDARY_INDEXES; i++) {
		status = find_index(conn, &conn->db->indexes[i], &index);
		state->indexes += status == ENGINE_OK && index == 1;
	}
	return status;
}

/*
 * DuckDB reads the whole column for a min or max. The largest is asked for once a second
 * beside the inserts, so what is known of it leaves out all the older rows.
 */
enum engine_status dk_end_pk(struct connection *conn, bool newest, int64_t *pk)
{
	enum engine_status status;

	if (!newest)
		return numbers(conn, pk, 1, "SELECT coalesce(min(transactionid), 0) "
			       "FROM pi%u", conn->table);
	status = numbers(conn, pk, 1, "SELECT coalesce(max(transactionid), -1) FROM pi%u "
			 "WHERE transactionid >= %" PRId64, conn->table, conn->newest);
	if (status == ENGINE_OK && *pk < 0 && conn->newest) {
		conn->newest = 0;
		return dk_end_pk(conn, newest, pk);
	}
	if (status == ENGINE_OK && *pk > 0)
		conn->newest = *pk;
	return status;
}

/*
 * No index of DuckDB gives rows in order, so all scans are of columns. What DuckDB knows
 * of the least customerid would answer `customerid < 0` unread; of a remainder it knows
 * nothing.
 */
static void scan_sql(const struct connection *conn, unsigned number, char *sql,
		     size_t size)
{
	static const char FILTER[] = "customerid % 1000000 < 0";
	const struct index_def *index;
	char columns[128];

	if (number == 0 || number == SCANS - 1) {
		snprintf(sql, size, "SELECT transactionid, data, customerid FROM pi%u "
			 "WHERE %s", conn->table, FILTER);
		return;
	}
	index = &conn->db->indexes[number - 1];
	schema_columns(index, columns, sizeof(columns));
	snprintf(sql, size, "SELECT %s FROM pi%u WHERE %s >= 0 AND %s ORDER BY %s",
		 columns, conn->table, index->columns[0], FILTER, columns);
}

enum engine_status dk_scan(struct connection *conn, unsigned number, uint64_t *returned)
{
	struct duck_result result;
	struct answer answer;
	char sql[SQL_SIZE];
	enum engine_status status;

	*returned = 0;
	scan_sql(conn, number, sql, sizeof(sql));
	status = dk_query(conn, sql, &result);
	if (status != ENGINE_OK)
		return status;
	dk_fetch(&result, NULL, 0, &answer);
	*returned = answer.rows;
	return ENGINE_OK;
}

/* All of the log goes into the file. */
enum engine_status dk_cleanup(struct connection *conn, uint64_t *bytes)
{
	static const char *const LOG[] = { ".wal", NULL };
	uint64_t log = files_size(conn->db->path, LOG);
	enum engine_status status = dk_execute(conn, "CHECKPOINT");

	*bytes = status == ENGINE_OK ? log : 0;
	return status;
}
