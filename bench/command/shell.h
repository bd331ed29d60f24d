/* One command by the shell, and what it cost. */
#ifndef COMMAND_SHELL_H
#define COMMAND_SHELL_H

#include "left.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cost {
	uint64_t end_ns, wall_ns, cpu_ns, rss_kib;
	uint64_t all_cpu_ns;	/* with that of who watches it, and of what it left */
};

/*
 * Runs it by `sh -c`. timeout_ns of our clock; 0: none. Its output goes to our stderr as far
 * as *room bytes are left, but what it prints to the file said, unless that is -1. False with the reason where it did not end with 0 in time.
 */
bool shell_run(const char *text, uint64_t timeout_ns, int said, size_t *room,
	       struct cost *cost, char *why, size_t size);

/*
 * The same, and nothing of the command outlives it: what it left behind is ended and counted.
 * What others before it left is not touched.
 */
bool shell_run_alone(const char *text, uint64_t timeout_ns, int said, size_t *room,
		     struct cost *cost, struct left *left, char *why, size_t size);

#endif
