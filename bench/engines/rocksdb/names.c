/* Index 0: which number an index has, so that a later process finds it. */
#include "engine.h"

#include <stdio.h>
#include <string.h>

static size_t name_key(const char *name, char *key)
{
	char *end = stpncpy(key_put_index(key, 0), name, NAME_MOST);

	return (size_t)(end - key);
}

enum engine_status rx_name_find(struct connection *conn, const char *name,
				uint32_t *number, char *definition, size_t size)
{
	char key[INDEX_BYTES + NAME_MOST], *error = NULL, *value;
	size_t length;

	*number = 0;
	value = rocks.get(conn->db->handle, conn->read, key, name_key(name, key), &length,
			  &error);
	if (value && length >= INDEX_BYTES) {
		const char *rest = key_get_index(value, number);

		if (definition)
			snprintf(definition, size, "%.*s",
				 (int)(length - INDEX_BYTES), rest);
	}
	rocks.free(value);
	return rx_check(conn, error);
}

/* One more than the largest that there is. */
static enum engine_status unused(struct connection *conn, uint32_t *number)
{
	char first[INDEX_BYTES];
	rocks_iterator iterator = rocks.create_iterator(conn->db->handle, conn->read);

	*number = 1;
	key_put_index(first, 0);
	for (rocks.iter_seek(iterator, first, sizeof(first)); rx_is_of(iterator, 0);
	     rocks.iter_next(iterator)) {
		size_t length;
		const char *value = rocks.iter_value(iterator, &length);
		uint32_t used = 0;

		if (length >= INDEX_BYTES)
			key_get_index(value, &used);
		if (used >= *number)
			*number = used + 1;
	}
	return rx_end(conn, iterator);
}

static enum engine_status add(struct connection *conn, const char *name,
			      const char *definition, uint32_t *number)
{
	char key[INDEX_BYTES + NAME_MOST], value[INDEX_BYTES + NAME_MOST], *end;
	enum engine_status status = unused(conn, number);

	if (status != ENGINE_OK)
		return status;
	end = stpncpy(key_put_index(value, *number), definition, NAME_MOST);
	rocks.writebatch_clear(conn->batch);
	rocks.writebatch_put(conn->batch, key, name_key(name, key), value,
			     (size_t)(end - value));
	return rx_write(conn);
}

enum engine_status rx_name_add(struct connection *conn, const char *name,
			       const char *definition, uint32_t *number)
{
	enum engine_status status;

	pthread_mutex_lock(&conn->db->naming);
	status = add(conn, name, definition, number);
	pthread_mutex_unlock(&conn->db->naming);
	return status;
}
