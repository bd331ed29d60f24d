/*
 * The threads of one step: they are let go together when its turn has come, watched while
 * they work, and waited for. What they do is the driver's.
 */
#ifndef CLIENT_CREW_H
#define CLIENT_CREW_H

#include "control.h"
#include "place.h"
#include "use.h"
#include "waits.h"

#include "common/arm.h"
#include "common/clock.h"

#include <pthread.h>

/* One thread; a driver's worker begins with it. */
struct member {
	struct crew *crew;
	void (*work)(void *worker);
	uint64_t cpu_ns, end_ns;	/* of its work */
	pthread_t thread;
};

struct crew {
	const char *step;
	struct place *place;
	struct control *control;
	struct waits *waits;
	uint64_t milliseconds;		/* from the start to the deadline */
	void *job;			/* what the calls below are given */
	void (*begin)(void *job);	/* the start is known; nobody works yet */
	void (*sample)(void *job, uint64_t now_ns);
	void (*interrupt)(void *job);	/* statements in progress fail soon */
	/* Of the step, once it began. */
	uint64_t start_ns, deadline_ns, end_ns, sampled_ns;
	uint64_t own_cpu_ns;		/* of the members and the main thread meanwhile */
	struct use before, after;
	/* Below lock. */
	unsigned active;		/* members not finished yet */
	bool go;
	pthread_mutex_t lock;
	pthread_cond_t changed;		/* go or active; by CLOCK_MONOTONIC */
};

void crew_init(struct crew *crew);
void crew_destroy(struct crew *crew);

/* Does the step with these members. A failure is left in control. */
void crew_run(struct crew *crew, struct member *const *members, unsigned nmembers);

/*
 * A step that is given seconds ends so. In a session what others disturbed is done again.
 */
static inline bool crew_is_over(const struct crew *crew)
{
	return clock_mono_ns() >=
	       crew->deadline_ns +
		       atomic_load_explicit(&arm->again_ns, memory_order_relaxed);
}

/* What an engine's own threads used: of the process what neither members nor we did. */
uint64_t crew_engine_cpu_ns(const struct crew *crew);

/* The record of what the machine says of the step; what is not known is left out. */
void crew_report_use(const struct crew *crew);

#endif
