/*
 * Keeps an inserter and its deleter together: a delete follows the insert it answers,
 * and inserts run at most PAIR_DEPTH statements ahead of deletes.
 */
#ifndef INGEST_PAIR_H
#define INGEST_PAIR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define PAIR_DEPTH 8

struct pair {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	uint64_t inserts, deletes;	/* statements finished */
	uint64_t depth;		/* the most that inserts may be ahead */
	bool closed;			/* one side has left */
};

void pair_init(struct pair *pair);
void pair_destroy(struct pair *pair);

/* Each side closes when it leaves: the deleter still answers the inserts made. */
void pair_close(struct pair *pair);

/* Waits until an insert may be sent; false when the deleter has left. */
bool pair_await_insert(struct pair *pair);

/* Waits until an insert is unanswered; false when there will be none. */
bool pair_await_delete(struct pair *pair);

void pair_inserted(struct pair *pair);
void pair_deleted(struct pair *pair);

#endif
