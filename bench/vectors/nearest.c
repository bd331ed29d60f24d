/*
 * Writes the exact nearest neighbours of each query: ids as OUT.ivecs, distances as OUT.fvecs.
 *
 * USAGE
 *   nearest BASE.fvecs QUERIES.fvecs l2|cosine|ip K THREADS OUT
 *
 * An fvecs row is its dimension, a 32-bit integer, then as many 32-bit floats; ivecs likewise.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vectors/exact.h"
#include "vectors/fvecs.h"

static bool refuse(const char *what, const char *why)
{
	fprintf(stderr, "nearest: %s: %s\n", what, why);
	return false;
}

static bool read_vectors(const char *path, struct vectors *vectors)
{
	char why[PATH_MAX + 128];
	bool done = fvecs_read(vectors, path, why, sizeof(why));

	if (!done)
		fprintf(stderr, "nearest: %s\n", why);
	return done;
}

static bool write_file(const char *out, bool ids, const struct neighbour *found, size_t rows,
		       size_t k)
{
	char path[PATH_MAX], part[PATH_MAX + 8];
	int32_t length = (int32_t)k;
	bool good = true;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s.%s", out, ids ? "ivecs" : "fvecs") >= PATH_MAX)
		return refuse(out, "the name is too long");
	snprintf(part, sizeof(part), "%s.part", path);
	file = fopen(part, "wb");
	if (!file)
		return refuse(part, "it cannot be written");
	for (size_t at = 0; good && at < rows * k; at++) {
		float distance = (float)found[at].distance;

		if (at % k == 0)
			good = fwrite(&length, sizeof(length), 1, file) == 1;
		good = good && (ids ? fwrite(&found[at].id, sizeof(int32_t), 1, file)
				    : fwrite(&distance, sizeof(float), 1, file)) == 1;
	}
	good = fclose(file) == 0 && good;
	if (good && rename(part, path) == 0)
		return true;
	unlink(part);
	return refuse(path, "it cannot be written, is the disk full?");
}

static bool find_all(const struct vectors *base, const struct vectors *queries,
		     enum distance distance, size_t k, int threads, const char *out)
{
	struct neighbour *found = calloc(queries->count * k, sizeof(*found));
	bool done;

	if (!found)
		return refuse(out, "the answers do not fit in memory");
	done = exact_nearest(base, queries, distance, k, threads, found) ||
	       refuse(out, "not all threads could be started");
	done = done && write_file(out, false, found, queries->count, k) &&
	       write_file(out, true, found, queries->count, k);
	free(found);
	return done;
}

/* A whole number from 1 to most, else 0. */
static long number(const char *text, long most)
{
	char *end;
	long value = strtol(text, &end, 10);

	return *text && !*end && value >= 1 && value <= most ? value : 0;
}

int main(int argc, char **argv)
{
	struct vectors base = {0}, queries = {0};
	enum distance distance;
	long k, threads;
	bool done;

	if (argc != 7 || !distance_named(argv[3], &distance) || !(k = number(argv[4], 65536)) ||
	    !(threads = number(argv[5], 1024))) {
		fputs("usage: nearest BASE.fvecs QUERIES.fvecs l2|cosine|ip K THREADS OUT\n",
		      stderr);
		return 2;
	}
	done = read_vectors(argv[1], &base) && read_vectors(argv[2], &queries);
	if (done && base.dim != queries.dim)
		done = refuse(argv[2], "its dimension is not that of the vectors searched");
	if (done && (size_t)k > base.count)
		done = refuse(argv[1], "it has fewer rows than neighbours are asked for");
	done = done && find_all(&base, &queries, distance, (size_t)k, (int)threads, argv[6]);
	free(base.values);
	free(queries.values);
	return done ? 0 : 1;
}
