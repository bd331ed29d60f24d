/* The insert benchmark's steps as a table, and the sizes the command line gives them. */
#ifndef INGEST_STEPS_H
#define INGEST_STEPS_H

#include "engines/engine.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_STEPS 64
#define MAX_ROWS_PER_COMMIT 10000

enum op { OP_INSERT, OP_DELETE, OP_QUERY, OP_INDEX, OP_SCAN, OP_BYTES, OPS };

extern const char *const OP_NAMES[OPS];

/* Sizes a step may be given, as bits; a step says which it needs. */
enum step_key { KEY_ROWS = 1, KEY_SECONDS = 2, KEY_COMMIT = 4, KEY_QUERIES = 8 };

struct step {
	const char *name, *about;
	enum op main;
	unsigned needs, takes;		/* bits of step_key; one of needs is enough */
	unsigned rows_per_commit;	/* 0: the step does not insert */
	unsigned rate;			/* writers' rows/s per client; 0: any */
	bool deletes;			/* a row deleted for each one inserted */
	enum engine_work query;		/* WORK_RANGE, WORK_POINT for OP_QUERY */
	bool indexes;			/* needs the three secondary indexes */
	bool creates;			/* makes a new table */
	bool indexed;			/* with its secondary indexes */
	unsigned first_scan, scans;
};

/* One --step: a step and its sizes; rows and queries of each client, as published. */
struct step_spec {
	const struct step *step;
	uint64_t rows, milliseconds, rows_per_commit;
	uint64_t queries;	/* so many, and no writers; 0: until the time is over */
};

extern const struct step STEPS[];
extern const size_t NSTEPS;

/* Reads NAME[:rows=N][:seconds=S]...; false with one sentence in why. */
bool step_parse(struct step_spec *spec, const char *text, char *why, size_t size);

/* Whether the steps can follow one another; false with one sentence in why. */
bool steps_check(const struct step_spec *specs, size_t nspecs, bool indexes, char *why,
		 size_t size);

#endif
