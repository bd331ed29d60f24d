/* Random numbers that depend on the seed alone: xoshiro256**, seeded by splitmix64. */
#ifndef BENCH_RNG_H
#define BENCH_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

static inline uint64_t rng_splitmix(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline void rng_seed(struct rng *rng, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		rng->s[i] = rng_splitmix(&seed);
}

/* A seed of its own for each (run seed, step name, stream): steps stay independent. */
static inline uint64_t rng_mix(uint64_t seed, const char *name, uint64_t stream)
{
	uint64_t state = seed;
	uint64_t mixed = rng_splitmix(&state);

	for (; *name; name++) {
		state = mixed ^ (unsigned char)*name;
		mixed = rng_splitmix(&state);
	}
	state = mixed ^ stream;
	return rng_splitmix(&state);
}

static inline uint64_t rng_rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rng_rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

/* Uniform in 0..n-1, n > 0, without modulo bias (Lemire's multiplication). */
static inline uint32_t rng_below(struct rng *rng, uint32_t n)
{
	uint64_t product = (rng_next(rng) >> 32) * n;

	if ((uint32_t)product < n) {
		uint32_t threshold = -n % n;

		while ((uint32_t)product < threshold)
			product = (rng_next(rng) >> 32) * n;
	}
	return (uint32_t)(product >> 32);
}

/* The same for 64-bit bounds. */
static inline uint64_t rng_below64(struct rng *rng, uint64_t n)
{
	unsigned __int128 product = (unsigned __int128)rng_next(rng) * n;

	if ((uint64_t)product < n) {
		uint64_t threshold = -n % n;

		while ((uint64_t)product < threshold)
			product = (unsigned __int128)rng_next(rng) * n;
	}
	return (uint64_t)(product >> 64);
}

#endif
