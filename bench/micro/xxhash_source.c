/* The whole of xxHash, as its own xxhash.c compiles it, and the vectors it was built for. */
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include "xxhash.h"

extern const int xxhash_vector;
const int xxhash_vector = XXH_VECTOR;
