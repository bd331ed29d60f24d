/* The timed statements, prepared once for each connection; values are bound as binary. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool prepare(struct connection *conn, const char *sql, duck_statement *statement)
{
	if (duck.prepare(conn->handle, sql, statement) == DUCK_OK)
		return true;
	dk_one_line(duck.prepare_error(*statement), conn->message,
		    sizeof(conn->message));
	duck.destroy_prepare(statement);
	return false;
}

/* INSERT ... VALUES (?, ...), (?, ...), ... */
static bool prepare_insert(struct connection *conn, struct insert_statement *insert,
			   size_t nrows)
{
	static const char ROW[] = "(?,?,?,?,?,?),";
	size_t size = SQL_SIZE + nrows * strlen(ROW), used;
	char *sql = malloc(size);
	bool good;

	if (!sql) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for "
			 "an insert of %zu rows", nrows);
		return false;
	}
	dk_insert_sql(conn->table, sql, SQL_SIZE);
	used = strlen(sql);
	for (size_t i = 0; i < nrows; i++, used += strlen(ROW))
		memcpy(sql + used, ROW, strlen(ROW));
	sql[used - 1] = '\0';
	duck.destroy_prepare(&insert->handle);
	good = prepare(conn, sql, &insert->handle);
	insert->nrows = good ? nrows : 0;
	free(sql);
	return good;
}

static enum cell cell_of(const struct connection *conn, const char *column)
{
	if (!strcmp(column, "dateandtime"))
		return CELL_BIG;
	return conn->db->real_price && !strcmp(column, "price") ? CELL_REAL : CELL_INT;
}

static bool prepare_ranges(struct connection *conn)
{
	char sql[SQL_SIZE];

	for (unsigned i = 0; i < SECONDARY_INDEXES; i++) {
		dk_range_sql(conn, i, "?", sql, sizeof(sql));
		if (!prepare(conn, sql, &conn->range[i]))
			return false;
	}
	return true;
}

bool dk_prepare(struct connection *conn, enum engine_work work)
{
	char sql[SQL_SIZE];

	if (work == WORK_ADMIN)
		return true;
	for (unsigned i = 0; i < SECONDARY_INDEXES; i++)
		for (unsigned j = 0; j < conn->db->indexes[i].ncolumns; j++)
			conn->cells[i][j] = cell_of(conn,
						    conn->db->indexes[i].columns[j]);
	if (!conn->db->prepare)
		return dk_text_prepare(conn, work);
	switch (work) {
	case WORK_ADMIN:
		return true;
	case WORK_INSERT:
		return prepare_insert(conn, &conn->full, conn->db->rows_per_commit);
	case WORK_DELETE:
		snprintf(sql, sizeof(sql), "DELETE FROM pi%u WHERE transactionid >= ? "
			 "AND transactionid < ?", conn->table);
		return prepare(conn, sql, &conn->delete);
	case WORK_RANGE:
		return prepare_ranges(conn);
	case WORK_POINT:
		snprintf(sql, sizeof(sql), "SELECT transactionid, productid, data FROM "
			 "pi%u WHERE transactionid IN (?,?,?,?,?,?,?,?,?,?)",
			 conn->table);
		return prepare(conn, sql, &conn->point);
	}
	return false;
}

void dk_unprepare(struct connection *conn)
{
	duck_statement *statements[] = {
		&conn->full.handle, &conn->rest.handle, &conn->delete, &conn->point,
		&conn->range[0], &conn->range[1], &conn->range[2],
	};

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		duck.destroy_prepare(statements[i]);
	free(conn->text);
}

/* A value that is not taken leaves the statement without one, and DuckDB says so then. */
static void bind_row(const struct connection *conn, duck_statement statement,
		     uint64_t first, const struct row *row)
{
	duck.bind_timestamp(statement, first,
			    (struct duck_timestamp){ row->when_us });
	duck.bind_int32(statement, first + 1, row->cashregisterid);
	duck.bind_int32(statement, first + 2, row->customerid);
	duck.bind_int32(statement, first + 3, row->productid);
	if (conn->db->real_price)
		duck.bind_float(statement, first + 4, (float)row->price);
	else
		duck.bind_int32(statement, first + 4, row->price);
	duck.bind_varchar_length(statement, first + 5, row->data, row->length);
}

/* One statement is one transaction; another number of rows is prepared first. */
enum engine_status dk_insert(struct connection *conn, const struct row *rows,
			     size_t nrows)
{
	struct insert_statement *insert =
		nrows == conn->full.nrows ? &conn->full : &conn->rest;
	struct duck_result result;
	enum engine_status status;

	if (nrows != insert->nrows && !prepare_insert(conn, insert, nrows))
		return ENGINE_FAILED;
	for (size_t i = 0; i < nrows; i++)
		bind_row(conn, insert->handle, 1 + i * ROW_VALUES, &rows[i]);
	status = dk_run(conn, insert->handle, &result);
	if (status == ENGINE_OK)
		duck.destroy_result(&result);
	return status;
}

enum engine_status dk_delete(struct connection *conn, int64_t first, size_t nrows,
			     struct duck_result *result)
{
	duck.bind_int64(conn->delete, 1, first);
	duck.bind_int64(conn->delete, 2, first + (int64_t)nrows);
	return dk_run(conn, conn->delete, result);
}

enum engine_status dk_range(struct connection *conn, unsigned i, int64_t from,
			    struct duck_result *result)
{
	duck.bind_int32(conn->range[i], 1, (int32_t)from);
	return dk_run(conn, conn->range[i], result);
}

enum engine_status dk_point(struct connection *conn, const int64_t *ids,
			    struct duck_result *result)
{
	for (unsigned i = 0; i < ROWS_PER_QUERY; i++)
		duck.bind_int64(conn->point, i + 1, ids[i]);
	return dk_run(conn, conn->point, result);
}
