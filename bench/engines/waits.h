/* Counting what sessions wait for, for the engines that are servers. */
#ifndef BENCH_WAITS_H
#define BENCH_WAITS_H

#include "common/record.h"

/* Adds to the state of that name; names that are cut alike or too many are one state. */
void wait_counts_add(struct wait_counts *counts, const char *name, uint64_t sessions);

#endif
