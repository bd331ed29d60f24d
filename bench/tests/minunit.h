/* Just enough of a test framework: checks that say where they failed, and a count. */
#ifndef BENCH_MINUNIT_H
#define BENCH_MINUNIT_H

#include <stdio.h>
#include <string.h>

static int mu_failures, mu_checks;

#define MU_CHECK(truth)                                                           \
	do {                                                                      \
		mu_checks++;                                                      \
		if (!(truth)) {                                                   \
			mu_failures++;                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #truth); \
		}                                                                 \
	} while (0)

#define MU_TEXT(expected, actual) MU_CHECK(!strcmp(expected, actual))

static inline int mu_report(const char *name)
{
	printf("%s: %d checks, %d failures\n", name, mu_checks, mu_failures);
	return mu_failures ? 1 : 0;
}

#endif
