/* What every line of a workload file is read with: words, names, expressions, mistakes. */
#include "parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void parse_wrong(struct parser *parser, const char *format, ...)
{
	va_list values;
	int used;

	if (parser->failed)
		return;
	parser->failed = true;
	used = snprintf(parser->why, parser->size, "%s line %u: ", parser->workload->path,
			parser->line);
	va_start(values, format);
	if (used >= 0 && (size_t)used < parser->size)
		vsnprintf(parser->why + used, parser->size - (size_t)used, format, values);
	va_end(values);
}

void parse_word(const char **text, char *word, size_t size)
{
	size_t length;

	*text += strspn(*text, " \t");
	length = strcspn(*text, " \t");
	snprintf(word, size, "%.*s", (int)length, *text);
	*text += length;
	*text += strspn(*text, " \t");
}

/* The number of parts between start and end; of the one that is chosen, its place. */
static unsigned choose(const char *start, const char *end, unsigned choice,
		       const char **part, size_t *length)
{
	unsigned n = 0;

	for (const char *at = start; at <= end; n++) {
		const char *next = memchr(at, '|', (size_t)(end - at));
		const char *stop = next ? next : end;

		if (n == choice) {
			*part = at + strspn(at, " \t");
			while (stop > *part && strchr(" \t", stop[-1]))
				stop--;
			*length = stop > *part ? (size_t)(stop - *part) : 0;
		}
		at = (next ? next : end) + 1;
	}
	return n;
}

/* A bit for the place of each part that is empty. */
static unsigned empty_parts(const char *start, const char *end, unsigned n)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < n; i++) {
		const char *part = NULL;
		size_t length = 0;

		choose(start, end, i, &part, &length);
		bits |= (unsigned)!length << i;
	}
	return bits;
}

void parse_choices(struct parser *parser, char *text)
{
	static const char WORD[] = "{distance:";
	const struct workload *workload = parser->workload;
	char *at;

	parser->lacks = false;
	parser->lacking = 0;
	while (!parser->failed && (at = strstr(text, WORD))) {
		const char *start = at + strlen(WORD), *end = strchr(start, '}'), *part = NULL;
		size_t length = 0;

		if (!workload->has_vectors)
			parse_wrong(parser, "a line `vectors l2`, `cosine` or `ip` is missing "
				    "above");
		else if (!end || choose(start, end, workload->choice, &part, &length) !=
			 workload->ndistances)
			parse_wrong(parser, "{distance: A | B} has a part for each of the "
				    "distances of the line `vectors`, here %u",
				    workload->ndistances);
		else {
			parser->lacks |= length == 0;
			parser->lacking |= empty_parts(start, end, workload->ndistances);
			memmove(at, part, length);
			memmove(at + length, end + 1, strlen(end + 1) + 1);
			text = at + length;
		}
	}
}

char *parse_copy(struct parser *parser, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		parse_wrong(parser, "there is no memory for it");
	return copy;
}

int parse_name(struct parser *parser, const char *name, int kind, enum value_type type)
{
	struct workload *workload = parser->workload;
	int found = workload_name(workload, name);
	struct name *made;

	if (workload_counter(workload, name) >= 0) {
		parse_wrong(parser, "%s is already the name of something else", name);
		return -1;
	}
	if (found >= 0) {
		const struct name *old = &workload->names[found];
		bool numbers = old->type < VALUE_TEXT && type < VALUE_TEXT;

		if ((old->kind == NAME_LET) == (kind == NAME_LET) &&
		    (numbers || old->type == type))
			return found;
		parse_wrong(parser, "%s is already the name of something else", name);
		return -1;
	}
	if (workload->nnames == MAX_NAMES || strlen(name) >= NAME_SIZE - 1) {
		parse_wrong(parser, "there are too many names, or %s is too long", name);
		return -1;
	}
	made = &workload->names[workload->nnames];
	snprintf(made->name, sizeof(made->name), "%s", name);
	made->kind = kind;
	made->type = type;
	return (int)workload->nnames++;
}

static bool find_number(void *scope, const char *name, struct expr_code *code)
{
	const struct workload *workload = scope;
	int found = workload_name(workload, name);
	int counter = workload_counter(workload, name);

	if (counter >= 0) {
		*code = (struct expr_code){ 'c', counter };
		return true;
	}
	if (found < 0 || workload->names[found].type >= VALUE_TEXT)
		return false;
	*code = (struct expr_code){ 'v', found };
	return true;
}

const char *parse_expr(struct parser *parser, struct expr *expr, const char *text)
{
	char why[160];
	const char *end = expr_read(expr, text, find_number, parser->workload, why,
				    sizeof(why));

	if (!end)
		parse_wrong(parser, "%s", why);
	return end ? end : "";
}

void parse_whole_expr(struct parser *parser, struct expr *expr, const char *text)
{
	const char *end = parse_expr(parser, expr, text);

	if (*end)
		parse_wrong(parser, "%s does not belong here", end);
}

void parse_bounds(struct parser *parser, struct expr *low, struct expr *high,
		  const char *text)
{
	const char *end = parse_expr(parser, low, text);

	*high = *low;
	if (!strncmp(end, "..", 2))
		parse_whole_expr(parser, high, end + 2);
	else if (*end)
		parse_wrong(parser, "expected A or A..B, not %s", text);
}
