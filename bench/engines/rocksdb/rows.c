/* A row is the value of its primary key, an index entry a key without a value: as MyRocks. */
#include "engine.h"

#include <string.h>

static enum column column_of(const char *name)
{
	static const struct {
		const char *name;
		enum column column;
	} COLUMNS[] = {
		{ "dateandtime", COLUMN_TIME }, { "cashregisterid", COLUMN_REGISTER },
		{ "customerid", COLUMN_CUSTOMER }, { "productid", COLUMN_PRODUCT },
	};

	for (size_t i = 0; i < sizeof(COLUMNS) / sizeof(COLUMNS[0]); i++)
		if (!strcmp(COLUMNS[i].name, name))
			return COLUMNS[i].column;
	return COLUMN_PRICE;
}

void rx_layout(const struct index_def *index, struct layout *layout)
{
	layout->ncolumns = index->ncolumns;
	layout->length = INDEX_BYTES;
	for (unsigned i = 0; i < index->ncolumns; i++) {
		layout->columns[i] = column_of(index->columns[i]);
		if (layout->columns[i] == COLUMN_CUSTOMER)
			layout->customerid = layout->length;
		layout->length += layout->columns[i] == COLUMN_TIME ? 8 : 4;
	}
	layout->length += 8;
}

size_t rx_primary_key(uint32_t index, int64_t pk, char *key)
{
	return (size_t)(key_put_big(key_put_index(key, index), pk) - key);
}

size_t rx_record(const struct row *row, bool real_price, char *value)
{
	float real = (float)row->price;
	const void *price = real_price ? (const void *)&real : &row->price;
	char *at = mempcpy(value, &row->when_us, sizeof(row->when_us));

	at = mempcpy(at, &row->cashregisterid, sizeof(row->cashregisterid));
	at = mempcpy(at, &row->customerid, sizeof(row->customerid));
	at = mempcpy(at, &row->productid, sizeof(row->productid));
	at = mempcpy(at, price, sizeof(row->price));
	at = mempcpy(at, row->data, row->length);
	return (size_t)(at - value);
}

bool rx_row(const char *value, size_t length, bool real_price, struct row *row)
{
	float real;

	if (length < RECORD_HEAD || length > RECORD_MOST)
		return false;
	memcpy(&row->when_us, value, sizeof(row->when_us));
	memcpy(&row->cashregisterid, value + 8, sizeof(row->cashregisterid));
	memcpy(&row->customerid, value + RECORD_CUSTOMERID, sizeof(row->customerid));
	memcpy(&row->productid, value + 16, sizeof(row->productid));
	memcpy(&row->price, value + 20, sizeof(row->price));
	if (real_price) {
		memcpy(&real, value + 20, sizeof(real));
		row->price = (int32_t)real;
	}
	row->length = (uint8_t)(length - RECORD_HEAD);
	memcpy(row->data, value + RECORD_HEAD, row->length);
	return true;
}

static char *put_column(enum column column, bool real_price, const struct row *row,
			char *at)
{
	switch (column) {
	case COLUMN_TIME:
		return key_put_big(at, row->when_us);
	case COLUMN_REGISTER:
		return key_put_int(at, row->cashregisterid);
	case COLUMN_CUSTOMER:
		return key_put_int(at, row->customerid);
	case COLUMN_PRODUCT:
		return key_put_int(at, row->productid);
	case COLUMN_PRICE:
		break;
	}
	return real_price ? key_put_real(at, (float)row->price) :
			    key_put_int(at, row->price);
}

size_t rx_entry(const struct layout *layout, bool real_price, uint32_t index,
		const struct row *row, int64_t pk, char *key)
{
	char *at = key_put_index(key, index);

	for (unsigned i = 0; i < layout->ncolumns; i++)
		at = put_column(layout->columns[i], real_price, row, at);
	return (size_t)(key_put_big(at, pk) - key);
}

void rx_columns(const struct layout *layout, bool real_price, const char *key,
		int64_t columns[KEY_COLUMNS])
{
	const char *at = key + INDEX_BYTES;

	for (unsigned i = 0; i < layout->ncolumns; i++) {
		if (layout->columns[i] == COLUMN_TIME)
			at = key_get_big(at, &columns[i]);
		else if (layout->columns[i] == COLUMN_PRICE && real_price)
			at = key_get_real(at, &columns[i]);
		else
			at = key_get_int(at, &columns[i]);
	}
}
