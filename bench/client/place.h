/*
 * Where a driver works: an engine, its database, and the server behind it if there is one.
 */
#ifndef CLIENT_PLACE_H
#define CLIENT_PLACE_H

#include "engines/engine.h"

struct place {
	const struct engine *engine;
	const char *target;		/* of an embedded engine its folder; may be secret */
	struct config config;		/* of an embedded engine */
	long server_pid;		/* 0: embedded, or not on this machine */
	const char *server_dir;		/* its data folder; NULL: not known */
	struct database *db;		/* NULL until it is opened */
};

/*
 * Looks up what --target and --config name, and what the environment says of the server.
 * config: NULL without a file. False with one sentence in why.
 */
bool place_find(struct place *place, const char *config, char *why, size_t size);

/* Without a settings file: is the engine's library there? */
bool place_check_library(const struct place *place, char *why, size_t size);

/*
 * The start of a run's record: the engine, its version, and its settings if it is open. Of
 * a server that did not open nothing is known.
 */
struct run_record place_record(const struct place *place);

/* Prints the version and closes the database. */
void place_print_version(struct place *place);

/* The database's own folder, by which the device is found; NULL: not known. */
const char *place_folder(const struct place *place);

#endif
