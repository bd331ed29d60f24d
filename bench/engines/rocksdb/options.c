/*
 * The settings file as RocksDB's options. A name is RocksDB's own; behind `table.` it is one
 * of the block-based table, behind `write.` and `read.` one of writes and reads.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE "table."
#define LINE_TEXT (CONFIG_NAME + CONFIG_VALUE + 32)

/* Those of writes and reads, which no text of RocksDB's holds. */
static const char *const SWITCHES[] = {
	"write.sync", "write.disable_wal", "read.verify_checksums",
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_switch(const char *name)
{
	for (size_t i = 0; i < sizeof(SWITCHES) / sizeof(SWITCHES[0]); i++)
		if (!strcmp(name, SWITCHES[i]))
			return true;
	return false;
}

bool rx_is_on(const struct config *config, const char *name)
{
	const char *value = config_value(config, name);

	return value && !strcmp(value, "true");
}

/* A line that can be judged without RocksDB. */
static bool check_line(const struct config *config, const struct config_line *line,
		       char *why, size_t size)
{
	if (is_switch(line->name)) {
		if (!strcmp(line->value, "true") || !strcmp(line->value, "false"))
			return true;
		snprintf(why, size, "%s line %u: %s = %s is neither true nor false",
			 config->path, line->number, line->name, line->value);
	} else if (begins(line->name, "write.") || begins(line->name, "read.")) {
		snprintf(why, size, "%s line %u: there is no setting %s; available: %s, "
			 "%s, %s", config->path, line->number, line->name, SWITCHES[0],
			 SWITCHES[1], SWITCHES[2]);
	} else if (strstr(line->name, "_dir") || strstr(line->name, "_path")) {
		snprintf(why, size, "%s line %u: %s names a folder; all of the database "
			 "is in that of --target", config->path, line->number,
			 line->name);
	} else {
		return true;
	}
	return false;
}

/* As RocksDB reads it; nothing of what it does not know. */
static void option_text(const struct config_line *line, char *text, size_t size)
{
	if (is_switch(line->name))
		*text = '\0';
	else if (begins(line->name, TABLE))
		snprintf(text, size, "block_based_table_factory={%s=%s;};",
			 line->name + strlen(TABLE), line->value);
	else
		snprintf(text, size, "%s=%s;", line->name, line->value);
}

/* Another object with what the text says; the base is left alone. NULL: see error. */
static rocks_options applied(rocks_options base, const char *text, char **error)
{
	rocks_options made = rocks.options_create();

	*error = NULL;
	rocks.get_options_from_string(base, text, made, error);
	if (!*error)
		return made;
	rocks.options_destroy(made);
	return NULL;
}

static void refuse(const struct config *config, const struct config_line *line,
		   char *error, char *why, size_t size)
{
	char said[ENGINE_TEXT / 2];

	rx_one_line(error, said, sizeof(said));
	snprintf(why, size, "%s line %u: RocksDB does not take %s = %s: %s", config->path,
		 line->number, line->name, line->value, said);
	rocks.free(error);
}

/* Line by line, so that the one that is refused can be named. */
rocks_options rx_options(const struct config *config, char *why, size_t size)
{
	rocks_options options = rocks.options_create();

	for (size_t i = 0; i < config->nlines; i++) {
		const struct config_line *line = &config->lines[i];
		char text[LINE_TEXT], *error = NULL;
		rocks_options next = NULL;

		if (check_line(config, line, why, size)) {
			option_text(line, text, sizeof(text));
			next = applied(options, text, &error);
		}
		if (error)
			refuse(config, line, error, why, size);
		rocks.options_destroy(options);
		if (!next)
			return NULL;
		options = next;
	}
	rocks.options_set_create_if_missing(options, 1);
	return options;
}
