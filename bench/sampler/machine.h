/* What the machine as a whole has done so far: CPU time by kind, memory, pressure. */
#ifndef SAMPLER_MACHINE_H
#define SAMPLER_MACHINE_H

#include "common/json.h"

#include <stdbool.h>
#include <stdint.h>

#define CPU_KINDS 8
#define PSI_FILES 3

struct machine {
	int stat, vmstat, meminfo, pressure[PSI_FILES];
	unsigned cpus;
	uint64_t cpu_ns[CPU_KINDS];
	uint64_t counts[4], vm[4], mem[8], psi[5];
	uint32_t counts_known, vm_known, mem_known, psi_known;
};

/* False, with errno, where there is no /proc/stat. */
bool machine_open(struct machine *machine);
void machine_read(struct machine *machine);

/* Processes and threads begun since the boot. */
uint64_t machine_forks(const struct machine *machine);

/* Keys of an os line, each group where the kernel has it. */
void machine_print(const struct machine *machine, struct json *json);

uint64_t ticks_to_ns(uint64_t ticks);

#endif
