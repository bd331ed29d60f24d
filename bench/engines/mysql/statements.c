/*
 * The timed statements, prepared once for each connection. Values are bound once to
 * where they will be: a statement copies no more than the lengths of its strings, and
 * results are read row by row from the socket instead of being stored first.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static MYSQL_BIND bind_to(enum enum_field_types type, void *buffer)
{
	return (MYSQL_BIND){ .buffer_type = type, .buffer = buffer };
}

static MYSQL_STMT *prepare(struct connection *conn, const char *sql, size_t length)
{
	MYSQL_STMT *statement = mysql_stmt_init(conn->handle);

	if (!statement) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for a "
			 "statement");
		return NULL;
	}
	if (!mysql_stmt_prepare(statement, sql, (unsigned long)length))
		return statement;
	mye_failed_statement(conn, statement);
	mysql_stmt_close(statement);
	return NULL;
}

/* NULL, with the failure in the message, if the values cannot be bound either. */
static MYSQL_STMT *prepare_bound(struct connection *conn, const char *sql,
				 MYSQL_BIND *values, MYSQL_BIND *columns)
{
	MYSQL_STMT *statement = prepare(conn, sql, strlen(sql));

	if (!statement || (!mysql_stmt_bind_param(statement, values) &&
			   (!columns || !mysql_stmt_bind_result(statement, columns))))
		return statement;
	mye_failed_statement(conn, statement);
	mysql_stmt_close(statement);
	return NULL;
}

/* INSERT ... VALUES (?, ...), (?, ...), ... */
static bool prepare_insert(struct connection *conn, struct insert_statement *insert,
			   size_t nrows)
{
	static const char ROW[] = "(?,?,?,?,?,?),";
	size_t size = SQL_SIZE + nrows * strlen(ROW), used;
	char *sql = malloc(size);

	if (!sql) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for "
			 "an insert of %zu rows", nrows);
		return false;
	}
	mye_insert_sql(conn->table, sql, SQL_SIZE);
	used = strlen(sql);
	for (size_t i = 0; i < nrows; i++, used += strlen(ROW))
		memcpy(sql + used, ROW, strlen(ROW));
	if (insert->handle)
		mysql_stmt_close(insert->handle);
	*insert = (struct insert_statement){
		.handle = prepare(conn, sql, used - 1),
		.nrows = nrows,
	};
	free(sql);
	return insert->handle;
}

static bool prepare_inserts(struct connection *conn)
{
	struct prepared *prepared = &conn->prepared;
	size_t nrows = conn->db->rows_per_commit;

	prepared->binds = calloc(nrows * ROW_VALUES, sizeof(*prepared->binds));
	prepared->lengths = calloc(nrows, sizeof(*prepared->lengths));
	prepared->prices = calloc(nrows, sizeof(*prepared->prices));
	prepared->when.time_type = MYSQL_TIMESTAMP_DATETIME;
	if (prepared->binds && prepared->lengths && prepared->prices)
		return prepare_insert(conn, &prepared->full, nrows);
	snprintf(conn->message, sizeof(conn->message), "there is no memory for inserts "
		 "of %zu rows", nrows);
	return false;
}

static bool prepare_delete(struct connection *conn)
{
	MYSQL_BIND values[2] = {
		bind_to(MYSQL_TYPE_LONGLONG, &conn->prepared.ids[0]),
		bind_to(MYSQL_TYPE_LONGLONG, &conn->prepared.ids[1]),
	};
	char sql[SQL_SIZE];

	snprintf(sql, sizeof(sql), "DELETE FROM pi%u WHERE transactionid >= ? AND "
		 "transactionid < ?", conn->table);
	conn->prepared.delete = prepare_bound(conn, sql, values, NULL);
	return conn->prepared.delete;
}

static MYSQL_BIND bind_string(char *buffer, size_t size, unsigned long *length)
{
	return (MYSQL_BIND){
		.buffer_type = MYSQL_TYPE_STRING, .buffer = buffer,
		.buffer_length = size, .length = length,
	};
}

static bool prepare_point(struct connection *conn)
{
	struct prepared *prepared = &conn->prepared;
	MYSQL_BIND values[ROWS_PER_QUERY], columns[3] = {
		bind_to(MYSQL_TYPE_LONGLONG, &prepared->row.id),
		bind_to(MYSQL_TYPE_LONG, &prepared->row.number[1]),
		bind_string(prepared->row.data, sizeof(prepared->row.data),
			    &prepared->row.length),
	};
	char sql[SQL_SIZE];

	for (unsigned i = 0; i < ROWS_PER_QUERY; i++)
		values[i] = bind_to(MYSQL_TYPE_LONGLONG, &prepared->ids[i]);
	snprintf(sql, sizeof(sql), "SELECT transactionid, productid, data FROM pi%u "
		 "WHERE transactionid IN (?,?,?,?,?,?,?,?,?,?)", conn->table);
	prepared->point = prepare_bound(conn, sql, values, columns);
	return prepared->point;
}

static enum key_type type_of(struct connection *conn, const char *column)
{
	if (!strcmp(column, "dateandtime"))
		return KEY_TIME;
	return conn->db->real_price && !strcmp(column, "price") ? KEY_REAL : KEY_INT;
}

/* Each column comes in its own type: then the library only copies it. */
static MYSQL_BIND bind_key(struct prepared *prepared, enum key_type type, unsigned i)
{
	switch (type) {
	case KEY_TIME:
		return bind_to(MYSQL_TYPE_DATETIME, &prepared->row.when);
	case KEY_REAL:
		return bind_to(MYSQL_TYPE_FLOAT, &prepared->row.price);
	default:
		return bind_to(MYSQL_TYPE_LONG, &prepared->row.number[i]);
	}
}

static bool prepare_range(struct connection *conn, unsigned i)
{
	const struct index_def *index = &conn->db->indexes[i];
	MYSQL_BIND value = bind_to(MYSQL_TYPE_LONGLONG, &conn->prepared.ids[0]);
	MYSQL_BIND columns[KEY_COLUMNS];
	char sql[SQL_SIZE];

	for (unsigned j = 0; j < index->ncolumns; j++) {
		enum key_type type = type_of(conn, index->columns[j]);

		conn->prepared.types[i][j] = type;
		columns[j] = bind_key(&conn->prepared, type, j);
	}
	mye_range_sql(conn, i, "?", sql, sizeof(sql));
	conn->prepared.range[i] = prepare_bound(conn, sql, &value, columns);
	return conn->prepared.range[i];
}

bool mye_prepare(struct connection *conn, enum engine_work work)
{
	switch (work) {
	case WORK_ADMIN:
		return true;
	case WORK_INSERT:
		return prepare_inserts(conn);
	case WORK_DELETE:
		return prepare_delete(conn);
	case WORK_RANGE:
		for (unsigned i = 0; i < SECONDARY_INDEXES; i++)
			if (!prepare_range(conn, i))
				return false;
		return true;
	case WORK_POINT:
		return prepare_point(conn);
	}
	return false;
}

void mye_unprepare(struct connection *conn)
{
	struct prepared *prepared = &conn->prepared;
	MYSQL_STMT *statements[] = {
		prepared->full.handle, prepared->rest.handle, prepared->delete,
		prepared->point, prepared->range[0], prepared->range[1],
		prepared->range[2],
	};

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (statements[i])
			mysql_stmt_close(statements[i]);
	free(prepared->binds);
	free(prepared->lengths);
	free(prepared->prices);
	free(conn->texts.buffer);
}

/* The library takes the values from the caller's rows, which stay where they are. */
static bool bind_rows(struct connection *conn, struct insert_statement *insert,
		      const struct row *rows)
{
	struct prepared *prepared = &conn->prepared;
	MYSQL_BIND *bind = prepared->binds;

	for (size_t i = 0; i < insert->nrows; i++) {
		struct row *row = (struct row *)&rows[i];

		*bind++ = bind_to(MYSQL_TYPE_DATETIME, &prepared->when);
		*bind++ = bind_to(MYSQL_TYPE_LONG, &row->cashregisterid);
		*bind++ = bind_to(MYSQL_TYPE_LONG, &row->customerid);
		*bind++ = bind_to(MYSQL_TYPE_LONG, &row->productid);
		*bind++ = conn->db->real_price ?
			  bind_to(MYSQL_TYPE_FLOAT, &prepared->prices[i]) :
			  bind_to(MYSQL_TYPE_LONG, &row->price);
		*bind++ = bind_string(row->data, sizeof(row->data),
				      &prepared->lengths[i]);
	}
	insert->bound = rows;
	return !mysql_stmt_bind_param(insert->handle, prepared->binds);
}

static void set_time(struct prepared *prepared, int64_t when_us)
{
	time_t second = (time_t)(when_us / 1000000);
	struct tm parts;

	if (second == prepared->when_second)
		return;
	prepared->when_second = second;
	gmtime_r(&second, &parts);
	prepared->when.year = (unsigned)parts.tm_year + 1900;
	prepared->when.month = (unsigned)parts.tm_mon + 1;
	prepared->when.day = (unsigned)parts.tm_mday;
	prepared->when.hour = (unsigned)parts.tm_hour;
	prepared->when.minute = (unsigned)parts.tm_min;
	prepared->when.second = (unsigned)parts.tm_sec;
}

static enum engine_status send_insert(struct connection *conn,
				      struct insert_statement *insert,
				      const struct row *rows)
{
	struct prepared *prepared = &conn->prepared;

	set_time(prepared, rows[0].when_us);
	for (size_t i = 0; i < insert->nrows; i++)
		prepared->lengths[i] = rows[i].length;
	if (conn->db->real_price)
		for (size_t i = 0; i < insert->nrows; i++)
			prepared->prices[i] = (float)rows[i].price;
	if ((insert->bound != rows && !bind_rows(conn, insert, rows)) ||
	    mysql_stmt_execute(insert->handle))
		return mye_failed_statement(conn, insert->handle);
	return ENGINE_OK;
}

/* One statement is one transaction; another number of rows is prepared first. */
enum engine_status mye_insert(struct connection *conn, const struct row *rows,
			      size_t nrows, int64_t *last_pk)
{
	struct prepared *prepared = &conn->prepared;
	struct insert_statement *insert = &prepared->full;
	enum engine_status status;

	if (nrows != insert->nrows)
		insert = &prepared->rest;
	if (nrows != insert->nrows && !prepare_insert(conn, insert, nrows)) {
		insert->nrows = 0;
		return ENGINE_FAILED;
	}
	status = send_insert(conn, insert, rows);
	*last_pk = (int64_t)mysql_stmt_insert_id(insert->handle) + (int64_t)nrows - 1;
	return status;
}

enum engine_status mye_delete(struct connection *conn, int64_t first, size_t nrows,
			      uint64_t *deleted)
{
	MYSQL_STMT *statement = conn->prepared.delete;

	conn->prepared.ids[0] = first;
	conn->prepared.ids[1] = first + (int64_t)nrows;
	if (mysql_stmt_execute(statement))
		return mye_failed_statement(conn, statement);
	*deleted = mysql_stmt_affected_rows(statement);
	return ENGINE_OK;
}

/* In the order of time: the digits of YYYYMMDDhhmmss, as the text has them. */
static int64_t time_key(const MYSQL_TIME *when)
{
	int64_t day = (when->year * 100 + when->month) * 100 + when->day;

	return day * 1000000 +
	       (int64_t)((when->hour * 100 + when->minute) * 100 + when->second);
}

static int64_t key_of(const struct prepared *prepared, enum key_type type, unsigned i)
{
	switch (type) {
	case KEY_TIME:
		return time_key(&prepared->row.when);
	case KEY_REAL:
		return (int64_t)prepared->row.price;
	default:
		return prepared->row.number[i];
	}
}

/* Rows are read to their end, so that the connection is free for the next statement. */
static enum engine_status end_of_rows(struct connection *conn, MYSQL_STMT *statement,
				      int code)
{
	return code == MYSQL_NO_DATA ? ENGINE_OK : mye_failed_statement(conn, statement);
}

enum engine_status mye_range(struct connection *conn, unsigned i, int64_t from,
			     struct answer *answer)
{
	const struct prepared *prepared = &conn->prepared;
	const enum key_type *types = prepared->types[i];
	unsigned columns = conn->db->indexes[i].ncolumns;
	MYSQL_STMT *statement = prepared->range[i];
	int code;

	answer->rows = 0;
	conn->prepared.ids[0] = from;
	if (mysql_stmt_execute(statement))
		return mye_failed_statement(conn, statement);
	while (!(code = mysql_stmt_fetch(statement))) {
		int64_t *key;

		if (answer->rows == ROWS_PER_QUERY)
			continue;
		key = answer->key[answer->rows++];
		for (unsigned j = 0; j < columns; j++)
			key[j] = key_of(prepared, types[j], j);
	}
	return end_of_rows(conn, statement, code);
}

enum engine_status mye_point(struct connection *conn, const int64_t *ids,
			     struct answer *answer)
{
	struct prepared *prepared = &conn->prepared;
	int code;

	answer->rows = 0;
	memcpy(prepared->ids, ids, sizeof(prepared->ids));
	if (mysql_stmt_execute(prepared->point))
		return mye_failed_statement(conn, prepared->point);
	while (!(code = mysql_stmt_fetch(prepared->point))) {
		int64_t *key;

		if (answer->rows == ROWS_PER_QUERY)
			continue;
		key = answer->key[answer->rows++];
		key[0] = prepared->row.id;
		key[1] = prepared->row.number[1];
		key[2] = (int64_t)prepared->row.length;
	}
	return end_of_rows(conn, prepared->point, code);
}
