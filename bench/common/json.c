#include "json.h"

#include <inttypes.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at text, 0 if there is none. */
static int utf8_length(const unsigned char *text)
{
	int more = text[0] < 0x80 ? 0 : text[0] >= 0xc2 && text[0] < 0xe0 ? 1 :
		   (text[0] & 0xf0) == 0xe0 ? 2 :
		   text[0] >= 0xf0 && text[0] < 0xf5 ? 3 : -1;

	for (int i = 1; i <= more; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return more + 1;
}

void json_escape(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	putc('"', out);
	while (*at) {
		int length = utf8_length(at);

		if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < 0x20 || *at == 0x7f)
			fprintf(out, "\\u%04x", *at);
		else if (length)
			fwrite(at, 1, (size_t)length, out);
		else
			putc('?', out);
		at += length ? length : 1;
	}
	putc('"', out);
}

void json_key(struct json *json, const char *key)
{
	if (json->comma)
		putc(',', json->out);
	json->comma = true;
	if (key) {
		json_escape(json->out, key);
		putc(':', json->out);
	}
}

void json_begin(struct json *json, FILE *out)
{
	json->out = out;
	json->comma = false;
	putc('{', out);
}

void json_end(struct json *json)
{
	fputs("}\n", json->out);
	fflush(json->out);	/* a killed run keeps its finished lines */
}

void json_text(struct json *json, const char *key, const char *value)
{
	json_key(json, key);
	if (value)
		json_escape(json->out, value);
	else
		fputs("null", json->out);
}

void json_uint(struct json *json, const char *key, uint64_t value)
{
	json_key(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	json_key(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_open(struct json *json, const char *key, char bracket)
{
	json_key(json, key);
	putc(bracket, json->out);
	json->comma = false;
}

void json_close(struct json *json, char bracket)
{
	putc(bracket, json->out);
	json->comma = true;
}
