/* Reads, writes and their failures, for the files that know what a key means. */
#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_HEAD 7	/* of a record of the log */

/* Plain writes wait for nobody and undo nothing: there is none to send again. */
enum engine_status rx_status(const char *error)
{
	static const char *const FULL[] = {
		"No space left", "File too large", "NoSpace", "quota",
	};

	for (size_t i = 0; i < sizeof(FULL) / sizeof(FULL[0]); i++)
		if (strstr(error, FULL[i]))
			return ENGINE_FULL;
	return ENGINE_FAILED;
}

void rx_one_line(const char *text, char *line, size_t size)
{
	snprintf(line, size, "%.*s", (int)strcspn(text, "\n"), text);
}

enum engine_status rx_check(struct connection *conn, char *error)
{
	enum engine_status status;

	if (!error)
		return ENGINE_OK;
	if (atomic_load(&conn->db->broken))
		snprintf(conn->message, sizeof(conn->message), "%s", conn->db->reason);
	else
		rx_one_line(error, conn->message, sizeof(conn->message));
	status = rx_status(conn->message);
	rocks.free(error);
	return status;
}

enum engine_status rx_fail(struct connection *conn, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(conn->message, sizeof(conn->message), format, values);
	va_end(values);
	return ENGINE_FAILED;
}

enum engine_status rx_go_on(struct connection *conn)
{
	if (!atomic_load_explicit(&conn->interrupted, memory_order_relaxed))
		return ENGINE_OK;
	return rx_fail(conn, "the statement was interrupted");
}

enum engine_status rx_write(struct connection *conn)
{
	struct database *db = conn->db;
	char *error = NULL;
	size_t length;

	rocks.write(db->handle, db->write, conn->batch, &error);
	if (error)
		return rx_check(conn, error);
	rocks.writebatch_data(conn->batch, &length);
	atomic_fetch_add_explicit(&db->log_bytes, length + BATCH_HEAD,
				  memory_order_relaxed);
	return ENGINE_OK;
}

uint64_t rx_property(const struct database *db, const char *name)
{
	char *text = rocks.property_value(db->handle, name);
	uint64_t value = text ? strtoull(text, NULL, 10) : 0;

	rocks.free(text);
	return value;
}

rocks_read rx_read(const struct database *db)
{
	const char *verify = config_value(db->config, "read.verify_checksums");
	rocks_read read = rocks.readoptions_create();

	rocks.readoptions_set_verify_checksums(read, !verify || !strcmp(verify, "true"));
	return read;
}

rocks_read rx_read_within(const struct database *db, uint32_t index, char *bound)
{
	rocks_read read = rx_read(db);

	key_put_index(bound, index + 1);
	rocks.readoptions_set_iterate_upper_bound(read, bound, INDEX_BYTES);
	return read;
}

bool rx_is_of(rocks_iterator iterator, uint32_t index)
{
	uint32_t found;
	size_t length;
	const char *key;

	if (!rocks.iter_valid(iterator))
		return false;
	key = rocks.iter_key(iterator, &length);
	if (length < INDEX_BYTES)
		return false;
	key_get_index(key, &found);
	return found == index;
}

bool rx_seek_last(rocks_iterator iterator, uint32_t index)
{
	char after[INDEX_BYTES];

	key_put_index(after, index + 1);
	rocks.iter_seek(iterator, after, sizeof(after));
	if (rocks.iter_valid(iterator))
		rocks.iter_prev(iterator);
	else
		rocks.iter_seek_to_last(iterator);
	return rx_is_of(iterator, index);
}

enum engine_status rx_end(struct connection *conn, rocks_iterator iterator)
{
	char *error = NULL;

	rocks.iter_get_error(iterator, &error);
	rocks.iter_destroy(iterator);
	return rx_check(conn, error);
}
