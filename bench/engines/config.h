/* A settings file: lines `name = value`, comments from '#'. Engines know the names. */
#ifndef BENCH_CONFIG_H
#define BENCH_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#define CONFIG_LINES 64
#define CONFIG_NAME 64
#define CONFIG_VALUE 128

struct config_line {
	char name[CONFIG_NAME], value[CONFIG_VALUE];
	unsigned number;
};

struct config {
	const char *path;	/* NULL when there is no file: every default holds */
	struct config_line lines[CONFIG_LINES];
	size_t nlines;
};

/* False with one sentence in why when the file cannot be read or a line has no form. */
bool config_read(struct config *config, const char *path, char *why, size_t size);

/* The value the file gives to name, NULL if none; the last line wins. */
const char *config_value(const struct config *config, const char *name);

#endif
