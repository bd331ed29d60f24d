/*
 * A library under test: a table of steps, each a loop around one of its functions. The
 * file that fills the table is compiled with the library, by the compiler under test.
 */
#ifndef BENCH_MICRO_LIBRARY_H
#define BENCH_MICRO_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one client works on. The step fills in expected, and packed where it compresses. */
struct job {
	const unsigned char *block;
	size_t block_size;
	unsigned char *packed, *unpacked;
	size_t packed_size, packed_max;
	void *context;
	uint64_t expected;	/* the answer of one repetition */
};

struct micro_step {
	const char *name;
	/* Makes what the loop needs and finds the expected answer; a text says what is wrong. */
	const char *(*prepare)(struct job *job);
	/* The timed loop: the sum of the answers of all repetitions. */
	uint64_t (*repeat)(struct job *job, uint64_t repetitions);
	/* Looks at what the loop left behind; may be NULL. */
	const char *(*check)(struct job *job);
	void (*release)(struct job *job);
};

struct library {
	const char *name;
	const char *(*version)(void);
	/* Which of its implementations the library chose here; may be NULL. */
	const char *(*code_path)(void);
	/* The bytes that size bytes may take when compressed; NULL if it does not compress. */
	size_t (*packed_max)(size_t size);
	const struct micro_step *steps;
	size_t nsteps;
};

/* LIBRARY is the one linked into this binary; ours is in all of them. */
extern const struct library LIBRARY, ours_library;

/* Independent of every library: a table of 256 made from the polynomial. */
uint32_t reference_crc32c(const unsigned char *data, size_t size);

/* Without it the compiler may compute the answer once and keep it. */
static inline const unsigned char *unknown(const unsigned char *data)
{
	__asm__ volatile("" : "+r"(data) : : "memory");
	return data;
}

#ifdef __cplusplus
}
#endif
#endif
