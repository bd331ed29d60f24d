/*
 * Performance counters of the client and of the server: of all threads there are, and of
 * whatever they begin. The client's are the root's without the server's. On a thread of
 * the server both sets begin and end within each switch, one a little earlier than the
 * other: of task-clock the client lacks up to 2 us for each switch of the server.
 */
#ifndef SAMPLER_COUNTERS_H
#define SAMPLER_COUNTERS_H

#include "common/json.h"
#include "events.h"
#include "processes.h"

#include <stdbool.h>

/* The events on the threads of a tree. */
struct counter_set {
	int *fds;		/* NEVENTS for each thread; -1: none */
	unsigned threads;
	struct event_value values[NEVENTS];
};

struct counters {
	bool wanted, usable[NEVENTS];
	char reasons[NEVENTS][REASON];
	struct counter_set of[TREES];
	bool server_inside;		/* its counts are in the client's set too */
	bool client_unknown;		/* they are, but they cannot be told apart */
};

/* Before the first line: which events can be had, and those of the client. */
void counters_open(struct counters *counters, struct processes *found, pid_t root);

/* The server is there. */
void counters_add_server(struct counters *counters, struct processes *found, pid_t server,
			 bool inside);

void counters_read(struct counters *counters);

/* Of the first line: the names of the events that are counted, */
void counters_print_events(const struct counters *counters, struct json *json);
/* and members of `unsupported`: why others are not. */
void counters_print_reasons(const struct counters *counters, struct json *json);

/* Keys of an os line. */
void counters_print(const struct counters *counters, struct json *json);

#endif
