/* Texts that grow, as statements are written. */
#ifndef SQL_TEXT_H
#define SQL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing text. failed: there was no memory. */
struct text {
	char *at;
	size_t length, size;
	bool failed;
};

void text_add(struct text *text, const char *more, size_t length);
void text_add_number(struct text *text, int64_t number);
/* 'it''s', with \\ for a backslash where the engine reads it as more than itself. */
void text_add_quoted(struct text *text, const char *more, size_t length, bool escapes);

#endif
