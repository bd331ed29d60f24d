/*
 * Keys as MyRocks has them: the number of an index, then its columns, so that bytes are in
 * the order of the values. Numbers have their highest byte first, and their sign turned.
 */
#ifndef BENCH_ROCKSDB_KEYS_H
#define BENCH_ROCKSDB_KEYS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define INDEX_BYTES 4	/* of the number of an index */

/* Each returns where what it wrote or read ends. */
static inline char *key_put_index(char *at, uint32_t index)
{
	uint32_t bytes = htobe32(index);

	return mempcpy(at, &bytes, sizeof(bytes));
}

static inline char *key_put_int(char *at, int32_t number)
{
	uint32_t bytes = htobe32((uint32_t)number ^ UINT32_C(0x80000000));

	return mempcpy(at, &bytes, sizeof(bytes));
}

static inline char *key_put_big(char *at, int64_t number)
{
	uint64_t bytes = htobe64((uint64_t)number ^ UINT64_C(0x8000000000000000));

	return mempcpy(at, &bytes, sizeof(bytes));
}

/* A price is not negative: its bits are in the order of its values. */
static inline char *key_put_real(char *at, float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return key_put_int(at, (int32_t)bits);
}

static inline const char *key_get_index(const char *at, uint32_t *index)
{
	memcpy(index, at, sizeof(*index));
	*index = be32toh(*index);
	return at + sizeof(*index);
}

static inline const char *key_get_int(const char *at, int64_t *number)
{
	uint32_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	*number = (int32_t)(be32toh(bytes) ^ UINT32_C(0x80000000));
	return at + sizeof(bytes);
}

static inline const char *key_get_big(const char *at, int64_t *number)
{
	uint64_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	*number = (int64_t)(be64toh(bytes) ^ UINT64_C(0x8000000000000000));
	return at + sizeof(bytes);
}

static inline const char *key_get_real(const char *at, int64_t *number)
{
	int64_t bits;
	int32_t whole;
	float real;

	at = key_get_int(at, &bits);
	whole = (int32_t)bits;
	memcpy(&real, &whole, sizeof(real));
	*number = (int64_t)real;
	return at;
}

#endif
