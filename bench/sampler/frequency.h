/* The clock rate of the processors, where the kernel tells it and tells it at once. */
#ifndef SAMPLER_FREQUENCY_H
#define SAMPLER_FREQUENCY_H

#include "common/json.h"

#include <stdbool.h>

#define MAX_FREQUENCIES 16

struct frequency {
	int fds[MAX_FREQUENCIES];
	unsigned count;
	uint64_t mhz;		/* 0: unknown */
	bool slow;		/* to be had, but not without waiting for it */
};

void frequency_open(struct frequency *frequency, unsigned cpus);
void frequency_read(struct frequency *frequency);
void frequency_print(const struct frequency *frequency, struct json *json);

#endif
