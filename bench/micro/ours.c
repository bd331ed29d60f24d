/*
 * crc32c twice, for context: a table of 256, and one stream of the crc32 instruction, which
 * waits three cycles for every eight bytes. The gap between them and a library is the
 * library's own work. The table is also the reference answer for every crc32c.
 */
#include "library.h"

#include <string.h>

#define CASTAGNOLI 0x82f63b78u		/* the polynomial, bits reversed */
#define CHECK_TEXT "123456789"
#define CHECK_VALUE 0xe3069283u		/* of CHECK_TEXT, in every crc catalogue */

static uint32_t table[256];

__attribute__((constructor)) static void fill_table(void)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? CASTAGNOLI : 0);
		table[byte] = crc;
	}
}

uint32_t reference_crc32c(const unsigned char *data, size_t size)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
	return ~crc;
}

static const char *prepare_table(struct job *job)
{
	const unsigned char *text = (const unsigned char *)CHECK_TEXT;

	if (reference_crc32c(text, strlen(CHECK_TEXT)) != CHECK_VALUE)
		return "crc32c by table is wrong for " CHECK_TEXT;
	job->expected = reference_crc32c(job->block, job->block_size);
	return NULL;
}

static uint64_t repeat_table(struct job *job, uint64_t repetitions)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < repetitions; i++)
		sum += reference_crc32c(unknown(job->block), job->block_size);
	return sum;
}

#ifdef __x86_64__
#include <nmmintrin.h>

__attribute__((target("sse4.2")))
static uint32_t one_stream(const unsigned char *data, size_t size)
{
	uint64_t crc = ~0u, word;
	size_t i = 0;

	for (; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, data + i, sizeof(word));
		crc = _mm_crc32_u64(crc, word);
	}
	for (; i < size; i++)
		crc = _mm_crc32_u8((uint32_t)crc, data[i]);
	return ~(uint32_t)crc;
}

static const char *prepare_one_stream(struct job *job)
{
	if (!__builtin_cpu_supports("sse4.2"))
		return "this CPU has no crc32 instruction";
	return prepare_table(job);
}

static uint64_t repeat_one_stream(struct job *job, uint64_t repetitions)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < repetitions; i++)
		sum += one_stream(unknown(job->block), job->block_size);
	return sum;
}
#endif

static const char *version(void)
{
	return "1";
}

static const struct micro_step STEPS[] = {
	{ .name = "crc32c-table", .prepare = prepare_table, .repeat = repeat_table },
#ifdef __x86_64__
	{ .name = "crc32c-1stream", .prepare = prepare_one_stream,
	  .repeat = repeat_one_stream },
#endif
};

const struct library ours_library = {
	.name = "ours",
	.version = version,
	.steps = STEPS,
	.nsteps = sizeof(STEPS) / sizeof(STEPS[0]),
};
