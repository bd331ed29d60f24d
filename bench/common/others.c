#include "others.h"

#include "clock.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define LINE 1024
#define KERNEL_THREAD 0x00200000u	/* PF_KTHREAD */
#define FIRST 1				/* the process that orphans are given to */

struct others_process {
	pid_t pid, parent;
	unsigned long long start;
	uint64_t own, children;		/* ticks: its own, those of ended children */
	uint64_t inherited;		/* of children seen before, in its account now */
	bool kernel;
	char name[OTHERS_NAME];
};

static uint64_t ticks_to_ns(uint64_t ticks)
{
	return ticks * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* Anybody may name a process, with bytes that are no text. */
static void set_name(char *name, const char *from, const char *end)
{
	size_t n = 0;

	for (; from < end && n < OTHERS_NAME - 1; from++)
		name[n++] = *from > ' ' && *from <= '~' ? *from : '_';
}

static bool read_process(pid_t pid, struct others_process *process)
{
	char path[64], line[LINE];
	unsigned long long user, system, user_ended, system_ended;
	unsigned flags;
	const char *name, *after;
	ssize_t got;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	got = read(file, line, sizeof(line) - 1);
	close(file);
	line[got > 0 ? got : 0] = '\0';
	name = strchr(line, '(');
	after = strrchr(line, ')');
	*process = (struct others_process){ .pid = pid };
	if (!name || !after ||
	    sscanf(after + 1, " %*c %d %*d %*d %*d %*d %u %*u %*u %*u %*u %llu %llu %llu %llu "
		   "%*d %*d %*d %*d %llu", &process->parent, &flags, &user, &system,
		   &user_ended, &system_ended, &process->start) != 7)
		return false;
	set_name(process->name, name + 1, after);
	process->kernel = flags & KERNEL_THREAD;
	process->own = user + system;
	process->children = user_ended + system_ended;
	return true;
}

static int by_pid(const void *a, const void *b)
{
	const struct others_process *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

static struct others_process *find(const struct others_process *list, size_t count, pid_t pid)
{
	const struct others_process key = { .pid = pid };

	return count ? bsearch(&key, list, count, sizeof(key), by_pid) : NULL;
}

/* All there are, by process id; NULL, and none, where that cannot be read. */
static struct others_process *read_all(size_t *count)
{
	struct others_process *list = NULL, *longer, process;
	const struct dirent *entry;
	DIR *folder = opendir("/proc");
	size_t room = 0;

	*count = 0;
	while (folder && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)*entry->d_name) ||
		    !read_process(atoi(entry->d_name), &process))
			continue;
		if (*count == room) {
			room = room ? 2 * room : 256;
			longer = realloc(list, room * sizeof(*list));
			if (!longer)
				break;
			list = longer;
		}
		list[(*count)++] = process;
	}
	if (folder)
		closedir(folder);
	if (*count)
		qsort(list, *count, sizeof(*list), by_pid);
	return list;
}

/* Is `above` the process itself, or one that it descends from? */
static bool descends(const struct others_process *list, size_t count, pid_t pid, pid_t above)
{
	const struct others_process *process;

	for (size_t steps = 0; pid && steps <= count; steps++) {
		if (pid == above)
			return true;
		process = find(list, count, pid);
		pid = process ? process->parent : 0;
	}
	return false;
}

/* What one had that is gone is in the account of who is left above it, if they waited. */
static void inherit(const struct others *before, struct others_process *list, size_t count)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct others_process *gone = &before->list[i], *above = gone;
		struct others_process *left = find(list, count, gone->pid);

		if (left && left->start == gone->start)
			continue;
		do {
			above = find(before->list, before->count, above->parent);
			left = above ? find(list, count, above->pid) : NULL;
		} while (above && !(left && left->start == above->start));
		if (above)
			left->inherited += gone->own + gone->children;
	}
}

static void add_name(struct others *others, const char *name, uint64_t ns)
{
	for (size_t i = 0; ns && i < OTHERS_NAMES; i++) {
		struct others_name *one = &others->names[i];

		if (*one->name && strcmp(one->name, name))
			continue;
		memcpy(one->name, name, OTHERS_NAME);
		one->ns += ns;
		return;
	}
}

static uint64_t used_since(const struct others_process *before,
			   const struct others_process *now)
{
	uint64_t children = now->children - (before ? before->children : 0);

	if (now->pid == FIRST || children < now->inherited)
		children = 0;
	else
		children -= now->inherited;
	return ticks_to_ns(now->own - (before ? before->own : 0) + children);
}

void others_open(struct others *others, pid_t root)
{
	*others = (struct others){ .root = root };
	others->list = read_all(&others->count);
}

void others_read(struct others *others)
{
	size_t count;
	struct others_process *list = read_all(&count);

	inherit(others, list, count);
	for (size_t i = 0; i < count; i++) {
		const struct others_process *now = &list[i];
		const struct others_process *before = find(others->list, others->count,
							   now->pid);
		uint64_t ns;

		if (before && before->start != now->start)
			before = NULL;
		ns = used_since(before, now);
		if (now->kernel) {
			others->kernel_ns += ns;
		} else if (!descends(list, count, now->pid, others->root) &&
			   !descends(list, count, others->root, now->pid)) {
			others->others_ns += ns;
			add_name(others, now->name, ns);
		}
	}
	free(others->list);
	others->list = list;
	others->count = count;
}

const char *others_busiest(struct others *others, uint64_t *ns)
{
	static char name[OTHERS_NAME];

	*ns = 0;
	for (size_t i = 0; i < OTHERS_NAMES && *others->names[i].name; i++) {
		if (others->names[i].ns <= *ns)
			continue;
		*ns = others->names[i].ns;
		memcpy(name, others->names[i].name, sizeof(name));
	}
	memset(others->names, 0, sizeof(others->names));
	return *ns ? name : NULL;
}

void others_close(struct others *others)
{
	free(others->list);
	*others = (struct others){ .root = others->root };
}
