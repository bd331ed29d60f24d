/* How far the true nearest are: found by looking at all, and kept in the folder. */
#include "vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/*
 * Engines add up floats and we doubles: as far as the k-th is also what differs from it by no
 * more than the last digits of a float.
 */
#define FLOAT_ERROR 1e-5

#define FNV_START 0xcbf29ce484222325ull
#define FNV_PRIME 0x100000001b3ull

/* What a file of distances is of; the distances stand behind it. */
struct head {
	uint64_t vectors;	/* a hash of base and queries */
	int64_t k, low, high, every, distance, queries;
};

/* FNV-1a over words of 32 bits. */
static uint64_t hash(uint64_t state, const struct vectors *vectors)
{
	const float *end = vectors->values + vectors->count * vectors->dim;

	for (const float *value = vectors->values; value < end; value++) {
		uint32_t bits;

		memcpy(&bits, value, sizeof(bits));
		state = (state ^ bits) * FNV_PRIME;
	}
	return state;
}

static struct head head_of(const struct truth *truth, const struct vector_folder *folder)
{
	return (struct head){
		.vectors = hash(hash(FNV_START, &folder->base), &folder->queries),
		.k = truth->k, .low = truth->low, .high = truth->high,
		.every = truth->every, .distance = folder->distance,
		.queries = (int64_t)folder->queries.count,
	};
}

static bool read_kept(const char *path, const struct head *head, double *farthest)
{
	FILE *file = fopen(path, "rbe");
	size_t queries = (size_t)head->queries;
	struct head found;
	bool same;

	if (!file)
		return false;
	same = fread(&found, sizeof(found), 1, file) == 1 &&
	       !memcmp(&found, head, sizeof(found)) &&
	       fread(farthest, sizeof(*farthest), queries, file) == queries;
	fclose(file);
	return same;
}

/* What cannot be kept is found again by the next run. */
static void keep(const char *path, const struct head *head, const double *farthest)
{
	char part[PATH_MAX + 8];
	size_t queries = (size_t)head->queries;
	FILE *file;
	bool good;

	snprintf(part, sizeof(part), "%s.part", path);
	file = fopen(part, "wbe");
	if (!file)
		return;
	good = fwrite(head, sizeof(*head), 1, file) == 1 &&
	       fwrite(farthest, sizeof(*farthest), queries, file) == queries;
	good = fclose(file) == 0 && good;
	if (!good || rename(part, path))
		unlink(part);
}

/* The rows that are looked at; their values are the caller's to free. */
static bool select_rows(struct vectors *some, const struct truth *truth,
			const struct vector_folder *folder)
{
	size_t dim = folder->base.dim, most = (size_t)(truth->high - truth->low + 1);

	*some = (struct vectors){ .dim = dim };
	some->values = malloc(most * dim * sizeof(*some->values));
	if (!some->values)
		return false;
	for (int64_t row = truth->low; row <= truth->high; row++)
		if (row % truth->every == 0)
			memcpy(some->values + some->count++ * dim,
			       vectors_row(&folder->base, row),
			       dim * sizeof(*some->values));
	return true;
}

static bool look(struct truth *truth, const struct vector_folder *folder, char *why,
		 size_t size)
{
	size_t queries = folder->queries.count, k = (size_t)truth->k;
	struct neighbour *found = calloc(queries * k, sizeof(*found));
	struct vectors some = { .values = NULL };
	bool done = found && select_rows(&some, truth, folder);

	if (!done) {
		snprintf(why, size, "there is no memory to look for the true nearest");
	} else if (some.count < k) {
		snprintf(why, size, "the %zu nearest are asked for, and only %zu of the "
			 "rows can be", k, some.count);
		done = false;
	} else if (!exact_nearest(&some, &folder->queries, folder->distance, k,
				  (int)sysconf(_SC_NPROCESSORS_ONLN), found)) {
		snprintf(why, size, "no threads can be started to look for the true "
			 "nearest");
		done = false;
	}
	for (size_t i = 0; done && i < queries; i++)
		truth->farthest[i] = found[i * k + k - 1].distance;
	free(some.values);
	free(found);
	return done;
}

static bool is_possible(const struct truth *truth, const struct vector_folder *folder,
			char *why, size_t size)
{
	if (truth->k >= 1 && truth->every >= 1 && truth->low >= 1 &&
	    truth->low <= truth->high && (uint64_t)truth->high <= folder->base.count)
		return true;
	snprintf(why, size, "the %" PRId64 " nearest among the rows %" PRId64 " to %" PRId64
		 " cannot be: the folder has %zu vectors", truth->k, truth->low,
		 truth->high, folder->base.count);
	return false;
}

/* Others may look for the same now: the first one does, for all. */
static int lock_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX) && errno == EINTR)
		;
	return fd;
}

bool truth_find(struct truth *truth, const struct vector_folder *folder, char *why,
		size_t size)
{
	char path[PATH_MAX];
	struct head head;
	bool done;
	int lock;

	if (!is_possible(truth, folder, why, size))
		return false;
	truth->farthest = calloc(folder->queries.count, sizeof(*truth->farthest));
	if (!truth->farthest) {
		snprintf(why, size, "there is no memory for the true nearest");
		return false;
	}
	snprintf(path, sizeof(path), "%.3900s/nearest.%d.%" PRId64 ".%" PRId64 "-%" PRId64
		 ".%" PRId64, folder->path, (int)folder->distance, truth->k, truth->low,
		 truth->high, truth->every);
	head = head_of(truth, folder);
	lock = lock_folder(folder->path);
	done = read_kept(path, &head, truth->farthest);
	if (!done) {
		done = look(truth, folder, why, size);
		if (done)
			keep(path, &head, truth->farthest);
	}
	if (lock >= 0)
		close(lock);
	return done;
}

static bool seen(const int64_t *rows, unsigned before, int64_t row)
{
	for (unsigned i = 0; i < before; i++)
		if (rows[i] == row)
			return true;
	return false;
}

unsigned truth_count(const struct truth *truth, const struct vector_folder *folder,
		     int64_t query, const int64_t *rows, unsigned nrows)
{
	const float *asked = vectors_row(&folder->queries, query);
	double farthest = truth->farthest[query - 1];
	double limit = farthest + FLOAT_ERROR * fabs(farthest);
	unsigned found = 0;

	for (unsigned i = 0; i < nrows; i++) {
		int64_t row = rows[i];

		if (row < truth->low || row > truth->high || row % truth->every ||
		    seen(rows, i, row))
			continue;
		found += distance_between(folder->distance, asked,
					  vectors_row(&folder->base, row),
					  folder->base.dim) <= limit;
	}
	return found;
}
