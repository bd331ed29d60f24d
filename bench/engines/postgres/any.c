/*
 * Any statement: prepared once and executed often with binary parameters and answers, or
 * run once as text; plans.
 */
#include "engine.h"
#include "engines/outcome.h"

#include <endian.h>
#include <stdlib.h>

#define PARAMETER_TEXT 64	/* of a value that the server reads, as a date */

/* A number as it is sent, or a text that ends with a NUL. */
struct cell {
	char bytes[PARAMETER_TEXT];
};

struct statement {
	struct connection *conn;
	char name[16];
	int count, answer_format;
	enum value_type *types;
	struct cell *cells;
	const char **values;
	int *lengths, *formats;
};

static void free_statement(struct statement *statement)
{
	free(statement->types);
	free(statement->cells);
	free(statement->values);
	free(statement->lengths);
	free(statement->formats);
	free(statement);
}

static struct statement *make_statement(struct connection *conn, unsigned count)
{
	struct statement *made = calloc(1, sizeof(*made));
	size_t n = count + 1;	/* of 0, calloc may return NULL */

	if (!made)
		return NULL;
	made->conn = conn;
	made->count = (int)count;
	snprintf(made->name, sizeof(made->name), "s%u", ++conn->statements);
	made->types = calloc(n, sizeof(*made->types));
	made->cells = calloc(n, sizeof(*made->cells));
	made->values = calloc(n, sizeof(*made->values));
	made->lengths = calloc(n, sizeof(*made->lengths));
	made->formats = calloc(n, sizeof(*made->formats));
	if (made->types && made->cells && made->values && made->lengths && made->formats)
		return made;
	free_statement(made);
	return NULL;
}

/*
 * Of a text and of bytes the server says the type: as text, say, a value that is compared
 * with a char(120) would keep it from an index.
 */
static enum type sent_type(enum value_type type)
{
	static const enum type SENT[] = {
		[VALUE_INT] = INT4, [VALUE_BIGINT] = INT8, [VALUE_REAL] = FLOAT8,
		[VALUE_TEXT] = 0, [VALUE_BYTES] = 0,
	};

	return SENT[type];
}

static bool is_text(Oid type)
{
	return type == TEXT || type == VARCHAR || type == BPCHAR || type == NAME;
}

static enum value_type value_type_of(Oid type)
{
	switch (type) {
	case INT2:
	case INT4:
	case INT8:
		return VALUE_BIGINT;
	case FLOAT4:
	case FLOAT8:
	case NUMERIC:
		return VALUE_REAL;
	default:
		return VALUE_TEXT;
	}
}

/*
 * How values and answers go: in binary, but for parameters that the server must read (a
 * date, when we have characters) and answers with a column of a type that we cannot.
 */
static enum engine_status find_formats(struct statement *statement)
{
	PGconn *pg = statement->conn->pg;
	PGresult *told;
	enum engine_status status = postgres_take(
		statement->conn, PQdescribePrepared(pg, statement->name), &told);

	if (status != ENGINE_OK)
		return status;
	for (int i = 0; i < statement->count; i++) {
		statement->values[i] = statement->cells[i].bytes;
		statement->lengths[i] = statement->types[i] == VALUE_INT ? 4 : 8;
		statement->formats[i] = statement->types[i] != VALUE_TEXT ||
					is_text(PQparamtype(told, i));
	}
	statement->answer_format = 1;
	for (int i = 0; i < PQnfields(told); i++)
		if (!is_text(PQftype(told, i)) &&
		    value_type_of(PQftype(told, i)) == VALUE_TEXT)
			statement->answer_format = 0;
	PQclear(told);
	return ENGINE_OK;
}

struct statement *postgres_prepare(struct connection *conn, const char *sql,
				   const enum value_type *types, unsigned ntypes)
{
	struct statement *made = make_statement(conn, ntypes);
	Oid *sent = calloc(ntypes + 1, sizeof(*sent));
	enum engine_status status = ENGINE_FAILED;

	if (made && sent) {
		for (unsigned i = 0; i < ntypes; i++) {
			made->types[i] = types[i];
			sent[i] = sent_type(types[i]);
		}
		status = postgres_take(conn, PQprepare(conn->pg, made->name, sql,
						       (int)ntypes, sent), NULL);
		if (status == ENGINE_OK)
			status = find_formats(made);
	} else {
		snprintf(conn->message, sizeof(conn->message), "there is no memory for a "
			 "statement");
	}
	free(sent);
	if (status == ENGINE_OK || !made)
		return made;
	free_statement(made);
	return NULL;
}

void postgres_forget(struct statement *statement)
{
	postgres_ask(statement->conn, NULL, "DEALLOCATE %s", statement->name);
	free_statement(statement);
}

static void put_four(struct cell *cell, uint32_t number)
{
	number = htobe32(number);
	memcpy(cell->bytes, &number, sizeof(number));
}

static void put_eight(struct cell *cell, uint64_t number)
{
	number = htobe64(number);
	memcpy(cell->bytes, &number, sizeof(number));
}

static void put_real(struct cell *cell, double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	put_eight(cell, bits);
}

/* A text goes from where it is, unless the server must read it and so needs its end. */
static void put_text(struct statement *statement, int i, const struct value *value)
{
	struct cell *cell = &statement->cells[i];
	size_t length = value->length;

	if (statement->formats[i]) {
		statement->values[i] = length ? value->text : cell->bytes;
		statement->lengths[i] = (int)length;
		return;
	}
	if (length >= sizeof(cell->bytes))
		length = sizeof(cell->bytes) - 1;
	memcpy(cell->bytes, value->text, length);
	cell->bytes[length] = '\0';
}

static void put_values(struct statement *statement, const struct value *values)
{
	for (int i = 0; i < statement->count; i++) {
		switch (statement->types[i]) {
		case VALUE_INT:
			put_four(&statement->cells[i], (uint32_t)values[i].number);
			break;
		case VALUE_BIGINT:
			put_eight(&statement->cells[i], (uint64_t)values[i].number);
			break;
		case VALUE_REAL:
			put_real(&statement->cells[i], values[i].real);
			break;
		case VALUE_TEXT:
		case VALUE_BYTES:
			put_text(statement, i, &values[i]);
			break;
		}
	}
}

static uint64_t get_eight(const char *bytes)
{
	uint64_t number;

	memcpy(&number, bytes, sizeof(number));
	return be64toh(number);
}

static uint32_t get_four(const char *bytes)
{
	uint32_t number;

	memcpy(&number, bytes, sizeof(number));
	return be32toh(number);
}

static void keep_binary(const char *bytes, size_t length, Oid type, struct field *field)
{
	uint64_t eight;
	uint32_t four;
	double real;
	float single;

	switch (type) {
	case INT2:
		field_number(field, (int16_t)((uint8_t)bytes[0] << 8 | (uint8_t)bytes[1]));
		break;
	case INT4:
		field_number(field, (int32_t)get_four(bytes));
		break;
	case INT8:
		field_number(field, (int64_t)get_eight(bytes));
		break;
	case FLOAT4:
		four = get_four(bytes);
		memcpy(&single, &four, sizeof(single));
		field_real(field, single);
		break;
	case FLOAT8:
		eight = get_eight(bytes);
		memcpy(&real, &eight, sizeof(real));
		field_real(field, real);
		break;
	case NUMERIC:
		postgres_numeric(bytes, length, field);
		break;
	default:
		field_text(field, bytes, length);
	}
}

/* A NUMERIC without decimals is a whole number, in binary and here. */
static void keep_text(const char *text, size_t length, Oid type, struct field *field)
{
	bool whole = type == NUMERIC && length < 19 && !text[strspn(text, "-0123456789")];

	field_read(field, whole ? VALUE_BIGINT : value_type_of(type), text, length);
}

static void keep_cell(const PGresult *rows, int row, int column, struct field *field)
{
	const char *value = PQgetvalue(rows, row, column);
	size_t length = (size_t)PQgetlength(rows, row, column);
	Oid type = PQftype(rows, column);

	if (PQgetisnull(rows, row, column))
		field_null(field, value_type_of(type));
	else if (PQfformat(rows, column))
		keep_binary(value, length, type, field);
	else
		keep_text(value, length, type, field);
}

static void keep_row(const PGresult *rows, struct outcome *outcome)
{
	outcome->fields = outcome_fields(outcome, (unsigned)PQnfields(rows));
	for (int i = 0; i < (int)outcome->fields; i++)
		keep_cell(rows, 0, i, &outcome->field[i]);
}

static void keep_keys(const PGresult *rows, struct outcome *outcome)
{
	struct field field = { .number = 0 };

	for (unsigned i = 0; i < outcome->room && i < outcome->rows; i++) {
		keep_cell(rows, (int)i, 0, &field);
		outcome->keys[i] = field.number;
	}
}

/* The server counts the rows of a SELECT, too: these are not affected by it. */
static uint64_t affected(PGresult *result)
{
	const char *did = PQcmdStatus(result);

	if (!strchr("IUD", did[0]) && strncmp(did, "MERGE", 5))
		return 0;
	return strtoull(PQcmdTuples(result), NULL, 10);
}

static void keep(PGresult *result, struct outcome *outcome)
{
	outcome->rows = (uint64_t)PQntuples(result);
	outcome->affected = affected(result);
	if (outcome->rows)
		keep_row(result, outcome);
	if (outcome->room)
		keep_keys(result, outcome);
}

enum engine_status postgres_execute(struct statement *statement,
				    const struct value *values, struct outcome *outcome)
{
	struct connection *conn = statement->conn;
	PGresult *result;
	enum engine_status status;

	outcome_clear(outcome);
	put_values(statement, values);
	result = PQexecPrepared(conn->pg, statement->name, statement->count,
				statement->values, statement->lengths, statement->formats,
				statement->answer_format);
	status = postgres_take(conn, result, &result);
	if (status != ENGINE_OK)
		return status;
	keep(result, outcome);
	PQclear(result);
	return ENGINE_OK;
}

static void show_rows(PGresult *rows, row_fn *each, void *to)
{
	const char *names[ROW_COLUMNS], *texts[ROW_COLUMNS];
	int columns = PQnfields(rows) < ROW_COLUMNS ? PQnfields(rows) : ROW_COLUMNS;

	for (int i = 0; i < columns; i++)
		names[i] = PQfname(rows, i);
	for (int row = 0; row < PQntuples(rows); row++) {
		for (int i = 0; i < columns; i++)
			texts[i] = PQgetisnull(rows, row, i) ? NULL :
							       PQgetvalue(rows, row, i);
		each(to, (unsigned)columns, names, texts);
	}
}

enum engine_status postgres_run(struct connection *conn, const char *sql,
				struct outcome *outcome, row_fn *each, void *to)
{
	PGresult *result;
	enum engine_status status;

	outcome_clear(outcome);
	status = postgres_take(conn, PQexec(conn->pg, sql), &result);
	if (status != ENGINE_OK)
		return status;
	keep(result, outcome);
	if (each)
		show_rows(result, each, to);
	PQclear(result);
	return ENGINE_OK;
}

static void add_line(void *to, unsigned ncolumns, const char *const *names,
		     const char *const *texts)
{
	(void)ncolumns;
	(void)names;
	lines_add(to, "%s\n", texts[0]);
}

bool postgres_explain(struct connection *conn, const char *sql, char *text, size_t size)
{
	struct lines lines = lines_in(text, size);
	struct outcome outcome = { .wanted = 0 };
	enum engine_status status;
	char *explained;

	if (asprintf(&explained, "EXPLAIN (COSTS OFF) %s", sql) < 0)
		return false;
	status = postgres_run(conn, explained, &outcome, add_line, &lines);
	free(explained);
	return status == ENGINE_OK && lines.used;
}
