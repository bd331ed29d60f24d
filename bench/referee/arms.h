/* The arms of a session: each a call of run.sh that a keeper keeps. */
#ifndef REFEREE_ARMS_H
#define REFEREE_ARMS_H

#include "common/arm.h"
#include "common/others.h"
#include "freezer.h"

#include <stdio.h>
#include <sys/types.h>

#define MOST_ARMS 16

struct member {
	char **command;
	char folder[PATH_MAX];		/* BENCH_ARM */
	struct freezer freezer;
	struct arm_page *page;
	FILE *turns;			/* the records of its turns */
	/* What it prints, in memory: on a full disk that would be lost. */
	int out, err;
	pid_t pid;			/* 0: it has ended */
	int code;			/* then: how */
	uint64_t frozen_ns;		/* since when; 0: it is not */
	struct machine_use frozen_use;	/* of the machine then */
	/* Of its step: in rounds that others disturbed, in those that they did not. */
	uint64_t disturbed_ns, quiet_ns;
};

struct session {
	const char *id, *keeper;
	char folder[PATH_MAX];
	struct member arms[MOST_ARMS];
	unsigned narms;
	uint64_t turn_ns, seed;
	unsigned quiet;			/* others may take so many thousandths; 0: all */
	/* How long all may rest for others, from now on; the last rest, 0 after quiet. */
	uint64_t patience_ns, rest_ns;
	struct others others;
	int unwritten;			/* errno of a turn that could not be recorded */
};

/* Its folder, page, groups and file of turns; false with the reason. */
bool arms_prepare(struct session *session, unsigned number, char *why, size_t size);
bool arms_start(struct session *session, struct member *member, char *why, size_t size);

/* Notes who has ended; true while anybody is there. */
bool arms_poll(struct session *session);

/* Its driver has begun and has ended, whatever else of it is still there. */
bool arms_left(const struct member *member);

/* Sends it to all, who are thawed first. */
void arms_signal(struct session *session, int signal);

/* A frozen arm's clock stands still, and what the machine does is not its own. */
void arms_freeze(struct member *member);
void arms_thaw(struct member *member);

/* Removes what was made; prints how each arm ended and what it said. */
void arms_finish(struct session *session);

#endif
