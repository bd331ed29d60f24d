#include "events.h"

#include "files.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHE(cache, op, result) (PERF_COUNT_HW_CACHE_##cache | \
	PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct { uint32_t type; uint64_t config; } EVENTS[NEVENTS] = {
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS) },
	{ PERF_TYPE_HW_CACHE, CACHE(ITLB, READ, MISS) },
};

const char *const EVENT_NAMES[NEVENTS] = {
	"task-clock", "context-switches", "cpu-migrations", "page-faults",
	"instructions", "cycles", "branches", "branch-misses", "cache-references",
	"cache-misses", "dTLB-load-misses", "iTLB-load-misses"
};

int event_open(unsigned event, pid_t thread)
{
	struct perf_event_attr attr = {
		.type = EVENTS[event].type,
		.size = sizeof(attr),
		.config = EVENTS[event].config,
		.inherit = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return (int)syscall(SYS_perf_event_open, &attr, thread, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

void event_add(int fd, struct event_value *value)
{
	uint64_t read_now[3];

	if (fd < 0 || read(fd, read_now, sizeof(read_now)) != sizeof(read_now))
		return;
	value->count += read_now[0];
	value->enabled_ns += read_now[1];
	value->running_ns += read_now[2];
}

static void not_permitted(pid_t pid, char *reason, size_t size)
{
	const char *text = files_read_once("/proc/sys/kernel/perf_event_paranoid");
	int paranoid = text && *text != '-' ? (int)text_number(&text) : -1;
	struct stat owner;
	char name[32];

	snprintf(name, sizeof(name), "/proc/%d", pid);
	if (paranoid > 1)
		snprintf(reason, size, "not permitted: perf_event_paranoid is %d; "
			 "kernel.perf_event_paranoid=1 permits it", paranoid);
	else if (!stat(name, &owner) && owner.st_uid != geteuid())
		snprintf(reason, size, "not permitted: it is a process of another "
			 "user; that user and root may");
	else
		snprintf(reason, size, "not permitted: perf_event_open is refused "
			 "here, as in containers without CAP_PERFMON");
}

void event_reason(int error, pid_t pid, char *reason, size_t size)
{
	switch (error) {
	case EACCES:
	case EPERM:
		not_permitted(pid, reason, size);
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EINVAL:
		snprintf(reason, size, "not supported by this machine");
		break;
	case ENOSYS:
		snprintf(reason, size, "not supported by this kernel");
		break;
	case EMFILE:
		snprintf(reason, size, "no more files may be open: raise `ulimit -n`");
		break;
	case ESRCH:
		snprintf(reason, size, "the process has ended");
		break;
	default:
		snprintf(reason, size, "%s", strerror(error));
	}
}
