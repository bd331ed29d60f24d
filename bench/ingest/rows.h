/* Makes the rows that are inserted, in the form an engine binds. */
#ifndef INGEST_ROWS_H
#define INGEST_ROWS_H

#include "common/rng.h"
#include "engines/schema.h"

#include <stddef.h>

/* The rows of one statement; they share the time it was made. */
void rows_make(struct row *rows, size_t nrows, struct rng *rng, int64_t when_us);

#endif
