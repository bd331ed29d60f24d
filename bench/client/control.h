/* What ends a run early: the first failure of any thread, or a signal. */
#ifndef CLIENT_CONTROL_H
#define CLIENT_CONTROL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct control {
	atomic_bool stop;	/* read by every thread before every statement */
	pthread_mutex_t lock;
	char reason[1024];	/* of the first failure */
};

/* SIGINT and SIGTERM stop the run; a closed stdout is seen by ferror. */
void control_init(struct control *control);

/* Remembers the reason, one sentence, unless there is one already, and stops the run. */
void control_fail(struct control *control, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Turns a signal into a failure; true when the run must stop. */
bool control_poll(struct control *control);

/* Until that moment or the stop. */
void control_sleep_until(struct control *control, uint64_t mono_ns);

/* Prints the last record and, on stderr, why the run failed; the exit status. */
int control_end(const struct control *control);

static inline bool control_stopped(struct control *control)
{
	return atomic_load_explicit(&control->stop, memory_order_relaxed);
}

#endif
