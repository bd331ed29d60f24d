#include "vectors.h"

#include "vectors/fvecs.h"

#include <endian.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_ROOM 20	/* of a float in digits, and what stands before it */

static bool read_file(struct vectors *vectors, const char *folder, const char *name,
		      char *why, size_t size)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= PATH_MAX) {
		snprintf(why, size, "--vectors: the name of the folder is too long");
		return false;
	}
	return fvecs_read(vectors, path, why, size);
}

bool vectors_open(struct vector_folder *folder, const char *path, char *why, size_t size)
{
	*folder = (struct vector_folder){ .path = path };
	if (!read_file(&folder->base, path, "base.fvecs", why, size) ||
	    !read_file(&folder->queries, path, "queries.fvecs", why, size))
		return false;
	if (folder->base.dim == folder->queries.dim)
		return true;
	snprintf(why, size, "%s: its vectors have %zu dimensions and its queries %zu", path,
		 folder->base.dim, folder->queries.dim);
	return false;
}

void vectors_close(struct vector_folder *folder)
{
	free(folder->base.values);
	free(folder->queries.values);
	free(folder->encoded);
	free(folder->lengths);
}

const float *vectors_row(const struct vectors *vectors, int64_t row)
{
	if (row < 1 || (uint64_t)row > vectors->count)
		return NULL;
	return vectors->values + (size_t)(row - 1) * vectors->dim;
}

static enum vector_form form_of(const char *engine)
{
	return !strcmp(engine, "postgres") ? FORM_PGVECTOR :
	       !strcmp(engine, "duckdb") ? FORM_NUMBERS : FORM_FLOATS;
}

static size_t put_numbers(char *to, const float *vector, size_t dim)
{
	char *at = to;

	for (size_t i = 0; i < dim; i++)
		at += sprintf(at, "%c%.9g", i ? ',' : '[', (double)vector[i]);
	*at++ = ']';
	*at = '\0';
	return (size_t)(at - to);
}

static size_t put_pgvector(char *to, const float *vector, size_t dim)
{
	uint16_t head[2] = { htobe16((uint16_t)dim), 0 };
	uint32_t bits;

	memcpy(to, head, sizeof(head));
	to += sizeof(head);
	for (size_t i = 0; i < dim; i++) {
		memcpy(&bits, &vector[i], sizeof(bits));
		bits = htobe32(bits);
		memcpy(to + i * sizeof(bits), &bits, sizeof(bits));
	}
	return sizeof(head) + dim * sizeof(bits);
}

size_t vector_put(const struct vector_folder *folder, const float *vector, char *to)
{
	size_t dim = folder->base.dim;

	switch (folder->form) {
	case FORM_NUMBERS:
		return put_numbers(to, vector, dim);
	case FORM_PGVECTOR:
		return put_pgvector(to, vector, dim);
	default:
		memcpy(to, vector, dim * sizeof(*vector));
		return dim * sizeof(*vector);
	}
}

bool vectors_encode(struct vector_folder *folder, const char *engine)
{
	size_t queries = folder->queries.count;

	folder->form = form_of(engine);
	folder->room = folder->base.dim * NUMBER_ROOM + 2;
	folder->encoded = malloc(queries * folder->room);
	folder->lengths = calloc(queries, sizeof(*folder->lengths));
	if (!folder->encoded || !folder->lengths)
		return false;
	for (size_t i = 0; i < queries; i++)
		folder->lengths[i] = vector_put(
			folder, vectors_row(&folder->queries, (int64_t)i + 1),
			folder->encoded + i * folder->room);
	return true;
}

static void literal_numbers(const float *vector, size_t dim, struct text *text)
{
	char number[NUMBER_ROOM];

	for (size_t i = 0; i < dim; i++) {
		int length = snprintf(number, sizeof(number), "%s%.9g", i ? "," : "'[",
				      (double)vector[i]);

		text_add(text, number, (size_t)length);
	}
	text_add(text, "]'", 2);
}

/* x'0000803f' */
static void literal_bytes(const float *vector, size_t dim, struct text *text)
{
	static const char DIGITS[] = "0123456789abcdef";
	const unsigned char *bytes = (const unsigned char *)vector;

	text_add(text, "x'", 2);
	for (size_t i = 0; i < dim * sizeof(*vector); i++) {
		const char two[2] = { DIGITS[bytes[i] >> 4], DIGITS[bytes[i] & 15] };

		text_add(text, two, sizeof(two));
	}
	text_add(text, "'", 1);
}

void vector_literal(const struct vector_folder *folder, const float *vector,
		    struct text *text)
{
	if (folder->form == FORM_FLOATS)
		literal_bytes(vector, folder->base.dim, text);
	else
		literal_numbers(vector, folder->base.dim, text);
}
