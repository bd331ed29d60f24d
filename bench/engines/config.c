#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

/* A line of comment or nothing leaves the config as it was. */
static bool add_line(struct config *config, char *text, unsigned number)
{
	struct config_line *line = &config->lines[config->nlines];
	char *name, *value, *equals;

	text[strcspn(text, "#")] = '\0';
	text = trim(text);
	if (!*text)
		return true;
	equals = strchr(text, '=');
	if (!equals || config->nlines == CONFIG_LINES)
		return false;
	*equals = '\0';
	name = trim(text);
	value = trim(equals + 1);
	if (!*name || !*value || strlen(name) >= CONFIG_NAME ||
	    strlen(value) >= CONFIG_VALUE)
		return false;
	strcpy(line->name, name);
	strcpy(line->value, value);
	line->number = number;
	config->nlines++;
	return true;
}

bool config_read(struct config *config, const char *path, char *why, size_t size)
{
	char text[512];
	unsigned number = 0;
	bool good = true;
	FILE *file = fopen(path, "r");

	config->path = path;
	config->nlines = 0;
	if (!file) {
		snprintf(why, size, "cannot read the settings file %s: %s", path,
			 strerror(errno));
		return false;
	}
	while (good && fgets(text, sizeof(text), file)) {
		number++;
		good = add_line(config, text, number);
	}
	fclose(file);
	if (!good)
		snprintf(why, size, "%s line %u: expected `name = value`", path, number);
	return good;
}

const char *config_value(const struct config *config, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < config->nlines; i++)
		if (!strcmp(config->lines[i].name, name))
			value = config->lines[i].value;
	return value;
}
