/* Writes JSON lines. One writer per line: begin, members, end. Nothing is allocated. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	bool comma;		/* the next member needs one before it */
};

/* json_begin opens the line's object, json_end closes it, ends the line, flushes. */
void json_begin(struct json *json, FILE *out);
void json_end(struct json *json);

/* A NULL key makes a member of an array. A NULL text prints null. */
void json_text(struct json *json, const char *key, const char *value);
void json_uint(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

/* The key alone: the caller prints the value to json->out. */
void json_key(struct json *json, const char *key);

/* The text as a JSON string with its quotes; bytes that are not UTF-8 become '?'. */
void json_escape(FILE *out, const char *text);

#endif
