/* One step of a session: rounds of turns until every arm has had its time. */
#ifndef REFEREE_ROUNDS_H
#define REFEREE_ROUNDS_H

#include "arms.h"
#include "common/rng.h"

/* True if a signal ended it, which stopped is asked for. */
bool rounds_run(struct session *session, uint32_t seq, struct rng *rng,
		bool (*stopped)(void));

#endif
