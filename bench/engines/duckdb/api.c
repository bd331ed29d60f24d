#include "api.h"
#include "engines/files.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libduckdb.so"
#define EXTENSIONS "extensions"

struct duck_api duck;

#define DUCK_PLACE(result, name, parameters)                                            \
	{ "duckdb_" #name, offsetof(struct duck_api, name) },

static const struct place {
	const char *name;
	size_t offset;
} PLACES[] = {
	DUCK_FUNCTIONS(DUCK_PLACE)
};

#define NPLACES (sizeof(PLACES) / sizeof(PLACES[0]))

/* It stays until the process ends: its threads and its memory do, too. */
bool duck_load(char *why, size_t size)
{
	static void *library;
	void *found = library ? library : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!found) {
		snprintf(why, size, "there is no DuckDB here (%s): name its source or "
			 "basedir in study.yml, or put lib/ of the folder that `bench/"
			 "install.sh duckdb VERSION` prints into LD_LIBRARY_PATH",
			 dlerror());
		return false;
	}
	for (size_t i = 0; !library && i < NPLACES; i++) {
		void *function = dlsym(found, PLACES[i].name);

		if (!function) {
			snprintf(why, size, LIBRARY " has no %s: it is older than "
				 "DuckDB 1.1", PLACES[i].name);
			dlclose(found);
			return false;
		}
		memcpy((char *)&duck + PLACES[i].offset, &function, sizeof(function));
	}
	library = found;
	return true;
}

void duck_extensions(char *path, size_t size)
{
	const char *(*version)(void) = duck.library_version;
	void *function;

	memcpy(&function, &version, sizeof(function));
	files_beside(function, EXTENSIONS, path, size);
}
