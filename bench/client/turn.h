/*
 * A queue for the one write transaction an engine allows at a time: strictly first come,
 * first served, which the engine's own lock is not.
 */
#ifndef CLIENT_TURN_H
#define CLIENT_TURN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct turn_waiter;

struct turn {
	pthread_mutex_t lock;
	bool taken;
	struct turn_waiter *first, **last;
};

void turn_init(struct turn *turn);
void turn_destroy(struct turn *turn);

/* Returns the nanoseconds it waited. */
uint64_t turn_take(struct turn *turn);
void turn_give(struct turn *turn);

/* How many wait now. */
unsigned turn_waiting(struct turn *turn);

#endif
