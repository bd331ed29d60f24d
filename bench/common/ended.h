/* CPU time of processes that have ended: it is in the account of who waited for them. */
#ifndef BENCH_ENDED_H
#define BENCH_ENDED_H

#include <stdint.h>
#include <sys/types.h>

/* Of the children that a process has waited for, and of theirs, in whole clock ticks. */
uint64_t ended_cpu_ns(pid_t pid);

#endif
