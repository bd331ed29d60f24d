/*
 * What the processes, the machine and its device have used so far: read before a step and
 * after it, by the main thread, outside the step's time.
 */
#ifndef CLIENT_USE_H
#define CLIENT_USE_H

#include "common/record.h"

struct place;
struct waits;

struct use {
	bool known[USE_COUNTERS];
	uint64_t counters[USE_COUNTERS];
};

/* The CPU time of the thread that asks for waits is no client's. */
void use_read(struct use *use, const struct place *place, const struct waits *waits);

/* What was used between two readings; what one of them does not know stays unknown. */
void use_between(struct use_record *record, const struct use *before,
		 const struct use *after);

/* Bytes on disk of the server's data folder, logs and all; false if there is none. */
bool use_folder(const struct place *place, uint64_t *bytes);

/*
 * Memory that the server's processes have now, what they share counted once: their
 * programs and mapped files too, the file system's cache not. False if nobody tells.
 */
bool use_memory(const struct place *place, uint64_t *bytes);

#endif
