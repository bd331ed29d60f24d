/*
 * Any statement: prepared once and executed often in the binary protocol, or run once as
 * text; plans.
 */
#include "engine.h"
#include "engines/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Where the library takes a parameter from; of a text its length. */
struct cell {
	int32_t four;
	int64_t eight;
	double real;
	unsigned long length;
};

struct statement {
	struct connection *conn;
	MYSQL_STMT *handle;
	unsigned count, columns;
	enum value_type *types;
	struct cell *cells;
	MYSQL_BIND *binds;
	enum value_type column_types[FIELDS];
};

static void free_statement(struct statement *statement)
{
	if (statement->handle)
		mysql_stmt_close(statement->handle);
	free(statement->types);
	free(statement->cells);
	free(statement->binds);
	free(statement);
}

void mye_forget(struct statement *statement)
{
	free_statement(statement);
}

static struct statement *make_statement(struct connection *conn, unsigned count)
{
	struct statement *made = calloc(1, sizeof(*made));
	size_t n = count + 1;	/* of 0, calloc may return NULL */

	if (!made)
		return NULL;
	made->conn = conn;
	made->count = count;
	made->handle = mysql_stmt_init(conn->handle);
	made->types = calloc(n, sizeof(*made->types));
	made->cells = calloc(n, sizeof(*made->cells));
	made->binds = calloc(n, sizeof(*made->binds));
	if (made->handle && made->types && made->cells && made->binds)
		return made;
	free_statement(made);
	return NULL;
}

/* A DECIMAL without decimals, as of a sum of whole numbers, is a whole number here. */
static enum value_type value_type_of(const MYSQL_FIELD *column)
{
	switch (column->type) {
	case MYSQL_TYPE_TINY:
	case MYSQL_TYPE_SHORT:
	case MYSQL_TYPE_INT24:
	case MYSQL_TYPE_LONG:
	case MYSQL_TYPE_LONGLONG:
	case MYSQL_TYPE_YEAR:
		return VALUE_BIGINT;
	case MYSQL_TYPE_DECIMAL:
	case MYSQL_TYPE_NEWDECIMAL:
		return column->decimals ? VALUE_REAL : VALUE_BIGINT;
	case MYSQL_TYPE_FLOAT:
	case MYSQL_TYPE_DOUBLE:
		return VALUE_REAL;
	default:
		return VALUE_TEXT;
	}
}

static void find_columns(struct statement *statement)
{
	MYSQL_RES *told = mysql_stmt_result_metadata(statement->handle);

	if (!told)	/* it brings no rows */
		return;
	statement->columns = mysql_num_fields(told);
	for (unsigned i = 0; i < statement->columns && i < FIELDS; i++)
		statement->column_types[i] =
			value_type_of(mysql_fetch_field_direct(told, i));
	mysql_free_result(told);
}

/* Numbers stay at one address; a text is bound when it is known where it lies. */
static MYSQL_BIND bind_of(enum value_type type, struct cell *cell)
{
	switch (type) {
	case VALUE_INT:
		return (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_LONG,
				     .buffer = &cell->four };
	case VALUE_BIGINT:
		return (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_LONGLONG,
				     .buffer = &cell->eight };
	case VALUE_REAL:
		return (MYSQL_BIND){ .buffer_type = MYSQL_TYPE_DOUBLE,
				     .buffer = &cell->real };
	default:
		return (MYSQL_BIND){ .buffer_type = type == VALUE_BYTES ?
					     MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING,
				     .buffer = "", .length = &cell->length };
	}
}

static bool prepare(struct statement *statement, const char *sql)
{
	struct connection *conn = statement->conn;
	unsigned long asked;

	if (mysql_stmt_prepare(statement->handle, sql, (unsigned long)strlen(sql))) {
		mye_failed_statement(conn, statement->handle);
		return false;
	}
	asked = mysql_stmt_param_count(statement->handle);
	if (asked != statement->count) {
		snprintf(conn->message, sizeof(conn->message), "the statement has %lu "
			 "parameters, and %u values are bound", asked, statement->count);
		return false;
	}
	find_columns(statement);
	if (!asked || !mysql_stmt_bind_param(statement->handle, statement->binds))
		return true;
	mye_failed_statement(conn, statement->handle);
	return false;
}

struct statement *mye_prepare_any(struct connection *conn, const char *sql,
				  const enum value_type *types, unsigned ntypes)
{
	struct statement *made = make_statement(conn, ntypes);

	if (!made) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for a "
			 "statement");
		return NULL;
	}
	for (unsigned i = 0; i < ntypes; i++) {
		made->types[i] = types[i];
		made->binds[i] = bind_of(types[i], &made->cells[i]);
	}
	if (prepare(made, sql))
		return made;
	free_statement(made);
	return NULL;
}

/* True if a text lies elsewhere than the last time, so that it must be bound again. */
static bool put_values(struct statement *statement, const struct value *values)
{
	bool moved = false;

	for (unsigned i = 0; i < statement->count; i++) {
		struct cell *cell = &statement->cells[i];
		MYSQL_BIND *bind = &statement->binds[i];

		switch (statement->types[i]) {
		case VALUE_INT:
			cell->four = (int32_t)values[i].number;
			break;
		case VALUE_BIGINT:
			cell->eight = values[i].number;
			break;
		case VALUE_REAL:
			cell->real = values[i].real;
			break;
		case VALUE_TEXT:
		case VALUE_BYTES:
			cell->length = (unsigned long)values[i].length;
			moved |= bind->buffer != values[i].text;
			bind->buffer = (void *)values[i].text;
			break;
		}
	}
	return moved;
}

/* Straight into the field, by the library. */
static void keep_field(struct statement *statement, unsigned column, struct field *field)
{
	unsigned long length = 0;
	my_bool null = 0;
	MYSQL_BIND bind = { .is_null = &null, .length = &length };

	field->type = statement->column_types[column];
	switch (field->type) {
	case VALUE_REAL:
		bind.buffer_type = MYSQL_TYPE_DOUBLE;
		bind.buffer = &field->real;
		break;
	case VALUE_TEXT:
		bind.buffer_type = MYSQL_TYPE_STRING;
		bind.buffer = field->text;
		bind.buffer_length = FIELD_TEXT - 1;
		break;
	default:
		bind.buffer_type = MYSQL_TYPE_LONGLONG;
		bind.buffer = &field->number;
	}
	if (mysql_stmt_fetch_column(statement->handle, &bind, column, 0) || null) {
		field_null(field, field->type);
		return;
	}
	field->null = false;
	if (field->type != VALUE_TEXT)
		return;
	field->length = length < FIELD_TEXT ? length : FIELD_TEXT - 1;
	field->text[field->length] = '\0';
}

static int64_t key(struct statement *statement)
{
	struct field field = { .number = 0 };

	keep_field(statement, 0, &field);
	return field.number;
}

/*
 * Rows are read from the socket one by one: to store them first would copy each. No
 * column is bound, so the library only steps over the values of a row; those that are
 * wanted are fetched one by one.
 */
static enum engine_status fetch(struct statement *statement, struct outcome *outcome)
{
	enum engine_status status;
	int code;

	while (!(code = mysql_stmt_fetch(statement->handle))) {
		if (outcome->rows < outcome->room)
			outcome->keys[outcome->rows] = key(statement);
		if (outcome->rows++)
			continue;
		outcome->fields = outcome_fields(outcome, statement->columns);
		for (unsigned i = 0; i < outcome->fields; i++)
			keep_field(statement, i, &outcome->field[i]);
	}
	if (code == MYSQL_NO_DATA)
		return ENGINE_OK;
	status = mye_failed_statement(statement->conn, statement->handle);
	mysql_stmt_free_result(statement->handle);
	return status;
}

enum engine_status mye_execute_any(struct statement *statement,
				   const struct value *values, struct outcome *outcome)
{
	MYSQL_STMT *handle = statement->handle;

	outcome_clear(outcome);
	if ((put_values(statement, values) &&
	     mysql_stmt_bind_param(handle, statement->binds)) || mysql_stmt_execute(handle))
		return mye_failed_statement(statement->conn, handle);
	if (statement->columns)
		return fetch(statement, outcome);
	outcome->affected = mysql_stmt_affected_rows(handle);
	return ENGINE_OK;
}

static void keep_row(MYSQL_RES *rows, MYSQL_ROW row, struct outcome *outcome)
{
	const unsigned long *lengths = mysql_fetch_lengths(rows);

	outcome->fields = outcome_fields(outcome, mysql_num_fields(rows));
	for (unsigned i = 0; i < outcome->fields; i++) {
		enum value_type type =
			value_type_of(mysql_fetch_field_direct(rows, i));

		if (row[i])
			field_read(&outcome->field[i], type, row[i], lengths[i]);
		else
			field_null(&outcome->field[i], type);
	}
}

static void show_row(MYSQL_RES *rows, MYSQL_ROW row, row_fn *each, void *to)
{
	const char *names[ROW_COLUMNS], *texts[ROW_COLUMNS];
	unsigned columns = mysql_num_fields(rows);

	if (columns > ROW_COLUMNS)
		columns = ROW_COLUMNS;
	for (unsigned i = 0; i < columns; i++) {
		names[i] = mysql_fetch_field_direct(rows, i)->name;
		texts[i] = row[i];
	}
	each(to, columns, names, texts);
}

enum engine_status mye_run(struct connection *conn, const char *sql,
			   struct outcome *outcome, row_fn *each, void *to)
{
	MYSQL_RES *rows;
	MYSQL_ROW row;

	outcome_clear(outcome);
	if (mysql_real_query(conn->handle, sql, (unsigned long)strlen(sql)))
		return mye_failed(conn);
	if (!mysql_field_count(conn->handle)) {
		outcome->affected = mysql_affected_rows(conn->handle);
		return ENGINE_OK;
	}
	rows = mysql_use_result(conn->handle);
	if (!rows)
		return mye_failed(conn);
	while ((row = mysql_fetch_row(rows))) {
		if (outcome->rows < outcome->room)
			outcome->keys[outcome->rows] =
				row[0] ? strtoll(row[0], NULL, 10) : 0;
		if (!outcome->rows++)
			keep_row(rows, row, outcome);
		if (each)
			show_row(rows, row, each, to);
	}
	mysql_free_result(rows);
	return mysql_errno(conn->handle) ? mye_failed(conn) : ENGINE_OK;
}

/* One row of a plan in a line, without what the server guesses: rows and filtered. */
static void add_row(void *to, unsigned ncolumns, const char *const *names,
		    const char *const *texts)
{
	static const char *const TOLD[] = {
		"select_type", "table", "type", "key", "key_len", "ref", "extra",
	};
	const char *between = "";

	for (size_t i = 0; i < sizeof(TOLD) / sizeof(TOLD[0]); i++)
		for (unsigned j = 0; j < ncolumns; j++)
			if (!strcasecmp(TOLD[i], names[j]) && texts[j] && *texts[j]) {
				lines_add(to, "%s%s=%s", between, TOLD[i], texts[j]);
				between = " ";
			}
	lines_add(to, "%s", *between ? "\n" : "");
}

/* A table, which newer releases of MySQL give only when asked for it. */
static const char *explain_of(MYSQL *handle)
{
	bool asks = mysql_get_server_version(handle) >= 80000 &&
		    !strstr(mysql_get_server_info(handle), "MariaDB");

	return asks ? "EXPLAIN FORMAT=TRADITIONAL" : "EXPLAIN";
}

/* Before 5.6 a server does not say it of writes. */
bool mye_explain(struct connection *conn, const char *sql, char *text, size_t size)
{
	struct lines lines = lines_in(text, size);
	struct outcome outcome = { .wanted = 0 };
	enum engine_status status;
	char *explained;

	if (asprintf(&explained, "%s %s", explain_of(conn->handle), sql) < 0)
		return false;
	status = mye_run(conn, explained, &outcome, add_row, &lines);
	free(explained);
	return status == ENGINE_OK && lines.used;
}
