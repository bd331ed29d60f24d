/*
 * When a rate-limited writer means to send each statement. Clients and their two writers
 * are spread over one interval, so that a rate is a stream and not a burst a second.
 */
#ifndef CLIENT_SCHEDULE_H
#define CLIENT_SCHEDULE_H

#include "common/clock.h"

struct schedule {
	uint64_t start_ns;
	uint64_t rows_per_s;	/* of this writer; 0: send as fast as answers come */
	uint64_t rows_per_statement;
};

/* Writer number `place` of `places` that share the rate's interval. */
static inline struct schedule schedule_make(uint64_t start_ns, uint64_t rows_per_s,
					    uint64_t rows_per_statement, unsigned place,
					    unsigned places)
{
	struct schedule schedule = { start_ns, rows_per_s, rows_per_statement };

	if (rows_per_s)
		schedule.start_ns += rows_per_statement * NS_PER_S / rows_per_s * place /
				     places;
	return schedule;
}

/* The intended start of statement i. Computed from i, so errors do not add up. */
static inline uint64_t schedule_ns(const struct schedule *schedule, uint64_t i)
{
	uint64_t rows = i * schedule->rows_per_statement;

	if (!schedule->rows_per_s)
		return schedule->start_ns;
	return schedule->start_ns + rows / schedule->rows_per_s * NS_PER_S +
	       rows % schedule->rows_per_s * NS_PER_S / schedule->rows_per_s;
}

#endif
