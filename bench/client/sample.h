/* What a client did since its last sample. */
#ifndef CLIENT_SAMPLE_H
#define CLIENT_SAMPLE_H

#include "common/arm.h"
#include "common/record.h"

/* What was reported of a counter so far, so that samples hold differences. */
struct reported {
	uint64_t ops, rows;
};

/* Adds a client's progress to the sample; client: its own, in rows or in operations. */
static inline void sample_take(struct sample_record *sample, struct arm_counters *counters,
			       struct reported *reported, bool by_rows, uint64_t *client)
{
	uint64_t ops = atomic_load_explicit(&counters->ops, memory_order_relaxed);
	uint64_t rows = atomic_load_explicit(&counters->rows, memory_order_relaxed);
	uint64_t max_ns = atomic_exchange(&counters->max_ns, 0);

	*client = by_rows ? rows - reported->rows : ops - reported->ops;
	sample->ops += ops - reported->ops;
	sample->rows += rows - reported->rows;
	if (max_ns > sample->max_ns)
		sample->max_ns = max_ns;
	*reported = (struct reported){ ops, rows };
}

#endif
