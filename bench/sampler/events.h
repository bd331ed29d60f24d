/* One performance counter on one thread and on whatever it begins from then on. */
#ifndef SAMPLER_EVENTS_H
#define SAMPLER_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define NEVENTS 12
#define REASON 256

extern const char *const EVENT_NAMES[NEVENTS];

/* A descriptor, or -1 and errno. */
int event_open(unsigned event, pid_t thread);

/* Count, nanoseconds it was asked for, nanoseconds it ran. */
struct event_value {
	uint64_t count, enabled_ns, running_ns;
};

/* Adds what the descriptor says. */
void event_add(int fd, struct event_value *value);

/* Why event_open failed, in words, and what would permit it. */
void event_reason(int error, pid_t pid, char *reason, size_t size);

#endif
