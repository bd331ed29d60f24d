#include "usage.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool usage_wrong(const char *format, ...)
{
	va_list values;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	putc('\n', stderr);
	return false;
}

bool usage_number(const char *name, uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(optarg, &end, 10);
	if (isdigit((unsigned char)*optarg) && !*end && !errno && *number >= least &&
	    *number <= most)
		return true;
	return usage_wrong("--%s %s: expected a whole number from %llu to %llu", name,
			   optarg, (unsigned long long)least, (unsigned long long)most);
}
