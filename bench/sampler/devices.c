#include "devices.h"

#include "files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static struct device *add(struct devices *devices, const struct device *read)
{
	if (devices->count == devices->size) {
		unsigned size = devices->size ? devices->size * 2 : 64;
		struct device *list = realloc(devices->list, size * sizeof(*list));

		if (!list)
			return NULL;
		devices->list = list;
		devices->size = size;
	}
	devices->list[devices->count] = (struct device){
		.major = read->major, .minor = read->minor
	};
	strcpy(devices->list[devices->count].name, read->name);
	return &devices->list[devices->count++];
}

/* Nearly always the one in the line of its number. */
static struct device *find(struct devices *devices, const char *name, unsigned expected)
{
	if (expected < devices->count && !strcmp(devices->list[expected].name, name))
		return &devices->list[expected];
	for (unsigned i = 0; i < devices->count; i++)
		if (!strcmp(devices->list[i].name, name))
			return &devices->list[i];
	return NULL;
}

/* `254 0 vda 1551494 84421 ...` */
static bool parse_line(const char *at, struct device *read)
{
	size_t length;

	read->major = (unsigned)text_number(&at);
	read->minor = (unsigned)text_number(&at);
	while (*at == ' ')
		at++;
	length = strcspn(at, " \n");
	if (!length || length >= DEVICE_NAME)
		return false;
	memcpy(read->name, at, length);
	read->name[length] = '\0';
	at += length;
	read->nvalues = 0;
	while (*at == ' ' && read->nvalues < DEVICE_VALUES)
		read->values[read->nvalues++] = text_number(&at);
	return read->nvalues > 0;
}

static void take(struct devices *devices, const struct device *read, unsigned line)
{
	struct device *device = find(devices, read->name, line);
	size_t bytes = read->nvalues * sizeof(read->values[0]);

	if (!device)
		device = add(devices, read);
	if (!device || !memcmp(device->values, read->values, bytes))
		return;
	memcpy(device->values, read->values, bytes);
	device->nvalues = read->nvalues;
	device->changed = true;
}

void devices_read(struct devices *devices)
{
	const char *text = files_read(devices->fd);
	struct device read;

	for (unsigned i = 0; i < devices->count; i++)
		devices->list[i].changed = false;
	for (unsigned line = 0; text; line++, text = text_next_line(text))
		if (parse_line(text, &read))
			take(devices, &read, line);
}

void devices_open(struct devices *devices)
{
	*devices = (struct devices){ .fd = files_open(files_path("proc/diskstats")) };
	devices_read(devices);
	/* So that the first line has all that were ever active. */
	for (unsigned i = 0; i < devices->count; i++)
		memset(devices->list[i].values, 0, sizeof(devices->list[i].values));
}

/* The line of mountinfo: `22 1 0:21 / / rw shared:1 - btrfs /dev/vda1 rw` -> /dev/vda1 */
static bool mounted_from(const char *line, char *source, size_t size)
{
	const char *at = strstr(line, " - ");
	size_t length;

	if (!at)
		return false;
	at = text_skip(at, 2);
	while (*at == ' ')
		at++;
	length = strcspn(at, " \n");
	if (!length || length >= size || *at != '/')
		return false;
	memcpy(source, at, length);
	source[length] = '\0';
	return true;
}

/* File systems such as btrfs have numbers of their own: which device are they on? */
static dev_t device_of_mount(dev_t number)
{
	const char *line = files_read_once(files_path("proc/self/mountinfo"));
	char source[PATH_MAX], wanted[32];
	struct stat info;

	snprintf(wanted, sizeof(wanted), "%u:%u", major(number), minor(number));
	for (; line; line = text_next_line(line)) {
		const char *at = text_skip(line, 2);

		at += *at == ' ';
		if (!strncmp(at, wanted, strlen(wanted)) && at[strlen(wanted)] == ' ' &&
		    mounted_from(at, source, sizeof(source)) && !stat(source, &info) &&
		    S_ISBLK(info.st_mode))
			return info.st_rdev;
	}
	return number;
}

const char *devices_main(const struct devices *devices, const char *folder)
{
	struct stat info;
	dev_t number;

	if (!folder || stat(folder, &info))
		return "";
	number = major(info.st_dev) ? info.st_dev : device_of_mount(info.st_dev);
	for (unsigned i = 0; i < devices->count; i++)
		if (devices->list[i].major == major(number) &&
		    devices->list[i].minor == minor(number))
			return devices->list[i].name;
	return "";
}

void devices_print_names(struct devices *devices, struct json *json, const char *key,
			 bool always)
{
	if (devices->told == devices->count && !always)
		return;
	json_open(json, key, '[');
	while (devices->told < devices->count)
		json_text(json, NULL, devices->list[devices->told++].name);
	json_close(json, ']');
}

void devices_print(const struct devices *devices, struct json *json)
{
	json_open(json, "dev", '[');
	for (unsigned i = 0; i < devices->count; i++) {
		const struct device *device = &devices->list[i];

		if (!device->changed)
			continue;
		json_open(json, NULL, '[');
		json_uint(json, NULL, i);
		for (unsigned k = 0; k < device->nvalues; k++)
			json_uint(json, NULL, device->values[k]);
		json_close(json, ']');
	}
	json_close(json, ']');
}
