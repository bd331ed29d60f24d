#include "options.h"

#include "common/usage.h"
#include "files.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LEAST_MS 10
#define MOST_MS 3600000
#define NS_PER_MS 1000000

static const char USAGE[] =
	"usage: sampler --out FILE [options]\n"
	"What the machine and two trees of processes do, as JSON lines, until TERM, INT\n"
	"or the end of the parent. Counters as the kernel has them: nothing is divided.\n"
	"\n"
	"  --out FILE         where to; - is standard output\n"
	"  --interval-ms N    10 to 3600000 (default 1000)\n"
	"  --folder DIR       its device is the main one\n"
	"  --log-device NAME  the log lies there, and nothing else\n"
	"  --pid PID          the client: this process and all that descend from it\n"
	"  --server-file FILE the server: the process whose id the file holds, or will\n"
	"                     hold, and all that descend from it, none of the client\n"
	"  --run PID          what descends from this process is no other's: the CPU time of\n"
	"                     all others is told, once a second\n"
	"  --counters         performance counters of both, as far as there are any\n"
	"  --root DIR         read DIR/proc and DIR/sys\n"
	"  --offset-ns N      to be added to this clock to get that of the run\n"
	"\n"
	"sampler --clock      answers each line of its input with CLOCK_MONOTONIC in ns\n"
	"sampler --offset COMMAND...   asks one that does so; prints what to add to its\n"
	"                     clock to get ours, and the time of the round trip, in ns\n"
	"\n"
	"exit status: 0 done, 1 failed, 2 wrong usage\n";

void options_usage(void)
{
	fputs(USAGE, stdout);
}

static bool read_number(const char *name, int64_t least, int64_t most, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(optarg, &end, 10);
	if (end != optarg && !*end && !errno && *number >= least && *number <= most)
		return true;
	return usage_wrong("--%s %s: expected a whole number from %lld to %lld", name, optarg,
		     (long long)least, (long long)most);
}

static bool read_folder(const char *name)
{
	struct stat info;

	if (!stat(optarg, &info) && S_ISDIR(info.st_mode))
		return true;
	return usage_wrong("--%s %s: there is no such folder", name, optarg);
}

enum long_option {
	OPTION_OUT, OPTION_INTERVAL, OPTION_FOLDER, OPTION_LOG_DEVICE, OPTION_PID,
	OPTION_RUN, OPTION_SERVER, OPTION_COUNTERS, OPTION_ROOT, OPTION_OFFSET_NS,
	OPTION_CLOCK, OPTION_OFFSET, OPTION_HELP
};

static const struct option LONG_OPTIONS[] = {
	{ "out",	 required_argument, NULL, OPTION_OUT },
	{ "interval-ms", required_argument, NULL, OPTION_INTERVAL },
	{ "folder",	 required_argument, NULL, OPTION_FOLDER },
	{ "log-device",	 required_argument, NULL, OPTION_LOG_DEVICE },
	{ "pid",	 required_argument, NULL, OPTION_PID },
	{ "run",	 required_argument, NULL, OPTION_RUN },
	{ "server-file", required_argument, NULL, OPTION_SERVER },
	{ "counters",	 no_argument,	    NULL, OPTION_COUNTERS },
	{ "root",	 required_argument, NULL, OPTION_ROOT },
	{ "offset-ns",	 required_argument, NULL, OPTION_OFFSET_NS },
	{ "clock",	 no_argument,	    NULL, OPTION_CLOCK },
	{ "offset",	 no_argument,	    NULL, OPTION_OFFSET },
	{ "help",	 no_argument,	    NULL, OPTION_HELP },
	{ 0 },
};

static bool read_interval(struct options *options)
{
	int64_t ms = 0;
	bool good = read_number("interval-ms", LEAST_MS, MOST_MS, &ms);

	options->interval_ns = (uint64_t)ms * NS_PER_MS;
	return good;
}

static bool read_pid(const char *name, pid_t *pid)
{
	int64_t number = 0;
	bool good = read_number(name, 1, INT_MAX, &number);

	*pid = (pid_t)number;
	return good;
}

static bool set_mode(struct options *options, enum mode mode)
{
	options->mode = mode;
	return true;
}

static bool read_option(struct options *options, int option)
{
	switch (option) {
	case OPTION_OUT:
		options->out = optarg;
		return true;
	case OPTION_INTERVAL:
		return read_interval(options);
	case OPTION_FOLDER:
		options->folder = optarg;
		return read_folder("folder");
	case OPTION_LOG_DEVICE:
		options->log_device = optarg;
		return true;
	case OPTION_PID:
		return read_pid("pid", &options->pid);
	case OPTION_RUN:
		return read_pid("run", &options->run);
	case OPTION_SERVER:
		options->server_file = optarg;
		return true;
	case OPTION_COUNTERS:
		return options->counters = true;
	case OPTION_ROOT:
		files_set_root(optarg);
		return read_folder("root");
	case OPTION_OFFSET_NS:
		return read_number("offset-ns", INT64_MIN, INT64_MAX,
				   &options->offset_ns);
	case OPTION_CLOCK:
		return set_mode(options, MODE_CLOCK);
	case OPTION_OFFSET:
		return set_mode(options, MODE_OFFSET);
	case OPTION_HELP:
		return set_mode(options, MODE_HELP);
	default:		/* getopt has said what is wrong */
		return false;
	}
}

bool options_read(struct options *options, int argc, char **argv)
{
	int option;

	*options = (struct options){ .interval_ns = 1000ull * NS_PER_MS };
	/* The words of a command after --offset are its own. */
	while (options->mode != MODE_OFFSET &&
	       (option = getopt_long(argc, argv, "+", LONG_OPTIONS, NULL)) != -1)
		if (!read_option(options, option))
			return false;
	options->command = argv + optind;
	if (options->mode == MODE_OFFSET && !*options->command)
		return usage_wrong("--offset takes a command");
	if (options->mode != MODE_OFFSET && optind < argc)
		return usage_wrong("unexpected word %s; --help shows the usage", argv[optind]);
	if (options->mode != MODE_SAMPLE)
		return true;
	if (!options->out)
		return usage_wrong("--out is missing; --help shows the usage");
	if (options->run && files_have_root())
		return usage_wrong("--run: the processes of --root use nothing here");
	if (options->counters && files_have_root())
		return usage_wrong("--counters: the processes of --root have no counters");
	return true;
}
