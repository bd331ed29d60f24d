#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool find_target(struct place *place, char *why, size_t size)
{
	const char *name;

	if (!place->target) {
		snprintf(why, size, "--target is missing; --help shows the usage");
		return false;
	}
	if (strncmp(place->target, "env:", 4))
		return true;
	name = place->target + 4;
	place->target = getenv(name);
	if (!place->target)
		snprintf(why, size, "--target env:%s: there is no such environment "
			 "variable", name);
	return place->target;
}

/* Set by whoever started the server: bench/server.sh. */
static bool find_server(struct place *place, char *why, size_t size)
{
	const char *pid = getenv("BENCH_SERVER_PID");
	char *end;

	if (!(place->engine->caps & ENGINE_SERVER))
		return true;
	place->server_dir = getenv("BENCH_SERVER_DIR");
	if (!pid)
		return true;
	place->server_pid = strtol(pid, &end, 10);
	if (place->server_pid > 0 && !*end)
		return true;
	snprintf(why, size, "BENCH_SERVER_PID=%s is not the number of a process", pid);
	return false;
}

bool place_check_library(const struct place *place, char *why, size_t size)
{
	return place->engine->caps & ENGINE_SERVER ||
	       place->engine->check_config(&place->config, why, size);
}

bool place_find(struct place *place, const char *config, char *why, size_t size)
{
	if (!find_target(place, why, size) || !find_server(place, why, size))
		return false;
	if (config && place->engine->caps & ENGINE_SERVER) {
		snprintf(why, size, "--config: the settings of %s are given to its "
			 "server", place->engine->name);
		return false;
	}
	return (!config || config_read(&place->config, config, why, size)) &&
	       place_check_library(place, why, size);
}

const char *place_folder(const struct place *place)
{
	return place->engine->caps & ENGINE_SERVER ? place->server_dir : place->target;
}

struct run_record place_record(const struct place *place)
{
	bool told = place->db || !(place->engine->caps & ENGINE_SERVER);

	return (struct run_record){
		.engine = place->engine->name,
		.version = told ? place->engine->version(place->db) : "",
		.settings = place->db ? place->engine->settings : NULL,
		.settings_of = place->db,
	};
}

void place_print_version(struct place *place)
{
	puts(place->engine->version(place->db));
	if (place->db)
		place->engine->close(place->db);
}
