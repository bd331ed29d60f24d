/*
 * Response times of one worker and op so far, for the samples: buckets as in hist.h, but
 * 2^TIMES_SUB_BITS for each doubling, so that a bucket's end is 14 to 25% above its begin
 * and a second has a dozen or two. Only the worker counts; the sampler reads meanwhile.
 */
#ifndef BENCH_TIMES_H
#define BENCH_TIMES_H

#include "hist.h"

#include <stdatomic.h>

#ifndef TIMES_SUB_BITS
#define TIMES_SUB_BITS 2
#endif
#define TIMES_BUCKETS ((65 - TIMES_SUB_BITS) << TIMES_SUB_BITS)

struct times {
	_Atomic uint64_t counts[TIMES_BUCKETS];
};

static inline void times_add(struct times *times, uint64_t ns, uint64_t many)
{
	_Atomic uint64_t *count = &times->counts[hist_bucket(ns, TIMES_SUB_BITS)];

	atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + many,
			      memory_order_relaxed);
}

static inline void times_record(struct times *times, uint64_t ns)
{
	times_add(times, ns, 1);
}

#endif
