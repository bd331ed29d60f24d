#include "work.h"

#include "clock.h"

#include <stdlib.h>

#define WORDS (1u << 15)	/* of 8 bytes: more than the first cache holds */
#define STEPS (1u << 20)
#define PIECES 5

static uint64_t words[WORDS];

/* Each step needs the one before; what it ends with is used, or there would be none. */
static uint64_t piece(uint64_t seed)
{
	uint64_t x = seed | 1;

	for (uint32_t i = 0; i < STEPS; i++) {
		uint64_t *word = &words[x % WORDS];

		x = (x ^ *word) * 0x9e3779b97f4a7c15ull;
		x ^= x >> 29;
		*word += x;
	}
	return x;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

uint64_t work_ns(void)
{
	uint64_t took[PIECES];
	volatile uint64_t result = 1;

	for (unsigned i = 0; i < PIECES; i++) {
		uint64_t start = clock_thread_cpu_ns();

		result = piece(result);
		took[i] = clock_thread_cpu_ns() - start;
	}
	qsort(took, PIECES, sizeof(*took), compare);
	return took[PIECES / 2];
}
