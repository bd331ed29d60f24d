/* Tables and indexes of the insert benchmark, and what is done to the whole of them. */
#include "common/clock.h"
#include "engine.h"

#include <stdio.h>
#include <string.h>

#define BATCH_ROWS 1000			/* of an index that is made */
#define LOOK_NS (10 * 1000 * 1000ull)
#define QUIET_LOOKS 100			/* with nobody at work: no more will come */

static void index_name(const struct connection *conn, unsigned i, char *name, size_t size)
{
	if (i)
		snprintf(name, size, "pi%u_%s", conn->table,
			 conn->db->indexes[i - 1].name);
	else
		snprintf(name, size, "pi%u", conn->table);
}

/* What an index is, in a word: another --price or --index-set made another. */
static const char *definition_of(const struct connection *conn, unsigned i, char *text,
				 size_t size)
{
	const char *price = conn->db->real_price ? "real" : "int";
	char columns[NAME_MOST];

	if (i)
		snprintf(text, size, "%s price %s",
			 schema_columns(&conn->db->indexes[i - 1], columns,
					sizeof(columns)), price);
	else
		snprintf(text, size, "price %s", price);
	return text;
}

static void use_index(struct connection *conn, unsigned i, uint32_t number)
{
	conn->index[i] = number;
	if (conn->within[i])
		rocks.readoptions_destroy(conn->within[i]);
	conn->within[i] = rx_read_within(conn->db, number, conn->bounds[i]);
}

/* Secondary indexes of another definition are not used, and so not kept up to date. */
enum engine_status rx_find_indexes(struct connection *conn)
{
	char name[NAME_MOST], definition[NAME_MOST], wanted[NAME_MOST];
	enum engine_status status = ENGINE_OK;

	for (unsigned i = 0; status == ENGINE_OK && i < INDEXES; i++) {
		uint32_t number;

		index_name(conn, i, name, sizeof(name));
		status = rx_name_find(conn, name, &number, definition,
				      sizeof(definition));
		if (status == ENGINE_OK && number &&
		    (!i || !strcmp(definition, definition_of(conn, i, wanted,
							     sizeof(wanted)))))
			use_index(conn, i, number);
	}
	return status;
}

static enum engine_status add_index(struct connection *conn, unsigned i)
{
	char name[NAME_MOST], definition[NAME_MOST];
	uint32_t number;
	enum engine_status status;

	index_name(conn, i, name, sizeof(name));
	definition_of(conn, i, definition, sizeof(definition));
	status = rx_name_add(conn, name, definition, &number);
	if (status == ENGINE_OK)
		use_index(conn, i, number);
	return status;
}

enum engine_status rx_create_table(struct connection *conn)
{
	atomic_store(&conn->db->next[conn->table], 1);
	return add_index(conn, 0);
}

/* The entry of one row; a full batch is written. */
static enum engine_status add_entry(struct connection *conn, rocks_iterator iterator,
				    unsigned i, uint64_t rows)
{
	const struct database *db = conn->db;
	size_t key_length, length;
	const char *key = rocks.iter_key(iterator, &key_length);
	const char *value = rocks.iter_value(iterator, &length);
	char entry[ENTRY_MOST];
	struct row row;
	int64_t pk;
	enum engine_status status;

	if (key_length != INDEX_BYTES + sizeof(pk) ||
	    !rx_row(value, length, db->real_price, &row))
		return rx_fail(conn, "a row of pi%u is not as ingest writes rows",
			       conn->table);
	key_get_big(key + INDEX_BYTES, &pk);
	length = rx_entry(&db->layouts[i], db->real_price, conn->index[i + 1], &row, pk,
			  entry);
	rocks.writebatch_put(conn->batch, entry, length, "", 0);
	if (rows % BATCH_ROWS)
		return ENGINE_OK;
	status = rx_write(conn);
	rocks.writebatch_clear(conn->batch);
	return status == ENGINE_OK ? rx_go_on(conn) : status;
}

/* At the first row of the table. */
static rocks_iterator first_row(struct connection *conn)
{
	char first[INDEX_BYTES];
	rocks_iterator iterator =
		rocks.create_iterator(conn->db->handle, conn->within[0]);

	key_put_index(first, conn->index[0]);
	rocks.iter_seek(iterator, first, sizeof(first));
	return iterator;
}

/* Its entries are written as those of inserts are, in the order of the rows. */
enum engine_status rx_create_indexes(struct connection *conn, unsigned first,
				     unsigned *made)
{
	enum engine_status status = add_index(conn, first + 1), ended;
	rocks_iterator iterator;
	uint64_t rows = 0;

	*made = 1;
	if (status != ENGINE_OK)
		return status;
	rocks.writebatch_clear(conn->batch);
	for (iterator = first_row(conn);
	     status == ENGINE_OK && rocks.iter_valid(iterator); rocks.iter_next(iterator))
		status = add_entry(conn, iterator, first, ++rows);
	ended = rx_end(conn, iterator);
	if (status == ENGINE_OK)
		status = ended;
	return status == ENGINE_OK ? rx_write(conn) : status;
}

static enum engine_status no_table(struct connection *conn)
{
	return rx_fail(conn, "there is no table pi%u", conn->table);
}

static enum engine_status check_price(struct connection *conn)
{
	char name[NAME_MOST], definition[NAME_MOST], wanted[NAME_MOST];
	uint32_t number;
	enum engine_status status;

	index_name(conn, 0, name, sizeof(name));
	status = rx_name_find(conn, name, &number, definition,
				      sizeof(definition));
	definition_of(conn, 0, wanted, sizeof(wanted));
	if (status != ENGINE_OK || !strcmp(definition, wanted))
		return status;
	return rx_fail(conn, "its column price is not %s, as --price asks",
		       conn->db->real_price ? "real" : "int");
}

static void take_pk(rocks_iterator iterator, int64_t *pk)
{
	size_t length;
	const char *key = rocks.iter_key(iterator, &length);

	if (length == INDEX_BYTES + sizeof(*pk))
		key_get_big(key + INDEX_BYTES, pk);
}

enum engine_status rx_state(struct connection *conn, struct table_state *state)
{
	enum engine_status status;
	rocks_iterator iterator;

	*state = (struct table_state){ .max_pk = -1 };
	if (!conn->index[0])
		return no_table(conn);
	status = check_price(conn);
	if (status != ENGINE_OK)
		return status;
	for (iterator = first_row(conn);
	     status == ENGINE_OK && rocks.iter_valid(iterator); rocks.iter_next(iterator)) {
		take_pk(iterator, &state->max_pk);
		if (!state->rows++)
			state->min_pk = state->max_pk;
		status = rx_go_on(conn);
	}
	for (unsigned i = 1; i < INDEXES; i++)
		state->indexes += conn->index[i] != 0;
	if (status == ENGINE_OK)
		return rx_end(conn, iterator);
	rocks.iter_destroy(iterator);
	return status;
}

enum engine_status rx_end_pk(struct connection *conn, bool newest, int64_t *pk)
{
	rocks_iterator iterator;

	*pk = newest ? -1 : 0;
	if (!conn->index[0])
		return no_table(conn);
	if (!newest) {
		iterator = first_row(conn);
		if (rocks.iter_valid(iterator))
			take_pk(iterator, pk);
		return rx_end(conn, iterator);
	}
	iterator = rocks.create_iterator(conn->db->handle, conn->read);
	if (rx_seek_last(iterator, conn->index[0]))
		take_pk(iterator, pk);
	return rx_end(conn, iterator);
}

/* Is the customerid below 0? It is in the entries of every index, and nowhere. */
static bool is_wanted(const struct connection *conn, rocks_iterator iterator, unsigned i)
{
	size_t length;
	const char *text;
	int64_t customerid = 0;
	int32_t stored;

	if (i) {
		text = rocks.iter_key(iterator, &length);
		if (length == conn->db->layouts[i - 1].length)
			key_get_int(text + conn->db->layouts[i - 1].customerid, &customerid);
		return customerid < 0;
	}
	text = rocks.iter_value(iterator, &length);
	if (length < RECORD_HEAD)
		return false;
	memcpy(&stored, text + RECORD_CUSTOMERID, sizeof(stored));
	return stored < 0;
}

enum engine_status rx_scan(struct connection *conn, unsigned number, uint64_t *returned)
{
	unsigned i = number == SCANS - 1 ? 0 : number;
	char first[INDEX_BYTES];
	enum engine_status status = ENGINE_OK, ended;
	rocks_iterator iterator;

	*returned = 0;
	if (!conn->index[i])
		return no_table(conn);
	iterator = rocks.create_iterator(conn->db->handle, conn->within[i]);
	key_put_index(first, conn->index[i]);
	for (rocks.iter_seek(iterator, first, sizeof(first));
	     status == ENGINE_OK && rocks.iter_valid(iterator);
	     rocks.iter_next(iterator)) {
		*returned += is_wanted(conn, iterator, i);
		status = rx_go_on(conn);
	}
	ended = rx_end(conn, iterator);
	return status == ENGINE_OK ? ended : status;
}

static enum engine_status flush(struct connection *conn)
{
	rocks_flush options = rocks.flushoptions_create();
	char *error = NULL;

	rocks.flushoptions_set_wait(options, 1);
	rocks.flush(conn->db->handle, options, &error);
	rocks.flushoptions_destroy(options);
	return rx_check(conn, error);
}

/*
 * Memory is flushed, and compactions are waited for as long as one runs or is wanted. One
 * that is wanted and does not begin is one that the settings forbid.
 */
enum engine_status rx_cleanup(struct connection *conn, uint64_t *bytes)
{
	const struct database *db = conn->db;
	uint64_t memory = rx_property(db, "rocksdb.cur-size-all-mem-tables");
	enum engine_status status = flush(conn);
	unsigned quiet = 0;

	while (status == ENGINE_OK && quiet < QUIET_LOOKS) {
		if (rx_property(db, "rocksdb.num-running-flushes") ||
		    rx_property(db, "rocksdb.num-running-compactions"))
			quiet = 0;
		else if (rx_property(db, "rocksdb.mem-table-flush-pending") ||
			 rx_property(db, "rocksdb.compaction-pending"))
			quiet++;
		else
			break;
		clock_sleep_until_ns(clock_mono_ns() + LOOK_NS);
		status = rx_go_on(conn);
	}
	*bytes = status == ENGINE_OK ? memory : 0;
	return status;
}
