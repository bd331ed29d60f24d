/* Any statement: prepared once and executed often, or run once as text. */
#include "engine.h"
#include "engines/outcome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NUMBER_TEXT 32

struct statement {
	struct connection *conn;
	duck_statement handle;
	unsigned ntypes;
	enum value_type types[];
};

struct statement *dk_prepare_any(struct connection *conn, const char *sql,
				 const enum value_type *types, unsigned ntypes)
{
	struct statement *made = malloc(sizeof(*made) + ntypes * sizeof(*types));

	if (!made) {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for a "
			 "statement");
		return NULL;
	}
	made->conn = conn;
	made->ntypes = ntypes;
	for (unsigned i = 0; i < ntypes; i++)
		made->types[i] = types[i];
	if (duck.prepare(conn->handle, sql, &made->handle) == DUCK_OK)
		return made;
	dk_one_line(duck.prepare_error(made->handle), conn->message,
		    sizeof(conn->message));
	dk_forget(made);
	return NULL;
}

void dk_forget(struct statement *statement)
{
	duck.destroy_prepare(&statement->handle);
	free(statement);
}

/* A value that is not taken leaves the statement without one, and DuckDB says so then. */
static void bind_values(const struct statement *statement, const struct value *values)
{
	for (unsigned i = 0; i < statement->ntypes; i++) {
		const struct value *value = &values[i];

		switch (statement->types[i]) {
		case VALUE_INT:
			duck.bind_int32(statement->handle, i + 1, (int32_t)value->number);
			break;
		case VALUE_BIGINT:
			duck.bind_int64(statement->handle, i + 1, value->number);
			break;
		case VALUE_REAL:
			duck.bind_double(statement->handle, i + 1, value->real);
			break;
		case VALUE_TEXT:
		case VALUE_BYTES:	/* it has no binary form: they are a text */
			duck.bind_varchar_length(statement->handle, i + 1, value->text,
						 value->length);
			break;
		}
	}
}

static enum engine_status unreadable(struct connection *conn, struct duck_result *result,
				     uint64_t column)
{
	snprintf(conn->message, sizeof(conn->message), "the column %s is of a type that is "
		 "not read: CAST it to VARCHAR", duck.column_name(result, column));
	return ENGINE_FAILED;
}

static enum engine_status keep_row(struct connection *conn, struct duck_result *result,
				   duck_chunk chunk, struct outcome *outcome)
{
	outcome->fields = outcome_fields(outcome, (unsigned)duck.column_count(result));
	for (unsigned i = 0; i < outcome->fields; i++) {
		struct column column = dk_column(result, i);

		if (!dk_cell(&column, duck.data_chunk_get_vector(chunk, i), 0,
			     &outcome->field[i]))
			return unreadable(conn, result, i);
	}
	return ENGINE_OK;
}

static void keep_keys(struct duck_result *result, duck_chunk chunk, struct outcome *outcome)
{
	struct column column = dk_column(result, 0);
	duck_vector vector = duck.data_chunk_get_vector(chunk, 0);
	uint64_t rows = duck.data_chunk_get_size(chunk);
	struct field field = { .number = 0 };

	for (uint64_t i = 0; i < rows && outcome->rows + i < outcome->room; i++) {
		dk_cell(&column, vector, i, &field);
		outcome->keys[outcome->rows + i] = field.number;
	}
}

/* The value as text, for the caller to free; NULL where it is null. */
static char *text_of(const struct column *column, duck_vector vector, uint64_t row,
		     const struct field *field)
{
	const struct duck_string *text;
	char number[NUMBER_TEXT];

	if (field->null)
		return NULL;
	if (column->type == DUCK_VARCHAR) {
		text = (const struct duck_string *)duck.vector_get_data(vector) + row;
		return strndup(dk_text(text), text->length);
	}
	if (field->type == VALUE_REAL)
		snprintf(number, sizeof(number), "%.15g", field->real);
	else
		snprintf(number, sizeof(number), "%" PRId64, field->number);
	return strdup(number);
}

static enum engine_status show_row(struct connection *conn, struct duck_result *result,
				   duck_chunk chunk, uint64_t row, row_fn *each, void *to)
{
	const char *names[ROW_COLUMNS];
	char *texts[ROW_COLUMNS];
	enum engine_status status = ENGINE_OK;
	unsigned columns = (unsigned)duck.column_count(result), made = 0;

	if (columns > ROW_COLUMNS)
		columns = ROW_COLUMNS;
	for (; status == ENGINE_OK && made < columns; made++) {
		struct column column = dk_column(result, made);
		duck_vector vector = duck.data_chunk_get_vector(chunk, made);
		struct field field;

		texts[made] = NULL;
		names[made] = duck.column_name(result, made);
		if (dk_cell(&column, vector, row, &field))
			texts[made] = text_of(&column, vector, row, &field);
		else
			status = unreadable(conn, result, made);
	}
	if (status == ENGINE_OK)
		each(to, columns, names, (const char *const *)texts);
	while (made)
		free(texts[--made]);
	return status;
}

static enum engine_status read_chunk(struct connection *conn, struct duck_result *result,
				     duck_chunk chunk, struct outcome *outcome,
				     row_fn *each, void *to)
{
	uint64_t rows = duck.data_chunk_get_size(chunk);
	enum engine_status status = ENGINE_OK;

	if (rows && !outcome->rows)
		status = keep_row(conn, result, chunk, outcome);
	if (rows && outcome->rows < outcome->room)
		keep_keys(result, chunk, outcome);
	for (uint64_t row = 0; each && status == ENGINE_OK && row < rows; row++)
		status = show_row(conn, result, chunk, row, each, to);
	outcome->rows += rows;
	return status;
}

/* All of a result, which is destroyed. */
static enum engine_status read_all(struct connection *conn, struct duck_result *result,
				   struct outcome *outcome, row_fn *each, void *to)
{
	enum duck_return returned = duck.result_return_type(*result);
	enum engine_status status = ENGINE_OK;
	duck_chunk chunk;

	if (returned == DUCK_CHANGED_ROWS)
		outcome->affected = duck.rows_changed(result);
	while (returned == DUCK_ROWS && (chunk = duck.fetch_chunk(*result))) {
		if (status == ENGINE_OK)
			status = read_chunk(conn, result, chunk, outcome, each, to);
		duck.destroy_data_chunk(&chunk);
	}
	duck.destroy_result(result);
	return status;
}

enum engine_status dk_execute_any(struct statement *statement, const struct value *values,
				  struct outcome *outcome)
{
	struct duck_result result;
	enum engine_status status;

	outcome_clear(outcome);
	bind_values(statement, values);
	status = dk_run(statement->conn, statement->handle, &result);
	if (status != ENGINE_OK)
		return status;
	return read_all(statement->conn, &result, outcome, NULL, NULL);
}

enum engine_status dk_run_any(struct connection *conn, const char *sql,
			      struct outcome *outcome, row_fn *each, void *to)
{
	struct duck_result result;
	enum engine_status status;

	outcome_clear(outcome);
	status = dk_query(conn, sql, &result);
	if (status == ENGINE_OK)
		return read_all(conn, &result, outcome, each, to);
	/* A COMMIT that failed has ended the transaction. */
	if (is_rollback(sql) && strstr(conn->message, "no transaction is active"))
		return ENGINE_OK;
	return status;
}
