/* What the machine and a block device have used so far, by anybody. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum machine_counter {
	MACHINE_CPU_NS,		/* user, nice, system, irq, softirq; not steal */
	MACHINE_STEAL_NS,
	MACHINE_SWITCHES,
	MACHINE_READS, MACHINE_READ_BYTES, MACHINE_WRITES, MACHINE_WRITTEN_BYTES,
	MACHINE_COUNTERS
};

struct machine_use {
	bool known[MACHINE_COUNTERS];
	uint64_t counters[MACHINE_COUNTERS];
};

/* The counters of the device that the folder lies on, as a file; empty if there is none. */
void machine_device(char *path, size_t size, const char *folder);

/* device: as machine_device says, or empty. */
void machine_read(struct machine_use *use, const char *device);

#endif
