/* The timed statements, prepared once for each connection; values are bound as binary. */
#include "engine.h"

#include <stdarg.h>
#include <stdio.h>

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

enum engine_status sq_check(struct connection *conn, int code, const char *file, int line,
			    const char *expr)
{
	enum engine_status status = status_of(code);

	if (status != ENGINE_OK)
		snprintf(conn->message, sizeof(conn->message), "%s:%d: %s: %s",
			 file, line, expr, sqlite3_errmsg(conn->handle));
	return status;
}

static enum engine_status prepare(struct connection *conn, enum step_statement which,
				  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static enum engine_status prepare(struct connection *conn, enum step_statement which,
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
static enum engine_status made(struct connection *conn, enum step_statement which,
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

enum engine_status sq_prepare(struct connection *conn, enum engine_work work)
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

void sq_unprepare(struct connection *conn)
{
	for (size_t i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(conn->statements[i]);
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

enum engine_status sq_insert(struct connection *conn, const struct row *rows,
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

enum engine_status sq_delete(struct connection *conn, int64_t first, size_t nrows,
			     uint64_t *deleted)
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

enum engine_status sq_range(struct connection *conn, unsigned i, int64_t from,
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

enum engine_status sq_point(struct connection *conn, const int64_t *ids,
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
