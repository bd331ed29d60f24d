/* The lines `bind` and `column`: a name, a type, a distribution and what it needs. */
#include "parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum value_type type;
} TYPES[] = {
	{ "int", VALUE_INT }, { "bigint", VALUE_BIGINT }, { "text", VALUE_TEXT },
	{ "vector", VALUE_BYTES },
};

#define NTYPES (sizeof(TYPES) / sizeof(TYPES[0]))

/* What stands behind the word of a distribution. */
enum form { FORM_RANGE, FORM_ONE, FORM_COUNTER, FORM_TEXT, FORM_NOTHING };

enum makes { NUMBERS, TEXTS, VECTORS };

static const struct {
	const char *name;
	enum distribution distribution;
	enum form form;
	enum makes makes;
	unsigned extras, most_extras;
	double usual, most;		/* of the first extra; of each */
	const char *extra;		/* what must be given */
} DISTRIBUTION_WORDS[] = {
	{ "uniform",   DRAW_UNIFORM,   FORM_RANGE,   NUMBERS, 0, 0, 0, 0, NULL },
	{ "zipfian",   DRAW_ZIPFIAN,   FORM_RANGE,   NUMBERS, 0, 1, 0.8, 10, NULL },
	{ "scrambled", DRAW_SCRAMBLED, FORM_RANGE,   NUMBERS, 0, 1, 0.99, 10, NULL },
	{ "latest",    DRAW_LATEST,    FORM_RANGE,   NUMBERS, 0, 1, 0.99, 10, NULL },
	{ "gaussian",  DRAW_GAUSSIAN,  FORM_RANGE,   NUMBERS, 0, 0, 0, 0, NULL },
	{ "pareto",    DRAW_PARETO,    FORM_RANGE,   NUMBERS, 0, 1, 0.2, 0.99, NULL },
	{ "hot",       DRAW_HOT,       FORM_RANGE,   NUMBERS, 2, 2, 0, 1,
	  "FRACTION, PROBABILITY" },
	{ "nurand",    DRAW_NURAND,    FORM_RANGE,   NUMBERS, 1, 1, 0, 1e9, "A" },
	{ "sequence",  DRAW_SEQUENCE,  FORM_ONE,     NUMBERS, 0, 0, 0, 0, NULL },
	{ "value",     DRAW_VALUE,     FORM_ONE,     NUMBERS, 0, 0, 0, 0, NULL },
	{ "next",      DRAW_NEXT,      FORM_COUNTER, NUMBERS, 0, 0, 0, 0, NULL },
	{ "pattern",   DRAW_PATTERN,   FORM_TEXT,    TEXTS, 0, 0, 0, 0, NULL },
	{ "letters",   DRAW_LETTERS,   FORM_RANGE,   TEXTS, 0, 0, 0, 0, NULL },
	{ "base",      DRAW_BASE,      FORM_ONE,     VECTORS, 0, 0, 0, 0, NULL },
	{ "query",     DRAW_QUERY,     FORM_NOTHING, VECTORS, 0, 0, 0, 0, NULL },
	{ "constant",  DRAW_CONSTANT,  FORM_TEXT,    TEXTS, 0, 0, 0, 0, NULL },
};

#define NWORDS (sizeof(DISTRIBUTION_WORDS) / sizeof(DISTRIBUTION_WORDS[0]))

static void read_type(struct parser *parser, struct draw *draw, const char *word)
{
	for (size_t i = 0; i < NTYPES; i++)
		if (!strcmp(TYPES[i].name, word))
			draw->type = TYPES[i].type;
	if (!draw->type)
		parse_wrong(parser, "expected a type, int, bigint, text or vector, not %s",
			    *word ? word : "the end of the line");
}

static int find_word(const char *word)
{
	for (size_t i = 0; i < NWORDS; i++)
		if (!strcmp(DISTRIBUTION_WORDS[i].name, word))
			return (int)i;
	return -1;
}

/* `, NUMBER` */
static const char *read_extra(struct parser *parser, double *extra, double most,
			      const char *text)
{
	char *end;

	text += strspn(text, " \t");
	if (*text != ',')
		return text;
	*extra = strtod(text + 1, &end);
	if (end == text + 1 || !(*extra > 0 && *extra <= most))
		parse_wrong(parser, "expected a number above 0 and up to %g behind the "
			    "comma", most);
	return end;
}

static const char *read_range(struct parser *parser, struct draw *draw, size_t word,
			      const char *text)
{
	text = parse_expr(parser, &draw->low, text);
	text += strspn(text, " \t");
	if (*text != ',') {
		parse_wrong(parser, "%s takes LOW, HIGH",
			    DISTRIBUTION_WORDS[word].name);
		return text;
	}
	text = parse_expr(parser, &draw->high, text + 1);
	draw->extra[0] = DISTRIBUTION_WORDS[word].usual;
	for (unsigned i = 0; i < DISTRIBUTION_WORDS[word].most_extras; i++)
		text = read_extra(parser, &draw->extra[i],
				  DISTRIBUTION_WORDS[word].most, text);
	for (unsigned i = 0; i < DISTRIBUTION_WORDS[word].extras; i++)
		if (!(draw->extra[i] > 0))
			parse_wrong(parser, "%s takes LOW, HIGH, %s",
				    DISTRIBUTION_WORDS[word].name,
				    DISTRIBUTION_WORDS[word].extra);
	return text;
}

static const char *read_counter(struct parser *parser, struct draw *draw,
				const char *text)
{
	char name[NAME_SIZE];
	int found;

	parse_word(&text, name, sizeof(name));
	found = workload_counter(parser->workload, name);
	if (found < 0)
		parse_wrong(parser, "there is no counter called %s", name);
	draw->counter = (unsigned)found;
	return text;
}

/* `list N` or `run N` at the end */
static void read_list(struct parser *parser, struct draw *draw, const char *text)
{
	char word[NAME_SIZE];

	text += strspn(text, " \t");
	if (!*text)
		return;
	parse_word(&text, word, sizeof(word));
	draw->list = !strcmp(word, "list") ? LIST_DRAWS :
		     !strcmp(word, "run") ? LIST_RUN : LIST_NONE;
	if (draw->list == LIST_NONE || draw->type >= VALUE_TEXT)
		parse_wrong(parser, "%s %s does not belong here", word, text);
	else
		parse_whole_expr(parser, &draw->length, text);
}

static enum makes made_of(enum value_type type)
{
	return type == VALUE_TEXT ? TEXTS : type == VALUE_BYTES ? VECTORS : NUMBERS;
}

static void read_distribution(struct parser *parser, struct draw *draw, const char *text)
{
	static const char *const MADE[] = { "whole numbers", "text", "vectors" };
	char word[NAME_SIZE];
	int found;

	parse_word(&text, word, sizeof(word));
	found = find_word(word);
	if (found < 0) {
		parse_wrong(parser, "there is no distribution called %s; there are "
			    "uniform, zipfian, scrambled, latest, gaussian, pareto, hot, "
			    "nurand, sequence, next, value, pattern, letters, constant, "
			    "base, query", word);
		return;
	}
	draw->distribution = DISTRIBUTION_WORDS[found].distribution;
	if (DISTRIBUTION_WORDS[found].makes != made_of(draw->type)) {
		parse_wrong(parser, "%s makes %s", word,
			    MADE[DISTRIBUTION_WORDS[found].makes]);
		return;
	}
	if (draw->type == VALUE_BYTES && !parser->workload->has_vectors) {
		parse_wrong(parser, "a line `vectors l2`, `cosine` or `ip` is missing above");
		return;
	}
	switch (DISTRIBUTION_WORDS[found].form) {
	case FORM_RANGE:
		text = read_range(parser, draw, (size_t)found, text);
		break;
	case FORM_ONE:
		text = parse_expr(parser, &draw->low, text);
		break;
	case FORM_COUNTER:
		text = read_counter(parser, draw, text);
		break;
	case FORM_TEXT:
		text += strspn(text, " \t");
		if (strlen(text) >= TEXT_SIZE)
			parse_wrong(parser, "a text has at most %d characters",
				    TEXT_SIZE - 1);
		draw->text = parse_copy(parser, text);
		return;
	case FORM_NOTHING:
		break;
	}
	if (!parser->failed)
		read_list(parser, draw, text);
}

void parse_draw(struct parser *parser, struct draw *draws, unsigned *ndraws, unsigned most,
		const char *text)
{
	struct draw *draw = &draws[*ndraws];
	char name[NAME_SIZE], type[NAME_SIZE];
	int found;

	if (*ndraws == most) {
		parse_wrong(parser, "there are at most %u of these lines", most);
		return;
	}
	*draw = (struct draw){ .line = parser->line };
	parse_word(&text, name, sizeof(name));
	if (!isalpha((unsigned char)*name)) {
		parse_wrong(parser, "expected a name");
		return;
	}
	parse_word(&text, type, sizeof(type));
	read_type(parser, draw, type);
	if (parser->failed)
		return;
	/* The name is known only behind its own line: no value depends on itself. */
	read_distribution(parser, draw, text);
	found = parser->failed ? -1 : parse_name(parser, name, NAME_DRAWN, draw->type);
	if (found < 0) {
		free(draw->text);
		return;
	}
	draw->name = (unsigned)found;
	parser->workload->names[found].list |= draw->list != LIST_NONE;
	++*ndraws;
}
