#ifndef SQL_DESCRIBE_H
#define SQL_DESCRIBE_H

#include "workload.h"

#include <stdio.h>

/* Name, lets, indexed tables and steps of a workload as a line of JSON. */
void describe(const struct workload *workload, FILE *out);

#endif
