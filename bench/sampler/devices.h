/* Block devices: the counters of /proc/diskstats, of those that did something. */
#ifndef SAMPLER_DEVICES_H
#define SAMPLER_DEVICES_H

#include "common/json.h"

#include <stdbool.h>
#include <stdint.h>

#define DEVICE_NAME 64
#define DEVICE_VALUES 17	/* older kernels have 11 or 15 */

struct device {
	char name[DEVICE_NAME];
	unsigned major, minor, nvalues;
	uint64_t values[DEVICE_VALUES];
	bool changed;
};

struct devices {
	int fd;
	struct device *list;
	unsigned count, size, told;
};

void devices_open(struct devices *devices);
void devices_read(struct devices *devices);

/* The name of the device that a folder lies on, "" if it cannot be known. */
const char *devices_main(const struct devices *devices, const char *folder);

/* Those that no line has named yet, if there are any or `always`. */
void devices_print_names(struct devices *devices, struct json *json, const char *key,
			 bool always);

/* Those that changed between the last two readings. */
void devices_print(const struct devices *devices, struct json *json);

#endif
