/*
 * The timed statements as text with literals, which the server parses and plans each
 * time. What of a statement never changes is written once; the rest by hand.
 */
#include "engine.h"
#include "engines/row_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ('2026-12-31 23:59:59',-2147483648,...x4,'data'), */
#define ROW_TEXT (24 + 4 * 12 + DATA_MAX + 8)

bool mye_text_prepare(struct connection *conn, enum engine_work work)
{
	struct texts *texts = &conn->texts;
	size_t nrows = work == WORK_INSERT ? conn->db->rows_per_commit : 0;

	if (work == WORK_ADMIN)
		return true;
	texts->buffer = malloc(SQL_SIZE + nrows * ROW_TEXT);
	if (!texts->buffer) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for "
			 "an insert of %zu rows", nrows);
		return false;
	}
	mye_insert_sql(conn->table, texts->buffer, SQL_SIZE);
	texts->insert_head = strlen(texts->buffer);
	return true;
}

/* ('time', as every row of the statement begins. */
static size_t row_head(int64_t when_us, char *text, size_t size)
{
	time_t second = (time_t)(when_us / 1000000);
	struct tm parts;

	return strftime(text, size, "('%Y-%m-%d %H:%M:%S',", gmtime_r(&second, &parts));
}

enum engine_status mye_text_insert(struct connection *conn, const struct row *rows,
				   size_t nrows, int64_t *last_pk)
{
	struct texts *texts = &conn->texts;
	char *at = texts->buffer + texts->insert_head, head[32];
	size_t length = row_head(rows[0].when_us, head, sizeof(head));

	for (size_t i = 0; i < nrows; i++)
		at = row_text_put(text_put(at, head, length), &rows[i]);
	if (mysql_real_query(conn->handle, texts->buffer,
			     (unsigned long)(at - 1 - texts->buffer)))
		return mye_failed(conn);
	*last_pk = (int64_t)mysql_insert_id(conn->handle) + (int64_t)nrows - 1;
	return ENGINE_OK;
}

enum engine_status mye_text_delete(struct connection *conn, int64_t first, size_t nrows,
				   uint64_t *deleted)
{
	enum engine_status status = mye_execute(
		conn, "DELETE FROM pi%u WHERE transactionid >= %lld AND "
		"transactionid < %lld", conn->table, (long long)first,
		(long long)first + (long long)nrows);

	*deleted = mysql_affected_rows(conn->handle);
	return status;
}

/* The digits up to a point: of a number, or YYYYMMDDhhmmss of a time. */
static int64_t key_of(const char *text)
{
	int64_t key = 0;

	for (; text && *text && *text != '.'; text++)
		if (*text >= '0' && *text <= '9')
			key = key * 10 + (*text - '0');
	return key;
}

/* data: the column of which only the length counts, or none of the query's. */
static enum engine_status query(struct connection *conn, const char *sql, size_t length,
				unsigned columns, unsigned data, struct answer *answer)
{
	MYSQL_RES *result = NULL;
	MYSQL_ROW row;

	answer->rows = 0;
	if (!mysql_real_query(conn->handle, sql, (unsigned long)length))
		result = mysql_use_result(conn->handle);
	if (!result)
		return mye_failed(conn);
	while ((row = mysql_fetch_row(result))) {
		int64_t *key;

		if (answer->rows == ROWS_PER_QUERY)
			continue;
		key = answer->key[answer->rows++];
		for (unsigned i = 0; i < columns; i++)
			key[i] = i == data ? (int64_t)mysql_fetch_lengths(result)[i] :
					     key_of(row[i]);
	}
	mysql_free_result(result);
	return mysql_errno(conn->handle) ? mye_failed(conn) : ENGINE_OK;
}

enum engine_status mye_text_range(struct connection *conn, unsigned i, int64_t from,
				  struct answer *answer)
{
	char number[24], *sql = conn->texts.buffer;

	*digits_put(number, from) = '\0';
	mye_range_sql(conn, i, number, sql, SQL_SIZE);
	return query(conn, sql, strlen(sql), conn->db->indexes[i].ncolumns, KEY_COLUMNS,
		     answer);
}

enum engine_status mye_text_point(struct connection *conn, const int64_t *ids,
				  struct answer *answer)
{
	char *sql = conn->texts.buffer, *at = sql;

	at += snprintf(sql, SQL_SIZE, "SELECT transactionid, productid, data FROM pi%u "
		       "WHERE transactionid IN (", conn->table);
	for (unsigned i = 0; i < ROWS_PER_QUERY; i++) {
		at = digits_put(at, ids[i]);
		*at++ = i + 1 < ROWS_PER_QUERY ? ',' : ')';
	}
	return query(conn, sql, (size_t)(at - sql), 3, 2, answer);
}
