/* Files of vectors: of each row its dimension, a 32-bit integer, then so many 32-bit floats. */
#ifndef BENCH_VECTORS_FVECS_H
#define BENCH_VECTORS_FVECS_H

#include "exact.h"

/* False with one sentence in why; what was read is the caller's to free then, too. */
bool fvecs_read(struct vectors *vectors, const char *path, char *why, size_t size);

#endif
