#include "crew.h"

#include "common/arm.h"
#include "common/clock.h"
#include "common/counting.h"
#include "common/record.h"

#include <string.h>

#define LOOK_NS (100 * 1000 * 1000ull)	/* between two looks for a stop */

void crew_init(struct crew *crew)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&crew->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&crew->changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

void crew_destroy(struct crew *crew)
{
	pthread_cond_destroy(&crew->changed);
	pthread_mutex_destroy(&crew->lock);
}

static void await_go(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	while (!crew->go)
		pthread_cond_wait(&crew->changed, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

static void leave(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->active--;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

static void *body(void *argument)
{
	struct member *member = argument;
	uint64_t cpu_ns;

	await_go(member->crew);
	cpu_ns = clock_thread_cpu_ns();
	member->work(member);
	member->cpu_ns = clock_thread_cpu_ns() - cpu_ns;
	member->end_ns = clock_mono_ns();
	leave(member->crew);
	return NULL;
}

/* Threads that could not be made leave the others to see the stop and go. */
static unsigned start_threads(struct crew *crew, struct member *const *members,
			      unsigned nmembers)
{
	unsigned started;
	int error = 0;

	for (started = 0; started < nmembers; started++) {
		members[started]->crew = crew;
		error = pthread_create(&members[started]->thread, NULL, body,
				       members[started]);
		if (error)
			break;
	}
	if (error)
		control_fail(crew->control, "cannot start thread %u of %u: %s",
			     started + 1, nmembers, strerror(error));
	return started;
}

/* In a session others may have their turn before us. */
static void await_turn(struct crew *crew)
{
	arm_ready();
	while (!arm_may_begin() && !control_poll(crew->control))
		arm_pause();
}

static void begin(struct crew *crew, unsigned started)
{
	await_turn(crew);
	crew->own_cpu_ns = -clock_thread_cpu_ns();
	use_read(&crew->before, crew->place, crew->waits);
	counting_begin();
	pthread_mutex_lock(&crew->lock);
	crew->active = started;
	crew->start_ns = clock_mono_ns();
	crew->sampled_ns = crew->start_ns;
	crew->deadline_ns = crew->start_ns + crew->milliseconds * (NS_PER_S / 1000);
	crew->begin(crew->job);
	crew->go = true;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
	record_begin(stdout, crew->step, crew->start_ns);
	waits_begin(crew->waits, crew->start_ns);
}

static bool wait_until(struct crew *crew, uint64_t until_ns)
{
	struct timespec until = clock_kernel_time(until_ns);
	bool active;

	pthread_mutex_lock(&crew->lock);
	if (crew->active)
		pthread_cond_timedwait(&crew->changed, &crew->lock, &until);
	active = crew->active > 0;
	pthread_mutex_unlock(&crew->lock);
	return active;
}

/* The main thread takes the samples and looks for signals while the members work. */
static void watch(struct crew *crew)
{
	uint64_t next_ns = crew->start_ns + NS_PER_S;
	uint64_t now = crew->start_ns;

	while (wait_until(crew, next_ns - now < LOOK_NS ? next_ns : now + LOOK_NS)) {
		if (control_poll(crew->control))
			crew->interrupt(crew->job);
		waits_report(crew->waits, crew->step);
		now = clock_mono_ns();
		if (now < next_ns || counting())	/* printing would be counted too */
			continue;
		crew->sample(crew->job, now);
		crew->sampled_ns = now;
		next_ns += (now - next_ns) / NS_PER_S * NS_PER_S + NS_PER_S;
	}
}

static void finish(struct crew *crew, struct member *const *members, unsigned started)
{
	crew->end_ns = crew->sampled_ns + 1;
	for (unsigned i = 0; i < started; i++) {
		pthread_join(members[i]->thread, NULL);
		crew->own_cpu_ns += members[i]->cpu_ns;
		if (members[i]->end_ns > crew->end_ns)
			crew->end_ns = members[i]->end_ns;
	}
	counting_end(crew->step);
	waits_end(crew->waits, crew->step, crew->end_ns);
	if (!control_stopped(crew->control))	/* else it may never answer */
		use_read(&crew->after, crew->place, crew->waits);
	crew->own_cpu_ns += clock_thread_cpu_ns();
	arm_over();
	crew->sample(crew->job, crew->end_ns);
}

void crew_run(struct crew *crew, struct member *const *members, unsigned nmembers)
{
	unsigned started = start_threads(crew, members, nmembers);

	begin(crew, started);
	watch(crew);
	finish(crew, members, started);
}

uint64_t crew_engine_cpu_ns(const struct crew *crew)
{
	struct use_record use;

	use_between(&use, &crew->before, &crew->after);
	return use.known[USE_CLIENT_CPU] && use.counters[USE_CLIENT_CPU] > crew->own_cpu_ns ?
	       use.counters[USE_CLIENT_CPU] - crew->own_cpu_ns : 0;
}

void crew_report_use(const struct crew *crew)
{
	struct use_record record = { .step = crew->step };

	use_between(&record, &crew->before, &crew->after);
	record.folder_known = use_folder(crew->place, &record.folder_bytes);
	record.memory_known = use_memory(crew->place, &record.memory_bytes);
	record_use(stdout, &record);
}
