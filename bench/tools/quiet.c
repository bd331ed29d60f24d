/*
 * How busy the machine is with what is not ours, for a moment, and how fast it is: before
 * something is measured. Takes the moment and 25 ms.
 */
#include "common/clock.h"
#include "common/json.h"
#include "common/machine.h"
#include "common/others.h"
#include "common/work.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_MS 60000
#define NS_PER_MS 1000000

static const char USAGE[] =
	"usage: quiet MS [PID]\n"
	"Looks for MS milliseconds, 0 to 60000, at what other processes use: all but ours,\n"
	"and what descends from PID (default: our parent) and its ancestors. Prints one\n"
	"JSON line: times in ns, the program that took most, and how long a fixed piece of\n"
	"work took.\n";

static bool read_number(const char *text, long most, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *number <= most;
}

int main(int argc, char **argv)
{
	struct machine_use before, after;
	struct others others;
	uint64_t start, busiest_ns;
	const char *busiest;
	struct json json;
	long ms, root = getppid();

	if (argc < 2 || argc > 3 || !read_number(argv[1], MOST_MS, &ms) ||
	    (argc == 3 && !read_number(argv[2], INT_MAX, &root))) {
		fputs(USAGE, stderr);
		return 2;
	}
	others_open(&others, (pid_t)root);
	machine_read(&before, "");
	start = clock_mono_ns();
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * NS_PER_MS }, NULL);
	machine_read(&after, "");
	others_read(&others);
	busiest = others_busiest(&others, &busiest_ns);
	json_begin(&json, stdout);
	json_uint(&json, "wall_ns", clock_mono_ns() - start);
	json_uint(&json, "others_ns", others.others_ns);
	json_uint(&json, "kernel_ns", others.kernel_ns);
	json_uint(&json, "steal_ns", after.counters[MACHINE_STEAL_NS] -
				     before.counters[MACHINE_STEAL_NS]);
	json_text(&json, "busiest", busiest ? busiest : "");
	json_uint(&json, "busiest_ns", busiest_ns);
	json_uint(&json, "work_ns", work_ns());
	json_end(&json);
	others_close(&others);
	return ferror(stdout) ? 1 : 0;
}
