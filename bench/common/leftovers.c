#include "leftovers.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REMOVE_OPEN 32	/* folders that are open at once */
#define REMOVE_ROUNDS 200
#define ROUND_NS 5000000

bool process_find(pid_t pid, struct process *process)
{
	char path[64], text[1024];
	const char *after;
	FILE *file;
	size_t got;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[got] = '\0';
	after = strrchr(text, ')');	/* the name before it may hold anything */
	return after && sscanf(after + 1,
			       " %*c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			       "%*s %*s %*s %*s %*s %llu",
			       &process->parent, &process->start) == 2;
}

bool process_descends(pid_t pid, pid_t ancestor)
{
	struct process process;

	while (pid > 1 && process_find(pid, &process)) {
		if (process.parent == ancestor)
			return true;
		pid = process.parent;
	}
	return false;
}

const char *process_mark(char *mark, size_t size)
{
	struct process self = { 0 };

	process_find(getpid(), &self);
	snprintf(mark, size, "%d-%llu", getpid(), self.start);
	return mark;
}

static int remove_entry(const char *path, const struct stat *facts, int flag,
			struct FTW *where)
{
	(void)facts;
	(void)flag;
	(void)where;
	remove(path);
	return 0;
}

/* Several rounds: who was just killed may still make a file or keep a cgroup busy. */
void remove_tree(const char *path)
{
	const struct timespec pause = { .tv_nsec = ROUND_NS };
	struct stat facts;

	for (int i = 0; i < REMOVE_ROUNDS; i++) {
		nftw(path, remove_entry, REMOVE_OPEN, FTW_DEPTH | FTW_PHYS);
		if (lstat(path, &facts))
			return;
		nanosleep(&pause, NULL);
	}
}

enum maker { NONE, DEAD, ALIVE };

/* Of a mark and what comes behind it. */
static enum maker maker_of(const char *mark)
{
	unsigned long long start;
	struct process found;
	int end = 0;
	pid_t pid;

	if (sscanf(mark, "%9d-%20llu%n", &pid, &start, &end) != 2 ||
	    (mark[end] && mark[end] != '-'))
		return NONE;
	return process_find(pid, &found) && found.start == start ? ALIVE : DEAD;
}

/* A path whose own mark is of nobody alive has no name of ours, but one like it. */
void leftovers_clear(const char *path)
{
	const char *name = strrchr(path, '/');
	char folder[PATH_MAX], other[PATH_MAX + NAME_MAX + 2];
	struct stat own, facts;
	const struct dirent *entry;
	size_t stem;
	DIR *all;

	name = name ? name + 1 : path;
	stem = strcspn(name, "0123456789");
	if (!stem || maker_of(name + stem) != ALIVE || lstat(path, &own))
		return;
	snprintf(folder, sizeof(folder), "%.*s.", (int)(name - path), path);
	all = opendir(folder);
	while (all && (entry = readdir(all))) {
		if (strncmp(entry->d_name, name, stem) ||
		    maker_of(entry->d_name + stem) != DEAD)
			continue;
		snprintf(other, sizeof(other), "%s/%s", folder, entry->d_name);
		if (!lstat(other, &facts) && S_ISDIR(facts.st_mode) &&
		    facts.st_uid == own.st_uid)
			remove_tree(other);
	}
	if (all)
		closedir(all);
}
