#include "rows.h"

#include <string.h>

static const char BASE64[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* 3/8 of the bytes are random base64 (half, times 3/4), the letter a comes before. */
static void make_data(struct row *row, struct rng *rng)
{
	unsigned length = DATA_MIN + rng_below(rng, DATA_MAX - DATA_MIN + 1);
	unsigned letters = length - length * 3 / 8;
	uint64_t bits = rng_next(rng);

	memset(row->data, 'a', sizeof(row->data));
	for (unsigned i = letters; i < length; i++, bits >>= 6)
		row->data[i] = BASE64[bits & 63];
	row->length = (uint8_t)length;
}

void rows_make(struct row *rows, size_t nrows, struct rng *rng, int64_t when_us)
{
	for (size_t i = 0; i < nrows; i++) {
		rows[i].when_us = when_us;
		rows[i].cashregisterid = (int32_t)rng_below(rng, CASH_REGISTERS);
		rows[i].customerid = (int32_t)rng_below(rng, CUSTOMERS);
		rows[i].productid = (int32_t)rng_below(rng, PRODUCTS);
		rows[i].price = (int32_t)rng_below(rng, MAX_PRICE);
		make_data(&rows[i], rng);
	}
}
