#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"

/*
 * A value can never become syntax: but for letters and digits, which $((...)) wants as they
 * are, it stands in single quotes, its own taken out of them.
 */
static void print_quoted(FILE *out, const char *text)
{
	if (*text && strspn(text, PLAIN) == strlen(text)) {
		fputs(text, out);
		return;
	}
	putc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text, out);
	putc('\'', out);
}

/* How long the placeholder is that begins here; 0: it is none. */
static size_t print_value(FILE *out, const char *text, const struct value *values,
			  size_t nvalues)
{
	for (size_t i = 0; i < nvalues; i++) {
		size_t length = strlen(values[i].name);

		if (text[0] == '{' && !strncmp(text + 1, values[i].name, length) &&
		    text[length + 1] == '}') {
			print_quoted(out, values[i].text);
			return length + 2;
		}
	}
	return 0;
}

static char *filled(const char *text, const struct value *values, size_t nvalues)
{
	char *result = NULL;
	size_t size, skip;
	FILE *out = open_memstream(&result, &size);

	if (!out)
		abort();
	while (*text) {
		skip = print_value(out, text, values, nvalues);
		if (skip) {
			text += skip;
			continue;
		}
		if (*text == '\\' && text[1]) {
			text++;
			putc(*text == 'n' ? '\n' : *text, out);
		} else {
			putc(*text, out);
		}
		text++;
	}
	if (fclose(out))
		abort();
	return result;
}

char *text_of(const char *file, const char *step, const char *key,
	      const struct value *values, size_t nvalues)
{
	FILE *in = fopen(file, "re");
	char *line = NULL, *found = NULL;
	size_t size = 0, nstep = strlen(step), nkey = strlen(key);

	while (in && !found && getline(&line, &size, in) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, step, nstep) && line[nstep] == '\t' &&
		    !strncmp(line + nstep + 1, key, nkey) && line[nstep + 1 + nkey] == '\t')
			found = filled(line + nstep + nkey + 2, values, nvalues);
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}
