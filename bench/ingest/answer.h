/* Is the answer to a query right? A fast wrong answer must not become a result. */
#ifndef INGEST_ANSWER_H
#define INGEST_ANSWER_H

#include "engines/engine.h"

/* NULL, or what is wrong. rows: at least this many were in the table all the time. */
const char *answer_check_range(const struct answer *answer,
			       const struct index_def *index, int64_t from,
			       uint64_t rows);

/* Every id from `oldest` on must be found, and nothing that was not asked for. */
const char *answer_check_point(const struct answer *answer, const int64_t *ids,
			       int64_t oldest);

#endif
