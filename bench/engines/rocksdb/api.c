#include "api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "librocksdb.so"

struct rocks_api rocks;

#define ROCKS_PLACE(result, name, parameters)                                           \
	{ "rocksdb_" #name, offsetof(struct rocks_api, name) },

struct place {
	const char *name;
	size_t offset;
};

static const struct place PLACES[] = {
	ROCKS_FUNCTIONS(ROCKS_PLACE)
};

static const struct place LATER[] = {
	ROCKS_LATER(ROCKS_PLACE)
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* False if the library does not have it. */
static bool fill(void *library, const struct place *place)
{
	void *function = dlsym(library, place->name);

	memcpy((char *)&rocks + place->offset, &function, sizeof(function));
	return function;
}

/* It stays until the process ends: its threads and its memory do, too. */
bool rocks_load(char *why, size_t size)
{
	static void *library;
	void *found = library ? library : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!found) {
		snprintf(why, size, "there is no RocksDB here (%s): name its source or "
			 "basedir in study.yml, or put lib/ of the folder that `bench/"
			 "install.sh rocksdb VERSION` prints into LD_LIBRARY_PATH",
			 dlerror());
		return false;
	}
	for (size_t i = 0; !library && i < COUNT(PLACES); i++)
		if (!fill(found, &PLACES[i])) {
			snprintf(why, size, LIBRARY " has no %s: it is older than "
				 "RocksDB 4.13", PLACES[i].name);
			dlclose(found);
			return false;
		}
	for (size_t i = 0; !library && i < COUNT(LATER); i++)
		fill(found, &LATER[i]);
	library = found;
	return true;
}
