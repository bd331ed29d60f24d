#include "options.h"

#include "describe.h"
#include "common/usage.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_SECONDS 1000000
#define MOST_EVENTS 100000000000.0

static const char USAGE[] =
	"usage: sql --engine NAME --target TARGET --workload FILE --step NAME[:KEY=N]...\n"
	"           [options]\n"
	"The statements of a workload file. JSON lines on stdout, messages on stderr.\n"
	"\n"
	"  --engine NAME        null, sqlite, duckdb, rocksdb, hnswlib, postgres, mysql,\n"
	"                       mariadb, myrocks\n"
	"  --target TARGET      existing folder for the database; of a server the words\n"
	"                       host= port= socket= user= password= dbname=, or env:NAME\n"
	"                       to read them from that environment variable\n"
	"  --workload FILE      tables, statements and steps: see workloads/README.md\n"
	"  --vectors DIR        base.fvecs and queries.fvecs of a workload that has vectors\n"
	"  --set NAME=VALUE     another value for a let of the file; may be repeated\n"
	"  --step NAME[:KEY=N]  a step and its sizes; give one --step each, in order:\n"
	"                         load  index  point-query:seconds=S  scan[:events=N]\n"
	"                       events=N ends a step after so many of all clients instead;\n"
	"                       warmup=S runs it so long before, uncounted; rate=N is the\n"
	"                       most events a second of all clients, each with a time at\n"
	"                       which it is meant to start\n"
	"  --config FILE        settings of an embedded engine, lines `name = value`\n"
	"  --dop N              clients, 1 to 64 (default 1)\n"
	"  --seed N             seed of the data and the parameters (default 1)\n"
	"  --no-prepare         statements are sent as text, each time\n"
	"  --contend            writers compete in the engine, not in our queue\n"
	"  --waits 0|1          ask a server once a second what its sessions wait for\n"
	"                       (default 0)\n"
	"  --trace FILE         every statement that SQLite runs, one a line\n"
	"  --list               print the workload's steps: name, kind, group, about\n"
	"  --check              read the workload, print its steps, and no more\n"
	"  --describe FILE      print what a study must know of a workload, as JSON\n"
	"  --version            print the version of the engine, of a server at --target\n"
	"  --help               print this\n"
	"\n"
	"A server on this machine is told by BENCH_SERVER_PID and BENCH_SERVER_DIR (its data\n"
	"folder) in the environment: its CPU time, files and device are then reported.\n"
	"\n"
	"exit status: 0 done, 1 the run failed, 2 wrong usage\n";

enum long_option {
	OPTION_ENGINE, OPTION_TARGET, OPTION_WORKLOAD, OPTION_VECTORS, OPTION_SET, OPTION_STEP,
	OPTION_CONFIG, OPTION_DOP, OPTION_SEED, OPTION_NO_PREPARE, OPTION_CONTEND,
	OPTION_WAITS, OPTION_TRACE, OPTION_LIST, OPTION_CHECK, OPTION_DESCRIBE,
	OPTION_VERSION, OPTION_HELP
};

static const struct option LONG_OPTIONS[] = {
	{ "engine",     required_argument, NULL, OPTION_ENGINE },
	{ "target",     required_argument, NULL, OPTION_TARGET },
	{ "workload",   required_argument, NULL, OPTION_WORKLOAD },
	{ "vectors",    required_argument, NULL, OPTION_VECTORS },
	{ "set",        required_argument, NULL, OPTION_SET },
	{ "step",       required_argument, NULL, OPTION_STEP },
	{ "config",     required_argument, NULL, OPTION_CONFIG },
	{ "dop",        required_argument, NULL, OPTION_DOP },
	{ "seed",       required_argument, NULL, OPTION_SEED },
	{ "no-prepare", no_argument,       NULL, OPTION_NO_PREPARE },
	{ "contend",    no_argument,       NULL, OPTION_CONTEND },
	{ "waits",      required_argument, NULL, OPTION_WAITS },
	{ "trace",      required_argument, NULL, OPTION_TRACE },
	{ "list",       no_argument,       NULL, OPTION_LIST },
	{ "check",      no_argument,       NULL, OPTION_CHECK },
	{ "describe",   required_argument, NULL, OPTION_DESCRIBE },
	{ "version",    no_argument,       NULL, OPTION_VERSION },
	{ "help",       no_argument,       NULL, OPTION_HELP },
	{ 0 },
};

/* Words of the command line that can only be judged at its end. */
struct asked {
	const char *config, *steps[MAX_WORKLOAD_STEPS];
	size_t nsteps;
	bool version, list, describe;
};

/* Appends a word to a list as it was given. */
static bool remember(char *list, size_t size, const char *word)
{
	size_t used = strlen(list);
	int length = snprintf(list + used, size - used, "%s%s", used ? " " : "", word);

	return (length >= 0 && (size_t)length < size - used) ||
	       usage_wrong("there are too many --step or --set");
}

static bool read_set(struct options *options)
{
	char *equals = strchr(optarg, '='), *end;
	struct override *set = &options->sets[options->nsets];
	enum distance distance;

	if (options->nsets == MAX_SETS)
		return usage_wrong("there are at most %d --set", MAX_SETS);
	if (!remember(options->sets_text, sizeof(options->sets_text), optarg))
		return false;
	errno = 0;
	if (!equals || equals == optarg)
		return usage_wrong("--set %s: expected NAME=VALUE", optarg);
	if (!strncmp(optarg, "distance=", strlen("distance="))) {
		if (!distance_named(equals + 1, &distance))
			return usage_wrong("--set %s: expected l2, cosine or ip", optarg);
		set->value = (int64_t)distance;
	} else {
		set->value = strtoll(equals + 1, &end, 10);
		if (!isdigit((unsigned char)equals[1]) || *end || errno)
			return usage_wrong("--set %s: expected a whole number behind the =",
					   optarg);
	}
	*equals = '\0';
	set->name = optarg;
	options->nsets++;
	return true;
}

static bool read_step(struct options *options, struct asked *asked)
{
	if (asked->nsteps == MAX_WORKLOAD_STEPS)
		return usage_wrong("there are at most %d --step", MAX_WORKLOAD_STEPS);
	asked->steps[asked->nsteps++] = optarg;
	return remember(options->steps_text, sizeof(options->steps_text), optarg);
}

static bool read_trace(struct options *options)
{
	options->trace = fopen(optarg, "we");
	return options->trace ||
	       usage_wrong("--trace %s: %s", optarg, strerror(errno));
}

static bool read_option(struct options *options, int option, struct asked *asked)
{
	uint64_t number;

	switch (option) {
	case OPTION_ENGINE:
		options->place.engine = engine_find(optarg);
		return options->place.engine ||
		       usage_wrong("--engine %s: there is no such engine; --help names them",
			     optarg);
	case OPTION_TARGET:
		options->place.target = optarg;
		return true;
	case OPTION_WORKLOAD:
		options->path = optarg;
		return true;
	case OPTION_VECTORS:
		options->vectors = optarg;
		return true;
	case OPTION_SET:
		return read_set(options);
	case OPTION_STEP:
		return read_step(options, asked);
	case OPTION_CONFIG:
		asked->config = optarg;
		return true;
	case OPTION_DOP:
		if (!usage_number("dop", 1, MAX_DOP, &number))
			return false;
		options->dop = (unsigned)number;
		return true;
	case OPTION_SEED:
		return usage_number("seed", 0, UINT64_MAX, &options->seed);
	case OPTION_NO_PREPARE:
		options->no_prepare = true;
		return true;
	case OPTION_CONTEND:
		options->contend = true;
		return true;
	case OPTION_WAITS:
		if (!usage_number("waits", 0, 1, &number))
			return false;
		options->waits = number;
		return true;
	case OPTION_TRACE:
		return read_trace(options);
	case OPTION_LIST:
	case OPTION_CHECK:
		asked->list = true;
		return true;
	case OPTION_DESCRIBE:
		options->path = optarg;
		asked->describe = true;
		return true;
	case OPTION_VERSION:
		asked->version = true;
		return true;
	default:		/* getopt has said what is wrong */
		return false;
	}
}

/* KEY=NUMBER of a step, its length in *length. */
static bool read_size(struct step_size *size, const char *text, size_t length)
{
	char word[64], *equals, *end;
	double number;

	snprintf(word, sizeof(word), "%.*s", (int)length, text);
	equals = strchr(word, '=');
	number = equals ? strtod(equals + 1, &end) : 0;
	if (!equals || !isdigit((unsigned char)equals[1]) || *end)
		return usage_wrong("--step %s: %s is no KEY=NUMBER", size->step->name, word);
	*equals = '\0';
	if (!strcmp(word, "seconds") && number > 0 && number <= LONGEST_SECONDS)
		size->milliseconds = (uint64_t)(number * 1000 + 0.5);
	else if (!strcmp(word, "events") && number >= 1 && number <= MOST_EVENTS)
		size->events = (uint64_t)number;
	else if (!strcmp(word, "warmup") && number <= LONGEST_SECONDS)
		size->warmup_ms = (uint64_t)(number * 1000 + 0.5);
	else if (!strcmp(word, "rate") && number >= 1 && number <= MOST_EVENTS)
		size->rate = (uint64_t)number;
	else
		return usage_wrong("--step %s: expected seconds, events, warmup or rate and a "
			     "number that can be, not %s=%g", size->step->name, word,
			     number);
	return true;
}

static bool check_size(struct step_size *size)
{
	const struct workload_step *step = size->step;

	if (step->kind == STEP_LOAD || step->kind == STEP_INDEX ||
	    step->kind == STEP_ANALYZE) {
		if (size->milliseconds || size->events || size->warmup_ms || size->rate)
			return usage_wrong("--step %s takes no size: the workload's lets say "
				     "how large it is", step->name);
		return true;
	}
	if (size->milliseconds && size->events)
		return usage_wrong("--step %s takes seconds or events, not both", step->name);
	if (step->kind == STEP_SCAN && !size->milliseconds && !size->events)
		size->events = 1;
	if (step->kind != STEP_CLEANUP && !size->milliseconds && !size->events)
		return usage_wrong("--step %s needs a size: %s:seconds=S or %s:events=N",
			     step->name, step->name, step->name);
	if (step->kind == STEP_CLEANUP && (size->events || size->warmup_ms ||
					   size->rate))
		return usage_wrong("--step %s is a cleanup: it takes seconds only", step->name);
	return true;
}

static bool add_step(struct options *options, const char *text)
{
	struct step_size *size = &options->steps[options->nsteps];
	size_t length = strcspn(text, ":");
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	*size = (struct step_size){ .step = workload_step(options->workload, name) };
	if (!size->step)
		return usage_wrong("--step %s: the workload %s has no such step; --list shows "
			     "them", name, options->workload->name);
	for (size_t i = 0; i < options->nsteps; i++)
		if (options->steps[i].step == size->step)
			return usage_wrong("--step %s is given twice", name);
	if (size->step->kind == STEP_LOAD && options->nsteps)
		return usage_wrong("--step load makes the tables, so it must be the first");
	for (text += length; *text; text += length) {
		length = strcspn(++text, ":");
		if (!read_size(size, text, length))
			return false;
	}
	options->nsteps++;
	return check_size(size);
}

static void print_list(const struct workload *workload)
{
	for (unsigned i = 0; i < workload->nsteps; i++) {
		const struct workload_step *step = &workload->steps[i];

		printf("%s\t%s\t%s\t%s\n", step->name, STEP_KINDS[step->kind],
		       step->group, step->about);
	}
}

/* A let that the line `vectors` makes; 0: there is none. */
static int64_t let_of(const struct workload *workload, const char *name)
{
	int found = workload_name(workload, name);

	return found < 0 ? 0 : workload->lets[found];
}

/* --set may take some of the vectors; all else is as it is in the folder. */
static bool check_vectors(const struct options *options, const struct vector_sizes *sizes)
{
	const struct workload *workload = options->workload;

	if (!workload->has_vectors)
		return !options->vectors ||
		       usage_wrong("--vectors: the workload %s has no line `vectors`",
				   workload->name);
	if (!options->vectors)
		return usage_wrong("--vectors is missing: the workload %s asks for the "
				   "nearest of a folder's vectors", workload->name);
	if (let_of(workload, "dim") != sizes->dim ||
	    let_of(workload, "queries") != sizes->queries)
		return usage_wrong("--set dim and queries: the folder says them");
	if (let_of(workload, "vectors") >= 1 && let_of(workload, "vectors") <= sizes->vectors)
		return true;
	return usage_wrong("--set vectors=%lld: the folder %s has %lld",
			   (long long)let_of(workload, "vectors"), options->vectors,
			   (long long)sizes->vectors);
}

static bool read_workload(struct options *options, bool runs)
{
	struct vector_sizes sizes = { 0 };
	char why[1024];

	if (!options->path)
		return usage_wrong("--workload is missing; --help shows the usage");
	if (options->vectors) {
		if (!vectors_open(&options->folder, options->vectors, why, sizeof(why)))
			return usage_wrong("%s", why);
		sizes = (struct vector_sizes){
			.dim = (int64_t)options->folder.base.dim,
			.vectors = (int64_t)options->folder.base.count,
			.queries = (int64_t)options->folder.queries.count,
		};
	}
	options->workload = workload_read(options->path, options->sets, options->nsets,
					  options->vectors ? &sizes : NULL, why,
					  sizeof(why));
	if (!options->workload)
		return usage_wrong("%s", why);
	if (!runs)
		return true;
	options->folder.distance = options->workload->distance;
	return check_vectors(options, &sizes);
}

static bool check_place(struct options *options, const struct asked *asked)
{
	const struct engine *engine = options->place.engine;
	char why[ENGINE_TEXT];

	if (!engine)
		return usage_wrong("--engine is missing; --help shows the usage");
	if (asked->version && !(engine->caps & ENGINE_SERVER))
		return place_check_library(&options->place, why, sizeof(why)) ||
		       usage_wrong("%s", why);
	if (!place_find(&options->place, asked->config, why, sizeof(why)))
		return usage_wrong("%s", why);
	return !options->waits || engine->waits ||
	       usage_wrong("--waits 1: %s runs inside this program and has no sessions that "
		     "could wait; leave it out", engine->name);
}

/* What can only be judged when all options are known. */
static bool check_options(struct options *options, const struct asked *asked)
{
	options->print_version = asked->version;
	if (!check_place(options, asked))
		return false;
	if (asked->version)
		return true;
	if (!read_workload(options, true))
		return false;
	if (options->vectors &&
	    !vectors_encode(&options->folder, options->place.engine->name))
		return usage_wrong("there is no memory for the queries");
	if (!asked->nsteps)
		return usage_wrong("there is no --step; --help shows the usage");
	for (size_t i = 0; i < asked->nsteps; i++)
		if (!add_step(options, asked->steps[i]))
			return false;
	return true;
}

enum next options_read(struct options *options, int argc, char **argv)
{
	struct asked asked = { 0 };
	int option;

	*options = (struct options){ .dop = 1, .seed = 1 };
	while ((option = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1) {
		if (option == OPTION_HELP) {
			fputs(USAGE, stdout);
			return NEXT_DONE;
		}
		if (!read_option(options, option, &asked))
			return NEXT_USAGE;
	}
	if (optind < argc) {
		usage_wrong("%s: options begin with --; --help shows the usage", argv[optind]);
		return NEXT_USAGE;
	}
	if (asked.list || asked.describe) {
		if (!read_workload(options, false))
			return NEXT_USAGE;
		if (asked.describe)
			describe(options->workload, stdout);
		else
			print_list(options->workload);
		return NEXT_DONE;
	}
	return check_options(options, &asked) ? NEXT_RUN : NEXT_USAGE;
}
