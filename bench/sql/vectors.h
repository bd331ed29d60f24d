/*
 * The vectors of a folder: base.fvecs, which tables hold, and queries.fvecs, whose nearest
 * are asked for; how an engine takes one; and what is true, to tell recall.
 */
#ifndef SQL_VECTORS_H
#define SQL_VECTORS_H

#include "text.h"
#include "vectors/exact.h"

/* As what a vector goes to an engine. */
enum vector_form {
	FORM_NUMBERS,	/* [0.5,1]: DuckDB */
	FORM_FLOATS,	/* floats as they lie in memory: MariaDB, SQLite */
	FORM_PGVECTOR	/* binary, of the highest byte first, behind the dimension */
};

struct vector_folder {
	const char *path;
	struct vectors base, queries;
	enum distance distance;
	enum vector_form form;
	/* Of each query what goes to the engine, room bytes apart. */
	char *encoded;
	size_t *lengths, room;
};

/* False with one sentence in why. */
bool vectors_open(struct vector_folder *folder, const char *path, char *why, size_t size);

/* When the engine is known. False: there is no memory. */
bool vectors_encode(struct vector_folder *folder, const char *engine);

void vectors_close(struct vector_folder *folder);

/* The vector of that row, from 1, of base or of queries; NULL: there is none. */
const float *vectors_row(const struct vectors *vectors, int64_t row);

/* Writes it as the engine takes it, into folder->room bytes; returns how many it has. */
size_t vector_put(const struct vector_folder *folder, const float *vector, char *to);

/* Appends it as a literal of SQL. */
void vector_literal(const struct vector_folder *folder, const float *vector,
		    struct text *text);

/* How far each query's k-th nearest is, among the rows low..high that every divides. */
struct truth {
	int64_t k, low, high, every;
	double *farthest;
};

/*
 * Looks at all of them, once: the folder keeps what was found. False with one sentence in
 * why.
 */
bool truth_find(struct truth *truth, const struct vector_folder *folder, char *why,
		size_t size);

/*
 * How many of the rows are among the k nearest of that query, from 1: those not farther than
 * the k-th, of which more than one may be. A row counts once.
 */
unsigned truth_count(const struct truth *truth, const struct vector_folder *folder,
		     int64_t query, const int64_t *rows, unsigned nrows);

#endif
