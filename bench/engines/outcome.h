/* What the engines share to tell what a statement brought, and how it is done. */
#ifndef BENCH_OUTCOME_H
#define BENCH_OUTCOME_H

#include "engine.h"

#include <string.h>

#define ROW_COLUMNS 32		/* of a row as text; more are left out */

static inline void outcome_clear(struct outcome *outcome)
{
	outcome->rows = outcome->affected = 0;
	outcome->fields = 0;
}

/* How many fields are to be kept of a row with so many columns. */
static inline unsigned outcome_fields(const struct outcome *outcome, unsigned columns)
{
	unsigned wanted = outcome->wanted < FIELDS ? outcome->wanted : FIELDS;

	return wanted < columns ? wanted : columns;
}

static inline void field_number(struct field *field, int64_t number)
{
	field->type = VALUE_BIGINT;
	field->null = false;
	field->number = number;
}

static inline void field_real(struct field *field, double real)
{
	field->type = VALUE_REAL;
	field->null = false;
	field->real = real;
}

static inline void field_text(struct field *field, const char *text, size_t length)
{
	field->type = VALUE_TEXT;
	field->null = false;
	field->length = length < FIELD_TEXT ? length : FIELD_TEXT - 1;
	memcpy(field->text, text, field->length);
	field->text[field->length] = '\0';
}

static inline void field_null(struct field *field, enum value_type type)
{
	field->type = type;
	field->null = true;
	field->number = 0;
	field->real = 0;
	field->length = 0;
	field->text[0] = '\0';
}

/* A value that came as text, which ends with a NUL. */
void field_read(struct field *field, enum value_type type, const char *text,
		size_t length);

/* Lines of a plan; what does not fit is left out. */
struct lines {
	char *text;
	size_t size, used;
};

/* An empty text of that size. */
struct lines lines_in(char *text, size_t size);
void lines_add(struct lines *lines, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether a statement is a ROLLBACK: one without a transaction has nothing to do. */
bool is_rollback(const char *sql);

#endif
