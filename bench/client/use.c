/*
 * The server's CPU time is that of all its processes: a Postgres has one for each
 * connection. Live ones are read in nanoseconds from their clocks; those that have ended
 * are in their parent's account, in clock ticks.
 */
#include "use.h"

#include "common/arm.h"
#include "common/clock.h"
#include "common/ended.h"
#include "place.h"
#include "waits.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PROCESSES 512
#define LINE 4096
#define SECTOR 512

struct processes {
	long pids[MAX_PROCESSES];
	unsigned count;
};

static void set(struct use *use, enum use_counter counter, uint64_t value)
{
	use->known[counter] = true;
	use->counters[counter] = value;
}

/* Opens /proc/<pid>/<name>; NULL if the process is gone or not ours to look at. */
static FILE *open_of(long pid, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/%ld/%s", pid, name);
	return fopen(path, "r");
}

/* The server and all that descend from it; its threads may have children too. */
static void find_processes(struct processes *found, long server)
{
	found->pids[0] = server;
	found->count = 1;
	for (unsigned i = 0; i < found->count; i++) {
		char name[64];
		FILE *file;

		snprintf(name, sizeof(name), "task/%ld/children", found->pids[i]);
		file = open_of(found->pids[i], name);
		if (!file)
			continue;
		while (found->count < MAX_PROCESSES &&
		       fscanf(file, "%ld", &found->pids[found->count]) == 1)
			found->count++;
		fclose(file);
	}
}

/* The number after `name` at the start of a line. */
static bool number_after(const char *line, const char *name, uint64_t *number)
{
	size_t length = strlen(name);

	return !strncmp(line, name, length) &&
	       sscanf(line + length, "%" SCNu64, number) == 1;
}

static bool add_io(long pid, uint64_t *read_bytes, uint64_t *written_bytes)
{
	FILE *file = open_of(pid, "io");
	char line[LINE];
	uint64_t number;
	bool seen = false;

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (number_after(line, "read_bytes:", &number))
			*read_bytes += number;
		if (number_after(line, "write_bytes:", &number)) {
			*written_bytes += number;
			seen = true;
		}
	}
	fclose(file);
	return seen;
}

static void read_server(struct use *use, long server)
{
	struct processes found;
	uint64_t cpu_ns, read_bytes = 0, written_bytes = 0;
	bool io = true;
	clockid_t clock;

	if (clock_getcpuclockid((pid_t)server, &clock))
		return;		/* it has died: the driver will hear of it */
	find_processes(&found, server);
	cpu_ns = ended_cpu_ns((pid_t)server);
	for (unsigned i = 0; i < found.count; i++) {
		if (!clock_getcpuclockid((pid_t)found.pids[i], &clock))
			cpu_ns += clock_read_ns(clock);
		io &= add_io(found.pids[i], &read_bytes, &written_bytes) || i > 0;
	}
	set(use, USE_SERVER_CPU, cpu_ns);
	if (io) {
		set(use, USE_SERVER_READ_BYTES, read_bytes);
		set(use, USE_SERVER_WRITTEN_BYTES, written_bytes);
	}
}

/* Of the time that was ours: what others did while we were frozen is not. */
static void read_machine(struct use *use)
{
	static const enum use_counter OURS[MACHINE_COUNTERS] = {
		[MACHINE_CPU_NS] = USE_MACHINE_CPU, [MACHINE_STEAL_NS] = USE_COUNTERS,
		[MACHINE_SWITCHES] = USE_SWITCHES, [MACHINE_READS] = USE_READS,
		[MACHINE_READ_BYTES] = USE_READ_BYTES, [MACHINE_WRITES] = USE_WRITES,
		[MACHINE_WRITTEN_BYTES] = USE_WRITTEN_BYTES,
	};
	struct machine_use machine;

	machine_read(&machine, arm->device);
	for (size_t i = 0; i < MACHINE_COUNTERS; i++)
		if (machine.known[i] && OURS[i] != USE_COUNTERS)
			set(use, OURS[i], machine.counters[i] - arm->elsewhere[i]);
}

void use_read(struct use *use, const struct place *place, const struct waits *waits)
{
	const struct engine *engine = place->engine;
	bool server = engine->caps & ENGINE_SERVER;
	uint64_t bytes;

	*use = (struct use){ .known = { false } };
	set(use, USE_CLIENT_CPU, clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) -
	    waits_cpu_ns(waits));
	if (engine->log_bytes && engine->log_bytes(place->db, &bytes))
		set(use, USE_LOG_BYTES, bytes);
	/* A server on another machine: what this one does says nothing of it. */
	if (server && !place->server_pid)
		return;
	if (server)
		read_server(use, place->server_pid);
	read_machine(use);
}

void use_between(struct use_record *record, const struct use *before,
		 const struct use *after)
{
	for (size_t i = 0; i < USE_COUNTERS; i++) {
		record->known[i] = before->known[i] && after->known[i] &&
				   after->counters[i] >= before->counters[i];
		record->counters[i] = after->counters[i] - before->counters[i];
	}
}

static uint64_t walked;

static int add_file(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
	(void)path;
	(void)ftw;
	if (type == FTW_F)
		walked += (uint64_t)info->st_blocks * SECTOR;
	return 0;
}

bool use_folder(const struct place *place, uint64_t *bytes)
{
	const char *folder = place->server_dir;

	walked = 0;
	if (!folder || nftw(folder, add_file, 16, FTW_PHYS))
		return false;
	*bytes = walked;
	return true;
}

bool use_memory(const struct place *place, uint64_t *bytes)
{
	struct processes found;
	uint64_t all_kib = 0, kib;
	char line[LINE];

	if (!place->server_pid)
		return false;
	find_processes(&found, place->server_pid);
	for (unsigned i = 0; i < found.count; i++) {
		FILE *file = open_of(found.pids[i], "smaps_rollup");

		if (!file)
			continue;	/* it has ended */
		while (fgets(line, sizeof(line), file))
			if (number_after(line, "Pss:", &kib))
				all_kib += kib;
		fclose(file);
	}
	*bytes = all_kib * 1024;
	return all_kib > 0;
}
