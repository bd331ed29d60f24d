/*
 * What a process makes for its own time and may be killed before it removes. Its name is
 * STEM, a mark and more, such as run-4711-181507-x7Zq0a: who makes the next of its kind
 * clears those of processes that are no more.
 */
#ifndef BENCH_LEFTOVERS_H
#define BENCH_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MARK_SIZE 32

struct process {
	pid_t parent;
	unsigned long long start;	/* in ticks since boot; with the id it is unique */
};

/* False if there is none of that id. */
bool process_find(pid_t pid, struct process *process);

/* Is it a child of the ancestor, or of one of its children, and so on? */
bool process_descends(pid_t pid, pid_t ancestor);

/* PID-START of this process. */
const char *process_mark(char *mark, size_t size);

/* Removes a folder with all that is in it, or a cgroup; what cannot be removed stays. */
void remove_tree(const char *path);

/* What lies beside path under its stem, of the same owner, and was left by the dead. */
void leftovers_clear(const char *path);

#endif
