#include "lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1 << 20)

static char *read_file(const char *path, char *why, size_t size)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t length;

	if (!file) {
		snprintf(why, size, "cannot read the workload %s: %s", path,
			 strerror(errno));
		return NULL;
	}
	text = malloc(MOST_BYTES + 1);
	length = text ? fread(text, 1, MOST_BYTES, file) : 0;
	if (!text || ferror(file) || length == MOST_BYTES || memchr(text, '\0', length)) {
		snprintf(why, size, "cannot read the workload %s: it is no text of less "
			 "than 1 MiB", path);
		free(text);
		text = NULL;
	} else {
		text[length] = '\0';
	}
	fclose(file);
	return text;
}

static void trim(char *text)
{
	size_t length = strlen(text);

	while (length && strchr(" \t\r", text[length - 1]))
		text[--length] = '\0';
}

/* Takes a line off the text; the next one begins where *text then is. */
static char *take_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	if (end)
		*end = '\0';
	*text = end ? end + 1 : line + strlen(line);
	trim(line);
	return line;
}

static bool continues(const char *line)
{
	size_t length = strlen(line);

	return length && line[length - 1] == '\\';
}

/* Moves the next physical line behind the one that said it goes on. */
static void append_next(char *line, char **text, unsigned *number)
{
	char *next;

	line[strlen(line) - 1] = '\0';
	trim(line);
	next = take_line(text);
	++*number;
	next += strspn(next, " \t");
	strcat(line, " ");
	memmove(line + strlen(line), next, strlen(next) + 1);
}

bool lines_read(struct lines *lines, const char *path, char *why, size_t size)
{
	char *at;
	size_t most = 1;
	unsigned number = 0;

	*lines = (struct lines){ .text = read_file(path, why, size) };
	if (!lines->text)
		return false;
	for (at = lines->text; *at; at++)
		most += *at == '\n';
	lines->lines = calloc(most, sizeof(*lines->lines));
	if (!lines->lines) {
		snprintf(why, size, "there is no memory for the workload %s", path);
		lines_free(lines);
		return false;
	}
	for (at = lines->text; *at;) {
		char *line = take_line(&at);
		unsigned begin = ++number;
		size_t indent = strspn(line, " \t");

		if (line[indent] == '#')
			continue;
		while (continues(line) && *at)
			append_next(line, &at, &number);
		indent = strspn(line, " \t");
		if (line[indent])
			lines->lines[lines->count++] = (struct line){
				line + indent, begin, indent > 0,
			};
	}
	return true;
}

void lines_free(struct lines *lines)
{
	free(lines->lines);
	free(lines->text);
	*lines = (struct lines){ .count = 0 };
}
