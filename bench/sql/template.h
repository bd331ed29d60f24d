/*
 * A statement's text in pieces: what stands there, names of tables {sbtest}, numbers {n}
 * or {range}, and parameters :id, which are placeholders or literals in the end.
 */
#ifndef SQL_TEMPLATE_H
#define SQL_TEMPLATE_H

#include "text.h"
#include "workload.h"

#define MAX_PIECES 96

enum piece_kind { PIECE_TEXT, PIECE_TABLE, PIECE_NUMBER, PIECE_PARAMETER };

struct piece {
	enum piece_kind kind;
	const char *text;		/* of the workload; not ended */
	size_t length;
	const struct table *table;
	struct expr number;
	unsigned name;
};

struct template {
	struct piece pieces[MAX_PIECES];
	unsigned npieces;
};

/* False with what is wrong with the text in why. */
bool template_read(struct template *template, const struct workload *workload,
		   const char *text, char *why, size_t size);

/* The values that names have for one client: numbers, texts, vectors or lists of numbers. */
struct scene {
	int64_t numbers[MAX_NAMES];	/* of a vector its row */
	/* TEXT_SIZE each, of the names that are text; of vectors, as the engine takes them. */
	char *texts[MAX_NAMES];
	size_t lengths[MAX_NAMES];	/* of the texts */
	const float *vectors[MAX_NAMES];
	int64_t *lists[MAX_NAMES];
	unsigned counts[MAX_NAMES];	/* of the lists; 0: it is none */
};

struct vector_folder;

struct writer {
	const struct workload *workload;
	const struct vector_folder *folder;	/* NULL: no statement has a vector */
	const struct scene *scene;
	_Atomic int64_t *counters;
	char placeholder;		/* '?', '$', or '\0' for literals */
	bool escapes;			/* of text literals: see text_add_quoted */
};

/* Appends the statement for the table of the scene's number n. */
void template_write(const struct template *template, const struct writer *writer,
		    struct text *text);

/* The name of a table of a kind; number: which one. */
void table_name(const struct table *table, int64_t number, char *name, size_t size);

#endif
