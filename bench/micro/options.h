/* What the command line asks for. */
#ifndef BENCH_MICRO_OPTIONS_H
#define BENCH_MICRO_OPTIONS_H

#include "library.h"

#define MAX_STEPS 32

struct step_option {
	const struct micro_step *step;
	uint64_t repetitions, duration_ns;	/* one of them is 0 */
};

struct options {
	const struct library *library;
	unsigned dop;
	uint64_t seed;
	size_t block_size;
	const char *data;
	struct step_option steps[MAX_STEPS];
	size_t nsteps;
};

/* Exits after --help, --list and --version (0) and on bad usage (2). */
void options_parse(struct options *options, int argc, char **argv);

#endif
