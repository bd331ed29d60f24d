#include "freezer.h"

#include "common/cgroup.h"
#include "common/clock.h"
#include "common/ended.h"
#include "common/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_PROCESSES 4096
#define LONGEST_NS NS_PER_S	/* to wait for a process that the device keeps */
#define LINE 512

const char *const GROUP_NAMES[GROUPS] = { "client", "server" };

struct processes {
	pid_t pids[MOST_PROCESSES];
	unsigned count;
};

/* --- Processes by their ids --- */

static FILE *open_of(pid_t pid, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return fopen(path, "re");
}

static void add_children(struct processes *processes, pid_t pid)
{
	char name[64];
	FILE *file;

	snprintf(name, sizeof(name), "task/%d/children", pid);
	file = open_of(pid, name);
	if (!file)
		return;
	while (processes->count < MOST_PROCESSES &&
	       fscanf(file, "%d", &processes->pids[processes->count]) == 1)
		processes->count++;
	fclose(file);
}

/*
 * All that descend from the keepers of a group, without these; ended_ns: CPU time of the
 * ended ones that the keepers have waited for.
 */
static void find_processes(const struct freezer *freezer, enum group group,
			   struct processes *processes, uint64_t *ended_ns)
{
	char path[PATH_MAX + 32];
	pid_t keeper;
	FILE *file;

	processes->count = 0;
	snprintf(path, sizeof(path), "%s/%s/pids", freezer->folder, GROUP_NAMES[group]);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fscanf(file, "%d", &keeper) == 1) {
		add_children(processes, keeper);
		if (ended_ns)
			*ended_ns += ended_cpu_ns(keeper);
	}
	fclose(file);
	for (unsigned i = 0; i < processes->count; i++)
		add_children(processes, processes->pids[i]);
}

/* Stopped, or at its end. */
static bool at_rest(pid_t pid)
{
	FILE *file = open_of(pid, "stat");
	char line[LINE];
	const char *after = NULL;

	if (!file)
		return true;
	if (fgets(line, sizeof(line), file))
		after = strrchr(line, ')');
	fclose(file);
	return !after || !after[1] || strchr("TtZX", after[2]);
}

/* Several rounds: a process may have begun another before it stopped. */
static bool stop_by_signals(const struct freezer *freezer)
{
	static struct processes processes;
	const struct timespec pause = { .tv_nsec = 50000 };
	uint64_t give_up = clock_mono_ns() + LONGEST_NS;
	unsigned running;

	do {
		running = 0;
		for (enum group group = 0; group < GROUPS; group++) {
			find_processes(freezer, group, &processes, NULL);
			for (unsigned i = 0; i < processes.count; i++)
				if (!at_rest(processes.pids[i])) {
					kill(processes.pids[i], SIGSTOP);
					running++;
				}
		}
		if (running)
			nanosleep(&pause, NULL);
	} while (running && clock_mono_ns() < give_up);
	return !running;
}

static void continue_by_signals(const struct freezer *freezer)
{
	static struct processes processes;

	for (enum group group = 0; group < GROUPS; group++) {
		find_processes(freezer, group, &processes, NULL);
		for (unsigned i = 0; i < processes.count; i++)
			kill(processes.pids[i], SIGCONT);
	}
}

/* --- cgroups, version 2 --- */

static int open_in(const char *folder, const char *name, int flags)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, flags | O_CLOEXEC);
}

/* The folder of a group tells its keepers where they belong. */
static bool make_group(struct freezer *freezer, enum group group)
{
	char cgroup[PATH_MAX + 16], path[PATH_MAX + 32];
	bool good;
	FILE *file;

	snprintf(cgroup, sizeof(cgroup), "%s/%s", freezer->cgroup, GROUP_NAMES[group]);
	if (mkdir(cgroup, 0755))
		return false;
	freezer->cpu[group] = open_in(cgroup, "cpu.stat", O_RDONLY);
	snprintf(path, sizeof(path), "%s/%s/cgroup", freezer->folder, GROUP_NAMES[group]);
	file = fopen(path, "we");
	good = file && fprintf(file, "%s\n", cgroup) > 0;
	return file && !fclose(file) && good && freezer->cpu[group] >= 0;
}

static bool make_cgroups(struct freezer *freezer, unsigned number)
{
	char mark[MARK_SIZE], name[MARK_SIZE + 16];
	struct cgroup own;

	snprintf(name, sizeof(name), "%s-%u", process_mark(mark, sizeof(mark)), number);
	return !getenv("BENCH_FREEZE_BY_SIGNALS") && cgroup_own(&own, NULL) &&
	       cgroup_child(freezer->cgroup, sizeof(freezer->cgroup), &own, name) &&
	       !mkdir(freezer->cgroup, 0755);
}

/* Not every cgroup that can be made can be frozen. */
static bool open_cgroup(struct freezer *freezer)
{
	freezer->freeze = open_in(freezer->cgroup, "cgroup.freeze", O_WRONLY);
	freezer->events = open_in(freezer->cgroup, "cgroup.events", O_RDONLY);
	return freezer->freeze >= 0 && freezer->events >= 0;
}

static void no_cgroups(struct freezer *freezer)
{
	char path[PATH_MAX + 32];

	for (enum group group = 0; group < GROUPS; group++) {
		snprintf(path, sizeof(path), "%s/%s/cgroup", freezer->folder,
			 GROUP_NAMES[group]);
		unlink(path);
	}
	freezer_remove(freezer);
	freezer->cgroup[0] = '\0';
}

bool freezer_make(struct freezer *freezer, const char *folder, unsigned number, char *why,
		  size_t size)
{
	char path[PATH_MAX + 32];

	*freezer = (struct freezer){ .freeze = -1, .events = -1, .cpu = { -1, -1 } };
	snprintf(freezer->folder, sizeof(freezer->folder), "%s", folder);
	for (enum group group = 0; group < GROUPS; group++) {
		snprintf(path, sizeof(path), "%s/%s", folder, GROUP_NAMES[group]);
		if (mkdir(path, 0755)) {
			snprintf(why, size, "cannot make %s: %s", path, strerror(errno));
			return false;
		}
	}
	if (!make_cgroups(freezer, number) || !open_cgroup(freezer) ||
	    !make_group(freezer, GROUP_CLIENT) || !make_group(freezer, GROUP_SERVER))
		no_cgroups(freezer);
	return true;
}

void freezer_remove(struct freezer *freezer)
{
	remove_tree(freezer->cgroup);
}

static bool is_frozen(int events)
{
	char text[LINE];
	ssize_t got = pread(events, text, sizeof(text) - 1, 0);

	text[got > 0 ? got : 0] = '\0';
	return strstr(text, "frozen 1");
}

/* The kernel tells of a change of the file; looked at now and then all the same. */
static bool stop_cgroup(const struct freezer *freezer)
{
	uint64_t give_up = clock_mono_ns() + LONGEST_NS;
	struct pollfd changed = { .fd = freezer->events, .events = POLLPRI };

	is_frozen(freezer->events);
	if (pwrite(freezer->freeze, "1", 1, 0) != 1)
		return false;
	while (!is_frozen(freezer->events)) {
		if (clock_mono_ns() > give_up)
			return false;
		poll(&changed, 1, 1);
	}
	return true;
}

bool freezer_freeze(struct freezer *freezer)
{
	bool stopped = !*freezer->cgroup || stop_cgroup(freezer);

	return stop_by_signals(freezer) && stopped;
}

void freezer_thaw(struct freezer *freezer)
{
	if (*freezer->cgroup && pwrite(freezer->freeze, "0", 1, 0) != 1)
		perror("referee: cannot thaw");
	continue_by_signals(freezer);
}

static uint64_t cgroup_cpu_ns(int file)
{
	char text[LINE];
	ssize_t got = file < 0 ? 0 : pread(file, text, sizeof(text) - 1, 0);
	uint64_t usec = 0;
	const char *at;

	text[got > 0 ? got : 0] = '\0';
	at = strstr(text, "usage_usec ");
	return at && sscanf(at, "usage_usec %" SCNu64, &usec) == 1 ? 1000 * usec : 0;
}

/*
 * What processes used that have ended is in the account of who waited for them; for orphans
 * the keepers do. Nobody waits for children of a process that ignores SIGCHLD: what they
 * used is lost, the sum falls, and nothing tells. Accounts are in clock ticks: up to two of
 * each may be missing for a while.
 */
uint64_t freezer_cpu_ns(const struct freezer *freezer, enum group group)
{
	static struct processes processes;
	uint64_t cpu_ns = cgroup_cpu_ns(freezer->cpu[group]);
	clockid_t clock;

	find_processes(freezer, group, &processes, &cpu_ns);
	for (unsigned i = 0; i < processes.count; i++) {
		if (!clock_getcpuclockid(processes.pids[i], &clock))
			cpu_ns += clock_read_ns(clock);
		cpu_ns += ended_cpu_ns(processes.pids[i]);
	}
	return cpu_ns;
}
