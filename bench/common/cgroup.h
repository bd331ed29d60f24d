/* The cgroup that this process is in. */
#ifndef BENCH_CGROUP_H
#define BENCH_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct cgroup {
	char mount[PATH_MAX], path[PATH_MAX];	/* where they are mounted; ours below it */
	bool unified;				/* of version 2 */
};

/*
 * One of version 2, or, where the machine still has it, that of a controller of version 1
 * (NULL: none would do). False: there is none.
 */
bool cgroup_own(struct cgroup *own, const char *controller);

/* The folder of one of ours below it, which is not made; false: the path is too long. */
bool cgroup_child(char *folder, size_t size, const struct cgroup *own, const char *name);

#endif
