#include "shell.h"

#include "common/clock.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 100

static _Noreturn void become(const char *text, int said, int output)
{
	int nothing = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	dup2(said < 0 ? output : said, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	_exit(127);
}

/* What is there; the rest of more than there is room for is read and forgotten. */
static bool relay(int from, size_t *room)
{
	char text[16384];
	ssize_t got = read(from, text, sizeof(text));
	size_t keep = got > 0 ? (size_t)got : 0;

	keep = keep < *room ? keep : *room;
	*room -= keep;
	if (keep)
		fwrite(text, 1, keep, stderr);
	return got > 0;
}

static uint64_t ns_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_usec * 1000;
}

static bool judge(int status, bool late, uint64_t timeout_ns, char *why, size_t size)
{
	if (late)
		snprintf(why, size, "did not end within %.3g s and was killed",
			 (double)timeout_ns / 1e9);
	else if (WIFSIGNALED(status))
		snprintf(why, size, "was killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		snprintf(why, size, "ended with exit code %d", WEXITSTATUS(status));
	else
		return true;
	return false;
}

bool shell_run(const char *text, uint64_t timeout_ns, int said, size_t *room,
	       struct cost *cost, char *why, size_t size)
{
	struct rusage use = { 0 };
	int ends[2], pidfd, status = 0;
	bool late = false;
	uint64_t begin_ns;
	pid_t pid;

	fflush(NULL);
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
		snprintf(why, size, "could not be started: %s", strerror(errno));
		return false;
	}
	fcntl(ends[1], F_SETFL, 0);	/* its writes wait for us */
	begin_ns = clock_mono_ns();
	pid = fork();
	if (!pid)
		become(text, said, ends[1]);
	close(ends[1]);
	pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (pidfd < 0) {
		snprintf(why, size, "could not be started: %s", strerror(errno));
		if (pid > 0) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
		}
		close(ends[0]);
		return false;
	}
	for (bool open = true;;) {
		struct pollfd look[] = { { .fd = pidfd, .events = POLLIN },
					 { .fd = open ? ends[0] : -1, .events = POLLIN } };

		poll(look, 2, LOOK_MS);
		if (look[1].revents)
			open = relay(ends[0], room);
		if (wait4(pid, &status, WNOHANG, &use) == pid)
			break;
		if (timeout_ns && clock_mono_ns() - begin_ns > timeout_ns) {
			late = true;
			kill(-pid, SIGKILL);
			kill(pid, SIGKILL);
		}
	}
	cost->end_ns = clock_mono_ns();
	cost->wall_ns = cost->end_ns - begin_ns;
	cost->cpu_ns = ns_of(&use.ru_utime) + ns_of(&use.ru_stime);
	cost->all_cpu_ns = cost->cpu_ns;
	cost->rss_kib = (uint64_t)use.ru_maxrss;
	kill(-pid, SIGKILL);	/* what it left in the background is no part of the next */
	while (relay(ends[0], room))
		;
	close(ends[0]);
	close(pidfd);
	left_reap();
	return judge(status, late, timeout_ns, why, size);
}

/* What the process that ran a command says of it. */
struct answer {
	struct cost cost;
	struct left left;
	size_t room;
	bool good;
	char why[256];
};

static struct answer *shared_answer(void)
{
	static struct answer *answer;

	if (!answer)
		answer = mmap(NULL, sizeof(*answer), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (answer == MAP_FAILED)
		abort();
	return answer;
}

/* A process for one command: what comes to it was left by that command. */
bool shell_run_alone(const char *text, uint64_t timeout_ns, int said, size_t *room,
		     struct cost *cost, struct left *left, char *why, size_t size)
{
	struct answer *answer = shared_answer();
	struct rusage use = { 0 };
	pid_t driver = getpid(), pid;

	fflush(NULL);
	*answer = (struct answer){ .left = *left, .room = *room, .why = "was lost" };
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != driver)
			_exit(1);
		left_come_here();
		answer->good = shell_run(text, timeout_ns, said, &answer->room, &answer->cost,
					 answer->why, sizeof(answer->why));
		left_end(&answer->left);
		_exit(0);
	}
	if (pid < 0)
		snprintf(answer->why, sizeof(answer->why), "could not be started: %s",
			 strerror(errno));
	else
		wait4(pid, NULL, 0, &use);
	*cost = answer->cost;
	cost->all_cpu_ns = ns_of(&use.ru_utime) + ns_of(&use.ru_stime);
	*left = answer->left;
	*room = answer->room;
	snprintf(why, size, "%s", answer->why);
	return answer->good;
}
