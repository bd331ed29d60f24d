#include "processes.h"

#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_EACH 3
#define SPARE_FILES 128

static unsigned slot_of(pid_t pid)
{
	return (unsigned)pid * 2654435761u % PID_SLOTS;
}

static void put_slot(struct processes *found, unsigned index)
{
	unsigned at = slot_of(found->list[index].pid);

	while (found->slots[at])
		at = (at + 1) % PID_SLOTS;
	found->slots[at] = (uint16_t)(index + 1);
}

struct process *processes_find(struct processes *found, pid_t pid)
{
	for (unsigned at = slot_of(pid); found->slots[at]; at = (at + 1) % PID_SLOTS) {
		struct process *process = &found->list[found->slots[at] - 1];

		if (process->pid == pid)
			return process;
	}
	return NULL;
}

static void close_process(const struct process *process)
{
	const int fds[] = { process->stat, process->io, process->children };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Some descriptors are left for other files. */
unsigned processes_room(uint64_t files)
{
	uint64_t room = files > SPARE_FILES ? (files - SPARE_FILES) / FILES_EACH : 1;

	return room < MAX_PROCESSES ? (unsigned)room : MAX_PROCESSES;
}

/* Once: what is missing from the counts, and what would mend it. */
static void tell_full(struct processes *found)
{
	const char *advice = found->count < MAX_PROCESSES ? ": raise `ulimit -n`" : "";

	if (!found->full)
		fprintf(stderr, "sampler: only %u processes are watched%s\n",
			found->count, advice);
	found->full = true;
}

bool processes_add(struct processes *found, pid_t pid, pid_t parent, enum tree tree)
{
	struct process new = { .pid = pid, .parent = parent, .tree = tree,
			       .threads = true };

	if (found->count == found->room) {
		tell_full(found);
		errno = EMFILE;
		return false;
	}
	new.stat = files_open(files_path("proc/%d/stat", pid));
	if (new.stat < 0)
		return false;		/* it has ended already */
	new.io = files_open(files_path("proc/%d/io", pid));
	new.children = files_open(files_path("proc/%d/task/%d/children", pid, pid));
	found->list[found->count++] = new;
	put_slot(found, found->count - 1);
	return true;
}

static void add_children(struct processes *found, unsigned parent, const char *text)
{
	pid_t pid;

	while (text && (pid = (pid_t)text_number(&text)) > 0)
		if (pid != found->self && !processes_find(found, pid))
			processes_add(found, pid, found->list[parent].pid,
				      found->list[parent].tree);
}

struct scan {
	struct processes *found;
	unsigned parent;
};

static void scan_thread(void *to, pid_t thread)
{
	const struct scan *scan = to;
	pid_t pid = scan->found->list[scan->parent].pid;

	if (thread != pid)
		add_children(scan->found, scan->parent,
			     files_read_once(files_path("proc/%d/task/%d/children", pid,
							thread)));
}

/* New ones are at the end of the list, so their children are looked for as well. */
void processes_scan(struct processes *found, bool threads)
{
	for (unsigned i = 0; i < found->count; i++) {
		const struct process *process = &found->list[i];

		add_children(found, i, files_read(process->children));
		if (threads && process->threads)
			processes_threads(process->pid, scan_thread,
					  &(struct scan){ found, i });
	}
}

void processes_mark_server(struct processes *found, pid_t server)
{
	for (unsigned i = 0; i < found->count; i++) {
		struct process *process = &found->list[i];
		const struct process *parent = processes_find(found, process->parent);

		if (process->pid == server || (parent && parent->tree == SERVER))
			process->tree = SERVER;
	}
}

bool processes_keep(struct processes *found, bool (*keep)(void *to, struct process *),
		    void *to)
{
	unsigned kept = 0, count = found->count;

	for (unsigned i = 0; i < count; i++) {
		if (keep(to, &found->list[i]))
			found->list[kept++] = found->list[i];
		else
			close_process(&found->list[i]);
	}
	if (kept == count)
		return false;
	found->count = kept;
	memset(found->slots, 0, sizeof(found->slots));
	for (unsigned i = 0; i < kept; i++)
		put_slot(found, i);
	return true;
}

void processes_threads(pid_t pid, void (*each)(void *to, pid_t thread), void *to)
{
	DIR *folder = opendir(files_path("proc/%d/task", pid));
	const struct dirent *entry;
	pid_t thread;

	while (folder && (entry = readdir(folder))) {
		thread = (pid_t)atoi(entry->d_name);
		if (thread > 0)
			each(to, thread);
	}
	if (folder)
		closedir(folder);
}
