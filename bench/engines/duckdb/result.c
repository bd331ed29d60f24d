/* Statements sent to DuckDB, what their failures mean, and how rows are read. */
#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Two transactions on one row: the later is undone and may be sent again. A checkpoint
 * that finds writers at work may, too. Other failures of a transaction are for good.
 */
enum engine_status dk_status(enum duck_error kind, const char *text)
{
	if (strstr(text, "No space left"))
		return ENGINE_FULL;
	if (kind != DUCK_TRANSACTION)
		return ENGINE_FAILED;
	if (strstr(text, "onflict"))
		return ENGINE_LOCKED;
	return strstr(text, "Cannot CHECKPOINT") ? ENGINE_BUSY : ENGINE_FAILED;
}

void dk_one_line(const char *text, char *line, size_t size)
{
	if (!text)
		text = "DuckDB does not say why";
	snprintf(line, size, "%.*s", (int)strcspn(text, "\n"), text);
}

static enum engine_status failed(struct connection *conn, struct duck_result *result)
{
	const char *text = duck.result_error(result);
	enum engine_status status;

	status = dk_status(duck.result_error_type(result), text ? text : "");
	dk_one_line(text, conn->message, sizeof(conn->message));
	duck.destroy_result(result);
	return status;
}

enum engine_status dk_query(struct connection *conn, const char *sql,
			    struct duck_result *result)
{
	*result = (struct duck_result){ .made = NULL };
	return duck.query(conn->handle, sql, result) == DUCK_OK ? ENGINE_OK :
	       failed(conn, result);
}

enum engine_status dk_run(struct connection *conn, duck_statement statement,
			  struct duck_result *result)
{
	*result = (struct duck_result){ .made = NULL };
	return duck.execute_prepared(statement, result) == DUCK_OK ? ENGINE_OK :
	       failed(conn, result);
}

enum engine_status dk_execute(struct connection *conn, const char *format, ...)
{
	char sql[SQL_SIZE];
	struct duck_result result;
	enum engine_status status;
	va_list values;

	va_start(values, format);
	vsnprintf(sql, sizeof(sql), format, values);
	va_end(values);
	status = dk_query(conn, sql, &result);
	if (status == ENGINE_OK)
		duck.destroy_result(&result);
	return status;
}

static int64_t number_at(const void *data, enum cell cell, uint64_t row)
{
	switch (cell) {
	case CELL_INT:
		return ((const int32_t *)data)[row];
	case CELL_REAL:
		return (int64_t)((const float *)data)[row];
	case CELL_LENGTH:
		return ((const struct duck_string *)data)[row].length;
	default:
		return ((const int64_t *)data)[row];
	}
}

void dk_fetch(struct duck_result *result, const enum cell *cells, unsigned columns,
	      struct answer *answer)
{
	duck_chunk chunk;

	answer->rows = 0;
	while ((chunk = duck.fetch_chunk(*result))) {
		uint64_t left = ROWS_PER_QUERY - answer->rows;
		uint64_t rows = duck.data_chunk_get_size(chunk);

		rows = rows < left ? rows : left;
		for (unsigned i = 0; i < columns; i++) {
			const void *data = duck.vector_get_data(
				duck.data_chunk_get_vector(chunk, i));

			for (uint64_t row = 0; row < rows; row++)
				answer->key[answer->rows + row][i] =
					number_at(data, cells[i], row);
		}
		answer->rows += (unsigned)rows;
		duck.destroy_data_chunk(&chunk);
	}
	duck.destroy_result(result);
}

const char *dk_text(const struct duck_string *string)
{
	return string->length > DUCK_INLINED ? string->value.text :
	       (const char *)string + offsetof(struct duck_string, start);
}

static void text_at(const struct duck_string *string, char *text, size_t size)
{
	snprintf(text, size, "%.*s", (int)string->length, dk_text(string));
}

void dk_pairs(struct duck_result *result, setting_fn *each, void *to)
{
	char name[CONFIG_NAME], value[512];
	duck_chunk chunk;

	while ((chunk = duck.fetch_chunk(*result))) {
		const struct duck_string *names = duck.vector_get_data(
			duck.data_chunk_get_vector(chunk, 0));
		const struct duck_string *values = duck.vector_get_data(
			duck.data_chunk_get_vector(chunk, 1));

		for (uint64_t row = 0; row < duck.data_chunk_get_size(chunk); row++) {
			text_at(&names[row], name, sizeof(name));
			text_at(&values[row], value, sizeof(value));
			each(to, name, value);
		}
		duck.destroy_data_chunk(&chunk);
	}
	duck.destroy_result(result);
}
