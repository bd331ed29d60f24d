/* Statements of keys and values: prepared once and executed often, or run once. */
#include "engine.h"
#include "engines/outcome.h"
#include "records.h"
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define KEY_MOST 1024		/* of a text; the driver's are shorter */

/* Of MULTIGET: room for its keys and for what comes of them. */
struct lookup {
	char **keys, **values, **errors;
	size_t *key_lengths, *lengths;
};

struct statement {
	struct connection *conn;
	struct words words;
	uint32_t index;		/* of the table; 0: there is none */
	rocks_read within;
	char bound[INDEX_BYTES];
	struct lookup lookup;
};

static bool make_room(struct connection *conn, size_t size)
{
	char *more;

	if (size <= conn->record_size)
		return true;
	more = realloc(conn->record, 2 * size);
	if (!more)
		return false;
	conn->record = more;
	conn->record_size = 2 * size;
	return true;
}

static enum engine_status no_memory(struct connection *conn)
{
	return rx_fail(conn, "there is no memory for a statement");
}

/* The value of an argument: in the text, or what is bound to its placeholder. */
struct bound {
	const struct argument *argument;
	const struct value *values;	/* of the placeholders not passed yet */
};

static const struct value *next_value(struct bound *bound)
{
	const struct argument *argument = bound->argument++;

	return argument->placeholder ? bound->values++ : &argument->value;
}

/* The next argument is the key. */
static size_t put_key(const struct statement *statement, struct bound *bound, char *key)
{
	enum value_type type = bound->argument->type;
	const struct value *value = next_value(bound);
	char *at = key_put_index(key, statement->index);

	if (type == VALUE_TEXT)
		at = mempcpy(at, value->text,
			     value->length < KEY_MOST ? value->length : KEY_MOST);
	else
		at = key_put_big(at, value->number);
	return (size_t)(at - key);
}

/* One row: its key, and the others as its record. */
static enum engine_status batch_row(struct statement *statement, struct bound *bound)
{
	struct connection *conn = statement->conn;
	char key[INDEX_BYTES + KEY_MOST], *at;
	size_t key_length = put_key(statement, bound, key), room = 0;
	struct bound ahead = *bound;

	for (unsigned i = 1; i < statement->words.columns; i++) {
		enum value_type type = ahead.argument->type;

		room += rx_value_room(type, next_value(&ahead));
	}
	if (!make_room(conn, room + 1))
		return no_memory(conn);
	at = conn->record;
	for (unsigned i = 1; i < statement->words.columns; i++) {
		enum value_type type = bound->argument->type;

		at = rx_value_put(at, type, next_value(bound));
	}
	rocks.writebatch_put(conn->batch, key, key_length, conn->record,
			     (size_t)(at - conn->record));
	return ENGINE_OK;
}

static enum engine_status put(struct statement *statement, const struct value *values,
			      struct outcome *outcome)
{
	struct bound bound = { statement->words.arguments, values };
	unsigned rows = statement->words.narguments / statement->words.columns;
	enum engine_status status = ENGINE_OK;

	rocks.writebatch_clear(statement->conn->batch);
	for (unsigned i = 0; status == ENGINE_OK && i < rows; i++)
		status = batch_row(statement, &bound);
	if (status == ENGINE_OK)
		status = rx_write(statement->conn);
	outcome->affected = status == ENGINE_OK ? rows : 0;
	return status;
}

/* What is there is not looked at: it counts as one row, also if it is none. */
static enum engine_status delete(struct statement *statement, const struct value *values,
				 struct outcome *outcome)
{
	struct bound bound = { statement->words.arguments, values };
	char key[INDEX_BYTES + KEY_MOST];
	size_t length = put_key(statement, &bound, key);
	enum engine_status status;

	rocks.writebatch_clear(statement->conn->batch);
	rocks.writebatch_delete(statement->conn->batch, key, length);
	status = rx_write(statement->conn);
	outcome->affected = status == ENGINE_OK;
	return status;
}

static enum engine_status get(struct statement *statement, const struct value *values,
			      const struct rx_receiver *receiver)
{
	struct connection *conn = statement->conn;
	struct bound bound = { statement->words.arguments, values };
	enum value_type type = bound.argument->type;
	char key[INDEX_BYTES + KEY_MOST], *error = NULL, *record;
	size_t key_length = put_key(statement, &bound, key);
	enum engine_status status = ENGINE_OK;
	size_t length;

	record = rocks.get(conn->db->handle, conn->read, key, key_length, &length, &error);
	if (error)
		return rx_check(conn, error);
	if (record)
		status = rx_receive(conn, receiver, type, key, key_length, record, length);
	rocks.free(record);
	return status;
}

static enum engine_status multi_get(struct statement *statement,
				    const struct value *values,
				    const struct rx_receiver *receiver)
{
	struct connection *conn = statement->conn;
	struct lookup *lookup = &statement->lookup;
	struct bound bound = { statement->words.arguments, values };
	unsigned keys = statement->words.narguments;
	enum engine_status status = ENGINE_OK;

	for (unsigned i = 0; i < keys; i++)
		lookup->key_lengths[i] = put_key(statement, &bound, lookup->keys[i]);
	rocks.multi_get(conn->db->handle, conn->read, keys,
			(const char *const *)lookup->keys, lookup->key_lengths,
			lookup->values, lookup->lengths, lookup->errors);
	for (unsigned i = 0; i < keys; i++) {
		if (lookup->errors[i])
			status = rx_check(conn, lookup->errors[i]);
		else if (lookup->values[i] && status == ENGINE_OK)
			status = rx_receive(conn, receiver,
					    statement->words.arguments[i].type,
					    lookup->keys[i], lookup->key_lengths[i],
					    lookup->values[i], lookup->lengths[i]);
		rocks.free(lookup->values[i]);
	}
	return status;
}

/* Backwards there is no bound of an index: rx_is_of ends it. */
static rocks_iterator seek(struct statement *statement, const char *key, size_t length)
{
	struct connection *conn = statement->conn;
	bool reverse = statement->words.reverse;
	rocks_iterator iterator = rocks.create_iterator(
		conn->db->handle, reverse ? conn->read : statement->within);
	size_t found_length;
	const char *found;

	rocks.iter_seek(iterator, key, length);
	if (!reverse)
		return iterator;
	if (!rocks.iter_valid(iterator)) {
		rocks.iter_seek_to_last(iterator);
		return iterator;
	}
	found = rocks.iter_key(iterator, &found_length);
	if (found_length != length || memcmp(found, key, length))
		rocks.iter_prev(iterator);
	return iterator;
}

static enum engine_status scan(struct statement *statement, const struct value *values,
			       const struct rx_receiver *receiver)
{
	struct connection *conn = statement->conn;
	struct bound bound = { statement->words.arguments, values };
	enum value_type type = bound.argument->type;
	char first[INDEX_BYTES + KEY_MOST];
	size_t length = put_key(statement, &bound, first);
	int64_t limit = statement->words.limited ? next_value(&bound)->number : INT64_MAX;
	rocks_iterator iterator = seek(statement, first, length);
	enum engine_status status = ENGINE_OK, ended;

	for (; limit > 0 && status == ENGINE_OK && rx_is_of(iterator, statement->index);
	     limit--) {
		size_t key_length, record_length;
		const char *key = rocks.iter_key(iterator, &key_length);
		const char *record = rocks.iter_value(iterator, &record_length);

		status = rx_receive(conn, receiver, type, key, key_length, record,
				    record_length);
		if (status == ENGINE_OK)
			status = rx_go_on(conn);
		if (statement->words.reverse)
			rocks.iter_prev(iterator);
		else
			rocks.iter_next(iterator);
	}
	ended = rx_end(conn, iterator);
	return status == ENGINE_OK ? ended : status;
}

static enum engine_status count(struct statement *statement, struct outcome *outcome)
{
	struct connection *conn = statement->conn;
	enum engine_status status = ENGINE_OK, ended;
	rocks_iterator iterator =
		rocks.create_iterator(conn->db->handle, statement->within);
	char first[INDEX_BYTES];
	int64_t rows = 0;

	key_put_index(first, statement->index);
	for (rocks.iter_seek(iterator, first, sizeof(first));
	     status == ENGINE_OK && rocks.iter_valid(iterator); rocks.iter_next(iterator)) {
		rows++;
		status = rx_go_on(conn);
	}
	ended = rx_end(conn, iterator);
	outcome->rows = 1;
	outcome->fields = outcome_fields(outcome, 1);
	if (outcome->fields)
		field_number(&outcome->field[0], rows);
	return status == ENGINE_OK ? ended : status;
}

/* The record with another value in place of its number `which`, 1 the first. */
static enum engine_status batch_changed(struct statement *statement, const char *key,
					size_t key_length, const char *record,
					size_t length, int64_t which,
					const struct value *value)
{
	struct connection *conn = statement->conn;
	enum value_type type = statement->words.arguments[2].type;
	const char *end = record + length, *at = record, *after = record;
	char *to;

	for (int64_t i = 0; after && i < which; i++) {
		at = after;
		after = rx_value_end(at, end);
	}
	if (!after || which < 1)
		return rx_fail(conn, "a record has no value number %" PRId64, which);
	if (!make_room(conn, length + rx_value_room(type, value)))
		return no_memory(conn);
	to = mempcpy(conn->record, record, (size_t)(at - record));
	to = rx_value_put(to, type, value);
	to = mempcpy(to, after, (size_t)(end - after));
	rocks.writebatch_clear(conn->batch);
	rocks.writebatch_put(conn->batch, key, key_length, conn->record,
			     (size_t)(to - conn->record));
	return ENGINE_OK;
}

/* Read, then written: of two clients at one record the later one wins, as in YCSB's own. */
static enum engine_status update(struct statement *statement, const struct value *values,
				 struct outcome *outcome)
{
	struct connection *conn = statement->conn;
	struct bound bound = { statement->words.arguments, values };
	char key[INDEX_BYTES + KEY_MOST], *error = NULL, *record;
	size_t key_length = put_key(statement, &bound, key);
	int64_t which = next_value(&bound)->number;
	const struct value *value = next_value(&bound);
	enum engine_status status;
	size_t length;

	record = rocks.get(conn->db->handle, conn->read, key, key_length, &length, &error);
	if (error || !record)
		return rx_check(conn, error);
	status = batch_changed(statement, key, key_length, record, length, which, value);
	rocks.free(record);
	if (status == ENGINE_OK)
		status = rx_write(conn);
	outcome->affected = status == ENGINE_OK;
	return status;
}

static enum engine_status create(struct statement *statement)
{
	struct connection *conn = statement->conn;
	const char *table = statement->words.table;

	if (statement->index)
		return rx_fail(conn, "there is a table %s already", table);
	return rx_name_add(conn, table, "keys and values", &statement->index);
}

/* A load makes the database anew, so that none is ever there. */
static enum engine_status drop(struct statement *statement)
{
	if (!statement->index)
		return ENGINE_OK;
	return rx_fail(statement->conn, "the table %s can be dropped with its database alone",
		       statement->words.table);
}

static enum engine_status perform(struct statement *statement, const struct value *values,
				  const struct rx_receiver *receiver)
{
	struct outcome *outcome = receiver->outcome;

	outcome_clear(outcome);
	switch (statement->words.verb) {
	case VERB_CREATE:
		return create(statement);
	case VERB_DROP:
		return drop(statement);
	case VERB_COUNT:
		return count(statement, outcome);
	case VERB_ROLLBACK:
		return ENGINE_OK;
	case VERB_PUT:
		return put(statement, values, outcome);
	case VERB_GET:
		return get(statement, values, receiver);
	case VERB_MULTIGET:
		return multi_get(statement, values, receiver);
	case VERB_SCAN:
		return scan(statement, values, receiver);
	case VERB_UPDATE:
		return update(statement, values, outcome);
	case VERB_DELETE:
		return delete(statement, values, outcome);
	}
	return ENGINE_FAILED;
}

static bool make_lookup(struct statement *statement)
{
	struct lookup *lookup = &statement->lookup;
	size_t keys = statement->words.narguments;

	lookup->keys = calloc(keys, sizeof(*lookup->keys));
	lookup->values = calloc(keys, sizeof(*lookup->values));
	lookup->errors = calloc(keys, sizeof(*lookup->errors));
	lookup->lengths = calloc(keys, sizeof(*lookup->lengths));
	lookup->key_lengths = calloc(keys, sizeof(*lookup->key_lengths));
	if (!lookup->keys || !lookup->values || !lookup->errors || !lookup->lengths ||
	    !lookup->key_lengths)
		return false;
	for (size_t i = 0; i < keys; i++) {
		bool text = statement->words.arguments[i].type == VALUE_TEXT;

		lookup->keys[i] = malloc(INDEX_BYTES + (text ? KEY_MOST : sizeof(int64_t)));
		if (!lookup->keys[i])
			return false;
	}
	return true;
}

/* What a placeholder is bound to has the type that it is prepared with. */
static bool take_types(struct statement *statement, const enum value_type *types,
		       unsigned ntypes)
{
	struct words *words = &statement->words;
	bool all_keys = words->verb == VERB_MULTIGET;

	if (words->nplaceholders != ntypes) {
		rx_fail(statement->conn, "%u values are given for %u placeholders", ntypes,
			words->nplaceholders);
		return false;
	}
	for (unsigned i = 0; i < words->narguments; i++) {
		struct argument *argument = &words->arguments[i];

		if (argument->placeholder)
			argument->type = *types++;
		if (argument->type == VALUE_REAL &&
		    (all_keys || !i || (words->columns && i % words->columns == 0))) {
			rx_fail(statement->conn, "a key is a whole number or a text");
			return false;
		}
	}
	return true;
}

/* The table is there, unless the statement is about whether it is. */
static bool find_table(struct statement *statement)
{
	struct connection *conn = statement->conn;
	const struct words *words = &statement->words;

	if (words->verb == VERB_ROLLBACK)
		return true;
	if (rx_name_find(conn, words->table, &statement->index, NULL, 0) != ENGINE_OK)
		return false;
	if (!statement->index && words->verb != VERB_CREATE && words->verb != VERB_DROP) {
		rx_fail(conn, "there is no table %s", words->table);
		return false;
	}
	if (words->verb == VERB_SCAN || words->verb == VERB_COUNT)
		statement->within = rx_read_within(conn->db, statement->index,
						   statement->bound);
	return true;
}

struct statement *rx_prepare_any(struct connection *conn, const char *text,
				 const enum value_type *types, unsigned ntypes)
{
	struct statement *made = calloc(1, sizeof(*made));

	if (!made) {
		no_memory(conn);
		return NULL;
	}
	made->conn = conn;
	if (words_read(&made->words, text, conn->message, sizeof(conn->message)) &&
	    take_types(made, types, ntypes) && find_table(made)) {
		if (made->words.verb != VERB_MULTIGET || make_lookup(made))
			return made;
		no_memory(conn);
	}
	rx_forget(made);
	return NULL;
}

void rx_forget(struct statement *statement)
{
	struct lookup *lookup = &statement->lookup;

	for (unsigned i = 0; lookup->keys && i < statement->words.narguments; i++)
		free(lookup->keys[i]);
	free(lookup->keys);
	free(lookup->values);
	free(lookup->errors);
	free(lookup->lengths);
	free(lookup->key_lengths);
	if (statement->within)
		rocks.readoptions_destroy(statement->within);
	words_free(&statement->words);
	free(statement);
}

enum engine_status rx_execute_any(struct statement *statement,
				  const struct value *values, struct outcome *outcome)
{
	const struct rx_receiver receiver = { .outcome = outcome };

	return perform(statement, values, &receiver);
}

enum engine_status rx_run_any(struct connection *conn, const char *text,
			      struct outcome *outcome, row_fn *each, void *to)
{
	const struct rx_receiver receiver = { outcome, each, to };
	struct statement *statement = rx_prepare_any(conn, text, NULL, 0);
	enum engine_status status;

	if (!statement)
		return ENGINE_FAILED;
	status = perform(statement, NULL, &receiver);
	rx_forget(statement);
	return status;
}
