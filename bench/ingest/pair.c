#include "pair.h"

#include "common/counting.h"

void pair_init(struct pair *pair)
{
	/* Who is ahead by how much hangs on time, and what is cached on who is ahead. */
	*pair = (struct pair){ .depth = counting() ? 1 : PAIR_DEPTH };
	pthread_mutex_init(&pair->lock, NULL);
	pthread_cond_init(&pair->moved, NULL);
}

void pair_destroy(struct pair *pair)
{
	pthread_cond_destroy(&pair->moved);
	pthread_mutex_destroy(&pair->lock);
}

void pair_close(struct pair *pair)
{
	pthread_mutex_lock(&pair->lock);
	pair->closed = true;
	pthread_cond_broadcast(&pair->moved);
	pthread_mutex_unlock(&pair->lock);
}

bool pair_await_insert(struct pair *pair)
{
	bool open;

	pthread_mutex_lock(&pair->lock);
	while (!pair->closed && pair->inserts - pair->deletes >= pair->depth)
		pthread_cond_wait(&pair->moved, &pair->lock);
	open = !pair->closed;
	pthread_mutex_unlock(&pair->lock);
	return open;
}

bool pair_await_delete(struct pair *pair)
{
	bool unanswered;

	pthread_mutex_lock(&pair->lock);
	while (!pair->closed && pair->inserts == pair->deletes)
		pthread_cond_wait(&pair->moved, &pair->lock);
	unanswered = pair->inserts != pair->deletes;
	pthread_mutex_unlock(&pair->lock);
	return unanswered;
}

static void count(struct pair *pair, uint64_t *statements)
{
	pthread_mutex_lock(&pair->lock);
	++*statements;
	pthread_cond_signal(&pair->moved);
	pthread_mutex_unlock(&pair->lock);
}

void pair_inserted(struct pair *pair)
{
	count(pair, &pair->inserts);
}

void pair_deleted(struct pair *pair)
{
	count(pair, &pair->deletes);
}
