/*
 * Stops and continues all processes of an arm, and reads what they used. A keeper with
 * --group FOLDER puts its command into the group of that folder: into the cgroup that the
 * folder's file cgroup names, or, where none may be made, it adds its own process id to the
 * folder's file pids, and what descends from it is stopped by signals.
 */
#ifndef REFEREE_FREEZER_H
#define REFEREE_FREEZER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum group { GROUP_CLIENT, GROUP_SERVER, GROUPS };

extern const char *const GROUP_NAMES[GROUPS];

struct freezer {
	char folder[PATH_MAX];		/* of the arm: its groups are below */
	char cgroup[PATH_MAX];		/* empty: signals alone */
	int freeze, events, cpu[GROUPS];	/* files of the cgroups */
};

/* Folders and, if they may be made, cgroups; false with the reason. */
bool freezer_make(struct freezer *freezer, const char *folder, unsigned number, char *why,
		  size_t size);
void freezer_remove(struct freezer *freezer);

/* Returns when all have stopped; false if one had not after a second. */
bool freezer_freeze(struct freezer *freezer);
void freezer_thaw(struct freezer *freezer);

/* CPU time of all processes of a group so far, those that ended and were waited for too. */
uint64_t freezer_cpu_ns(const struct freezer *freezer, enum group group);

#endif
