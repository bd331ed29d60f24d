/* The bytes a step works on: one block, the same in every repetition, as in db_bench. */
#ifndef BENCH_MICRO_BLOCK_H
#define BENCH_MICRO_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* data is x (all that letter), half (compresses to about half) or random. */
bool block_data_known(const char *data);
void block_fill(unsigned char *block, size_t size, const char *data, uint64_t seed);

#endif
