#include "turn.h"

#include "common/clock.h"

struct turn_waiter {
	pthread_cond_t called;
	bool ready;
	struct turn_waiter *next;
};

void turn_init(struct turn *turn)
{
	*turn = (struct turn){ .taken = false };
	turn->last = &turn->first;
	pthread_mutex_init(&turn->lock, NULL);
}

void turn_destroy(struct turn *turn)
{
	pthread_mutex_destroy(&turn->lock);
}

static void wait_in_queue(struct turn *turn)
{
	struct turn_waiter me = { .ready = false, .next = NULL };

	pthread_cond_init(&me.called, NULL);
	*turn->last = &me;
	turn->last = &me.next;
	while (!me.ready)
		pthread_cond_wait(&me.called, &turn->lock);
	pthread_cond_destroy(&me.called);
}

uint64_t turn_take(struct turn *turn)
{
	uint64_t start, waited = 0;

	pthread_mutex_lock(&turn->lock);
	if (turn->taken) {
		start = clock_mono_ns();
		wait_in_queue(turn);
		waited = clock_mono_ns() - start;
	}
	turn->taken = true;
	pthread_mutex_unlock(&turn->lock);
	return waited;
}

/* The turn passes to the first waiter without being free in between. */
void turn_give(struct turn *turn)
{
	struct turn_waiter *next;

	pthread_mutex_lock(&turn->lock);
	next = turn->first;
	if (next) {
		turn->first = next->next;
		if (!turn->first)
			turn->last = &turn->first;
		next->ready = true;
		pthread_cond_signal(&next->called);
	} else {
		turn->taken = false;
	}
	pthread_mutex_unlock(&turn->lock);
}

unsigned turn_waiting(struct turn *turn)
{
	unsigned waiting = 0;

	pthread_mutex_lock(&turn->lock);
	for (struct turn_waiter *at = turn->first; at; at = at->next)
		waiting++;
	pthread_mutex_unlock(&turn->lock);
	return waiting;
}
