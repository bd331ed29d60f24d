#include "block.h"

#include "common/rng.h"

#include <string.h>

#define PIECE 100		/* db_bench's: half of each piece repeats the other half */

static void fill_x(unsigned char *block, size_t size, uint64_t seed)
{
	(void)seed;
	memset(block, 'x', size);
}

static void fill_random(unsigned char *block, size_t size, uint64_t seed)
{
	struct rng rng;

	rng_seed(&rng, rng_mix(seed, "block", 0));
	for (size_t i = 0; i < size; i++)
		block[i] = (unsigned char)(rng_next(&rng) >> 56);
}

static void fill_half(unsigned char *block, size_t size, uint64_t seed)
{
	fill_random(block, size, seed);
	for (size_t i = 0; i < size; i++)
		if (i % PIECE >= PIECE / 2)
			block[i] = block[i - PIECE / 2];
}

static const struct {
	const char *name;
	void (*fill)(unsigned char *block, size_t size, uint64_t seed);
} DATA[] = {
	{ "x", fill_x },
	{ "half", fill_half },
	{ "random", fill_random },
};

#define NDATA (sizeof(DATA) / sizeof(DATA[0]))

bool block_data_known(const char *data)
{
	for (size_t i = 0; i < NDATA; i++)
		if (strcmp(DATA[i].name, data) == 0)
			return true;
	return false;
}

void block_fill(unsigned char *block, size_t size, const char *data, uint64_t seed)
{
	for (size_t i = 0; i < NDATA; i++)
		if (strcmp(DATA[i].name, data) == 0)
			DATA[i].fill(block, size, seed);
}
