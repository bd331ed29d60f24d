/* The timed statements of the insert benchmark, each one write or one read transaction. */
#include "engine.h"

#include <stdio.h>
#include <string.h>

/* All entries of a row, put or deleted. */
static void batch_entries(struct connection *conn, const struct row *row, int64_t pk,
			  bool put)
{
	const struct database *db = conn->db;
	char key[ENTRY_MOST];

	for (unsigned i = 0; i < SECONDARY_INDEXES; i++) {
		size_t length;

		if (!conn->index[i + 1])
			continue;
		length = rx_entry(&db->layouts[i], db->real_price, conn->index[i + 1], row,
				  pk, key);
		if (put)
			rocks.writebatch_put(conn->batch, key, length, "", 0);
		else
			rocks.writebatch_delete(conn->batch, key, length);
	}
}

enum engine_status rx_insert(struct connection *conn, const struct row *rows,
			     size_t nrows, int64_t *last_pk)
{
	struct database *db = conn->db;
	int64_t first = atomic_fetch_add(&db->next[conn->table], (int64_t)nrows);
	char key[ENTRY_MOST], value[RECORD_MOST];

	rocks.writebatch_clear(conn->batch);
	for (size_t i = 0; i < nrows; i++) {
		int64_t pk = first + (int64_t)i;
		size_t key_length = rx_primary_key(conn->index[0], pk, key);
		size_t length = rx_record(&rows[i], db->real_price, value);

		rocks.writebatch_put(conn->batch, key, key_length, value, length);
		batch_entries(conn, &rows[i], pk, true);
	}
	*last_pk = first + (int64_t)nrows - 1;
	return rx_write(conn);
}

static enum engine_status damaged(struct connection *conn)
{
	return rx_fail(conn, "a row of pi%u is not as ingest writes rows", conn->table);
}

/* The row at the iterator, if it is before the end; its entries go with it. */
static enum engine_status batch_delete(struct connection *conn, rocks_iterator iterator,
				       int64_t end, uint64_t *deleted)
{
	struct row row;
	size_t length, value_length;
	const char *key = rocks.iter_key(iterator, &length), *value;
	int64_t pk;

	if (length != INDEX_BYTES + sizeof(pk))
		return damaged(conn);
	key_get_big(key + INDEX_BYTES, &pk);
	if (pk >= end)
		return ENGINE_OK;
	value = rocks.iter_value(iterator, &value_length);
	if (!rx_row(value, value_length, conn->db->real_price, &row))
		return damaged(conn);
	rocks.writebatch_delete(conn->batch, key, length);
	batch_entries(conn, &row, pk, false);
	++*deleted;
	return ENGINE_OK;
}

/* Rows are read first: only they tell what their index entries are. */
enum engine_status rx_delete(struct connection *conn, int64_t first, size_t nrows,
			     uint64_t *deleted)
{
	char key[ENTRY_MOST];
	rocks_iterator iterator =
		rocks.create_iterator(conn->db->handle, conn->within[0]);
	enum engine_status status = ENGINE_OK, ended;
	size_t length = rx_primary_key(conn->index[0], first, key);

	*deleted = 0;
	rocks.writebatch_clear(conn->batch);
	rocks.iter_seek(iterator, key, length);
	for (size_t i = 0; i < nrows && status == ENGINE_OK && rocks.iter_valid(iterator);
	     i++) {
		status = batch_delete(conn, iterator, first + (int64_t)nrows, deleted);
		rocks.iter_next(iterator);
	}
	ended = rx_end(conn, iterator);
	if (status == ENGINE_OK)
		status = ended;
	return status == ENGINE_OK && *deleted ? rx_write(conn) : status;
}

enum engine_status rx_range(struct connection *conn, unsigned i, int64_t from,
			    struct answer *answer)
{
	const struct database *db = conn->db;
	const struct layout *layout = &db->layouts[i];
	int32_t least = (int32_t)from + (db->indexes[i].compare[1] == '\0');
	char key[ENTRY_MOST], *at = key_put_index(key, conn->index[i + 1]);
	rocks_iterator iterator =
		rocks.create_iterator(db->handle, conn->within[i + 1]);

	if (layout->columns[0] == COLUMN_PRICE && db->real_price)
		at = key_put_real(at, (float)least);
	else
		at = key_put_int(at, least);
	rocks.iter_seek(iterator, key, (size_t)(at - key));
	for (answer->rows = 0;
	     answer->rows < ROWS_PER_QUERY && rocks.iter_valid(iterator);
	     rocks.iter_next(iterator)) {
		size_t length;
		const char *entry = rocks.iter_key(iterator, &length);

		if (length != layout->length) {
			rx_end(conn, iterator);
			return damaged(conn);
		}
		rx_columns(layout, db->real_price, entry, answer->key[answer->rows++]);
	}
	return rx_end(conn, iterator);
}

static bool was_asked(const int64_t *ids, unsigned i)
{
	for (unsigned j = 0; j < i; j++)
		if (ids[j] == ids[i])
			return true;
	return false;
}

/* An IN list: each of its keys is looked up once. */
enum engine_status rx_point(struct connection *conn, const int64_t *ids,
			    struct answer *answer)
{
	const struct database *db = conn->db;

	answer->rows = 0;
	for (unsigned i = 0; i < ROWS_PER_QUERY; i++) {
		char key[ENTRY_MOST], *error = NULL, *value;
		size_t key_length = rx_primary_key(conn->index[0], ids[i], key), length;
		struct row row;

		if (was_asked(ids, i))
			continue;
		value = rocks.get(db->handle, conn->read, key, key_length, &length, &error);
		if (error)
			return rx_check(conn, error);
		if (!value)
			continue;
		if (!rx_row(value, length, db->real_price, &row)) {
			rocks.free(value);
			return damaged(conn);
		}
		rocks.free(value);
		answer->key[answer->rows][0] = ids[i];
		answer->key[answer->rows][1] = row.productid;
		answer->key[answer->rows++][2] = row.length;
	}
	return ENGINE_OK;
}
