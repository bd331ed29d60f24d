/* The command line of sql. */
#ifndef SQL_OPTIONS_H
#define SQL_OPTIONS_H

#include "client/place.h"
#include "vectors.h"
#include "workload.h"

#define MAX_DOP 64
#define MAX_SETS 32

/* One --step: a step of the workload and its sizes. */
struct step_size {
	const struct workload_step *step;
	uint64_t milliseconds;		/* 0: as many events as asked for */
	uint64_t events;		/* of all clients; 0: until the time is over */
	uint64_t warmup_ms;
	uint64_t rate;			/* events/s of all clients; 0: any */
};

struct options {
	struct place place;
	const char *path;		/* of the workload */
	struct workload *workload;
	const char *vectors;		/* the folder; NULL: none */
	struct vector_folder folder;
	struct override sets[MAX_SETS];
	unsigned nsets, dop;
	uint64_t seed;
	bool no_prepare, contend, waits, print_version;
	FILE *trace;
	struct step_size steps[MAX_WORKLOAD_STEPS];
	size_t nsteps;
	char steps_text[8192], sets_text[1024];	/* as given, for the run record */
};

/* What main does next. */
enum next { NEXT_RUN, NEXT_DONE, NEXT_USAGE };

/* Prints help, lists and what is wrong; stdout stays empty when it is NEXT_USAGE. */
enum next options_read(struct options *options, int argc, char **argv);

#endif
