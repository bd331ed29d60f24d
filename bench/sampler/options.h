/* The words of the command line. */
#ifndef SAMPLER_OPTIONS_H
#define SAMPLER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum mode { MODE_SAMPLE, MODE_CLOCK, MODE_OFFSET, MODE_HELP };

struct options {
	enum mode mode;
	const char *out, *folder, *log_device, *server_file;
	uint64_t interval_ns;
	int64_t offset_ns;
	pid_t pid;
	pid_t run;			/* the root of all that is no other; 0: nobody asks */
	bool counters;
	char **command;		/* of MODE_OFFSET */
};

/* False after a sentence on stderr. */
bool options_read(struct options *options, int argc, char **argv);

void options_usage(void);

#endif
