#include "arm.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAUSE_NS 500000

static struct arm_page alone;
static bool in_session;

struct arm_page *arm = &alone;

bool arm_open(char *why, size_t size)
{
	const char *folder = getenv("BENCH_ARM");
	char path[4096];
	void *page;
	int file;

	clock_away = &arm->away_ns;
	if (!folder)
		return true;
	snprintf(path, sizeof(path), "%s/page", folder);
	file = open(path, O_RDWR | O_CLOEXEC);
	page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(*arm), PROT_READ | PROT_WRITE,
					    MAP_SHARED, file, 0);
	if (page == MAP_FAILED) {
		snprintf(why, size, "BENCH_ARM: cannot share %s with the referee: %s", path,
			 strerror(errno));
		return false;
	}
	close(file);
	arm = page;
	in_session = true;
	atomic_store(&arm->pid, getpid());
	clock_away = &arm->away_ns;
	return true;
}

void arm_new_step(const char *step, unsigned seq)
{
	arm->seq = seq;
	arm->nslots = 0;
	memset(arm->ops, 0, sizeof(arm->ops));
	memset(arm->counters, 0, sizeof(arm->counters));
	atomic_store(&arm->again_ns, 0);
	atomic_store(&arm->outside_ns, 0);
	atomic_store(&arm->outside_cpu_ns, 0);
	snprintf(arm->step, sizeof(arm->step), "%s", step);
}

static uint8_t op_index(const char *op)
{
	uint8_t i = 0;

	while (i < ARM_OPS - 1 && arm->ops[i][0] && strcmp(arm->ops[i], op))
		i++;
	snprintf(arm->ops[i], sizeof(arm->ops[i]), "%s", op);
	return i;
}

struct arm_counters *arm_add_worker(const char *op)
{
	arm->op_of[arm->nslots] = op_index(op);
	return &arm->counters[arm->nslots++];
}

static void change_to(enum arm_state state)
{
	if (!in_session)
		return;
	atomic_store(&arm->state, state);
	syscall(SYS_futex, &arm->state, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void arm_ready(void)
{
	change_to(ARM_READY);
}

bool arm_may_begin(void)
{
	if (in_session && atomic_load(&arm->go) != arm->seq)
		return false;
	change_to(ARM_STEP);
	return true;
}

void arm_pause(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	nanosleep(&pause, NULL);
}

void arm_in_whole_turns(void)
{
	atomic_store(&arm->whole, 1);
}

void arm_leave_out(uint64_t ns, uint64_t cpu_ns)
{
	atomic_fetch_add(&arm->outside_ns, ns);
	atomic_fetch_add(&arm->outside_cpu_ns, cpu_ns);
	atomic_fetch_add(&arm->away_ns, ns);
}

/* Waiting to be frozen, and to see that it goes on, is not the operations' time. */
void arm_rest(void)
{
	uint64_t begin_ns, begin_cpu_ns;

	if (!in_session || !atomic_load(&arm->enough))
		return;
	begin_ns = clock_mono_ns();
	begin_cpu_ns = clock_thread_cpu_ns();
	change_to(ARM_RESTING);
	while (atomic_load(&arm->enough))
		arm_pause();
	change_to(ARM_STEP);
	arm_leave_out(clock_mono_ns() - begin_ns, clock_thread_cpu_ns() - begin_cpu_ns);
}

void arm_over(void)
{
	change_to(ARM_OUTSIDE);
	while (in_session && atomic_load(&arm->over) != arm->seq)
		arm_pause();
}
