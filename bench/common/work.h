/*
 * A fixed piece of work: how long it takes tells one machine in two moods. Integers, and
 * reads that miss the nearest cache, as a database has them.
 */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include <stdint.h>

/* CPU time: the median of five pieces, which together take about 40 ms. */
uint64_t work_ns(void);

#endif
