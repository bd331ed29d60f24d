/* The settings that a file may give: PRAGMAs of a connection, and one of its extensions. */
#include "engine.h"
#include "engines/files.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum value_kind {
	INTEGER,		/* any whole number */
	NUMBERED,		/* a name, reported as its position in names */
	NAMED,			/* a name, reported as itself */
};

/* The settings a file may give, in the order in which they take effect. */
static const struct pragma {
	const char *name;
	enum value_kind kind;
	const char *names;	/* space after each */
	const char *standard;	/* where ours differs from SQLite's */
} PRAGMAS[] = {
	{ "page_size",          INTEGER,  NULL, NULL },
	{ "auto_vacuum",        NUMBERED, "none full incremental ", NULL },
	{ "journal_mode",       NAMED,    "delete truncate persist memory wal off ",
	  "wal" },
	{ "synchronous",        NUMBERED, "off normal full extra ", NULL },
	{ "busy_timeout",       INTEGER,  NULL, "10000" },
	{ "cache_size",         INTEGER,  NULL, NULL },
	{ "mmap_size",          INTEGER,  NULL, NULL },
	{ "wal_autocheckpoint", INTEGER,  NULL, NULL },
	{ "journal_size_limit", INTEGER,  NULL, NULL },
	{ "temp_store",         NUMBERED, "default file memory ", NULL },
	{ "secure_delete",      NUMBERED, "off on fast ", NULL },
	{ "threads",            INTEGER,  NULL, NULL },
	{ "max_page_count",     INTEGER,  NULL, NULL },
};

/* Its value is the name of a file beside the library, without .so. */
#define EXTENSION "load_extension"
#define SQLITE_LIBRARY "libsqlite3.so.0"

#define NPRAGMAS (sizeof(PRAGMAS) / sizeof(PRAGMAS[0]))

static const struct pragma *find_pragma(const char *name)
{
	for (size_t i = 0; i < NPRAGMAS; i++)
		if (!strcmp(PRAGMAS[i].name, name))
			return &PRAGMAS[i];
	return NULL;
}

static bool is_integer(const char *text)
{
	text += *text == '-';
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The position of a value, by name or number, in a list of names; -1 if not there. */
static int name_position(const char *names, const char *value)
{
	size_t length = strlen(value);
	int position = 0;

	for (; *names; names += strcspn(names, " ") + 1, position++) {
		if (strcspn(names, " ") == length && !strncasecmp(names, value, length))
			return position;
		if (length == 1 && value[0] == '0' + position)
			return position;
	}
	return -1;
}

/* A name, and no path out of the folder. */
static bool is_name(const char *text)
{
	return *text && strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(text);
}

static bool good_value(const struct pragma *pragma, const char *value)
{
	if (pragma->kind == INTEGER)
		return is_integer(value);
	return (pragma->kind == NUMBERED || !isdigit((unsigned char)*value)) &&
	       name_position(pragma->names, value) >= 0;
}

bool sq_check_config(const struct config *config, char *why, size_t size)
{
	for (size_t i = 0; i < config->nlines; i++) {
		const struct config_line *line = &config->lines[i];
		const struct pragma *pragma = find_pragma(line->name);

		if (pragma ? good_value(pragma, line->value) :
		    !strcmp(line->name, EXTENSION) && is_name(line->value))
			continue;
		if (!pragma && !strcmp(line->name, EXTENSION))
			snprintf(why, size, "%s line %u: %s = %s is no name of an "
				 "extension, such as vec0", config->path, line->number,
				 line->name, line->value);
		else if (!pragma)
			snprintf(why, size, "%s line %u: %s is not a SQLite setting that "
				 "ingest knows", config->path, line->number, line->name);
		else if (pragma->kind == INTEGER)
			snprintf(why, size, "%s line %u: %s = %s is not a whole number",
				 config->path, line->number, line->name, line->value);
		else
			snprintf(why, size, "%s line %u: %s = %s is not one of: %.*s",
				 config->path, line->number, line->name, line->value,
				 (int)strlen(pragma->names) - 1, pragma->names);
		return false;
	}
	return true;
}

void sq_pragma(sqlite3 *handle, const char *name, char *value, size_t size)
{
	char sql[SQL_SIZE];
	sqlite3_stmt *statement;

	value[0] = '\0';
	snprintf(sql, sizeof(sql), "PRAGMA %s", name);
	if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) != SQLITE_OK)
		return;
	if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
		snprintf(value, size, "%s",
			 (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
}

static bool took(const struct pragma *pragma, const char *wanted, const char *got)
{
	if (pragma->kind == NAMED)
		return !strcasecmp(wanted, got);
	if (pragma->kind == NUMBERED)
		return name_position(pragma->names, wanted) ==
		       name_position(pragma->names, got);
	return strtoll(wanted, NULL, 10) == strtoll(got, NULL, 10);
}

/*
 * The address of a function of the library is asked for in the library itself: in this program
 * it may be that of a jump to it.
 */
static void extension_path(const char *name, char *path, size_t size)
{
	void *library = dlopen(SQLITE_LIBRARY, RTLD_NOLOAD | RTLD_LAZY);
	void *function = library ? dlsym(library, "sqlite3_libversion") : NULL;
	char file[CONFIG_VALUE + 32];

	*path = '\0';
	snprintf(file, sizeof(file), "extensions/%s.so", name);
	if (function)
		files_beside(function, file, path, size);
	if (library)
		dlclose(library);
}

static bool load_extension(sqlite3 *handle, const char *name, char *why, size_t size)
{
	char path[4096], *error = NULL;

	extension_path(name, path, sizeof(path));
	if (!*path) {
		snprintf(why, size, "beside SQLite %s lies no extensions/%s.so: sqlite-vec "
			 "(vec0) comes with source: built of 3.54.1; where its tree is older "
			 "than that, delete it, and it is built anew", sqlite3_libversion(),
			 name);
		return false;
	}
	sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
	if (sqlite3_load_extension(handle, path, NULL, &error) == SQLITE_OK)
		return true;
	snprintf(why, size, "SQLite %s does not load %s: %s", sqlite3_libversion(), path,
		 error ? error : sqlite3_errmsg(handle));
	sqlite3_free(error);
	return false;
}

bool sq_apply_settings(struct database *db, sqlite3 *handle, char *why, size_t size)
{
	const char *extension = config_value(db->config, EXTENSION);

	for (size_t i = 0; i < NPRAGMAS; i++) {
		const struct pragma *pragma = &PRAGMAS[i];
		const char *value = config_value(db->config, pragma->name);
		char sql[SQL_SIZE], got[CONFIG_VALUE];

		if (!value)
			value = pragma->standard;
		if (!value)
			continue;
		snprintf(sql, sizeof(sql), "PRAGMA %s = %s", pragma->name, value);
		if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK) {
			snprintf(why, size, "%s: %s: %s", db->path, sql,
				 sqlite3_errmsg(handle));
			return false;
		}
		sq_pragma(handle, pragma->name, got, sizeof(got));
		if (!took(pragma, value, got)) {
			snprintf(why, size, "SQLite did not take the setting %s = %s; it "
				 "says %s", pragma->name, value, got);
			return false;
		}
	}
	return !extension || load_extension(handle, extension, why, size);
}

/* A NUMBERED setting is reported by its name: `normal`, not 1. */
static void report_pragma(struct database *db, const struct pragma *pragma,
			  setting_fn *each, void *to)
{
	char value[CONFIG_VALUE];
	int position;

	sq_pragma(db->keeper, pragma->name, value, sizeof(value));
	if (pragma->kind == NUMBERED) {
		const char *names = pragma->names;

		position = name_position(names, value);
		for (int i = 0; i < position; i++)
			names += strcspn(names, " ") + 1;
		if (position >= 0)
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(names, " "),
				 names);
	}
	each(to, pragma->name, value);
}

void sq_settings(void *database, setting_fn *each, void *to)
{
	struct database *db = database;
	const char *option;
	size_t used = 0;

	for (size_t i = 0; i < NPRAGMAS; i++)
		report_pragma(db, &PRAGMAS[i], each, to);
	if (config_value(db->config, EXTENSION))
		each(to, EXTENSION, config_value(db->config, EXTENSION));
	for (int i = 0; (option = sqlite3_compileoption_get(i)); i++) {
		if (!strncmp(option, "COMPILER=", 9))
			each(to, "compiler", option + 9);
		if (used + strlen(option) + 2 < sizeof(db->options))
			used += (size_t)sprintf(db->options + used, "%s%s",
						used ? " " : "", option);
	}
	each(to, "compile_options", db->options);
	each(to, "source_id", sqlite3_sourceid());
}
