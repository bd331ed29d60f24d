#include "cgroup.h"

#include <stdio.h>
#include <string.h>

#define LINE (PATH_MAX + 512)

static bool find_mount(struct cgroup *own, const char *controller)
{
	char line[LINE], where[PATH_MAX], type[64], options[256];
	FILE *file = fopen("/proc/self/mounts", "re");
	bool found = false, old = false;

	while (file && !old && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %4095s %63s %255s", where, type, options) != 3)
			continue;
		old = controller && !strcmp(type, "cgroup") && strstr(options, controller);
		if (!old && strcmp(type, "cgroup2"))
			continue;
		snprintf(own->mount, sizeof(own->mount), "%s", where);
		own->unified = !old;
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

/* The lines are NUMBER:CONTROLLERS:PATH; those of version 2 name no controller. */
static bool find_path(struct cgroup *own, const char *controller)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[LINE];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		const char *names = strchr(line, ':');
		const char *path = names ? strchr(names + 1, ':') : NULL;

		if (!path || (own->unified ? path != names + 1 : !strstr(names, controller)))
			continue;
		found = path[1] == '/';
		snprintf(own->path, sizeof(own->path), "%.*s",
			 (int)strcspn(path + 1, "\n"), path + 1);
	}
	if (file)
		fclose(file);
	return found;
}

bool cgroup_own(struct cgroup *own, const char *controller)
{
	return find_mount(own, controller) && find_path(own, controller);
}

bool cgroup_child(char *folder, size_t size, const struct cgroup *own, const char *name)
{
	int length = snprintf(folder, size, "%s%s/benchbook-%s", own->mount,
			      own->path[1] ? own->path : "", name);

	return length > 0 && (size_t)length < size;
}
