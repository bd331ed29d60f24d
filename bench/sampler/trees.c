/*
 * A process counts with its children that have ended, which its parent has in its own
 * account from the moment it waits for them. Until then they are still to be read.
 */
#include "trees.h"

#include "common/clock.h"
#include "files.h"
#include "machine.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define TRIES 8			/* to read all while nobody ends */
#define THREADS_EVERY_NS NS_PER_S

static const char *const TREE_NAMES[TREES] = { "client", "server" };
static const char *const USAGE_NAMES[USAGES] = {
	"user_ns", "system_ns", "minor_faults", "major_faults", "read_bytes",
	"written_bytes"
};

bool trees_open(struct trees *trees, pid_t root, const char *server_file)
{
	trees->server_file = server_file;
	trees->found.self = getpid();
	trees->scans_due = trees->thread_scans_due = 2;
	if (!root)
		return true;
	if (!processes_add(&trees->found, root, 0, CLIENT))
		return false;
	trees->no_children = trees->found.list[0].children < 0;
	processes_scan(&trees->found, true);
	return true;
}

/* --- One process --- */

static bool read_stat(const struct process *process, struct tree_usage *to, bool *threads)
{
	static uint64_t page_kib;
	const char *text = files_read(process->stat), *at;

	/* The name in brackets may hold anything. */
	at = text ? strrchr(text, ')') : NULL;
	if (!at)
		return false;
	if (!page_kib)
		page_kib = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	at = text_skip(at, 8);
	to->sums[MINOR_FAULTS] += text_number(&at);
	to->sums[MINOR_FAULTS] += text_number(&at);
	to->sums[MAJOR_FAULTS] += text_number(&at);
	to->sums[MAJOR_FAULTS] += text_number(&at);
	to->sums[USER] += text_number(&at);
	to->sums[SYSTEM] += text_number(&at);
	to->sums[USER] += text_number(&at);
	to->sums[SYSTEM] += text_number(&at);
	at = text_skip(at, 2);
	*threads = text_number(&at) > 1;
	at = text_skip(at, 3);
	to->rss_kib += text_number(&at) * page_kib;
	to->processes++;
	return true;
}

/* False if it has ended. A tree whose first may not be read tells nothing. */
static bool read_io(const struct process *process, struct tree_usage *to, bool first)
{
	static const char *const KEYS[] = { "read_bytes:", "write_bytes:" };
	const char *text = files_read(process->io);
	uint64_t bytes[2];

	if (!text && errno == ESRCH)
		return false;
	if (text && text_values(text, KEYS, bytes, 2) == 3) {
		to->sums[READ_BYTES] += bytes[0];
		to->sums[WRITTEN_BYTES] += bytes[1];
	} else if (first) {
		to->no_io = true;
	}
	return true;
}

/*
 * Whoever waited for the server has all it used in its own account: that is not the
 * client's.
 */
static void server_ended(struct trees *trees)
{
	for (int i = 0; i < USAGES && trees->server_inside; i++)
		trees->of[CLIENT].carried[i] -= trees->of[SERVER].last[i];
	trees->server = 0;
	trees->server_inside = false;
}

static bool add_usage(void *to, struct process *process)
{
	struct trees *trees = to;
	struct tree_usage *tree = &trees->of[process->tree];
	bool first = !process->parent || process->pid == trees->server;

	if (read_stat(process, tree, &process->threads) && read_io(process, tree, first))
		return true;
	if (process->pid == trees->server)
		server_ended(trees);
	return false;
}

/* --- All of them --- */

/* False if one ended meanwhile: its time may be in none of the accounts read. */
static bool sum_up(struct trees *trees)
{
	for (int i = 0; i < TREES; i++) {
		struct tree_usage *tree = &trees->of[i];

		memset(tree->sums, 0, sizeof(tree->sums));
		tree->processes = tree->rss_kib = 0;
		tree->no_io = false;
	}
	if (!processes_keep(&trees->found, add_usage, trees))
		return true;
	trees->scans_due = 2;
	return false;
}

/* What nobody waits for (SIGCHLD ignored, an orphan) is in no account when it ends. */
static void never_fall(struct tree_usage *tree)
{
	for (int i = 0; i < USAGES; i++) {
		uint64_t now = tree->sums[i] + tree->carried[i];

		if ((int64_t)(now - tree->last[i]) < 0) {
			tree->carried[i] += tree->last[i] - now;
			now = tree->last[i];
		}
		tree->last[i] = now;
	}
}

/* Twice after each fork: the list of children may lack one while others end. */
static void look_for_new(struct trees *trees, uint64_t forks, uint64_t now_ns)
{
	bool threads;

	if (forks != trees->forks)
		trees->scans_due = trees->thread_scans_due = 2;
	trees->forks = forks;
	threads = trees->thread_scans_due &&
		  now_ns - trees->threads_ns >= THREADS_EVERY_NS;
	if (!trees->scans_due && !threads)
		return;
	processes_scan(&trees->found, threads);
	if (trees->scans_due)
		trees->scans_due--;
	if (threads) {
		trees->thread_scans_due--;
		trees->threads_ns = now_ns;
	}
}

/* `PID START`, as keeper writes it; without START any process of that id will do. */
static pid_t read_server_file(const char *file)
{
	const char *text = files_read_once(file);
	uint64_t start;
	pid_t pid;

	if (!text)
		return 0;
	pid = (pid_t)text_number(&text);
	start = text_number(&text);
	text = pid > 0 ? files_read_once(files_path("proc/%d/stat", pid)) : NULL;
	text = text ? strrchr(text, ')') : NULL;
	if (!text)
		return 0;
	text = text_skip(text, 20);
	return !start || text_number(&text) == start ? pid : 0;
}

static bool find_server(struct trees *trees)
{
	pid_t pid = read_server_file(trees->server_file);

	if (!pid)
		return false;
	processes_scan(&trees->found, true);
	trees->server_inside = processes_find(&trees->found, pid);
	if (trees->server_inside)
		processes_mark_server(&trees->found, pid);
	else if (!processes_add(&trees->found, pid, 0, SERVER))
		return false;
	trees->no_children |= processes_find(&trees->found, pid)->children < 0;
	processes_scan(&trees->found, true);
	trees->server = pid;
	trees->server_file = NULL;	/* a run has one server */
	return true;
}

bool trees_read(struct trees *trees, uint64_t forks, uint64_t now_ns)
{
	bool new_server = trees->server_file && find_server(trees);

	look_for_new(trees, forks, now_ns);
	for (int i = 0; i < TRIES && !sum_up(trees); i++)
		;
	for (int i = 0; i < TREES; i++)
		never_fall(&trees->of[i]);
	return new_server && trees->server;
}

static void print_tree(const struct tree_usage *tree, const char *name, struct json *json)
{
	json_open(json, name, '{');
	for (int i = 0; i < USAGES; i++) {
		uint64_t value = tree->last[i];

		if ((i == READ_BYTES || i == WRITTEN_BYTES) && tree->no_io)
			continue;
		json_uint(json, USAGE_NAMES[i],
			  i == USER || i == SYSTEM ? ticks_to_ns(value) : value);
	}
	json_uint(json, "processes", tree->processes);
	json_uint(json, "rss_kib", tree->rss_kib);
	json_close(json, '}');
}

void trees_print(const struct trees *trees, struct json *json)
{
	json_open(json, "trees", '{');
	for (int i = TREES - 1; i >= 0; i--)
		if (trees->of[i].processes)
			print_tree(&trees->of[i], TREE_NAMES[i], json);
	json_close(json, '}');
}
