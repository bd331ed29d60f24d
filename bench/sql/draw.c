#include "draw.h"

#include <math.h>
#include <string.h>

#define GAUSSIAN_DRAWS 12
#define SCRAMBLED_RANKS 10000000000ull

/* log(1 + x) / x and (exp(x) - 1) / x, also where x is next to 0. */
static double log1p_over(double x)
{
	return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x * (0.5 - x * (1.0 / 3 - x / 4));
}

static double expm1_over(double x)
{
	return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x * 0.5 * (1 + x / 3 * (1 + x / 4));
}

/* The density x^-exponent, its integral, and the inverse of that. */
static double density(double x, double exponent)
{
	return exp(-exponent * log(x));
}

static double integral(double x, double exponent)
{
	double logarithm = log(x);

	return expm1_over((1 - exponent) * logarithm) * logarithm;
}

static double inverse(double x, double exponent)
{
	double t = x * (1 - exponent);

	if (t < -1)
		t = -1;
	return exp(log1p_over(t) * x);
}

static void make(struct zipf *zipf, uint64_t n, double exponent)
{
	*zipf = (struct zipf){
		.n = n, .exponent = exponent,
		.low = integral(1.5, exponent) - 1,
		.high = integral((double)n + 0.5, exponent),
		.s = 2 - inverse(integral(2.5, exponent) - density(2, exponent), exponent),
	};
}

uint64_t draw_zipf(struct zipf *zipf, uint64_t n, double exponent, struct rng *rng)
{
	if (zipf->n != n || zipf->exponent < exponent || zipf->exponent > exponent)
		make(zipf, n, exponent);
	for (;;) {
		double u = zipf->high + draw_real(rng) * (zipf->low - zipf->high);
		double x = inverse(u, exponent);
		uint64_t k = x < 1 ? 1 : (uint64_t)(x + 0.5);

		if (k < 1)
			k = 1;
		if (k > n)
			k = n;
		if ((double)k - x <= zipf->s ||
		    u >= integral((double)k + 0.5, exponent) -
				 density((double)k, exponent))
			return k;
	}
}

static uint64_t gaussian(uint64_t n, struct rng *rng)
{
	double sum = 0;

	for (int i = 0; i < GAUSSIAN_DRAWS; i++)
		sum += draw_real(rng);
	return (uint64_t)(sum / GAUSSIAN_DRAWS * (double)n);
}

static uint64_t pareto(uint64_t n, double h, struct rng *rng)
{
	return (uint64_t)((double)n * pow(draw_real(rng), log(h) / log(1 - h)));
}

static uint64_t hot(uint64_t n, const double extra[2], struct rng *rng)
{
	uint64_t few = (uint64_t)((double)n * extra[0]);

	if (!few || few >= n)
		return rng_below64(rng, n);
	return draw_real(rng) < extra[1] ? rng_below64(rng, few) :
					   few + rng_below64(rng, n - few);
}

/* Clause 2.1.6 of TPC-C, less low; its constant C is a third of A. */
static uint64_t nurand(uint64_t low, uint64_t n, uint64_t a, struct rng *rng)
{
	uint64_t some = rng_below64(rng, a + 1);

	return ((some | (low + rng_below64(rng, n))) + a / 3) % n;
}

/* A number of 0..n-1 for each of them, always the same and far from its neighbours'. */
static uint64_t scramble(uint64_t rank, uint64_t n)
{
	uint64_t state = rank;

	return rng_splitmix(&state) % n;
}

int64_t draw_number(enum distribution distribution, int64_t low, int64_t high,
		    const double extra[2], struct zipf *zipf, struct rng *rng)
{
	uint64_t n = high < low ? 1 : (uint64_t)high - (uint64_t)low + 1, rank;

	switch (distribution) {
	case DRAW_ZIPFIAN:
		rank = draw_zipf(zipf, n, extra[0], rng) - 1;
		break;
	case DRAW_SCRAMBLED:
		rank = scramble(draw_zipf(zipf, SCRAMBLED_RANKS, extra[0], rng), n);
		break;
	case DRAW_LATEST:
		rank = n - draw_zipf(zipf, n, extra[0], rng);
		break;
	case DRAW_GAUSSIAN:
		rank = gaussian(n, rng);
		break;
	case DRAW_PARETO:
		rank = pareto(n, extra[0], rng);
		break;
	case DRAW_HOT:
		rank = hot(n, extra, rng);
		break;
	case DRAW_NURAND:
		rank = nurand((uint64_t)low, n, (uint64_t)extra[0], rng);
		break;
	default:
		rank = rng_below64(rng, n);
	}
	return low + (int64_t)(rank < n ? rank : n - 1);
}

size_t draw_pattern(char *to, const char *pattern, size_t length, struct rng *rng)
{
	uint64_t digits = 0;	/* several of one random number */

	for (size_t i = 0; i < length; i++) {
		if (pattern[i] == '#') {
			if (digits < 10)
				digits = 1000000000ull + rng_below(rng, 1000000000);
			to[i] = (char)('0' + digits % 10);
			digits /= 10;
		} else if (pattern[i] == '@') {
			to[i] = (char)('a' + rng_below(rng, 26));
		} else {
			to[i] = pattern[i];
		}
	}
	return length;
}

void draw_letters(char *to, size_t length, struct rng *rng)
{
	for (size_t i = 0; i < length; i++)
		to[i] = (char)('a' + rng_below(rng, 26));
}
