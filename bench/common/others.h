/*
 * What the rest of the machine takes of its CPUs, by the counters of its processes: those
 * that are neither the run's nor the kernel's own threads. The run is whatever descends
 * from its root, and the ancestors of that. A difference of the machine's busy time and the
 * run's would count what the kernel does for the run as somebody else's.
 */
#ifndef BENCH_OTHERS_H
#define BENCH_OTHERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define OTHERS_NAME 16		/* bytes of a program's name, as the kernel keeps it */
#define OTHERS_NAMES 64

struct others_name {
	char name[OTHERS_NAME];
	uint64_t ns;
};

struct others {
	uint64_t others_ns, kernel_ns;		/* since others_open; they only grow */
	struct others_name names[OTHERS_NAMES];	/* whose it was; the rest has no name */
	pid_t root;
	struct others_process *list;		/* at the last reading, by process id */
	size_t count;
};

/* Begins at zero; root is an ancestor of all that is not to be counted, or that itself. */
void others_open(struct others *others, pid_t root);

/*
 * Adds what was used since the last reading. Clock ticks of each process: 10 ms that one
 * reading lacks, the next has. Children that ended count where their parent waited for
 * them, but those that process 1 waited for.
 */
void others_read(struct others *others);

/* The name that took most since others_open or the last call, which forgets; NULL: none. */
const char *others_busiest(struct others *others, uint64_t *ns);

void others_close(struct others *others);

#endif
