/* Tables and indexes, what is in them, and the scans. */
#include "engine.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The default character set differs between versions, and with it the CPU per row. */
enum engine_status mye_create_table(struct connection *conn)
{
	enum engine_status status = mye_execute(conn, "DROP TABLE IF EXISTS pi%u",
						conn->table);

	if (status != ENGINE_OK)
		return status;
	return mye_execute(conn, "CREATE TABLE pi%u (transactionid BIGINT NOT NULL "
			   "AUTO_INCREMENT PRIMARY KEY, dateandtime DATETIME NOT NULL, "
			   "cashregisterid INT NOT NULL, customerid INT NOT NULL, "
			   "productid INT NOT NULL, price %s NOT NULL, "
			   "data VARCHAR(4000) NOT NULL) "
			   "ENGINE=%s DEFAULT CHARSET=latin1", conn->table,
			   conn->db->real_price ? "FLOAT" : "INT",
			   conn->db->kind->storage);
}

/* ADD INDEX pi1_pdc (price, ...) */
static void index_sql(struct connection *conn, unsigned i, char *sql, size_t size)
{
	const struct index_def *index = &conn->db->indexes[i];
	char columns[128];

	snprintf(sql, size, "ADD INDEX pi%u_%s (%s)", conn->table, index->name,
		 schema_columns(index, columns, sizeof(columns)));
}

/*
 * The published results are of one ALTER TABLE for all three on InnoDB, which reads the
 * table once, and of one for each on MyRocks.
 */
enum engine_status mye_create_indexes(struct connection *conn, unsigned first,
				      unsigned *made)
{
	char sql[SQL_SIZE / 2];
	size_t used = 0;

	*made = conn->db->kind->rocksdb ? 1 : SECONDARY_INDEXES - first;
	for (unsigned i = first; i < first + *made; i++) {
		if (i > first)
			used += (size_t)snprintf(sql + used, sizeof(sql) - used, ", ");
		index_sql(conn, i, sql + used, sizeof(sql) - used);
		used = strlen(sql);
	}
	return mye_execute(conn, "ALTER TABLE pi%u %s", conn->table, sql);
}

/* Servers that lack an engine may silently make the table in another one. */
static enum engine_status check_storage(struct connection *conn)
{
	char storage[32] = "";

	if (!mye_value(conn->handle, 0, storage, sizeof(storage), "SELECT engine FROM "
		       "information_schema.tables WHERE table_schema = DATABASE() AND "
		       "table_name = 'pi%u'", conn->table) && mysql_errno(conn->handle))
		return mye_failed(conn);
	if (!strcasecmp(storage, conn->db->kind->storage))
		return ENGINE_OK;
	if (!storage[0])
		snprintf(conn->message, sizeof(conn->message), "there is no such table");
	else
		snprintf(conn->message, sizeof(conn->message), "it is of the storage "
			 "engine %s, not %s", storage, conn->db->kind->storage);
	return ENGINE_FAILED;
}

static bool has_index(struct connection *conn, unsigned i)
{
	const struct index_def *index = &conn->db->indexes[i];
	char wanted[128], found[128];

	return mye_value(conn->handle, 0, found, sizeof(found), "SELECT GROUP_CONCAT("
			 "column_name ORDER BY seq_in_index SEPARATOR ', ') FROM "
			 "information_schema.statistics WHERE table_schema = DATABASE() "
			 "AND table_name = 'pi%u' AND index_name = 'pi%u_%s'",
			 conn->table, conn->table, index->name) &&
	       !strcasecmp(found, schema_columns(index, wanted, sizeof(wanted)));
}

enum engine_status mye_state(struct connection *conn, struct table_state *state)
{
	int64_t numbers[3];
	enum engine_status status = check_storage(conn);

	if (status != ENGINE_OK)
		return status;
	status = mye_numbers(conn, numbers, 3, "SELECT COUNT(*), MIN(transactionid), "
			     "MAX(transactionid) FROM pi%u", conn->table);
	if (status != ENGINE_OK)
		return status;
	*state = (struct table_state){
		.rows = (uint64_t)numbers[0],
		.min_pk = numbers[1],
		.max_pk = numbers[0] ? numbers[2] : -1,
	};
	for (unsigned i = 0; i < SECONDARY_INDEXES; i++)
		state->indexes += has_index(conn, i);
	return ENGINE_OK;
}

enum engine_status mye_end_pk(struct connection *conn, bool newest, int64_t *pk)
{
	enum engine_status status = mye_numbers(
		conn, pk, 1, "SELECT %s(transactionid) FROM pi%u",
		newest ? "MAX" : "MIN", conn->table);

	if (newest && status == ENGINE_OK && !*pk)
		*pk = -1;
	return status;
}

/*
 * The sum keeps the filter out of the index: no condition of an index shortens the read.
 * FORCE INDEX (PRIMARY) stands for the table itself, which is in the order of that key.
 */
static void scan_sql(struct connection *conn, unsigned number, char *sql, size_t size)
{
	const struct index_def *index;
	char columns[128];

	if (number == 0 || number == SCANS - 1) {
		snprintf(sql, size, "SELECT transactionid, data, customerid FROM pi%u "
			 "FORCE INDEX (PRIMARY) WHERE customerid + 0 < 0", conn->table);
		return;
	}
	index = &conn->db->indexes[number - 1];
	schema_columns(index, columns, sizeof(columns));
	snprintf(sql, size, "SELECT %s FROM pi%u FORCE INDEX (pi%u_%s) WHERE %s >= 0 "
		 "AND customerid + 0 < 0 ORDER BY %s", columns, conn->table, conn->table,
		 index->name, index->columns[0], columns);
}

enum engine_status mye_scan(struct connection *conn, unsigned number, uint64_t *returned)
{
	char sql[SQL_SIZE];
	MYSQL_RES *result = NULL;

	*returned = 0;
	scan_sql(conn, number, sql, sizeof(sql));
	if (!mysql_real_query(conn->handle, sql, (unsigned long)strlen(sql)))
		result = mysql_use_result(conn->handle);
	if (!result)
		return mye_failed(conn);
	while (mysql_fetch_row(result))
		(*returned)++;
	mysql_free_result(result);
	return mysql_errno(conn->handle) ? mye_failed(conn) : ENGINE_OK;
}
