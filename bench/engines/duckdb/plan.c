/*
 * DuckDB's plan, made of the JSON that EXPLAIN gives: operators below one another, each
 * with its facts but for the number of rows that it guesses.
 */
#include "engine.h"
#include "engines/outcome.h"

#include <ctype.h>
#include <stdlib.h>

#define NAME_TEXT 64
#define FACT_TEXT 1024

static const char *skip_space(const char *at)
{
	while (isspace((unsigned char)*at) || *at == ',' || *at == ':')
		at++;
	return at;
}

/* A string in its quotes; what comes after it. */
static const char *read_string(const char *at, char *text, size_t size)
{
	size_t used = 0;

	for (at++; *at && *at != '"'; at++) {
		char c = *at;

		if (c == '\\' && at[1])
			c = *++at == 'n' ? ' ' : *at;
		if (used + 1 < size)
			text[used++] = c;
	}
	text[used] = '\0';
	return *at ? at + 1 : at;
}

/* The comma or bracket after a value. */
static const char *skip_value(const char *at)
{
	char nothing[1];
	unsigned depth = 0;

	do {
		if (*at == '"') {
			at = read_string(at, nothing, sizeof(nothing));
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at += *at != '\0';
	} while (*at && (depth || !strchr(",}]", *at)));
	return at;
}

/* A string, or the strings of an array with commas between them. */
static void read_fact(const char *at, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	if (*at == '"') {
		read_string(at, text, size);
		return;
	}
	for (at = skip_space(at + 1); *at == '"' && used + 2 < size; at = skip_space(at)) {
		if (used)
			used = (size_t)(stpcpy(text + used, ", ") - text);
		at = read_string(at, text + used, size - used);
		used += strlen(text + used);
	}
}

static void add_facts(const char *at, unsigned depth, struct lines *lines)
{
	char name[NAME_TEXT], fact[FACT_TEXT];

	for (at = skip_space(at + 1); *at == '"'; at = skip_space(skip_value(at))) {
		at = skip_space(read_string(at, name, sizeof(name)));
		read_fact(at, fact, sizeof(fact));
		if (*fact && !strcasestr(name, "cardinality"))
			lines_add(lines, "%*s%s: %s\n", 2 * (int)depth, "", name, fact);
	}
}

/* An operator: its name, its facts, and those that it takes its rows from. */
static void add_operator(const char *at, unsigned depth, struct lines *lines)
{
	const char *below = "", *facts = "";
	char member[NAME_TEXT], name[NAME_TEXT] = "";

	for (at = skip_space(at + 1); *at == '"'; at = skip_space(skip_value(at))) {
		at = skip_space(read_string(at, member, sizeof(member)));
		if (!strcmp(member, "name"))
			read_string(at, name, sizeof(name));
		else if (!strcmp(member, "children"))
			below = at;
		else if (!strcmp(member, "extra_info"))
			facts = at;
	}
	lines_add(lines, "%*s%s\n", 2 * (int)depth, "", name);
	if (*facts)
		add_facts(facts, depth + 2, lines);
	if (!*below)
		return;
	for (at = skip_space(below + 1); *at == '{'; at = skip_space(skip_value(at)))
		add_operator(at, depth + 1, lines);
}

/* explain_key, explain_value: the latter is an array of the topmost operators. */
static void add_plan(void *to, unsigned ncolumns, const char *const *names,
		     const char *const *texts)
{
	const char *at = ncolumns == 2 && texts[1] ? skip_space(texts[1]) : "";

	(void)names;
	if (*at != '[')
		return;
	for (at = skip_space(at + 1); *at == '{'; at = skip_space(skip_value(at)))
		add_operator(at, 0, to);
}

bool dk_explain(struct connection *conn, const char *sql, char *text, size_t size)
{
	struct lines lines = lines_in(text, size);
	struct outcome outcome = { .wanted = 0 };
	enum engine_status status;
	char *explained;

	if (asprintf(&explained, "EXPLAIN (FORMAT JSON) %s", sql) < 0)
		return false;
	status = dk_run_any(conn, explained, &outcome, add_plan, &lines);
	free(explained);
	return status == ENGINE_OK && lines.used;
}
