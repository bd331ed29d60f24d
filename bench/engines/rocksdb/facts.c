/*
 * What RocksDB writes beside its data: OPTIONS has its version and every option as it
 * took them, LOG how it was compiled and whether the CPU computes checksums.
 */
#include "engine.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINE_TEXT 1024
#define OPTIONS "OPTIONS-"

/* The newest file of options; false if there is none. */
static bool find_options(const char *folder, char *path, size_t size)
{
	DIR *files = opendir(folder);
	struct dirent *file;
	unsigned long newest = 0;

	while (files && (file = readdir(files))) {
		unsigned long number;

		if (strncmp(file->d_name, OPTIONS, strlen(OPTIONS)) ||
		    strchr(file->d_name, '.'))
			continue;
		number = strtoul(file->d_name + strlen(OPTIONS), NULL, 10);
		if (number < newest)
			continue;
		newest = number;
		snprintf(path, size, "%s/%s", folder, file->d_name);
	}
	if (files)
		closedir(files);
	return newest;
}

/* `  name=value` in two; false for a line that is none. */
static bool split(char *line, char **name, char **value)
{
	line[strcspn(line, "\n")] = '\0';
	*name = line + strspn(line, " ");
	*value = strchr(*name, '=');
	if (!*value || **name == '#' || **name == '[')
		return false;
	*(*value)++ = '\0';
	return true;
}

void rx_version_in(const char *folder, char *version, size_t size)
{
	char path[4096 + 300], line[LINE_TEXT], *name, *value;
	FILE *file = find_options(folder, path, sizeof(path)) ? fopen(path, "r") : NULL;

	*version = '\0';
	while (file && !*version && fgets(line, sizeof(line), file))
		if (split(line, &name, &value) && !strcmp(name, "rocksdb_version"))
			snprintf(version, size, "%s", value);
	if (file)
		fclose(file);
}

uint64_t rx_files_size(const struct database *db, const char *ending)
{
	DIR *files = opendir(db->path);
	struct dirent *file;
	struct stat info;
	uint64_t bytes = 0;

	while (files && (file = readdir(files))) {
		const char *end = strrchr(file->d_name, '.');

		if (end && !strcmp(end, ending) &&
		    !fstatat(dirfd(files), file->d_name, &info, 0))
			bytes += (uint64_t)info.st_size;
	}
	if (files)
		closedir(files);
	return bytes;
}

/* Neither where on this machine something lies nor what another file says better. */
static bool is_told(const char *name)
{
	return !strstr(name, "_dir") && !strstr(name, "path") &&
	       strcmp(name, "rocksdb_version") && strcmp(name, "db_host_id");
}

/* Sections are of the database, of its column family, and of the tables of that. */
static void tell_options(const char *folder, setting_fn *each, void *to)
{
	char path[4096 + 300], line[LINE_TEXT], named[LINE_TEXT + 8], *name, *value;
	FILE *file = find_options(folder, path, sizeof(path)) ? fopen(path, "r") : NULL;
	bool of_table = false;

	while (file && fgets(line, sizeof(line), file)) {
		if (*line == '[')
			of_table = !strncmp(line, "[TableOptions", 13);
		if (!split(line, &name, &value) || !is_told(name))
			continue;
		snprintf(named, sizeof(named), "%s%s", of_table ? "table." : "", name);
		each(to, named, value);
	}
	if (file)
		fclose(file);
}

/* What stands behind a word in a line of LOG; NULL: it is not there. */
static const char *behind(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? at + strlen(word) : NULL;
}

/*
 * A checksum by table takes 26 times as long as by the CPU's instruction, and the
 * log of writes pays for it: which one it is belongs to the result.
 */
static void tell_build(const char *folder, setting_fn *each, void *to)
{
	char path[4096 + 8], line[LINE_TEXT];
	const char *found;
	bool told = false;	/* the last of the lines that are wanted */
	FILE *file;

	snprintf(path, sizeof(path), "%s/LOG", folder);
	file = fopen(path, "r");
	while (file && !told && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found = behind(line, "Fast CRC32 supported: ");
		told = found;
		if (found)
			each(to, "crc32c", *found == '1' || !strncmp(found, "Supported", 9) ?
			     "hardware" : "table");
		else if ((found = behind(line, "Compile date ")))
			each(to, "compile_date", found);
		else if ((found = behind(line, "Git sha ")) && strlen(found) >= 40 &&
			 !strstr(found, "git_sha"))
			each(to, "git_sha", found);
	}
	if (file)
		fclose(file);
}

/* The file's own, where RocksDB's have no place for them. */
void rx_settings(void *database, setting_fn *each, void *to)
{
	const struct database *db = database;
	const char *cache = config_value(db->config, "table.block_cache");

	tell_build(db->path, each, to);
	each(to, "write.sync", rx_is_on(db->config, "write.sync") ? "true" : "false");
	each(to, "write.disable_wal", db->logs ? "false" : "true");
	if (cache)
		each(to, "table.block_cache", cache);
	tell_options(db->path, each, to);
}
