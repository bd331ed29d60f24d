/* Any statement: prepared once and executed often, or run once as text; plans. */
#include "engine.h"
#include "engines/outcome.h"

#include <stdlib.h>

#define PLAN_STEPS 256

struct statement {
	struct connection *conn;
	sqlite3_stmt *handle;
	unsigned ntypes;
	enum value_type types[];
};

struct statement *sq_prepare_any(struct connection *conn, const char *sql,
				 const enum value_type *types, unsigned ntypes)
{
	struct statement *statement =
		malloc(sizeof(*statement) + ntypes * sizeof(*types));

	if (!statement) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for a "
			 "statement");
		return NULL;
	}
	statement->conn = conn;
	statement->ntypes = ntypes;
	for (unsigned i = 0; i < ntypes; i++)
		statement->types[i] = types[i];
	if (sq_check(conn, sqlite3_prepare_v2(conn->handle, sql, -1, &statement->handle,
					      NULL),
		     __FILE__, __LINE__, "prepare") == ENGINE_OK)
		return statement;
	free(statement);
	return NULL;
}

void sq_forget(struct statement *statement)
{
	sqlite3_finalize(statement->handle);
	free(statement);
}

static int bind_values(const struct statement *statement, const struct value *values)
{
	int code = SQLITE_OK;

	for (unsigned i = 0; code == SQLITE_OK && i < statement->ntypes; i++) {
		const struct value *value = &values[i];
		int number = (int)i + 1;

		switch (statement->types[i]) {
		case VALUE_INT:
		case VALUE_BIGINT:
			code = sqlite3_bind_int64(statement->handle, number,
						  value->number);
			break;
		case VALUE_REAL:
			code = sqlite3_bind_double(statement->handle, number, value->real);
			break;
		case VALUE_TEXT:
			code = sqlite3_bind_text(statement->handle, number, value->text,
						 (int)value->length, SQLITE_STATIC);
			break;
		case VALUE_BYTES:
			code = sqlite3_bind_blob(statement->handle, number, value->text,
						 (int)value->length, SQLITE_STATIC);
			break;
		}
	}
	return code;
}

/* A value of SQLite has a type of its own, whatever that of its column is. */
static void keep_field(sqlite3_stmt *handle, int column, struct field *field)
{
	const char *text;

	switch (sqlite3_column_type(handle, column)) {
	case SQLITE_INTEGER:
		field_number(field, sqlite3_column_int64(handle, column));
		break;
	case SQLITE_FLOAT:
		field_real(field, sqlite3_column_double(handle, column));
		break;
	case SQLITE_NULL:
		field_null(field, VALUE_TEXT);
		break;
	default:
		text = (const char *)sqlite3_column_text(handle, column);
		field_text(field, text ? text : "",
			   (size_t)sqlite3_column_bytes(handle, column));
	}
}

static void keep_row(sqlite3_stmt *handle, struct outcome *outcome)
{
	outcome->fields = outcome_fields(outcome, (unsigned)sqlite3_column_count(handle));
	for (unsigned i = 0; i < outcome->fields; i++)
		keep_field(handle, (int)i, &outcome->field[i]);
}

static void show_row(sqlite3_stmt *handle, row_fn *each, void *to)
{
	const char *names[ROW_COLUMNS], *texts[ROW_COLUMNS];
	int columns = sqlite3_column_count(handle);

	if (columns > ROW_COLUMNS)
		columns = ROW_COLUMNS;
	for (int i = 0; i < columns; i++) {
		names[i] = sqlite3_column_name(handle, i);
		texts[i] = (const char *)sqlite3_column_text(handle, i);
	}
	each(to, (unsigned)columns, names, texts);
}

/*
 * All rows, to the end. What sqlite3_changes says is that of the last write, maybe of an
 * earlier statement, unless the connection's total has grown.
 */
static enum engine_status step(struct connection *conn, sqlite3_stmt *handle,
			       struct outcome *outcome, row_fn *each, void *to)
{
	int before = sqlite3_total_changes(conn->handle);

	outcome_clear(outcome);
	while (sqlite3_step(handle) == SQLITE_ROW) {
		if (outcome->rows < outcome->room)
			outcome->keys[outcome->rows] = sqlite3_column_int64(handle, 0);
		if (!outcome->rows++)
			keep_row(handle, outcome);
		if (each)
			show_row(handle, each, to);
	}
	TRY(conn, sqlite3_reset(handle));
	if (sqlite3_total_changes(conn->handle) != before)
		outcome->affected = (uint64_t)sqlite3_changes(conn->handle);
	return ENGINE_OK;
}

enum engine_status sq_execute(struct statement *statement, const struct value *values,
			      struct outcome *outcome)
{
	TRY(statement->conn, bind_values(statement, values));
	return step(statement->conn, statement->handle, outcome, NULL, NULL);
}

/* All statements of the text; the outcome is that of the last. */
enum engine_status sq_run(struct connection *conn, const char *sql,
			  struct outcome *outcome, row_fn *each, void *to)
{
	enum engine_status status = ENGINE_OK;
	sqlite3_stmt *handle;

	outcome_clear(outcome);
	/* Some failures end the transaction, and with it what is to be undone. */
	if (is_rollback(sql) && sqlite3_get_autocommit(conn->handle))
		return ENGINE_OK;
	while (status == ENGINE_OK) {
		TRY(conn, sqlite3_prepare_v2(conn->handle, sql, -1, &handle, &sql));
		if (!handle)	/* nothing but blanks and comments was left */
			break;
		status = step(conn, handle, outcome, each, to);
		sqlite3_finalize(handle);
	}
	return status;
}

/* The steps so far, to find how deep a parent lies. */
struct plan {
	struct lines lines;
	unsigned steps;
	struct {
		int id;
		unsigned depth;
	} step[PLAN_STEPS];
};

static unsigned depth_below(const struct plan *plan, int parent)
{
	for (unsigned i = 0; i < plan->steps; i++)
		if (plan->step[i].id == parent)
			return plan->step[i].depth + 1;
	return 0;
}

/* id, parent, unused, detail. Before 3.24 the first two meant something else. */
static void add_step(void *to, unsigned ncolumns, const char *const *names,
		     const char *const *texts)
{
	struct plan *plan = to;
	unsigned depth = 0;

	if (ncolumns != 4 || !texts[3])
		return;
	if (!strcmp(names[0], "id"))
		depth = depth_below(plan, atoi(texts[1]));
	if (plan->steps < PLAN_STEPS) {
		plan->step[plan->steps].id = atoi(texts[0]);
		plan->step[plan->steps++].depth = depth;
	}
	lines_add(&plan->lines, "%*s%s\n", 2 * (int)depth, "", texts[3]);
}

bool sq_explain(struct connection *conn, const char *sql, char *text, size_t size)
{
	struct plan plan = { .lines = lines_in(text, size) };
	struct outcome outcome = { .wanted = 0 };
	char *explained = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
	enum engine_status status = ENGINE_FAILED;

	if (explained)
		status = sq_run(conn, explained, &outcome, add_step, &plan);
	sqlite3_free(explained);
	return status == ENGINE_OK && plan.lines.used;
}
