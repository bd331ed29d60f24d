/* The exact nearest neighbours, by looking at every vector: what recall is measured against. */
#ifndef BENCH_VECTORS_EXACT_H
#define BENCH_VECTORS_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smaller is nearer in all three: squared Euclidean, 1 - cosine, negative inner product. */
enum distance { DISTANCE_L2, DISTANCE_COSINE, DISTANCE_IP };
#define DISTANCES 3
extern const char *const DISTANCE_NAMES[DISTANCES];

struct vectors {
	float *values; /* count rows of dim */
	size_t count;
	size_t dim;
};

struct neighbour {
	double distance;
	int32_t id;
};

bool distance_named(const char *name, enum distance *distance);
double distance_between(enum distance distance, const float *a, const float *b, size_t dim);

/*
 * The k nearest of base for each query, nearest first, of equal ones the lower id, into
 * found[queries->count * k]. k is at most base->count. False if no thread can be started.
 */
bool exact_nearest(const struct vectors *base, const struct vectors *queries,
		   enum distance distance, size_t k, int threads, struct neighbour *found);

#endif
