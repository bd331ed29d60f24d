/* Whole numbers as text, for statements that are not prepared: cheaper than printf. */
#ifndef BENCH_DIGITS_H
#define BENCH_DIGITS_H

#include <stdint.h>
#include <string.h>

#define DIGITS_MOST 20		/* characters of a number, with its sign; no NUL is added */

/* Returns where the number ends. */
static inline char *digits_put(char *to, int64_t number)
{
	char digits[DIGITS_MOST], *first = digits + sizeof(digits);
	uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do
		*--first = (char)('0' + left % 10);
	while (left /= 10);
	if (number < 0)
		*--first = '-';
	return mempcpy(to, first, (size_t)(digits + sizeof(digits) - first));
}

#endif
