/* A file's logical lines: without comments, put together where one ends in a backslash. */
#ifndef SQL_LINES_H
#define SQL_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct line {
	char *text;		/* without what it was indented by */
	unsigned number;	/* where it begins */
	bool indented;
};

struct lines {
	struct line *lines;
	size_t count;
	char *text;		/* of all of them */
};

/* False with one sentence in why. */
bool lines_read(struct lines *lines, const char *path, char *why, size_t size);
void lines_free(struct lines *lines);

#endif
