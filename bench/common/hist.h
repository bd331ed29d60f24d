/*
 * Response times in buckets whose width grows with the value: 2^HIST_SUB_BITS buckets
 * for each doubling, so a value is known to better than 1%. The same numbers stand in
 * the `hist` records; data/README.md gives the formula. A worker owns its histogram.
 */
#ifndef BENCH_HIST_H
#define BENCH_HIST_H

#include <stdint.h>
#include <stdio.h>

#define HIST_SUB_BITS 7
#define HIST_LINEAR (1u << HIST_SUB_BITS)
#define HIST_BUCKETS (HIST_LINEAR + (64 - HIST_SUB_BITS) * HIST_LINEAR)

struct hist {
	uint64_t counts[HIST_BUCKETS];
};

/* The bucket of a value where a doubling has 2^sub_bits of them. */
static inline unsigned hist_bucket(uint64_t value, unsigned sub_bits)
{
	unsigned shift, linear = 1u << sub_bits;

	if (value < linear)
		return (unsigned)value;
	shift = 63u - (unsigned)__builtin_clzll(value) - sub_bits;
	return linear + shift * linear + ((unsigned)(value >> shift) - linear);
}

static inline unsigned hist_index(uint64_t value)
{
	return hist_bucket(value, HIST_SUB_BITS);
}

static inline void hist_record(struct hist *hist, uint64_t value)
{
	hist->counts[hist_index(value)]++;
}

/* The value that stands for a bucket: its middle, rounded down. */
uint64_t hist_value(unsigned index);
uint64_t hist_count(const struct hist *hist);
void hist_merge(struct hist *into, const struct hist *from);

/* The first bucket where the cumulative count reaches ceil(q * N); 0 if empty. */
uint64_t hist_percentile(const struct hist *hist, double q);

/* Prints the array [[index,count],...] of the buckets that are not empty. */
void hist_print(FILE *out, const uint64_t *counts, unsigned buckets);

#endif
