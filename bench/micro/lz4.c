/* LZ4 block compression at its default acceleration, as RocksDB calls it. */
#include "library.h"

#include "lz4.h"

#include <string.h>

static size_t packed_max(size_t size)
{
	return (size_t)LZ4_compressBound((int)size);
}

static int compress(struct job *job)
{
	return LZ4_compress_default((const char *)unknown(job->block),
				    (char *)job->packed, (int)job->block_size,
				    (int)job->packed_max);
}

static int uncompress(struct job *job)
{
	return LZ4_decompress_safe((const char *)unknown(job->packed),
				   (char *)job->unpacked, (int)job->packed_size,
				   (int)job->block_size);
}

static const char *check(struct job *job)
{
	if (uncompress(job) != (int)job->block_size ||
	    memcmp(job->unpacked, job->block, job->block_size) != 0)
		return "lz4 does not give back what it compressed";
	return NULL;
}

static const char *prepare_compress(struct job *job)
{
	int size = compress(job);

	if (size <= 0)
		return "lz4 cannot compress the block";
	job->packed_size = (size_t)size;
	job->expected = job->packed_size;
	return check(job);
}

static const char *prepare_uncompress(struct job *job)
{
	const char *problem = prepare_compress(job);

	job->expected = job->block_size;
	return problem;
}

static uint64_t repeat_compress(struct job *job, uint64_t repetitions)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < repetitions; i++)
		sum += (uint64_t)compress(job);
	return sum;
}

static uint64_t repeat_uncompress(struct job *job, uint64_t repetitions)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < repetitions; i++)
		sum += (uint64_t)uncompress(job);
	return sum;
}

static const char *check_uncompressed(struct job *job)
{
	return memcmp(job->unpacked, job->block, job->block_size) == 0 ? NULL :
	       "lz4 does not give back what it compressed";
}

static const struct micro_step STEPS[] = {
	{ .name = "lz4-compress", .prepare = prepare_compress,
	  .repeat = repeat_compress, .check = check },
	{ .name = "lz4-uncompress", .prepare = prepare_uncompress,
	  .repeat = repeat_uncompress, .check = check_uncompressed },
};

const struct library lz4_library = {
	.name = "lz4",
	.version = LZ4_versionString,
	.packed_max = packed_max,
	.steps = STEPS,
	.nsteps = sizeof(STEPS) / sizeof(STEPS[0]),
};
