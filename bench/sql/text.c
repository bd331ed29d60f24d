#include "text.h"

#include "engines/digits.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SIZE 1024

void text_add(struct text *text, const char *more, size_t length)
{
	size_t size = text->size ? text->size : LEAST_SIZE;

	while (size < text->length + length + 1)
		size *= 2;
	if (size != text->size) {
		char *at = realloc(text->at, size);

		if (!at) {
			text->failed = true;
			return;
		}
		text->at = at;
		text->size = size;
	}
	memcpy(text->at + text->length, more, length);
	text->length += length;
	text->at[text->length] = '\0';
}

void text_add_number(struct text *text, int64_t number)
{
	char digits[24];

	text_add(text, digits, (size_t)(digits_put(digits, number) - digits));
}

void text_add_quoted(struct text *text, const char *more, size_t length, bool escapes)
{
	text_add(text, "'", 1);
	for (size_t i = 0; i < length; i++) {
		if (more[i] == '\'' || (escapes && more[i] == '\\'))
			text_add(text, &more[i], 1);
		text_add(text, &more[i], 1);
	}
	text_add(text, "'", 1);
}
