/*
 * A record is the values of a row, one behind the other: of what type each is, and itself.
 * Here they are written, and come back as the rows of an answer.
 */
#ifndef BENCH_ROCKSDB_RECORDS_H
#define BENCH_ROCKSDB_RECORDS_H

#include "engine.h"

/* Returns where it ends, as all here do. */
char *rx_value_put(char *at, enum value_type type, const struct value *value);
size_t rx_value_room(enum value_type type, const struct value *value);
/* NULL if the value at `at` is cut off. */
const char *rx_value_end(const char *at, const char *end);

/* Whom the rows of an answer go to. */
struct rx_receiver {
	struct outcome *outcome;
	row_fn *each;		/* may be NULL */
	void *to;
};

/* One row of an answer: the key is its first column. */
enum engine_status rx_receive(struct connection *conn, const struct rx_receiver *receiver,
			      enum value_type key_type, const char *key,
			      size_t key_length, const char *record, size_t length);

#endif
