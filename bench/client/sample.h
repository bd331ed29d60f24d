/* What a client did since its last sample. */
#ifndef CLIENT_SAMPLE_H
#define CLIENT_SAMPLE_H

#include "common/arm.h"
#include "common/record.h"

/* What was reported of a client so far, so that samples hold differences. */
struct reported {
	uint64_t rows, times[TIMES_BUCKETS];
};

/* A response time; each operation has one. */
static inline void sample_took(struct arm_counters *counters, struct times *times,
			       uint64_t ns)
{
	arm_took(counters, ns);
	times_record(times, ns);
}

/* Adds the response times since the last sample; returns how many there are. */
static inline uint64_t sample_take_times(struct sample_record *sample,
					 struct times *times, uint64_t *reported)
{
	uint64_t ops = 0;

	for (unsigned i = 0; i < TIMES_BUCKETS; i++) {
		uint64_t now = atomic_load_explicit(&times->counts[i],
						    memory_order_relaxed);

		sample->times[i] += now - reported[i];
		ops += now - reported[i];
		reported[i] = now;
	}
	return ops;
}

/*
 * Adds a client's progress to the sample; client: its own, in rows or in operations.
 * Operations are those whose times were read, because the client goes on meanwhile.
 */
static inline void sample_take(struct sample_record *sample, struct arm_counters *counters,
			       struct times *times, struct reported *reported,
			       bool by_rows, uint64_t *client)
{
	uint64_t rows = atomic_load_explicit(&counters->rows, memory_order_relaxed);
	uint64_t max_ns = atomic_exchange(&counters->max_ns, 0);
	uint64_t ops = sample_take_times(sample, times, reported->times);

	*client = by_rows ? rows - reported->rows : ops;
	sample->ops += ops;
	sample->rows += rows - reported->rows;
	if (max_ns > sample->max_ns)
		sample->max_ns = max_ns;
	reported->rows = rows;
}

#endif
