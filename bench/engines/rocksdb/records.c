#include "records.h"

#include "engines/outcome.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_TEXT 32

char *rx_value_put(char *at, enum value_type type, const struct value *value)
{
	uint32_t length = (uint32_t)value->length;

	*at++ = (char)(type == VALUE_INT ? VALUE_BIGINT :
		       type == VALUE_BYTES ? VALUE_TEXT : type);
	switch (type) {
	case VALUE_INT:
	case VALUE_BIGINT:
		return mempcpy(at, &value->number, sizeof(value->number));
	case VALUE_REAL:
		return mempcpy(at, &value->real, sizeof(value->real));
	case VALUE_TEXT:
	case VALUE_BYTES:
		break;
	}
	at = mempcpy(at, &length, sizeof(length));
	return mempcpy(at, value->text, length);
}

size_t rx_value_room(enum value_type type, const struct value *value)
{
	return 1 + (type >= VALUE_TEXT ? sizeof(uint32_t) + value->length :
					 sizeof(int64_t));
}

const char *rx_value_end(const char *at, const char *end)
{
	uint32_t length = sizeof(int64_t);

	if (at == end)
		return NULL;
	if (*at++ == VALUE_TEXT) {
		if ((size_t)(end - at) < sizeof(length))
			return NULL;
		memcpy(&length, at, sizeof(length));
		at += sizeof(length);
	}
	return (size_t)(end - at) < length ? NULL : at + length;
}

static void read_value(const char *at, const char *end, struct field *field)
{
	const size_t head = 1 + sizeof(uint32_t);
	int64_t number;
	double real;

	if (*at == VALUE_TEXT) {
		field_text(field, at + head, (size_t)(end - at) - head);
	} else if (*at == VALUE_REAL) {
		memcpy(&real, at + 1, sizeof(real));
		field_real(field, real);
	} else {
		memcpy(&number, at + 1, sizeof(number));
		field_number(field, number);
	}
}

/* The key is the first column. False: the record is damaged. */
static bool read_fields(struct field *fields, unsigned wanted, unsigned *read,
			enum value_type key_type, const char *key, size_t key_length,
			const char *record, size_t length)
{
	const char *end = record + length, *after;
	int64_t number = 0;

	*read = 0;
	if (!wanted)
		return true;
	if (key_type == VALUE_TEXT) {
		field_text(&fields[0], key + INDEX_BYTES, key_length - INDEX_BYTES);
	} else {
		if (key_length == INDEX_BYTES + sizeof(number))
			key_get_big(key + INDEX_BYTES, &number);
		field_number(&fields[0], number);
	}
	for (*read = 1; *read < wanted && record != end; record = after) {
		after = rx_value_end(record, end);
		if (!after)
			return false;
		read_value(record, after, &fields[(*read)++]);
	}
	return true;
}

/* Texts are cut as those of outcomes are. */
static bool show_row(const struct rx_receiver *receiver, enum value_type key_type,
		     const char *key, size_t key_length, const char *record,
		     size_t length)
{
	struct field fields[ROW_COLUMNS];
	char numbers[ROW_COLUMNS][NUMBER_TEXT];
	const char *names[ROW_COLUMNS], *texts[ROW_COLUMNS];
	unsigned read;

	if (!read_fields(fields, ROW_COLUMNS, &read, key_type, key, key_length, record,
			 length))
		return false;
	for (unsigned i = 0; i < read; i++) {
		names[i] = i ? "value" : "key";
		texts[i] = fields[i].type == VALUE_TEXT ? fields[i].text : numbers[i];
		if (fields[i].type == VALUE_REAL)
			snprintf(numbers[i], NUMBER_TEXT, "%.15g", fields[i].real);
		else if (fields[i].type != VALUE_TEXT)
			snprintf(numbers[i], NUMBER_TEXT, "%" PRId64, fields[i].number);
	}
	receiver->each(receiver->to, read, names, texts);
	return true;
}

enum engine_status rx_receive(struct connection *conn, const struct rx_receiver *receiver,
			      enum value_type key_type, const char *key,
			      size_t key_length, const char *record, size_t length)
{
	struct outcome *outcome = receiver->outcome;
	unsigned wanted = outcome->wanted < FIELDS ? outcome->wanted : FIELDS;
	bool good = true;

	if (!outcome->rows++)
		good = read_fields(outcome->field, wanted, &outcome->fields, key_type, key,
				   key_length, record, length);
	if (good && receiver->each)
		good = show_row(receiver, key_type, key, key_length, record, length);
	return good ? ENGINE_OK : rx_fail(conn, "a record is not as it was written");
}
