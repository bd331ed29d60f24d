#include "files.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_SIZE 4200

bool files_folder(const char *target, char *why, size_t size)
{
	struct stat info;

	if (!stat(target, &info) && S_ISDIR(info.st_mode))
		return true;
	snprintf(why, size, "the target %s is not a folder", target);
	return false;
}

void files_remove(const char *path, const char *const *suffixes)
{
	char name[NAME_SIZE];

	for (; *suffixes; suffixes++) {
		snprintf(name, sizeof(name), "%s%s", path, *suffixes);
		unlink(name);
	}
}

uint64_t files_size(const char *path, const char *const *suffixes)
{
	char name[NAME_SIZE];
	struct stat info;
	uint64_t bytes = 0;

	for (; *suffixes; suffixes++) {
		snprintf(name, sizeof(name), "%s%s", path, *suffixes);
		if (!stat(name, &info))
			bytes += (uint64_t)info.st_size;
	}
	return bytes;
}

void files_beside(void *function, const char *name, char *path, size_t size)
{
	Dl_info found;
	const char *end;

	*path = '\0';
	if (!dladdr(function, &found))
		return;
	end = strrchr(found.dli_fname, '/');
	if (!end)
		return;
	snprintf(path, size, "%.*s/%s", (int)(end - found.dli_fname), found.dli_fname, name);
	if (access(path, R_OK))
		*path = '\0';
}
