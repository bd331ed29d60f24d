#include "left.h"

#include "common/clock.h"
#include "common/leftovers.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_NS 2000000
#define GRACE_NS NS_PER_S	/* from SIGTERM to SIGKILL */
#define GIVE_UP_NS (10 * NS_PER_S)	/* for what we may not end, or the kernel cannot */

void left_come_here(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void name_of(pid_t pid, char name[static LEFT_NAME])
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, LEFT_NAME, file))
		name[strcspn(name, "\n")] = '\0';
	fclose(file);
}

/* To all below us; left, if any, counts them. */
static void send_below(int signal, struct left *left)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	pid_t pid;

	while (proc && (entry = readdir(proc))) {
		pid = (pid_t)atoi(entry->d_name);
		if (pid <= 1 || !process_descends(pid, getpid()))
			continue;
		if (left) {
			left->ended++;
			name_of(pid, left->name);
		}
		kill(pid, signal);
	}
	if (proc)
		closedir(proc);
}

/* Stopped first: who waits for another one would go on with what it does when that ends. */
static void ask_to_end(struct left *left)
{
	send_below(SIGSTOP, left);
	send_below(SIGTERM, NULL);
	send_below(SIGCONT, NULL);
}

static bool none_is_there(void)
{
	pid_t ended;

	while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
		;
	return ended < 0 && errno == ECHILD;
}

void left_reap(void)
{
	none_is_there();
}

void left_end(struct left *left)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	uint64_t begin_ns = clock_mono_ns(), waited_ns = 0;
	bool asked = false;

	for (; !none_is_there(); waited_ns = clock_mono_ns() - begin_ns) {
		if (waited_ns > GIVE_UP_NS) {
			fprintf(stderr, "command: some processes that were left behind could "
				"not be ended, such as %s\n", left->name);
			return;
		}
		if (waited_ns > GRACE_NS) {
			send_below(SIGSTOP, NULL);
			send_below(SIGKILL, NULL);
		} else if (waited_ns && !asked) {	/* some may be about to end */
			ask_to_end(left);
			asked = true;
		}
		nanosleep(&pause, NULL);
	}
}
