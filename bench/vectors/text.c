/*
 * Vectors of real text, where nobody has a data set: three lines in a row of a text are a
 * document; its words, weighted by how rare they are (tf-idf) and hashed to WORDS numbers,
 * are reduced to the DIM directions in which the documents differ most: the eigenvectors of
 * the words' covariance about zero, as latent semantic analysis has them (Deerwester et al.,
 * JASIS 41(6), 1990). Their lengths are 1. Every so many documents one is a query and no
 * part of what is searched.
 *
 * USAGE
 *   textvectors FILE DIM ROWS QUERIES OUT
 *
 * Writes OUT/base.fvecs and OUT/queries.fvecs. The same file makes the same vectors.
 */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 1024
#define LINES 3			/* of a document */
#define MOST_WORDS 256		/* of a document; the rest are left out */
#define ROUNDS 30		/* of the search for eigenvectors */
#define FNV_START 0xcbf29ce484222325ull
#define FNV_PRIME 0x100000001b3ull

/* The words of a document that it has, with their weights. */
struct document {
	unsigned count;
	uint16_t word[MOST_WORDS];
	float weight[MOST_WORDS];
};

struct text {
	char *at;
	const char **lines;
	size_t nlines;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "textvectors: %s: %s\n", what, why);
	exit(1);
}

static void *room(size_t count, size_t size)
{
	void *made = calloc(count, size);

	if (!made)
		die("memory", "there is not enough");
	return made;
}

static struct text read_text(const char *path)
{
	FILE *file = fopen(path, "rbe");
	struct text text = { .nlines = 0 };
	size_t size = 0;
	long end;

	if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0)
		die(path, "it cannot be read");
	rewind(file);
	text.at = room((size_t)end + 1, 1);
	size = fread(text.at, 1, (size_t)end, file);
	fclose(file);
	for (size_t i = 0; i < size; i++)
		text.nlines += text.at[i] == '\n';
	text.lines = room(text.nlines + 1, sizeof(*text.lines));
	text.nlines = 0;
	for (char *line = strtok(text.at, "\n"); line; line = strtok(NULL, "\n"))
		text.lines[text.nlines++] = line;
	return text;
}

static bool in_word(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static void add_word(struct document *document, uint64_t hash)
{
	uint16_t word = (uint16_t)((hash ^ hash >> 32) % WORDS);

	for (unsigned i = 0; i < document->count; i++)
		if (document->word[i] == word) {
			document->weight[i]++;
			return;
		}
	if (document->count == MOST_WORDS)
		return;
	document->word[document->count] = word;
	document->weight[document->count++] = 1;
}

/* How often each word is there. A blank line is none of a text: strtok leaves it out. */
static void read_document(const struct text *text, size_t first, struct document *document)
{
	document->count = 0;
	for (size_t i = first; i < first + LINES; i++)
		for (const char *at = text->lines[i]; *at;) {
			uint64_t hash = FNV_START;
			const char *from = at;

			for (; in_word(*at); at++)
				hash = (hash ^ (unsigned char)tolower(*at)) * FNV_PRIME;
			if (at - from > 1)
				add_word(document, hash);
			at += at == from || *at != '\0';
		}
}

/* log(N / n) of each word that n of N documents have. */
static void find_rarity(const struct text *text, size_t documents, float *rarity)
{
	double *have = room(WORDS, sizeof(*have));
	struct document document;

	for (size_t i = 0; i < documents; i++) {
		read_document(text, i, &document);
		for (unsigned j = 0; j < document.count; j++)
			have[document.word[j]]++;
	}
	for (unsigned i = 0; i < WORDS; i++)
		rarity[i] = have[i] > 0 ? (float)log((double)documents / have[i]) : 0;
	free(have);
}

/* Weights of length 1; false where there is nothing to weigh. */
static bool weigh(struct document *document, const float *rarity)
{
	double square = 0;

	for (unsigned i = 0; i < document->count; i++) {
		document->weight[i] = (1 + logf(document->weight[i])) *
				      rarity[document->word[i]];
		square += (double)document->weight[i] * document->weight[i];
	}
	for (unsigned i = 0; square > 0 && i < document->count; i++)
		document->weight[i] /= (float)sqrt(square);
	return square > 0;
}

static double *find_products(const struct text *text, size_t documents, const float *rarity)
{
	double *products = room((size_t)WORDS * WORDS, sizeof(*products));
	struct document document;

	for (size_t i = 0; i < documents; i++) {
		read_document(text, i, &document);
		if (!weigh(&document, rarity))
			continue;
		for (unsigned j = 0; j < document.count; j++)
			for (unsigned k = 0; k < document.count; k++)
				products[(size_t)document.word[j] * WORDS +
					 document.word[k]] +=
					(double)document.weight[j] * document.weight[k];
	}
	return products;
}

/* Gram and Schmidt: each row orthogonal to those before it, and of length 1. */
static void make_orthogonal(double *rows, size_t dim)
{
	for (size_t i = 0; i < dim; i++) {
		double *row = rows + i * WORDS, square = 0;

		for (size_t j = 0; j < i; j++) {
			const double *other = rows + j * WORDS;
			double along = 0;

			for (size_t k = 0; k < WORDS; k++)
				along += row[k] * other[k];
			for (size_t k = 0; k < WORDS; k++)
				row[k] -= along * other[k];
		}
		for (size_t k = 0; k < WORDS; k++)
			square += row[k] * row[k];
		for (size_t k = 0; square > 0 && k < WORDS; k++)
			row[k] /= sqrt(square);
	}
}

/* Subspace iteration: dim rows that span the directions of the largest eigenvalues. */
static double *find_directions(const double *products, size_t dim)
{
	double *rows = room(dim * WORDS, sizeof(*rows));
	double *next = room(dim * WORDS, sizeof(*next)), *swap;
	uint64_t state = FNV_START;

	for (size_t i = 0; i < dim * WORDS; i++) {
		state = (state ^ i) * FNV_PRIME;
		rows[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
	}
	for (int round = 0; round < ROUNDS; round++) {
		make_orthogonal(rows, dim);
		memset(next, 0, dim * WORDS * sizeof(*next));
		for (size_t i = 0; i < dim; i++)
			for (size_t j = 0; j < WORDS; j++)
				for (size_t k = 0; k < WORDS; k++)
					next[i * WORDS + k] += rows[i * WORDS + j] *
							       products[j * WORDS + k];
		swap = rows;
		rows = next;
		next = swap;
	}
	make_orthogonal(rows, dim);
	free(next);
	return rows;
}

/* False where the document lies in none of the directions. */
static bool project(const struct document *document, const double *directions, size_t dim,
		    float *vector)
{
	double square = 0;

	for (size_t i = 0; i < dim; i++) {
		double along = 0;

		for (unsigned j = 0; j < document->count; j++)
			along += directions[i * WORDS + document->word[j]] *
				 (double)document->weight[j];
		vector[i] = (float)along;
		square += along * along;
	}
	for (size_t i = 0; square > 1e-6 && i < dim; i++)
		vector[i] /= (float)sqrt(square);
	return square > 1e-6;
}

static FILE *create(const char *folder, const char *name)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wbe");
	if (!file)
		die(path, "it cannot be written");
	return file;
}

static void write_row(FILE *file, const float *vector, size_t dim)
{
	int32_t head = (int32_t)dim;

	if (fwrite(&head, sizeof(head), 1, file) != 1 ||
	    fwrite(vector, sizeof(*vector), dim, file) != dim)
		die("OUT", "it cannot be written, is the disk full?");
}

static long number(const char *text, const char *what)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (!*text || *end || value < 1)
		die(what, "it is no whole number of 1 or more");
	return value;
}

/* What is asked for, and how far it is. */
struct task {
	const struct text *text;
	size_t dim, rows, queries, documents, written, asked;
	FILE *base, *query;
};

/* The next document behind each of `queries` marks, evenly apart, is a query. */
static bool is_query(const struct task *task, size_t i)
{
	return task->asked < task->queries &&
	       2 * i * task->queries >= (2 * task->asked + 1) * task->documents;
}

static void write_document(struct task *task, size_t i, const float *vector)
{
	if (is_query(task, i)) {
		write_row(task->query, vector, task->dim);
		task->asked++;
	} else if (task->written < task->rows) {
		write_row(task->base, vector, task->dim);
		task->written++;
	}
}

static void write_all(struct task *task, const float *rarity, const double *directions)
{
	float *vector = room(task->dim, sizeof(*vector));
	struct document document;

	for (size_t i = 0; i < task->documents; i++) {
		read_document(task->text, i, &document);
		if (weigh(&document, rarity) &&
		    project(&document, directions, task->dim, vector))
			write_document(task, i, vector);
	}
	free(vector);
}

int main(int argc, char **argv)
{
	float rarity[WORDS];
	struct task task = { .text = NULL };
	struct text text;
	double *products, *directions;

	if (argc != 6) {
		fputs("usage: textvectors FILE DIM ROWS QUERIES OUT\n", stderr);
		return 2;
	}
	text = read_text(argv[1]);
	task.text = &text;
	task.dim = (size_t)number(argv[2], "DIM");
	task.rows = (size_t)number(argv[3], "ROWS");
	task.queries = (size_t)number(argv[4], "QUERIES");
	task.documents = text.nlines < LINES ? 0 : text.nlines - LINES + 1;
	if (task.dim > WORDS)
		die(argv[2], "there are no so many directions");
	find_rarity(&text, task.documents, rarity);
	products = find_products(&text, task.documents, rarity);
	directions = find_directions(products, task.dim);
	task.base = create(argv[5], "base.fvecs");
	task.query = create(argv[5], "queries.fvecs");
	write_all(&task, rarity, directions);
	if (fclose(task.base) || fclose(task.query))
		die("OUT", "it cannot be written, is the disk full?");
	if (task.written < task.rows || task.asked < task.queries)
		die(argv[1], "it has too few lines for so many rows and queries");
	free(directions);
	free(products);
	free(text.lines);
	free(text.at);
	return 0;
}
