/* The command line of ingest. */
#ifndef INGEST_OPTIONS_H
#define INGEST_OPTIONS_H

#include "client/place.h"
#include "steps.h"

#define MAX_DOP 64

struct options {
	struct place place;
	unsigned dop;
	uint64_t seed;
	bool contend, no_delete, no_prepare, table_per_client, older_indexes, indexes;
	bool real_price, print_version, waits;
	struct step_spec steps[MAX_STEPS];
	size_t nsteps;
	char steps_text[2048];	/* as given, for the run record */
};

/* What main does next. */
enum next { NEXT_RUN, NEXT_DONE, NEXT_USAGE };

/* Prints help, lists and what is wrong; stdout stays empty when it is NEXT_USAGE. */
enum next options_read(struct options *options, int argc, char **argv);

#endif
