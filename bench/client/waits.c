#include "waits.h"

#include "common/clock.h"
#include "place.h"

#include <string.h>

#define HALF_NS (NS_PER_S / 2)

/* True when it is time to ask; false when something changed and is to be looked at. */
static bool await_next(struct waits *waits)
{
	struct timespec until = clock_kernel_time(waits->next_ns);

	if (!waits->start_ns || waits->failed) {
		pthread_cond_wait(&waits->changed, &waits->lock);
		return false;
	}
	if (clock_mono_ns() < waits->next_ns)
		pthread_cond_timedwait(&waits->changed, &waits->lock, &until);
	return !waits->stop && waits->start_ns && clock_mono_ns() >= waits->next_ns;
}

static void give_up(struct waits *waits, const char *why)
{
	snprintf(waits->why, sizeof(waits->why), "%s", why);
	waits->failed = true;
}

/* An answer that comes when its step is over is nobody's. */
static void take_answer(struct waits *waits, enum engine_status status,
			uint64_t start_ns, uint64_t asked_ns,
			const struct wait_counts *counts)
{
	uint64_t now = clock_mono_ns();

	if (status != ENGINE_OK && !waits->stop)
		give_up(waits, waits->engine->message(waits->conn));
	if (status != ENGINE_OK || waits->start_ns != start_ns)
		return;
	waits->counts = *counts;
	waits->asked_ns = asked_ns;
	waits->answered = true;
	waits->next_ns += ((now - waits->next_ns) / NS_PER_S + 1) * NS_PER_S;
}

static void ask(struct waits *waits)
{
	struct wait_counts counts = { .states = 0 };
	uint64_t start_ns = waits->start_ns, asked_ns = clock_mono_ns();
	enum engine_status status;

	waits->asking = true;
	pthread_mutex_unlock(&waits->lock);
	status = waits->engine->waits(waits->conn, &counts);
	pthread_mutex_lock(&waits->lock);
	waits->asking = false;
	pthread_cond_broadcast(&waits->changed);
	take_answer(waits, status, start_ns, asked_ns, &counts);
}

static void *ask_all(void *argument)
{
	struct waits *waits = argument;

	pthread_mutex_lock(&waits->lock);
	while (!waits->stop)
		if (await_next(waits))
			ask(waits);
	pthread_mutex_unlock(&waits->lock);
	return NULL;
}

void waits_start(struct waits *waits, const struct place *place, unsigned table)
{
	pthread_condattr_t attributes;
	char why[ENGINE_TEXT];
	int error;

	*waits = (struct waits){ .on = true, .engine = place->engine };
	pthread_mutex_init(&waits->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&waits->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	waits->conn = place->engine->connect(place->db, table, WORK_ADMIN, why,
					     sizeof(why));
	if (!waits->conn) {
		give_up(waits, why);
		return;
	}
	error = pthread_create(&waits->thread, NULL, ask_all, waits);
	waits->threaded = !error;
	if (error)
		give_up(waits, strerror(error));
}

void waits_begin(struct waits *waits, uint64_t start_ns)
{
	if (!waits->on)
		return;
	pthread_mutex_lock(&waits->lock);
	waits->start_ns = start_ns;
	waits->next_ns = start_ns + HALF_NS;	/* the middle of each second */
	pthread_cond_broadcast(&waits->changed);
	pthread_mutex_unlock(&waits->lock);
}

/* Where the answers are from is noted with the first of them. */
static void tell_answer(struct waits *waits, const char *step)
{
	if (!waits->told_source)
		record_note(stdout, step, waits->counts.source);
	record_wait(stdout, step, waits->asked_ns, &waits->counts);
	waits->told_source = true;
	waits->answered = false;
}

static void tell_failure(struct waits *waits, const char *step)
{
	char text[ENGINE_TEXT + 64];

	snprintf(text, sizeof(text), "what the sessions wait for is not asked from here "
		 "on: %s", waits->why);
	record_note(stdout, step, text);
	waits->told_failure = true;
}

static void tell(struct waits *waits, const char *step)
{
	if (waits->answered)
		tell_answer(waits, step);
	if (waits->failed && !waits->told_failure)
		tell_failure(waits, step);
}

void waits_report(struct waits *waits, const char *step)
{
	if (!waits->on)
		return;
	pthread_mutex_lock(&waits->lock);
	tell(waits, step);
	pthread_mutex_unlock(&waits->lock);
}

void waits_end(struct waits *waits, const char *step, uint64_t end_ns)
{
	if (!waits->on)
		return;
	pthread_mutex_lock(&waits->lock);
	waits->start_ns = 0;
	if (waits->asked_ns > end_ns)
		waits->answered = false;
	tell(waits, step);
	pthread_mutex_unlock(&waits->lock);
}

uint64_t waits_cpu_ns(const struct waits *waits)
{
	clockid_t clock;

	if (!waits->threaded || pthread_getcpuclockid(waits->thread, &clock))
		return 0;
	return clock_read_ns(clock);
}

/* A server that does not answer is waited for a little, then its connection is cut. */
static void stop_thread(struct waits *waits)
{
	struct timespec until = clock_kernel_time(clock_mono_ns() + NS_PER_S);

	pthread_mutex_lock(&waits->lock);
	waits->stop = true;
	pthread_cond_broadcast(&waits->changed);
	while (waits->asking && !pthread_cond_timedwait(&waits->changed, &waits->lock,
							&until))
		;
	if (waits->asking)
		waits->engine->interrupt(waits->conn);
	pthread_mutex_unlock(&waits->lock);
	pthread_join(waits->thread, NULL);
}

void waits_stop(struct waits *waits)
{
	if (!waits->on)
		return;
	if (waits->threaded)
		stop_thread(waits);
	if (waits->conn)
		waits->engine->disconnect(waits->conn);
	pthread_cond_destroy(&waits->changed);
	pthread_mutex_destroy(&waits->lock);
	waits->on = waits->threaded = false;
}
