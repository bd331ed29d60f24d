/* The file of JSON lines: each is one write, and what is in it are whole lines. */
#ifndef SAMPLER_OUTPUT_H
#define SAMPLER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct output {
	FILE *file;
	const char *name;
	off_t whole;		/* bytes of the lines that are there */
};

/* Both print a sentence and return false when it cannot be written. */
bool output_open(struct output *output, const char *name);
/* After each line. */
bool output_check(struct output *output);

#endif
