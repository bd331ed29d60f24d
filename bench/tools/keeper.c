/*
 * Runs one command so that nothing of it outlives us: not a daemon it starts, not when we
 * are killed, not when our parent is.
 *
 * Two of us keep each other: the outer one watches the inner one, the inner one the
 * command. Both are subreapers, so whatever the command leaves behind becomes a child of
 * one of them, and whichever is killed, the other ends the rest.
 */
#include "common/cgroup.h"
#include "common/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIG_ORPHANED SIGUSR2	/* the kernel sends it when our parent dies */
#define OWN_FAILURE 125
#define REMOVES 8
#define SPARE_MS 20000		/* for keepers below us to end what is theirs, and remove it */
#define GIVE_UP_S 60		/* for a process that the kernel cannot end */
#define PATH_SIZE 4096

static const char USAGE[] =
	"usage: keeper [--user NAME] [--memory BYTES] [--stop-signal SIGNAL] [--grace S]\n"
	"              [--pid-file FILE] [--log FILE] [--remove DIR]... [--group DIR]\n"
	"              -- COMMAND...\n"
	"  --user         run it as NAME; has effect for root only\n"
	"  --memory       limit it and all it starts, by a memory cgroup\n"
	"  --stop-signal  what it gets when keeper gets TERM, INT or HUP (TERM)\n"
	"  --grace        seconds it has from then on (10); QUIT ends all at once\n"
	"  --pid-file     gets its process id and start time (ticks since boot)\n"
	"  --log          its output goes to the end of FILE\n"
	"  --group        join the cgroup that DIR/cgroup names, or add our process id to\n"
	"                 DIR/pids: who makes DIR stops the command and all that it starts\n"
	"  --remove       remove DIR if our parent dies, which then cannot do it; and now what\n"
	"                 dead processes left beside it, if it is named STEM-PID-START...\n"
	"Exit: that of COMMAND, 128 + N if signal N ended it, 125 if keeper failed.\n";

struct keeper {
	const char *user, *pid_file, *log, *group;
	const char *remove[REMOVES];
	size_t nremove;
	uint64_t memory;
	int stop_signal;
	unsigned grace_s;
	char **command;
	char cgroup[PATH_SIZE];	/* empty: none */
	bool unified;		/* it is of version 2, where a process has but one */
	int log_fd;
};

static const int SIGNALS[] = { SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIG_ORPHANED };

static int complaints = STDERR_FILENO;	/* where they go when stderr is a log */

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	dprintf(complaints, "keeper: ");
	vdprintf(complaints, format, args);
	dprintf(complaints, "\n");
	va_end(args);
	_exit(OWN_FAILURE);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- The end of everything below us --- */

/* Whether a process runs the same program as we do. */
static bool is_keeper(pid_t pid)
{
	char path[64];
	struct stat own, other;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return !stat("/proc/self/exe", &own) && !stat(path, &other) &&
	       own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

static void signal_descendants(int signal, bool spare_keepers)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	pid_t pid;

	if (!proc)
		return;
	while ((entry = readdir(proc))) {
		pid = (pid_t)atoi(entry->d_name);
		if (pid > 1 && process_descends(pid, getpid()) &&
		    !(spare_keepers && is_keeper(pid)))
			kill(pid, signal);
	}
	closedir(proc);
}

/*
 * Stopped first: /proc is in order of process ids, which begin anew, so a child may be
 * killed before its parent, who would go on with what it does when the child has ended.
 */
static void kill_descendants(bool spare_keepers)
{
	signal_descendants(SIGSTOP, spare_keepers);
	signal_descendants(SIGKILL, spare_keepers);
}

/*
 * Several rounds: what is killed may have forked meanwhile. Other keepers end by
 * themselves once their parents have, and remove what they were told to.
 */
static void end_descendants(void)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	int64_t begun = now_ms(), give_up = begun + GIVE_UP_S * 1000;
	pid_t ended;

	for (;;) {
		while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (ended < 0 && errno == ECHILD)
			return;
		if (now_ms() > give_up) {
			fputs("keeper: some processes could not be ended\n", stderr);
			return;
		}
		kill_descendants(now_ms() < begun + SPARE_MS);
		nanosleep(&pause, NULL);
	}
}

/* --- Watching one child --- */

/* The next signal of the set, or 0 when the deadline is over; 0 is no deadline. */
static int next_signal(const sigset_t *signals, int64_t deadline)
{
	struct timespec left = { 0 };
	int64_t ms = deadline - now_ms();
	int found;

	if (!deadline) {
		found = sigwaitinfo(signals, NULL);
	} else {
		left.tv_sec = ms > 0 ? ms / 1000 : 0;
		left.tv_nsec = ms > 0 ? ms % 1000 * 1000000 : 0;
		found = sigtimedwait(signals, NULL, &left);
	}
	if (found < 0 && errno == EINTR)
		return SIGCHLD;		/* look, and wait again */
	return found < 0 ? 0 : found;
}

/* Reaps what ended; true if the child did. */
static bool child_ended(pid_t child, int *status)
{
	bool ended = false;
	int found;
	pid_t pid;

	while ((pid = waitpid(-1, &found, WNOHANG)) > 0) {
		if (pid == child) {
			*status = found;
			ended = true;
		}
	}
	return ended;
}

/* Until the child ends or has to; then nothing is left below us. True: orphaned. */
static bool watch(pid_t child, int stop_signal, unsigned grace_s, const sigset_t *signals,
		  int *code)
{
	int status = SIGKILL, signal = SIGCHLD;
	int64_t deadline = 0;
	bool ended;

	while (!(ended = child_ended(child, &status))) {
		signal = next_signal(signals, deadline);
		if (!signal || signal == SIGQUIT || signal == SIG_ORPHANED)
			break;
		if (signal != SIGCHLD && !deadline) {
			kill(child, stop_signal);
			deadline = now_ms() + (int64_t)grace_s * 1000;
		}
	}
	if (!ended)
		kill(child, SIGKILL);
	end_descendants();
	*code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return signal == SIG_ORPHANED;
}

/* To be told when our parent dies, even if it just did. */
static void die_with(pid_t parent, int signal)
{
	prctl(PR_SET_PDEATHSIG, signal);
	if (getppid() != parent)
		raise(signal);
}

/* --- Memory --- */

static bool write_text(const char *folder, const char *name, const char *text)
{
	char path[PATH_SIZE + 64];
	bool good;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return good;
}

static bool limit_cgroup(const char *folder, uint64_t bytes, bool unified)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	if (unified) {
		write_text(folder, "memory.swap.max", "0");
		return write_text(folder, "memory.max", text);
	}
	if (!write_text(folder, "memory.limit_in_bytes", text))
		return false;
	write_text(folder, "memory.memsw.limit_in_bytes", text);
	return true;
}

/*
 * A cgroup below ours, or below the nearest of its parents that lets us: in version 2 one
 * that holds processes cannot have children with a limit.
 */
static void make_cgroup(struct keeper *keeper)
{
	char mark[MARK_SIZE], *slash;
	struct cgroup own;

	if (!cgroup_own(&own, "memory"))
		fail("cannot limit the memory: this machine has no memory cgroups");
	for (;;) {
		if (cgroup_child(keeper->cgroup, sizeof(keeper->cgroup), &own,
				 process_mark(mark, sizeof(mark))) &&
		    !mkdir(keeper->cgroup, 0755)) {
			leftovers_clear(keeper->cgroup);
			if (limit_cgroup(keeper->cgroup, keeper->memory, own.unified)) {
				keeper->unified = own.unified;
				return;
			}
			rmdir(keeper->cgroup);
		}
		if (!strcmp(own.path, "/"))
			break;
		slash = strrchr(own.path, '/');
		slash[slash == own.path] = '\0';
	}
	fail("cannot limit the memory to %llu bytes: no memory cgroup may be made here "
	     "(be root, or have one delegated)", (unsigned long long)keeper->memory);
}

static bool killed_for_memory(const struct keeper *keeper)
{
	static const char *const NAMES[] = { "memory.oom_control", "memory.events" };
	char path[PATH_SIZE + 64], line[256];
	unsigned long count, total = 0;
	FILE *file;

	for (size_t i = 0; i < 2 && *keeper->cgroup; i++) {
		snprintf(path, sizeof(path), "%s/%s", keeper->cgroup, NAMES[i]);
		file = fopen(path, "re");
		while (file && fgets(line, sizeof(line), file))
			if (sscanf(line, "oom_kill %lu", &count) == 1)
				total += count;
		if (file)
			fclose(file);
	}
	return total > 0;
}

/* --- The group that somebody else stops and continues --- */

/* The cgroup that the group's folder names; false if there is none for us. */
static bool join_cgroup(const struct keeper *keeper)
{
	char path[PATH_SIZE], cgroup[PATH_SIZE] = "";
	FILE *file;

	if (*keeper->cgroup && keeper->unified)
		return false;	/* it would leave the one with the limit */
	snprintf(path, sizeof(path), "%s/cgroup", keeper->group);
	file = fopen(path, "re");
	if (file && !fgets(cgroup, sizeof(cgroup), file))
		cgroup[0] = '\0';
	if (file)
		fclose(file);
	cgroup[strcspn(cgroup, "\n")] = '\0';
	return *cgroup && write_text(cgroup, "cgroup.procs", "0");
}

/* Called by the command itself, before it is root no longer. */
static void join_group(const struct keeper *keeper, pid_t parent)
{
	char path[PATH_SIZE], line[32];
	int fd;

	if (!keeper->group || join_cgroup(keeper))
		return;
	snprintf(path, sizeof(path), "%s/pids", keeper->group);
	snprintf(line, sizeof(line), "%d\n", parent);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		fail("cannot write %s: %s", path, strerror(errno));
	close(fd);
}

/* --- The command --- */

/*
 * Another user, who may still read what only root may, such as a checkout in /root. The
 * secure bit makes access() say so too: programs look for their parts with it.
 */
static void become(const char *name)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	const struct passwd *user = getpwnam(name);
	bool kept;

	if (!user)
		fail("there is no user %s", name);
	kept = !prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP);
	if (initgroups(name, user->pw_gid) || setgid(user->pw_gid) || setuid(user->pw_uid))
		fail("cannot become the user %s: %s", name, strerror(errno));
	if (!kept)
		return;
	data[0].permitted = data[0].effective = data[0].inheritable =
		1u << CAP_DAC_READ_SEARCH;
	if (syscall(SYS_capset, &header, data)) {
		memset(data, 0, sizeof(data));	/* we may not have had it ourselves */
		if (syscall(SYS_capset, &header, data))
			fail("cannot give up the rights of root: %s", strerror(errno));
		return;
	}
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0);
}

static _Noreturn void run_command(const struct keeper *keeper, const sigset_t *mask,
				  pid_t parent)
{
	complaints = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (keeper->log_fd >= 0) {
		dup2(keeper->log_fd, STDOUT_FILENO);
		dup2(keeper->log_fd, STDERR_FILENO);
	}
	if (*keeper->cgroup && !write_text(keeper->cgroup, "cgroup.procs", "0"))
		fail("cannot limit the memory: %s takes no process: %s", keeper->cgroup,
		     strerror(errno));
	join_group(keeper, parent);
	setsid();	/* Ctrl-C reaches it through us alone */
	if (keeper->user && !geteuid())
		become(keeper->user);
	die_with(parent, SIGKILL);	/* after become, which would undo it */
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(keeper->command[0], keeper->command);
	fail("cannot run %s: %s", keeper->command[0], strerror(errno));
}

/* Under another name first, so that who finds it finds it whole. */
static void write_pid_file(const char *path, pid_t pid)
{
	char partial[PATH_SIZE];
	struct process process;
	FILE *file;

	if ((size_t)snprintf(partial, sizeof(partial), "%s.new", path) >= sizeof(partial))
		fail("the name of the pid file is too long");
	if (!process_find(pid, &process))
		return;		/* it has ended already */
	file = fopen(partial, "we");
	if (!file)
		fail("cannot write %s: %s", partial, strerror(errno));
	fprintf(file, "%d %llu\n", pid, process.start);
	if (fclose(file) || rename(partial, path))
		fail("cannot write %s: %s", path, strerror(errno));
}

static _Noreturn void keep_command(const struct keeper *keeper, const sigset_t *signals,
				   const sigset_t *mask, pid_t parent)
{
	pid_t self = getpid(), child;
	int code;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	child = fork();
	if (child < 0)
		fail("cannot fork: %s", strerror(errno));
	if (!child)
		run_command(keeper, mask, self);
	die_with(parent, SIG_ORPHANED);
	if (keeper->pid_file)
		write_pid_file(keeper->pid_file, child);
	if (watch(child, keeper->stop_signal, keeper->grace_s, signals, &code))
		remove_tree(keeper->cgroup);
	_exit(code);
}

static int keep(struct keeper *keeper)
{
	pid_t self = getpid(), parent = getppid(), inner;
	bool orphaned, memory;
	sigset_t signals, mask;
	int code;

	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(SIGNALS) / sizeof(SIGNALS[0]); i++) {
		sigaddset(&signals, SIGNALS[i]);
		signal(SIGNALS[i], SIG_DFL);	/* bash has some ignored */
	}
	sigprocmask(SIG_BLOCK, &signals, &mask);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	die_with(parent, SIG_ORPHANED);
	for (size_t i = 0; i < keeper->nremove; i++)
		leftovers_clear(keeper->remove[i]);
	if (keeper->memory)
		make_cgroup(keeper);
	inner = fork();
	if (inner < 0)
		fail("cannot fork: %s", strerror(errno));
	if (!inner)
		keep_command(keeper, &signals, &mask, self);
	orphaned = watch(inner, SIGTERM, keeper->grace_s + 5, &signals, &code);
	memory = killed_for_memory(keeper);
	remove_tree(keeper->cgroup);
	if (memory)
		fprintf(stderr, "keeper: the kernel ended a process that needed more than "
			"the %llu bytes of --memory\n",
			(unsigned long long)keeper->memory);
	for (size_t i = 0; i < keeper->nremove && orphaned; i++)
		remove_tree(keeper->remove[i]);
	return code;
}

/* --- Options --- */

static uint64_t number(const char *option, const char *text)
{
	unsigned long long found;
	char *end;

	errno = 0;
	found = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-')
		fail("%s takes a number, not \"%s\"", option, text);
	return found;
}

static int signal_number(const char *text)
{
	static const struct { const char *name; int number; } NAMES[] = {
		{ "TERM", SIGTERM }, { "INT", SIGINT }, { "QUIT", SIGQUIT },
		{ "HUP", SIGHUP }, { "KILL", SIGKILL },
	};

	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
		if (!strcmp(text, NAMES[i].name))
			return NAMES[i].number;
	fail("--stop-signal is TERM, INT, QUIT, HUP or KILL, not \"%s\"", text);
}

static void read_options(struct keeper *keeper, int argc, char **argv)
{
	static const struct option OPTIONS[] = {
		{ "user", required_argument, NULL, 'u' },
		{ "memory", required_argument, NULL, 'm' },
		{ "stop-signal", required_argument, NULL, 's' },
		{ "grace", required_argument, NULL, 'g' },
		{ "pid-file", required_argument, NULL, 'p' },
		{ "log", required_argument, NULL, 'l' },
		{ "remove", required_argument, NULL, 'r' },
		{ "group", required_argument, NULL, 'G' },
		{ NULL, 0, NULL, 0 }
	};
	int option;

	while ((option = getopt_long(argc, argv, "+", OPTIONS, NULL)) != -1) {
		switch (option) {
		case 'u': keeper->user = optarg; break;
		case 'm': keeper->memory = number("--memory", optarg); break;
		case 's': keeper->stop_signal = signal_number(optarg); break;
		case 'g': keeper->grace_s = (unsigned)number("--grace", optarg); break;
		case 'p': keeper->pid_file = optarg; break;
		case 'l': keeper->log = optarg; break;
		case 'G': keeper->group = optarg; break;
		case 'r':
			if (keeper->nremove == REMOVES)
				fail("at most %d times --remove", REMOVES);
			keeper->remove[keeper->nremove++] = optarg;
			break;
		default:
			fputs(USAGE, stderr);
			exit(OWN_FAILURE);
		}
	}
	keeper->command = argv + optind;
	if (!*keeper->command) {
		fputs(USAGE, stderr);
		exit(OWN_FAILURE);
	}
}

int main(int argc, char **argv)
{
	static struct keeper keeper = {
		.stop_signal = SIGTERM, .grace_s = 10, .log_fd = -1
	};

	read_options(&keeper, argc, argv);
	if (keeper.log) {
		keeper.log_fd = open(keeper.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
				     0644);
		if (keeper.log_fd < 0)
			fail("cannot write %s: %s", keeper.log, strerror(errno));
	}
	return keep(&keeper);
}
