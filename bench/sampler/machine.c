#include "machine.h"

#include "common/clock.h"
#include "files.h"

#include <stdlib.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Of /proc/stat, the keys of the record in the same order. */
static const char *const COUNTS[] = { "ctxt ", "processes ", "procs_running ",
				      "procs_blocked " };
static const char *const COUNT_NAMES[] = { "switches", "forks", "running", "blocked" };
enum { FORKS = 1 };

static const char *const VM[] = { "pgfault ", "pgmajfault ", "pswpin ", "pswpout " };
enum { FAULTS, MAJOR_FAULTS, SWAPPED_IN, SWAPPED_OUT };

static const char *const MEM[] = {
	"MemTotal:", "MemFree:", "MemAvailable:", "Buffers:", "Cached:", "Dirty:",
	"Writeback:", "SwapFree:"
};
static const char *const MEM_NAMES[] = {
	"total", "free", "available", "buffers", "cached", "dirty", "writeback",
	"swap_free"
};

static const char *const PSI_FILE[PSI_FILES] = { "cpu", "io", "memory" };
/* `full` of the CPU says nothing of a whole machine. */
static const struct { int file; bool full; const char *name; } PSI[] = {
	{ 0, false, "cpu_some" }, { 1, false, "io_some" }, { 1, true, "io_full" },
	{ 2, false, "memory_some" }, { 2, true, "memory_full" },
};

uint64_t ticks_to_ns(uint64_t ticks)
{
	static uint64_t ns;

	if (!ns)
		ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	return ticks * ns;
}

static unsigned count_cpus(const char *text)
{
	unsigned cpus = 0;

	for (const char *at = strstr(text, "\ncpu"); at; at = strstr(at + 1, "\ncpu"))
		cpus++;
	return cpus;
}

bool machine_open(struct machine *machine)
{
	const char *text;

	*machine = (struct machine){ .stat = files_open(files_path("proc/stat")) };
	text = files_read(machine->stat);
	if (!text)
		return false;
	machine->cpus = count_cpus(text);
	machine->vmstat = files_open(files_path("proc/vmstat"));
	machine->meminfo = files_open(files_path("proc/meminfo"));
	for (int i = 0; i < PSI_FILES; i++)
		machine->pressure[i] = files_open(files_path("proc/pressure/%s",
							     PSI_FILE[i]));
	return true;
}

static void read_stat(struct machine *machine)
{
	const char *text = files_read(machine->stat), *at;

	if (!text)
		return;
	at = text_skip(text, 1);
	for (int i = 0; i < CPU_KINDS; i++)
		machine->cpu_ns[i] = ticks_to_ns(text_number(&at));
	machine->counts_known = text_values(at, COUNTS, machine->counts, COUNT(COUNTS));
}

/* `some avg10=0.00 avg60=0.00 avg300=0.00 total=1234`, and the like of `full`. */
static void read_pressure(struct machine *machine, int file)
{
	const char *text = files_read(machine->pressure[file]), *at;

	for (size_t i = 0; i < COUNT(PSI) && text; i++) {
		if (PSI[i].file != file)
			continue;
		at = strstr(text, PSI[i].full ? "full " : "some ");
		at = at ? strstr(at, "total=") : NULL;
		if (!at)
			continue;
		at += strlen("total=");
		machine->psi[i] = text_number(&at);
		machine->psi_known |= 1u << i;
	}
}

void machine_read(struct machine *machine)
{
	const char *text;

	read_stat(machine);
	text = files_read(machine->vmstat);
	if (text)
		machine->vm_known = text_values(text, VM, machine->vm, COUNT(VM));
	text = files_read(machine->meminfo);
	if (text)
		machine->mem_known = text_values(text, MEM, machine->mem, COUNT(MEM));
	machine->psi_known = 0;
	for (int i = 0; i < PSI_FILES; i++)
		read_pressure(machine, i);
}

uint64_t machine_forks(const struct machine *machine)
{
	return machine->counts[FORKS];
}

static void print_vm(const struct machine *machine, struct json *json)
{
	const uint64_t *vm = machine->vm;
	uint32_t known = machine->vm_known;

	if (known & 1u << FAULTS && known & 1u << MAJOR_FAULTS) {
		json_uint(json, "minor_faults", vm[FAULTS] - vm[MAJOR_FAULTS]);
		json_uint(json, "major_faults", vm[MAJOR_FAULTS]);
	}
	if (known & 1u << SWAPPED_IN && known & 1u << SWAPPED_OUT) {
		json_uint(json, "swapped_in", vm[SWAPPED_IN]);
		json_uint(json, "swapped_out", vm[SWAPPED_OUT]);
	}
}

void machine_print(const struct machine *machine, struct json *json)
{
	json_open(json, "cpu_ns", '[');
	for (int i = 0; i < CPU_KINDS; i++)
		json_uint(json, NULL, machine->cpu_ns[i]);
	json_close(json, ']');
	for (size_t i = 0; i < COUNT(COUNTS); i++)
		if (machine->counts_known & 1u << i)
			json_uint(json, COUNT_NAMES[i], machine->counts[i]);
	print_vm(machine, json);
	if (machine->mem_known) {
		json_open(json, "mem_kib", '{');
		for (size_t i = 0; i < COUNT(MEM); i++)
			if (machine->mem_known & 1u << i)
				json_uint(json, MEM_NAMES[i], machine->mem[i]);
		json_close(json, '}');
	}
	if (machine->psi_known) {
		json_open(json, "psi_us", '{');
		for (size_t i = 0; i < COUNT(PSI); i++)
			if (machine->psi_known & 1u << i)
				json_uint(json, PSI[i].name, machine->psi[i]);
		json_close(json, '}');
	}
}
