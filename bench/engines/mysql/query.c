/* Statements as text, for all that is not timed row by row. */
#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int send_sql(MYSQL *handle, const char *format, va_list values)
{
	char sql[SQL_SIZE];
	int length = vsnprintf(sql, sizeof(sql), format, values);

	return mysql_real_query(handle, sql, (unsigned long)length);
}

bool mye_value(MYSQL *handle, unsigned column, char *value, size_t size,
	       const char *format, ...)
{
	MYSQL_RES *result = NULL;
	MYSQL_ROW row = NULL;
	va_list values;

	va_start(values, format);
	if (!send_sql(handle, format, values))
		result = mysql_store_result(handle);
	va_end(values);
	if (result)
		row = mysql_fetch_row(result);
	if (row && row[column])
		snprintf(value, size, "%s", row[column]);
	else
		row = NULL;
	mysql_free_result(result);
	return row;
}

bool mye_status(MYSQL *handle, const char *name, uint64_t *value)
{
	char text[32];

	if (!mye_value(handle, 1, text, sizeof(text), "SHOW GLOBAL STATUS LIKE '%s'", name))
		return false;
	*value = strtoull(text, NULL, 10);
	return true;
}

bool mye_variable(MYSQL *handle, const char *name, char *value, size_t size)
{
	return mye_value(handle, 1, value, size, "SHOW GLOBAL VARIABLES LIKE '%s'", name);
}

bool mye_analyze(struct database *db, MYSQL *handle)
{
	char sql[SQL_SIZE], said[32];
	MYSQL_RES *names = NULL;
	MYSQL_ROW row;
	bool good = true;

	snprintf(sql, sizeof(sql), "SELECT table_name FROM " MYE_TABLES, db->tables);
	if (!mysql_query(handle, sql))
		names = mysql_store_result(handle);
	if (!names)
		return false;
	while (good && (row = mysql_fetch_row(names)))
		good = mye_value(handle, 0, said, sizeof(said), "ANALYZE "
				 "NO_WRITE_TO_BINLOG TABLE `%s`", row[0]);
	mysql_free_result(names);
	return good;
}

/* A statement that returns no rows. */
enum engine_status mye_execute(struct connection *conn, const char *format, ...)
{
	va_list values;
	int code;

	va_start(values, format);
	code = send_sql(conn->handle, format, values);
	va_end(values);
	return code ? mye_failed(conn) : ENGINE_OK;
}

enum engine_status mye_numbers(struct connection *conn, int64_t *numbers, unsigned count,
			       const char *format, ...)
{
	MYSQL_RES *result;
	MYSQL_ROW row;
	va_list values;
	int code;

	va_start(values, format);
	code = send_sql(conn->handle, format, values);
	va_end(values);
	result = code ? NULL : mysql_store_result(conn->handle);
	if (!result)
		return mye_failed(conn);
	row = mysql_fetch_row(result);
	for (unsigned i = 0; i < count; i++)
		numbers[i] = row && row[i] ? strtoll(row[i], NULL, 10) : 0;
	mysql_free_result(result);
	return ENGINE_OK;
}

void mye_insert_sql(unsigned table, char *sql, size_t size)
{
	snprintf(sql, size, "INSERT INTO pi%u (dateandtime, cashregisterid, customerid, "
		 "productid, price, data) VALUES ", table);
}

void mye_range_sql(struct connection *conn, unsigned i, const char *from, char *sql,
		   size_t size)
{
	const struct index_def *index = &conn->db->indexes[i];
	char columns[128];

	schema_columns(index, columns, sizeof(columns));
	snprintf(sql, size, "SELECT %s FROM pi%u FORCE INDEX (pi%u_%s) WHERE %s %s %s "
		 "ORDER BY %s LIMIT %d", columns, conn->table, conn->table, index->name,
		 index->columns[0], index->compare, from, columns, ROWS_PER_QUERY);
}
