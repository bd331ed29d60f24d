/*
 * What the processes, the machine and its device have used so far: read before a step and
 * after it, by the main thread, outside the step's time.
 */
#ifndef INGEST_USE_H
#define INGEST_USE_H

#include "common/record.h"

struct run;

struct use {
	bool known[USE_COUNTERS];
	uint64_t counters[USE_COUNTERS];
};

void use_read(struct use *use, struct run *run);

/* What was used between two readings; what one of them does not know stays unknown. */
void use_between(struct use_record *record, const struct use *before,
		 const struct use *after);

/* Bytes on disk of the server's data folder, logs and all; false if there is none. */
bool use_folder(const struct run *run, uint64_t *bytes);

#endif
