/* What is wrong with a command line, said on stderr as `program: sentence`. */
#ifndef BENCH_USAGE_H
#define BENCH_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Always false, so that a reader of options can return it. */
bool usage_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The whole number that getopt left in optarg; name: of the option. */
bool usage_number(const char *name, uint64_t least, uint64_t most, uint64_t *number);

#endif
