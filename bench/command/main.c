/*
 * command: any shell command as the steps of a run. Each repetition is an operation of the
 * op run, its wall time its response time. The step's clock counts the command alone: not
 * what prepares it, not what the shell takes to start. Prints the records of common/record.h.
 */
#include "shell.h"
#include "text.h"

#include "common/arm.h"
#include "common/clock.h"
#include "common/record.h"
#include "common/usage.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_STEPS 256
#define MOST_VALUES 64
#define MOST_OUTPUT 65536	/* bytes of the commands' output that a run keeps */
#define MOST_SAID (1 << 20)	/* bytes that one run of a command may print of numbers */
#define EMPTY_RUNS 21		/* of an empty command, to tell what the shell costs */
#define LEAST_RUNS 10		/* of a step of which nothing is said, */
#define LEAST_NS (3 * NS_PER_S)	/* and how long they take at least */
#define LEAST_WORK_NS 1000	/* of a command that the shell's own time hides */
#define VERSION_TEXT "1"

static const char USAGE[] =
	"usage: command --workload FILE --step NAME[:seconds=S|:events=N][:warmup=S]...\n"
	"               [--set NAME=VALUE]... [--target DIR] [--out DIR] [--seed N]\n"
	"               [--engine shell]\n"
	"Runs the commands of FILE (see text.h) in DIR, and prints JSON lines. A step of no\n"
	"size runs its command 10 times, and for 3 s. What a command with numbers prints\n"
	"goes to STEP.said in the folder --out, a line for each run.\n"
	"What a run of a command leaves behind is ended when it ends, daemons too: start a\n"
	"server in setup or prepare, whose processes outside of their process group live\n"
	"until all steps are over.\n"
	"Exit: 0 done, 1 the run failed, 2 bad usage.\n";

struct asked {
	char *name;
	uint64_t duration_ns, events, warmup_ns;
};

static struct asked steps[MOST_STEPS];
static struct value values[MOST_VALUES];
static size_t nsteps, nvalues, room = MOST_OUTPUT;
static const char *file, *out_folder;
static int said = -1;		/* what the command prints, where it has numbers */
static FILE *told;		/* STEP.said */
static uint64_t seed = 42;
static struct left left;		/* by the commands of the step */
static char reason[1024];

static bool seconds(const char *text, uint64_t *ns)
{
	char *end;
	double value = strtod(text, &end);

	*ns = (uint64_t)(value * 1e9);
	return end != text && !*end && value > 0 && value <= 86400;
}

static bool add_step(char *text)
{
	struct asked *step = &steps[nsteps];
	char *word, *rest = NULL, *end = NULL;

	if (nsteps++ == MOST_STEPS)
		return usage_wrong("at most %d steps", MOST_STEPS);
	step->name = strtok_r(text, ":", &rest);
	if (!step->name)
		return usage_wrong("--step needs a name");
	while ((word = strtok_r(NULL, ":", &rest))) {
		bool good = false;

		if (!strncmp(word, "seconds=", 8))
			good = seconds(word + 8, &step->duration_ns);
		else if (!strncmp(word, "warmup=", 7))
			good = seconds(word + 7, &step->warmup_ns);
		else if (!strncmp(word, "events=", 7)) {
			step->events = strtoull(word + 7, &end, 10);
			good = end != word + 7 && !*end && step->events;
		}
		if (!good)
			return usage_wrong("step %s: what is %s?", step->name, word);
	}
	if (!step->duration_ns && !step->events) {
		step->events = LEAST_RUNS;
		step->duration_ns = LEAST_NS;
	}
	return true;
}

static bool add_value(char *text)
{
	char *equals = strchr(text, '=');

	if (!equals || nvalues == MOST_VALUES)
		return usage_wrong("--set takes NAME=VALUE, at most %d", MOST_VALUES);
	*equals = '\0';
	values[nvalues++] = (struct value){ text, equals + 1 };
	return true;
}

/* Runs what the file has under the key; nothing said is well done. */
static bool run(const struct asked *step, const char *key, struct cost *cost)
{
	char *text = text_of(file, step->name, key, values, nvalues), why[256];
	char *limit = text_of(file, step->name, "timeout", NULL, 0);
	uint64_t timeout_ns = 0;
	bool good;

	if (limit)
		seconds(limit, &timeout_ns);
	free(limit);
	if (!text)
		return true;
	if (strcmp(key, "command"))
		good = shell_run(text, timeout_ns, -1, &room, cost, why, sizeof(why));
	else
		good = shell_run_alone(text, timeout_ns, said, &room, cost, &left, why,
				       sizeof(why));
	if (!good)
		snprintf(reason, sizeof(reason), "step %s: its %s %s", step->name, key, why);
	free(text);
	return good;
}

/* Before anything runs: a step without a command would time nothing. */
static bool is_said(const struct asked *step)
{
	char *command = text_of(file, step->name, "command", NULL, 0);
	char *limit = text_of(file, step->name, "timeout", NULL, 0);
	uint64_t ns;
	bool good = true;

	if (!command)
		good = usage_wrong("%s has no command of step %s", file, step->name);
	else if (limit && !seconds(limit, &ns))
		good = usage_wrong("%s: step %s: its timeout is %s, not seconds up to a day",
				   file, step->name, limit);
	free(command);
	free(limit);
	return good;
}

struct tally {
	uint64_t ops, cpu_ns, max_ns, sampled_ops, sample_begin_ns, rss_kib;
	struct hist hist;
	uint64_t times[TIMES_BUCKETS];
};

static void sample(const struct asked *step, struct tally *tally, uint64_t t_ns)
{
	uint64_t ops = tally->ops - tally->sampled_ops;

	record_sample(stdout, &(struct sample_record){
		.step = step->name, .op = "run", .t_ns = t_ns,
		.interval_ns = t_ns - tally->sample_begin_ns, .ops = ops,
		.max_ns = tally->max_ns, .clients = &ops, .nclients = 1,
		.times = tally->times,
	});
	tally->sampled_ops = tally->ops;
	tally->sample_begin_ns = t_ns;
	tally->max_ns = 0;
	memset(tally->times, 0, sizeof(tally->times));
}

static bool goes_on(const struct asked *step, const struct tally *tally, uint64_t start_ns)
{
	uint64_t again_ns = step->duration_ns ? atomic_load(&arm->again_ns) : 0;

	return !tally->ops || tally->ops < step->events ||
	       clock_mono_ns() - start_ns < step->duration_ns + again_ns;
}

static bool warm_up(const struct asked *step)
{
	uint64_t begin_ns = clock_mono_ns();
	struct cost cost;

	while (step->warmup_ns && clock_mono_ns() - begin_ns < step->warmup_ns)
		if (!run(step, "prepare", &cost) || !run(step, "command", &cost))
			return false;
	return true;
}

/*
 * What stands in every time of a command: the least of a few empty ones. Beside busy
 * processes most of them wait, some for longer than the command itself takes. They are no
 * part of what is measured.
 */
static bool weigh_shell(struct cost *shell)
{
	uint64_t begin_ns = clock_mono_ns(), cpu_ns = clock_thread_cpu_ns(), all_cpu_ns = 0;
	char why[256];

	*shell = (struct cost){ .wall_ns = UINT64_MAX, .cpu_ns = UINT64_MAX };
	for (int i = 0; i < EMPTY_RUNS; i++) {
		struct cost cost = { 0 };

		if (!shell_run_alone(":", 0, -1, &room, &cost, &left, why, sizeof(why))) {
			snprintf(reason, sizeof(reason), "the shell %s", why);
			return false;
		}
		if (cost.wall_ns < shell->wall_ns)
			shell->wall_ns = cost.wall_ns;
		if (cost.cpu_ns < shell->cpu_ns)
			shell->cpu_ns = cost.cpu_ns;
		all_cpu_ns += cost.all_cpu_ns;
	}
	arm_leave_out(clock_mono_ns() - begin_ns,
		      clock_thread_cpu_ns() - cpu_ns + all_cpu_ns);
	return true;
}

static uint64_t without(uint64_t all, uint64_t part, uint64_t least)
{
	return all > part + least ? all - part : least < all ? least : all;
}

static void add(struct tally *tally, const struct cost *work)
{
	tally->ops++;
	tally->cpu_ns += work->cpu_ns;
	hist_record(&tally->hist, work->wall_ns);
	tally->times[hist_bucket(work->wall_ns, TIMES_SUB_BITS)]++;
	if (work->wall_ns > tally->max_ns)
		tally->max_ns = work->wall_ns;
	if (work->rss_kib > tally->rss_kib)
		tally->rss_kib = work->rss_kib;
}

/* Where the step's command prints numbers: false where there is no place for them. */
static bool open_said(const char *step)
{
	char *numbers = text_of(file, step, "numbers", NULL, 0), path[4096];

	if (!numbers)
		return true;
	free(numbers);
	snprintf(path, sizeof(path), "%s/%s.said", out_folder ? out_folder : ".", step);
	said = memfd_create("said", MFD_CLOEXEC);
	told = said < 0 ? NULL : fopen(path, "we");
	if (told)
		return true;
	snprintf(reason, sizeof(reason), "cannot write %.900s: %s", path, strerror(errno));
	return false;
}

/*
 * What the last run of the command printed, as a line of the step's file. False where only
 * a part could stand there: numbers behind it would be lost.
 */
static bool tell(const char *step, uint64_t number)
{
	static char text[MOST_SAID + 2];
	struct json json;
	ssize_t got;
	size_t length;

	if (!told)
		return true;
	got = pread(said, text, MOST_SAID + 1, 0);
	length = got > 0 ? (size_t)got : 0;
	text[length] = '\0';
	if (length > MOST_SAID) {
		snprintf(reason, sizeof(reason), "step %s: its command printed more than %d "
			 "bytes, which is the most that numbers are read from; print less, or "
			 "to a file", step, MOST_SAID);
		return false;
	}
	if (strlen(text) < length) {
		snprintf(reason, sizeof(reason), "step %s: its command printed a NUL byte, "
			 "which ends what numbers are read from; print text, or to a file", step);
		return false;
	}
	json_begin(&json, told);
	json_uint(&json, "run", number);
	json_text(&json, "text", text);
	json_end(&json);
	if (ftruncate(said, 0) || lseek(said, 0, SEEK_SET))
		perror("command: what was said");
	return true;
}

static bool close_said(const char *step)
{
	bool good = !told || !fclose(told);
	char name[256];
	struct json json;

	snprintf(name, sizeof(name), "%s.said", step);
	if (told && good) {
		record_open(&json, stdout, "output");
		json_text(&json, "step", step);
		json_text(&json, "file", name);
		json_text(&json, "format", "said");
		json_end(&json);
	}
	if (said >= 0)
		close(said);
	said = -1;
	told = NULL;
	if (!good)
		snprintf(reason, sizeof(reason), "cannot write %.200s: %s", name, strerror(errno));
	return good;
}

/* Once, and of the time that passes only the command's own is counted. */
static bool repeat(const struct asked *step, const struct cost *shell, struct tally *tally)
{
	uint64_t begin_ns = clock_mono_ns(), cpu_ns = clock_thread_cpu_ns();
	struct cost prepared = { 0 }, work = { 0 };
	uint64_t command_cpu_ns;

	if (!run(step, "prepare", &prepared) || !run(step, "command", &work))
		return false;
	command_cpu_ns = work.all_cpu_ns;
	work.wall_ns = without(work.wall_ns, shell->wall_ns, LEAST_WORK_NS);
	work.cpu_ns = without(work.cpu_ns, shell->cpu_ns, 0);
	add(tally, &work);
	if (!tell(step->name, tally->ops))
		return false;
	arm_leave_out(clock_mono_ns() - begin_ns - work.wall_ns,
		      clock_thread_cpu_ns() - cpu_ns + prepared.cpu_ns + command_cpu_ns -
			      work.cpu_ns);
	return true;
}

static bool measure(const struct asked *step, const struct cost *shell,
		    struct tally *tally, struct arm_counters *counters, uint64_t start_ns)
{
	tally->sample_begin_ns = start_ns;
	while (goes_on(step, tally, start_ns)) {
		if (!repeat(step, shell, tally))
			return false;
		arm_count(counters, 0);
		if (!goes_on(step, tally, start_ns))
			break;
		arm_rest();
		if (clock_mono_ns() - tally->sample_begin_ns >= NS_PER_S)
			sample(step, tally, clock_mono_ns());
	}
	return true;
}

static void note(const char *step, const struct cost *shell, const struct tally *tally)
{
	char text[160];

	snprintf(text, sizeof(text), "largest resident set of the command: %llu KiB",
		 (unsigned long long)tally->rss_kib);
	record_note(stdout, step, text);
	snprintf(text, sizeof(text),
		 "an empty command took %.1f us, %.1f us of CPU time: left out of each time",
		 (double)shell->wall_ns / 1e3, (double)shell->cpu_ns / 1e3);
	record_note(stdout, step, text);
	if (!left.ended)
		return;
	snprintf(text, sizeof(text), "the command left processes behind, which were ended "
		 "after each of its runs: %u in all, %s among them", left.ended, left.name);
	record_note(stdout, step, text);
}

/* Servers that a setup started, which steps behind it may ask. */
static void end_the_rest(void)
{
	struct left rest = { 0 };

	left_end(&rest);
	if (rest.ended)
		fprintf(stderr, "command: ended what setup, prepare or cleanup left behind: "
			"%u in all, %s among them\n", rest.ended, rest.name);
}

static bool run_step(const struct asked *step, unsigned seq)
{
	static struct tally tally;
	struct arm_counters *counters;
	struct cost ignored, shell = { 0 };
	uint64_t start_ns, end_ns;
	bool good;

	memset(&tally, 0, sizeof(tally));
	left = (struct left){ 0 };
	if (!run(step, "setup", &ignored) || !warm_up(step) || !open_said(step->name))
		return false;
	arm_new_step(step->name, seq);
	counters = arm_add_worker("run");
	arm_ready();
	while (!arm_may_begin())
		arm_pause();
	start_ns = clock_mono_ns();
	record_begin(stdout, step->name, start_ns);
	good = weigh_shell(&shell) && measure(step, &shell, &tally, counters, start_ns);
	end_ns = clock_mono_ns();
	arm_over();
	if (!good || !run(step, "cleanup", &ignored))
		return false;
	sample(step, &tally, end_ns);
	record_step(stdout, &(struct step_record){
		.step = step->name, .op = "run", .main = true, .seq = seq, .dop = 1,
		.start_ns = start_ns, .end_ns = end_ns, .ops = tally.ops,
		.cpu_ns = tally.cpu_ns,
	});
	record_hist(stdout, step->name, "run", "actual", &tally.hist);
	note(step->name, &shell, &tally);
	return close_said(step->name);
}

static int read_options(int argc, char **argv)
{
	static const struct option LONG[] = {
		{ "workload", required_argument, NULL, 'w' },
		{ "step", required_argument, NULL, 's' },
		{ "set", required_argument, NULL, 'v' },
		{ "target", required_argument, NULL, 't' },
		{ "out", required_argument, NULL, 'o' },
		{ "seed", required_argument, NULL, 'r' },
		{ "dop", required_argument, NULL, 'd' },
		{ "engine", required_argument, NULL, 'e' },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	uint64_t dop;
	int option;
	bool good = true;

	while (good && (option = getopt_long(argc, argv, "", LONG, NULL)) >= 0) {
		switch (option) {
		case 'w': file = optarg; break;
		case 's': good = add_step(optarg); break;
		case 'v': good = add_value(optarg); break;
		case 'o': out_folder = optarg; break;
		case 't':
			good = !chdir(optarg) ||
			       usage_wrong("--target %s: %s", optarg, strerror(errno));
			break;
		case 'r': good = usage_number("seed", 0, UINT64_MAX, &seed); break;
		case 'd': good = usage_number("dop", 1, 1, &dop); break;
		case 'e':
			good = !strcmp(optarg, "shell") ||
			       usage_wrong("there is no engine %s", optarg);
			break;
		case 'V': puts(VERSION_TEXT); exit(0);
		case 'h': fputs(USAGE, stdout); exit(0);
		default: good = false;
		}
	}
	if (good && (optind < argc || !file || !nsteps))
		good = usage_wrong("--workload and --step are needed; see --help");
	for (size_t i = 0; good && i < nsteps; i++)
		good = is_said(&steps[i]);
	return good ? 0 : 2;
}

int main(int argc, char **argv)
{
	int wrong = read_options(argc, argv);
	bool good;

	if (wrong)
		return wrong;
	good = arm_open(reason, sizeof(reason));
	record_run(stdout, &(struct run_record){
		.driver = "command", .engine = "shell", .version = VERSION_TEXT,
		.dop = 1, .seed = seed,
	});
	arm_in_whole_turns();
	left_come_here();
	for (size_t i = 0; good && i < nsteps; i++)
		good = run_step(&steps[i], (unsigned)i + 1);
	end_the_rest();
	record_end(stdout, good ? NULL : reason);
	if (!good)
		fprintf(stderr, "\ncommand: %s\n", reason);
	return good ? 0 : 1;
}
