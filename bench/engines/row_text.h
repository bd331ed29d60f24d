/* Rows as the text of an INSERT, for statements that are not prepared. */
#ifndef BENCH_ROW_TEXT_H
#define BENCH_ROW_TEXT_H

#include "digits.h"
#include "schema.h"

/* Returns where the text ends, as all here do. */
static inline char *text_put(char *at, const char *text, size_t length)
{
	return mempcpy(at, text, length);
}

/* What comes after the time: -2147483648,...x4,'data'), */
static inline char *row_text_put(char *at, const struct row *row)
{
	const int32_t numbers[] = {
		row->cashregisterid, row->customerid, row->productid, row->price,
	};

	for (unsigned i = 0; i < 4; i++) {
		at = digits_put(at, numbers[i]);
		*at++ = ',';
	}
	*at++ = '\'';
	at = text_put(at, row->data, row->length);
	return text_put(at, "'),", 3);
}

#endif
