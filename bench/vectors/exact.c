#include "vectors/exact.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512 /* rows of base that stay in the cache while a thread's queries pass */

struct part {
	const struct vectors *base;
	const struct vectors *queries;
	struct neighbour *found;
	size_t k, first, end;
	enum distance distance;
};

const char *const DISTANCE_NAMES[DISTANCES] = {"l2", "cosine", "ip"};

bool distance_named(const char *name, enum distance *distance)
{
	for (int i = 0; i < DISTANCES; i++) {
		if (!strcmp(name, DISTANCE_NAMES[i])) {
			*distance = (enum distance)i;
			return true;
		}
	}
	return false;
}

#define LANES 4 /* sums beside each other: one alone waits for itself at every step */

static double squares(const float *a, const float *b, size_t dim)
{
	double sums[LANES] = {0};
	size_t i = 0;

	for (; i + LANES <= dim; i += LANES) {
		for (size_t lane = 0; lane < LANES; lane++) {
			double apart = (double)a[i + lane] - b[i + lane];

			sums[lane] += apart * apart;
		}
	}
	for (; i < dim; i++)
		sums[0] += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
	return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static double product(const float *a, const float *b, size_t dim)
{
	double sums[LANES] = {0};
	size_t i = 0;

	for (; i + LANES <= dim; i += LANES) {
		for (size_t lane = 0; lane < LANES; lane++)
			sums[lane] += (double)a[i + lane] * b[i + lane];
	}
	for (; i < dim; i++)
		sums[0] += (double)a[i] * b[i];
	return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Sums are doubles: the answers must be nearer the truth than those they judge. */
double distance_between(enum distance distance, const float *a, const float *b, size_t dim)
{
	double lengths;

	if (distance == DISTANCE_L2)
		return squares(a, b, dim);
	if (distance == DISTANCE_IP)
		return -product(a, b, dim);
	lengths = product(a, a, dim) * product(b, b, dim);
	return lengths > 0 ? 1 - product(a, b, dim) / sqrt(lengths) : 1;
}

static bool nearer(const struct neighbour *a, const struct neighbour *b)
{
	return a->distance < b->distance || (a->distance == b->distance && a->id < b->id);
}

/* Keeps the k nearest so far in order; few of many candidates get past the first line. */
static void keep(struct neighbour *best, size_t k, struct neighbour candidate)
{
	size_t at = k - 1;

	if (!nearer(&candidate, &best[at]))
		return;
	for (; at > 0 && nearer(&candidate, &best[at - 1]); at--)
		best[at] = best[at - 1];
	best[at] = candidate;
}

static void *search_part(void *argument)
{
	const struct part *part = argument;
	const struct vectors *base = part->base;
	size_t dim = base->dim;

	for (size_t at = part->first * part->k; at < part->end * part->k; at++)
		part->found[at] = (struct neighbour){INFINITY, INT32_MAX};
	for (size_t block = 0; block < base->count; block += BLOCK) {
		size_t end = block + BLOCK < base->count ? block + BLOCK : base->count;

		for (size_t q = part->first; q < part->end; q++) {
			const float *query = part->queries->values + q * dim;

			for (size_t row = block; row < end; row++) {
				double distance = distance_between(
					part->distance, query, base->values + row * dim, dim);

				keep(part->found + q * part->k, part->k,
				     (struct neighbour){distance, (int32_t)row});
			}
		}
	}
	return NULL;
}

bool exact_nearest(const struct vectors *base, const struct vectors *queries,
		   enum distance distance, size_t k, int threads, struct neighbour *found)
{
	pthread_t *thread = calloc((size_t)threads, sizeof(*thread));
	struct part *parts = calloc((size_t)threads, sizeof(*parts));
	int started = 0;
	bool all = false;

	if (thread && parts) {
		for (; started < threads; started++) {
			size_t n = (size_t)started, of = (size_t)threads;

			parts[n] = (struct part){
				.base = base, .queries = queries, .found = found, .k = k,
				.first = queries->count * n / of,
				.end = queries->count * (n + 1) / of,
				.distance = distance,
			};
			if (pthread_create(&thread[n], NULL, search_part, &parts[n]))
				break;
		}
		all = started == threads;
	}
	for (int i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(parts);
	free(thread);
	return all;
}
