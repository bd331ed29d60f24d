/*
 * A sidecar of a run: what the machine, its devices and the processes of client and
 * server do, once an interval, until it is told to end. Everything is read first and
 * printed then; descriptors stay open; new processes are looked for only after forks.
 */
#include "common/clock.h"
#include "common/json.h"
#include "common/json_clocks.h"
#include "common/others.h"
#include "counters.h"
#include "devices.h"
#include "files.h"
#include "frequency.h"
#include "machine.h"
#include "network.h"
#include "offset.h"
#include "options.h"
#include "output.h"
#include "trees.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Of all processes: where there are many that is too dear for each of many samples in a
 * second. It may take this share of the time; what is read late is of another step.
 */
#define OTHERS_SHARE 100
#define OTHERS_EVERY_NS (NS_PER_S - NS_PER_S / 10)	/* at the latest */

struct sampler {
	struct options options;
	struct output output;
	struct machine machine;
	struct network network;
	struct frequency frequency;
	struct devices devices;
	struct trees trees;
	struct counters counters;
	struct others others;
	uint64_t others_due_ns;
	uint64_t samples, missed;
};

static volatile sig_atomic_t ending;
static struct timespec wake;	/* when to; the past once we are to end */

/* Before the sleep or in it: either way the sleep is over. */
static void end_soon(int signal)
{
	(void)signal;
	ending = 1;
	wake.tv_sec = 0;
}

static void catch_signals(pid_t parent)
{
	struct sigaction action = { .sa_handler = end_soon, .sa_flags = SA_RESTART };

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		end_soon(0);
}

/* As many as there may be, the half of them for counters. */
static void allow_files(struct sampler *sampler)
{
	struct rlimit limit = { .rlim_max = 1024 };

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	sampler->trees.found.room =
		processes_room(limit.rlim_max / (sampler->options.counters ? 2 : 1));
}

static bool open_all(struct sampler *sampler)
{
	const struct options *options = &sampler->options;

	if (!machine_open(&sampler->machine)) {
		fprintf(stderr, "sampler: cannot read %s: %s\n", files_path("proc/stat"),
			strerror(errno));
		return false;
	}
	if (!trees_open(&sampler->trees, options->pid, options->server_file)) {
		fprintf(stderr, "sampler: --pid %d: %s\n", options->pid,
			errno == ENOENT ? "there is no such process" : strerror(errno));
		return false;
	}
	if (options->run)
		others_open(&sampler->others, options->run);
	network_open(&sampler->network);
	frequency_open(&sampler->frequency, sampler->machine.cpus);
	devices_open(&sampler->devices);
	sampler->counters.wanted = options->counters;
	counters_open(&sampler->counters, &sampler->trees.found, options->pid);
	return output_open(&sampler->output, options->out);
}

static void print_unsupported(const struct sampler *sampler, struct json *json)
{
	json_open(json, "unsupported", '{');
	if (sampler->frequency.slow)
		json_text(json, "mhz", "this kernel takes too long to tell it");
	if (sampler->trees.no_children)
		json_text(json, "children", "this kernel does not tell the children of a "
			  "process (CONFIG_PROC_CHILDREN)");
	counters_print_reasons(&sampler->counters, json);
	json_close(json, '}');
}

static bool print_head(struct sampler *sampler)
{
	const struct options *options = &sampler->options;
	struct json json;

	json_begin(&json, sampler->output.file);
	json_text(&json, "kind", "sampler");
	json_uint(&json, "schema", 1);
	json_uint(&json, "interval_ns", options->interval_ns);
	json_uint(&json, "cpus", sampler->machine.cpus);
	json_clocks(&json);
	devices_print_names(&sampler->devices, &json, "devices", true);
	json_text(&json, "main_device", devices_main(&sampler->devices, options->folder));
	if (options->log_device)
		json_text(&json, "log_device", options->log_device);
	counters_print_events(&sampler->counters, &json);
	print_unsupported(sampler, &json);
	json_key(&json, "offset_ns");
	fprintf(json.out, "%" PRId64, options->offset_ns);
	json_end(&json);
	return output_check(&sampler->output);
}

static uint64_t read_all(struct sampler *sampler)
{
	struct trees *trees = &sampler->trees;
	uint64_t now = clock_mono_ns();

	machine_read(&sampler->machine);
	network_read(&sampler->network);
	frequency_read(&sampler->frequency);
	devices_read(&sampler->devices);
	if (trees_read(trees, machine_forks(&sampler->machine), now))
		counters_add_server(&sampler->counters, &trees->found, trees->server,
				    trees->server_inside);
	counters_read(&sampler->counters);
	if (sampler->options.run && now >= sampler->others_due_ns) {
		uint64_t began_ns = clock_mono_ns(), every_ns;

		others_read(&sampler->others);
		every_ns = OTHERS_SHARE * (clock_mono_ns() - began_ns);
		if (every_ns > OTHERS_EVERY_NS)
			every_ns = OTHERS_EVERY_NS;
		sampler->others_due_ns = now + every_ns;
	}
	return now;
}

static bool sample(struct sampler *sampler)
{
	uint64_t now = read_all(sampler);
	struct json json;

	json_begin(&json, sampler->output.file);
	json_text(&json, "kind", "os");
	json_uint(&json, "t_ns", now);
	machine_print(&sampler->machine, &json);
	frequency_print(&sampler->frequency, &json);
	network_print(&sampler->network, &json);
	devices_print_names(&sampler->devices, &json, "new_devices", false);
	devices_print(&sampler->devices, &json);
	trees_print(&sampler->trees, &json);
	if (sampler->options.run) {
		json_uint(&json, "others_ns", sampler->others.others_ns);
		json_uint(&json, "kernel_ns", sampler->others.kernel_ns);
	}
	counters_print(&sampler->counters, &json);
	json_end(&json);
	sampler->samples++;
	return output_check(&sampler->output);
}

static bool print_end(struct sampler *sampler)
{
	struct json json;

	json_begin(&json, sampler->output.file);
	json_text(&json, "kind", "end");
	json_clocks(&json);
	json_uint(&json, "samples", sampler->samples);
	json_uint(&json, "missed", sampler->missed);
	json_uint(&json, "cpu_ns", clock_read_ns(CLOCK_PROCESS_CPUTIME_ID));
	json_end(&json);
	return output_check(&sampler->output);
}

/* The tick after `last` that is still to come; those that are over are missed. */
static uint64_t next_tick(struct sampler *sampler, uint64_t last)
{
	uint64_t interval = sampler->options.interval_ns;
	uint64_t passed = (clock_mono_ns() - last) / interval;

	sampler->missed += passed;
	return last + (passed + 1) * interval;
}

static void sleep_until(uint64_t ns)
{
	wake = (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_S),
				  .tv_nsec = (long)(ns % NS_PER_S) };
	while (!ending && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL))
		;
}

static bool run(struct sampler *sampler)
{
	uint64_t tick;

	if (!open_all(sampler) || !print_head(sampler))
		return false;
	tick = clock_mono_ns();
	while (sample(sampler)) {
		if (ending)
			return print_end(sampler);
		tick = next_tick(sampler, tick);
		sleep_until(tick);
	}
	return false;
}

int main(int argc, char **argv)
{
	static struct sampler sampler;
	pid_t parent = getppid();

	if (!options_read(&sampler.options, argc, argv))
		return 2;
	switch (sampler.options.mode) {
	case MODE_HELP:
		options_usage();
		return 0;
	case MODE_CLOCK:
		return offset_answer();
	case MODE_OFFSET:
		return offset_ask(sampler.options.command);
	default:
		catch_signals(parent);
		allow_files(&sampler);
		return run(&sampler) ? 0 : 1;
	}
}
