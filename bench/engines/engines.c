#include "engine.h"

#include <string.h>

extern const struct engine NULL_ENGINE, SQLITE_ENGINE, DUCKDB_ENGINE, ROCKSDB_ENGINE;
extern const struct engine HNSWLIB_ENGINE;
extern const struct engine POSTGRES_ENGINE, MYSQL_ENGINE, MARIADB_ENGINE, MYROCKS_ENGINE;

const struct engine *const ENGINES[] = {
	&NULL_ENGINE,
	&SQLITE_ENGINE,
	&DUCKDB_ENGINE,
	&ROCKSDB_ENGINE,
	&HNSWLIB_ENGINE,
	&POSTGRES_ENGINE,
	&MYSQL_ENGINE,
	&MARIADB_ENGINE,
	&MYROCKS_ENGINE,
};

const size_t NENGINES = sizeof(ENGINES) / sizeof(ENGINES[0]);

const struct engine *engine_find(const char *name)
{
	for (size_t i = 0; i < NENGINES; i++)
		if (!strcmp(ENGINES[i]->name, name))
			return ENGINES[i];
	return NULL;
}
