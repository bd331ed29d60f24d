#include "frequency.h"

#include "common/clock.h"
#include "files.h"

#include <unistd.h>

#define SLOW_NS 2000000		/* some kernels wait 10 ms for each processor */

/* At most MAX_FREQUENCIES of them, evenly spread. */
void frequency_open(struct frequency *frequency, unsigned cpus)
{
	unsigned step = cpus / MAX_FREQUENCIES + (cpus % MAX_FREQUENCIES != 0);
	uint64_t begun;

	*frequency = (struct frequency){ .count = 0 };
	for (unsigned cpu = 0; cpu < cpus && step; cpu += step) {
		int fd = files_open(files_path("sys/devices/system/cpu/cpu%u/cpufreq/"
					       "scaling_cur_freq", cpu));

		if (fd >= 0)
			frequency->fds[frequency->count++] = fd;
	}
	begun = clock_mono_ns();
	frequency_read(frequency);
	if (clock_mono_ns() - begun <= SLOW_NS)
		return;
	frequency->slow = true;
	while (frequency->count)
		close(frequency->fds[--frequency->count]);
}

/* The mean; the files hold kHz. */
void frequency_read(struct frequency *frequency)
{
	uint64_t sum = 0;
	unsigned known = 0;

	for (unsigned i = 0; i < frequency->count; i++) {
		const char *text = files_read(frequency->fds[i]);
		uint64_t khz = text ? text_number(&text) : 0;

		sum += khz;
		known += khz > 0;
	}
	frequency->mhz = known ? sum / known / 1000 : 0;
}

void frequency_print(const struct frequency *frequency, struct json *json)
{
	if (frequency->mhz)
		json_uint(json, "mhz", frequency->mhz);
}
