#include "answer.h"

/*
 * With so many matching rows expected, fewer than ROWS_PER_QUERY of them by chance is
 * out of the question: the values are uniform and independent.
 */
#define PLENTY 100

static int compare(const int64_t *a, const int64_t *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

const char *answer_check_range(const struct answer *answer,
			       const struct index_def *index, int64_t from,
			       uint64_t rows)
{
	int64_t least = from + (index->compare[1] == '\0');
	uint64_t values = (uint64_t)((int64_t)index->values - least);

	for (unsigned i = 0; i < answer->rows; i++) {
		if (answer->key[i][0] < least)
			return "a row is outside the range";
		if (i && compare(answer->key[i - 1], answer->key[i],
				 index->ncolumns) > 0)
			return "the rows are not in the order of the index";
	}
	if (answer->rows < ROWS_PER_QUERY && rows * values / index->values > PLENTY)
		return "there are fewer rows than the limit";
	return NULL;
}

const char *answer_check_point(const struct answer *answer, const int64_t *ids,
			       int64_t oldest)
{
	unsigned found = 0;

	for (unsigned i = 0; i < answer->rows; i++) {
		unsigned same = 0;

		for (unsigned j = 0; j < ROWS_PER_QUERY; j++)
			same |= (unsigned)(ids[j] == answer->key[i][0]) << j;
		if (!same)
			return "a row was not asked for";
		if (found & same)
			return "a row came twice";
		found |= same;
	}
	for (unsigned j = 0; j < ROWS_PER_QUERY; j++)
		if (!(found >> j & 1) && ids[j] >= oldest)
			return "a row is missing";
	return NULL;
}
