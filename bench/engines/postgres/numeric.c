/* NUMERIC as the protocol has it: digits to the base 10000. */
#include "engine.h"
#include "engines/outcome.h"

#include <endian.h>
#include <math.h>

#define BASE 10000
#define NEGATIVE 0x4000
#define SPECIAL 0x8000		/* a bit of NaN and of both infinities */
#define HEAD 4			/* digits, weight of the first, sign, decimals */
#define MOST_WEIGHT 3		/* 10000^4 - 1 surely fits into 64 bits */

static uint16_t word_at(const char *bytes, unsigned number)
{
	uint16_t word;

	memcpy(&word, bytes + number * sizeof(word), sizeof(word));
	return be16toh(word);
}

static int64_t whole(const char *bytes, unsigned digits, int weight)
{
	int64_t number = 0;

	/* Zeros at the end are not sent. */
	for (int i = 0; i <= weight; i++)
		number = number * BASE +
			 ((unsigned)i < digits ? word_at(bytes, HEAD + (unsigned)i) : 0);
	return number;
}

/* Divided once, so that 12.34 is what it is in C. */
static double real(const char *bytes, unsigned digits, int weight)
{
	int below = (int)digits - 1 - weight;
	double number = 0;

	for (unsigned i = 0; i < digits; i++)
		number = number * BASE + word_at(bytes, HEAD + i);
	return below > 0 ? number / pow(BASE, below) : number * pow(BASE, -below);
}

void postgres_numeric(const char *bytes, size_t length, struct field *field)
{
	unsigned digits = word_at(bytes, 0), sign = word_at(bytes, 2);
	int weight = (int16_t)word_at(bytes, 1);

	if (sign & SPECIAL || length < (HEAD + digits) * sizeof(uint16_t))
		field_real(field, NAN);
	else if (!word_at(bytes, 3) && weight <= MOST_WEIGHT)
		field_number(field, (sign == NEGATIVE ? -1 : 1) *
				    whole(bytes, digits, weight));
	else
		field_real(field, (sign == NEGATIVE ? -1 : 1) *
				  real(bytes, digits, weight));
}
