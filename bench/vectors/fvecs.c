#include "vectors/fvecs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_DIMENSIONS 65536

struct reader {
	const char *path;
	char *why;
	size_t size;
};

static bool refuse(const struct reader *reader, const char *why)
{
	snprintf(reader->why, reader->size, "%s: %s", reader->path, why);
	return false;
}

static bool make_room(struct vectors *vectors, size_t *room)
{
	float *more;

	if (vectors->count < *room)
		return true;
	*room = *room ? 2 * *room : 1024;
	more = realloc(vectors->values, *room * vectors->dim * sizeof(*more));
	if (more)
		vectors->values = more;
	return more;
}

static bool read_row(const struct reader *reader, struct vectors *vectors, FILE *file)
{
	float *row = vectors->values + vectors->count * vectors->dim;

	if (fread(row, sizeof(*row), vectors->dim, file) != vectors->dim)
		return refuse(reader, "its last row is cut off");
	for (size_t i = 0; i < vectors->dim; i++)
		if (!isfinite(row[i]))
			return refuse(reader, "a value is not a finite number");
	vectors->count++;
	return true;
}

static bool read_rows(const struct reader *reader, struct vectors *vectors, FILE *file)
{
	size_t room = 0;
	int32_t dim;

	while (fread(&dim, sizeof(dim), 1, file) == 1) {
		if (dim < 1 || dim > MOST_DIMENSIONS)
			return refuse(reader, "a row's dimension is not from 1 to 65536");
		if (vectors->count && (size_t)dim != vectors->dim)
			return refuse(reader, "its rows differ in dimension");
		vectors->dim = (size_t)dim;
		if (vectors->count == INT32_MAX)
			return refuse(reader, "it has too many rows");
		if (!make_room(vectors, &room))
			return refuse(reader, "it does not fit in memory");
		if (!read_row(reader, vectors, file))
			return false;
	}
	if (ferror(file))
		return refuse(reader, "it cannot be read");
	return vectors->count || refuse(reader, "it has no rows");
}

bool fvecs_read(struct vectors *vectors, const char *path, char *why, size_t size)
{
	const struct reader reader = { path, why, size };
	FILE *file = fopen(path, "rbe");
	bool done;

	*vectors = (struct vectors){ .values = NULL };
	if (!file)
		return refuse(&reader, "it cannot be opened");
	done = read_rows(&reader, vectors, file);
	fclose(file);
	return done;
}
