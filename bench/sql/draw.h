/*
 * How the values of parameters and columns are drawn. Everything depends on the random
 * numbers of one client alone, so it is the same on every engine.
 */
#ifndef SQL_DRAW_H
#define SQL_DRAW_H

#include "common/rng.h"

#include <stddef.h>
#include <stdint.h>

enum distribution {
	DRAW_UNIFORM,		/* low..high */
	DRAW_ZIPFIAN,		/* low is the likeliest; extra[0]: the exponent */
	DRAW_SCRAMBLED,		/* of 10^10 ranks, which are hashed, as YCSB's */
	DRAW_LATEST,		/* zipfian from high downwards */
	DRAW_GAUSSIAN,		/* the mean of 12 uniform ones, as sysbench 1.0 */
	DRAW_PARETO,		/* as sysbench 1.0; extra[0]: h, the rule of h and 1-h */
	DRAW_HOT,		/* extra[1] of the draws hit the first extra[0] of them */
	DRAW_NURAND,		/* TPC-C's NURand(A, low, high); extra[0]: A */
	DRAW_SEQUENCE,		/* low, low + 1, ... of each client or of a table */
	DRAW_NEXT,		/* the next number of a counter shared by all clients */
	DRAW_VALUE,		/* an expression */
	DRAW_PATTERN,		/* text: # is a digit, @ a letter */
	DRAW_LETTERS,		/* text of low..high letters */
	DRAW_CONSTANT,		/* text as it stands */
	DRAW_BASE,		/* the vector of that row of base.fvecs, from 1 */
	DRAW_QUERY,		/* those of queries.fvecs in turn */
	DISTRIBUTIONS
};

/* What of a zipfian distribution over 1..n hangs on n and the exponent alone. */
struct zipf {
	uint64_t n;
	double exponent, s, low, high;
};

/*
 * Rejection-inversion: W. Hoermann and G. Derflinger, "Rejection-inversion to generate
 * variates from monotone discrete distributions", ACM TOMACS 6(3), 1996. A value in 1..n;
 * zipf is made anew when n or the exponent changed.
 */
uint64_t draw_zipf(struct zipf *zipf, uint64_t n, double exponent, struct rng *rng);

/* A whole number of low..high by one of the distributions over a range. */
int64_t draw_number(enum distribution distribution, int64_t low, int64_t high,
		    const double extra[2], struct zipf *zipf, struct rng *rng);

/* Replaces # and @ of a pattern; returns the length, which is the pattern's. */
size_t draw_pattern(char *to, const char *pattern, size_t length, struct rng *rng);

void draw_letters(char *to, size_t length, struct rng *rng);

/* In [0, 1). */
static inline double draw_real(struct rng *rng)
{
	return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

#endif
