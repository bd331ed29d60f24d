/*
 * Marks around the work whose instructions callgrind.sh counts, those of all threads. Each
 * mark is a few instructions that do nothing, once a step; under valgrind it is a request
 * to it. A build that finds no header of valgrind has no marks, and callgrind.sh says so.
 */
#ifndef BENCH_COUNTING_H
#define BENCH_COUNTING_H

#include <stdbool.h>
#include <string.h>

#ifdef __has_include
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define COUNTING 1
#endif
#endif

#ifdef COUNTING

/* Time means nothing then: the program runs slower by a factor of tens. */
static inline bool counting(void)
{
	return RUNNING_ON_VALGRIND != 0;
}

/*
 * What this process sees of the processor decides which code its libraries choose, and
 * under valgrind it is less than there is. The file of counts with this name tells.
 */
static inline void counting_say_features(void)
{
	char text[96] = "cpu_features";

#ifdef __x86_64__
#define COUNTING_FEATURE(name) strcat(text, __builtin_cpu_supports(name) ? " " name : "")
	COUNTING_FEATURE("avx");
	COUNTING_FEATURE("avx2");
	COUNTING_FEATURE("avx512f");
	COUNTING_FEATURE("bmi2");
	COUNTING_FEATURE("pclmul");
	COUNTING_FEATURE("sse4.2");
#undef COUNTING_FEATURE
#endif
	CALLGRIND_DUMP_STATS_AT(text);
}

/*
 * Before a step's work and after it, by any one thread while the others do nothing.
 * Callgrind's switch for collecting is each thread's own, so it is never off: what came
 * before is forgotten here, and what came since is written at the end.
 */
static inline void counting_begin(void)
{
	static bool said;

	if (!counting())
		return;
	if (!said)
		counting_say_features();
	said = true;
	CALLGRIND_ZERO_STATS;
}

static inline void counting_end(const char *step)
{
	CALLGRIND_DUMP_STATS_AT(step);
}

#else

static inline bool counting(void)
{
	return false;
}

static inline void counting_begin(void)
{
}

static inline void counting_end(const char *step)
{
	(void)step;
}

#endif
#endif
