/*
 * The processes of the client and of the server: the root of the run, the server, and all
 * that descend from them, found through their children, never by a sweep of /proc.
 */
#ifndef SAMPLER_PROCESSES_H
#define SAMPLER_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define MAX_PROCESSES 4096
#define PID_SLOTS (4 * MAX_PROCESSES)

enum tree { CLIENT, SERVER, TREES };

struct process {
	pid_t pid, parent;	/* parent 0: the first of its tree */
	int stat, io, children;	/* kept open; -1: not ours to read */
	enum tree tree;
	bool threads;		/* it has more than one */
};

struct processes {
	struct process list[MAX_PROCESSES];	/* parents before their children */
	unsigned count, room;
	uint16_t slots[PID_SLOTS];		/* index + 1, by process id */
	pid_t self;				/* ours, which is not watched */
	bool full;
};

/* How many processes can be watched with so many open files. */
unsigned processes_room(uint64_t files);

/* False, with errno, if there is no such process or no room for it. */
bool processes_add(struct processes *found, pid_t pid, pid_t parent, enum tree tree);

/* NULL if it is not in the list. */
struct process *processes_find(struct processes *found, pid_t pid);

/* Adds the new children of all, those of threads other than the first if asked for. */
void processes_scan(struct processes *found, bool threads);

/* The process and all below it are of the server from now on. */
void processes_mark_server(struct processes *found, pid_t server);

/* Takes out those that keep() is false for. True if any went. */
bool processes_keep(struct processes *found, bool (*keep)(void *to, struct process *),
		    void *to);

/* The threads of a process: each(to, id). */
void processes_threads(pid_t pid, void (*each)(void *to, pid_t thread), void *to);

#endif
