#include "outcome.h"

#include <stdarg.h>
#include <stdlib.h>
#include <strings.h>

void field_read(struct field *field, enum value_type type, const char *text,
		size_t length)
{
	switch (type) {
	case VALUE_INT:
	case VALUE_BIGINT:
		field_number(field, strtoll(text, NULL, 10));
		break;
	case VALUE_REAL:
		field_real(field, strtod(text, NULL));
		break;
	case VALUE_TEXT:
	case VALUE_BYTES:
		field_text(field, text, length);
		break;
	}
}

struct lines lines_in(char *text, size_t size)
{
	text[0] = '\0';
	return (struct lines){ text, size, 0 };
}

void lines_add(struct lines *lines, const char *format, ...)
{
	va_list values;
	int length;

	if (lines->used >= lines->size)
		return;
	va_start(values, format);
	length = vsnprintf(lines->text + lines->used, lines->size - lines->used, format,
			   values);
	va_end(values);
	lines->used += length > 0 ? (size_t)length : 0;
}

bool is_rollback(const char *sql)
{
	return !strncasecmp(sql, "ROLLBACK", 8);
}
