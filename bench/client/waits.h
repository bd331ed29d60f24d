/*
 * What the sessions of a server wait for, asked once a second by a thread with a
 * connection of its own; the main thread prints what it learnt. Nothing that goes wrong
 * here fails the run: it is noted, and nobody asks any more.
 */
#ifndef CLIENT_WAITS_H
#define CLIENT_WAITS_H

#include "engines/engine.h"

#include <pthread.h>

struct place;

struct waits {
	bool on;		/* with --waits 1; all else is there only then */
	const struct engine *engine;
	struct connection *conn;
	pthread_t thread;
	bool threaded;
	pthread_mutex_t lock;
	pthread_cond_t changed;	/* by CLOCK_MONOTONIC */
	/* Below lock. */
	bool stop, asking, answered, failed;
	uint64_t start_ns;	/* of the step; 0 between steps */
	uint64_t next_ns;	/* when to ask */
	uint64_t asked_ns;	/* when it was asked what counts answers */
	struct wait_counts counts;
	char why[ENGINE_TEXT];	/* it failed */
	/* What was noted, of the main thread. */
	bool told_source, told_failure;
};

/* For a run with --waits 1, on a connection to that table; else the others do nothing. */
void waits_start(struct waits *waits, const struct place *place, unsigned table);
void waits_stop(struct waits *waits);

/* A step's clock has started, or it has ended at end_ns. */
void waits_begin(struct waits *waits, uint64_t start_ns);
void waits_end(struct waits *waits, const char *step, uint64_t end_ns);

/* Prints the answer that came since the last call. */
void waits_report(struct waits *waits, const char *step);

/* CPU time of the thread so far. */
uint64_t waits_cpu_ns(const struct waits *waits);

#endif
