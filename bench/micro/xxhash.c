/* xxHash: XXH32, XXH64 and XXH3 of 64 bits, under the names db_bench gives them. */
#include "library.h"

#include "xxhash.h"

#include <stdio.h>

#define SAMPLE_SIZE 2367

/* Published answers for the first bytes of the sample that xxHash tests itself with. */
struct vector {
	size_t size;
	uint64_t hash;
};

static const struct vector XXH32_VECTORS[] = {
	{ 0, 0x02cc5d05 }, { 1, 0xcf65b03e }, { 14, 0x1208e7e2 }, { 222, 0x5bd11dbd },
};

static const struct vector XXH64_VECTORS[] = {
	{ 0, 0xef46db3751d8e999 }, { 1, 0xe934a84adb052768 },
	{ 14, 0x8282dcc4994e35c8 }, { 222, 0xb641ae8cb691c174 },
};

static const struct vector XXH3_VECTORS[] = {
	{ 0, 0x2d06800538d394c2 },    { 24, 0xa3fe70bf9d3510eb },
	{ 195, 0xcd94217ee362ec3a },  { 512, 0x617e49599013cb6b },
	{ 2048, 0xdd59e2c3a5f038e0 }, { 2367, 0xcb37aeb9e5d361ed },
};

/* XXH_VECTOR of the source, as it was compiled. */
extern const int xxhash_vector;

static const char *version(void)
{
	static char text[16];
	unsigned number = XXH_versionNumber();

	snprintf(text, sizeof(text), "%u.%u.%u", number / 10000 % 100,
		 number / 100 % 100, number % 100);
	return text;
}

static const char *code_path(void)
{
	static const char *const NAMES[] = {
		"scalar", "sse2", "avx2", "avx512", "neon", "vsx", "sve",
	};

	return (size_t)xxhash_vector < sizeof(NAMES) / sizeof(NAMES[0]) ?
	       NAMES[xxhash_vector] : "unknown";
}

static uint64_t xxh32(const unsigned char *data, size_t size)
{
	return XXH32(data, size, 0);
}

static uint64_t xxh64(const unsigned char *data, size_t size)
{
	return XXH64(data, size, 0);
}

static uint64_t xxh3(const unsigned char *data, size_t size)
{
	return XXH3_64bits(data, size);
}

typedef uint64_t hash_fn(const unsigned char *data, size_t size);

static bool agrees(hash_fn *hash, const struct vector *vectors, size_t nvectors)
{
	unsigned char sample[SAMPLE_SIZE];
	uint64_t state = 2654435761u;

	for (size_t i = 0; i < SAMPLE_SIZE; i++) {
		sample[i] = (unsigned char)(state >> 56);
		state *= 11400714785074694797ull;
	}
	for (size_t i = 0; i < nvectors; i++)
		if (hash(sample, vectors[i].size) != vectors[i].hash)
			return false;
	return true;
}

/* prepare_NAME checks the published answers; NAME_repeat has the call in its own loop. */
#define HASH_STEP(hash, VECTORS)                                                       \
	static const char *prepare_##hash(struct job *job)                             \
	{                                                                              \
		if (!agrees(hash, VECTORS, sizeof(VECTORS) / sizeof(VECTORS[0])))      \
			return #hash " differs from its published answers";            \
		job->expected = hash(job->block, job->block_size);                     \
		return NULL;                                                           \
	}                                                                              \
	static uint64_t hash##_repeat(struct job *job, uint64_t repetitions)           \
	{                                                                              \
		uint64_t sum = 0;                                                      \
									               \
		for (uint64_t i = 0; i < repetitions; i++)                             \
			sum += hash(unknown(job->block), job->block_size);             \
		return sum;                                                            \
	}

HASH_STEP(xxh32, XXH32_VECTORS)
HASH_STEP(xxh64, XXH64_VECTORS)
HASH_STEP(xxh3, XXH3_VECTORS)

static const struct micro_step STEPS[] = {
	{ .name = "xxhash", .prepare = prepare_xxh32, .repeat = xxh32_repeat },
	{ .name = "xxhash64", .prepare = prepare_xxh64, .repeat = xxh64_repeat },
	{ .name = "xxh3", .prepare = prepare_xxh3, .repeat = xxh3_repeat },
};

const struct library xxhash_library = {
	.name = "xxhash",
	.version = version,
	.code_path = code_path,
	.steps = STEPS,
	.nsteps = sizeof(STEPS) / sizeof(STEPS[0]),
};
