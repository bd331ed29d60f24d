/* What the files that read a workload share. */
#ifndef SQL_PARSE_H
#define SQL_PARSE_H

#include "lines.h"
#include "workload.h"

struct parser {
	struct workload *workload;
	const struct override *overrides;
	unsigned noverrides;
	const struct vector_sizes *sizes;
	char *why;
	size_t size;
	unsigned line;
	bool failed;		/* a mistake */
	bool lacks;		/* no part of a line for the distance chosen */
	unsigned lacking;	/* the same by the place of each distance, as bits */
	/* The block that indented lines belong to; one of them or none. */
	struct table *table;
	struct statement_def *statement;
	struct transaction *transaction;
	struct workload_step *step;
};

/* parser.c: what every line is read with. Remembers the first mistake, with file and line. */
void parse_wrong(struct parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes the next word off a text; "" at its end. */
void parse_word(const char **text, char *word, size_t size);

/*
 * Puts in the place of each `{distance: A | B | C}` of a line the part of the distance that
 * is chosen; an empty one leaves parser->lacks.
 */
void parse_choices(struct parser *parser, char *text);

/* A copy that lives as long as the workload. */
char *parse_copy(struct parser *parser, const char *text);

/* The name of a number or a text, made if it is new; -1 if it is something else already. */
int parse_name(struct parser *parser, const char *name, int kind, enum value_type type);

/* The expression that a text begins with; returns what is left of it. */
const char *parse_expr(struct parser *parser, struct expr *expr, const char *text);
/* A text that is one expression. */
void parse_whole_expr(struct parser *parser, struct expr *expr, const char *text);
/* A or A..B. */
void parse_bounds(struct parser *parser, struct expr *low, struct expr *high,
		  const char *text);

/* parse_draw.c: `bind NAME TYPE DISTRIBUTION ...` or `column ...`, without the first word. */
void parse_draw(struct parser *parser, struct draw *draws, unsigned *ndraws, unsigned most,
		const char *text);

/* check.c: whether names that texts and parts use are there; after the last line. */
void parse_check(struct parser *parser);

#endif
