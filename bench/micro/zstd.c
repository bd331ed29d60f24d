/* zstd at level 3, its own default and RocksDB's, with contexts that are kept. */
#include "library.h"

#include "zstd.h"

#include <stdlib.h>
#include <string.h>

#define LEVEL 3

struct contexts {
	ZSTD_CCtx *compress;
	ZSTD_DCtx *uncompress;
};

static size_t packed_max(size_t size)
{
	return ZSTD_compressBound(size);
}

static size_t compress(struct job *job)
{
	struct contexts *contexts = job->context;

	return ZSTD_compressCCtx(contexts->compress, job->packed, job->packed_max,
				 unknown(job->block), job->block_size, LEVEL);
}

static size_t uncompress(struct job *job)
{
	struct contexts *contexts = job->context;

	return ZSTD_decompressDCtx(contexts->uncompress, job->unpacked, job->block_size,
				   unknown(job->packed), job->packed_size);
}

static const char *check_uncompressed(struct job *job)
{
	return memcmp(job->unpacked, job->block, job->block_size) == 0 ? NULL :
	       "zstd does not give back what it compressed";
}

static const char *check(struct job *job)
{
	size_t size = uncompress(job);

	return ZSTD_isError(size) ? ZSTD_getErrorName(size) : check_uncompressed(job);
}

static void release(struct job *job)
{
	struct contexts *contexts = job->context;

	if (!contexts)
		return;
	ZSTD_freeCCtx(contexts->compress);
	ZSTD_freeDCtx(contexts->uncompress);
	free(contexts);
	job->context = NULL;
}

static const char *prepare_compress(struct job *job)
{
	struct contexts *contexts = calloc(1, sizeof(*contexts));

	job->context = contexts;
	if (!contexts || !(contexts->compress = ZSTD_createCCtx()) ||
	    !(contexts->uncompress = ZSTD_createDCtx()))
		return "no memory for zstd";
	job->packed_size = compress(job);
	if (ZSTD_isError(job->packed_size))
		return ZSTD_getErrorName(job->packed_size);
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
		sum += compress(job);
	return sum;
}

static uint64_t repeat_uncompress(struct job *job, uint64_t repetitions)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < repetitions; i++)
		sum += uncompress(job);
	return sum;
}

static const struct micro_step STEPS[] = {
	{ .name = "zstd-compress", .prepare = prepare_compress,
	  .repeat = repeat_compress, .check = check, .release = release },
	{ .name = "zstd-uncompress", .prepare = prepare_uncompress,
	  .repeat = repeat_uncompress, .check = check_uncompressed, .release = release },
};

const struct library zstd_library = {
	.name = "zstd",
	.version = ZSTD_versionString,
	.packed_max = packed_max,
	.steps = STEPS,
	.nsteps = sizeof(STEPS) / sizeof(STEPS[0]),
};
