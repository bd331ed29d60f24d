#include "machine.h"

#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LINE 4096
#define SECTOR 512

static void set(struct machine_use *use, enum machine_counter counter, uint64_t value)
{
	use->known[counter] = true;
	use->counters[counter] = value;
}

static uint64_t ticks_to_ns(uint64_t ticks)
{
	return ticks * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* us + sy of vmstat, and st. */
static void read_cpus(struct machine_use *use)
{
	FILE *file = fopen("/proc/stat", "re");
	char line[LINE];
	uint64_t user, nice, system, irq, softirq, steal = 0, switches;

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		/* A blank in a format matches nothing too: cpu0 would be read as 0 and so on. */
		if (!strncmp(line, "cpu ", 4) &&
		    sscanf(line + 4, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %*u %*u %" SCNu64
			   " %" SCNu64 " %" SCNu64, &user, &nice, &system, &irq, &softirq,
			   &steal) >= 5) {
			set(use, MACHINE_CPU_NS,
			    ticks_to_ns(user + nice + system + irq + softirq));
			set(use, MACHINE_STEAL_NS, ticks_to_ns(steal));
		}
		if (sscanf(line, "ctxt %" SCNu64, &switches) == 1)
			set(use, MACHINE_SWITCHES, switches);
	}
	fclose(file);
}

void machine_device(char *path, size_t size, const char *folder)
{
	struct stat info;

	path[0] = '\0';
	if (folder && !stat(folder, &info))
		snprintf(path, size, "/sys/dev/block/%u:%u/stat", major(info.st_dev),
			 minor(info.st_dev));
}

static void read_device(struct machine_use *use, const char *device)
{
	FILE *file = *device ? fopen(device, "re") : NULL;
	uint64_t reads, read_sectors, writes, written_sectors;

	if (!file)
		return;
	if (fscanf(file, "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64, &reads,
		   &read_sectors, &writes, &written_sectors) == 4) {
		set(use, MACHINE_READS, reads);
		set(use, MACHINE_READ_BYTES, read_sectors * SECTOR);
		set(use, MACHINE_WRITES, writes);
		set(use, MACHINE_WRITTEN_BYTES, written_sectors * SECTOR);
	}
	fclose(file);
}

void machine_read(struct machine_use *use, const char *device)
{
	*use = (struct machine_use){ .known = { false } };
	read_cpus(use);
	read_device(use, device);
}
