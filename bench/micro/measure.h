/* Times one step: calibrated batches of repetitions, each batch's answers checked. */
#ifndef BENCH_MICRO_MEASURE_H
#define BENCH_MICRO_MEASURE_H

#include "library.h"

struct request {
	const struct library *library;
	const struct micro_step *step;
	unsigned dop, seq;
	uint64_t seed;
	size_t block_size;
	const char *data;
	uint64_t repetitions;	/* 0: duration_ns says how long */
	uint64_t duration_ns;
};

/* One interval; the longest batch that ended in it. */
struct interval {
	uint64_t ops, max_ns;
};

struct client;

struct measured {
	uint64_t start_ns, end_ns, ops, cpu_ns, interval_ns;
	struct client *clients;
	unsigned nclients;
	size_t nintervals;
};

/* NULL, or what went wrong. Release what was measured in either case. */
const char *measure(const struct request *request, struct measured *measured);
void measure_release(struct measured *measured);

/* What a client did in an interval. */
struct interval measured_interval(const struct measured *measured, unsigned client,
				  size_t index);

#endif
