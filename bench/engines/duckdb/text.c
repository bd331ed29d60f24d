/* The timed statements as text with literals, which DuckDB parses and plans each time. */
#include "engine.h"
#include "engines/row_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ('2026-12-31 23:59:59.123456',-2147483648,...x4,'data'), */
#define ROW_TEXT (32 + 4 * 12 + DATA_MAX + 8)

bool dk_text_prepare(struct connection *conn, enum engine_work work)
{
	size_t nrows = work == WORK_INSERT ? conn->db->rows_per_commit : 0;

	conn->text = malloc(SQL_SIZE + nrows * ROW_TEXT);
	if (!conn->text) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for "
			 "an insert of %zu rows", nrows);
		return false;
	}
	dk_insert_sql(conn->table, conn->text, SQL_SIZE);
	conn->insert_head = strlen(conn->text);
	return true;
}

/* ('time', as every row of the statement begins. */
static size_t row_head(int64_t when_us, char *text, size_t size)
{
	time_t second = (time_t)(when_us / 1000000);
	struct tm parts;
	size_t used = strftime(text, size, "('%Y-%m-%d %H:%M:%S",
			       gmtime_r(&second, &parts));

	return used + (size_t)snprintf(text + used, size - used, ".%06u',",
				       (unsigned)(when_us % 1000000));
}

enum engine_status dk_text_insert(struct connection *conn, const struct row *rows,
				  size_t nrows)
{
	char *at = conn->text + conn->insert_head, head[40];
	size_t length = row_head(rows[0].when_us, head, sizeof(head));
	struct duck_result result;
	enum engine_status status;

	for (size_t i = 0; i < nrows; i++)
		at = row_text_put(text_put(at, head, length), &rows[i]);
	at[-1] = '\0';
	status = dk_query(conn, conn->text, &result);
	if (status == ENGINE_OK)
		duck.destroy_result(&result);
	return status;
}

enum engine_status dk_text_delete(struct connection *conn, int64_t first, size_t nrows,
				  struct duck_result *result)
{
	snprintf(conn->text, SQL_SIZE, "DELETE FROM pi%u WHERE transactionid >= %lld AND "
		 "transactionid < %lld", conn->table, (long long)first,
		 (long long)first + (long long)nrows);
	return dk_query(conn, conn->text, result);
}

enum engine_status dk_text_range(struct connection *conn, unsigned i, int64_t from,
				 struct duck_result *result)
{
	char number[DIGITS_MOST + 1];

	*digits_put(number, from) = '\0';
	dk_range_sql(conn, i, number, conn->text, SQL_SIZE);
	return dk_query(conn, conn->text, result);
}

enum engine_status dk_text_point(struct connection *conn, const int64_t *ids,
				 struct duck_result *result)
{
	char *at = conn->text;

	at += snprintf(at, SQL_SIZE, "SELECT transactionid, productid, data FROM pi%u "
		       "WHERE transactionid IN (", conn->table);
	for (unsigned i = 0; i < ROWS_PER_QUERY; i++) {
		at = digits_put(at, ids[i]);
		*at++ = i + 1 < ROWS_PER_QUERY ? ',' : ')';
	}
	*at = '\0';
	return dk_query(conn, conn->text, result);
}
