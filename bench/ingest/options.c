#include "options.h"

#include "common/usage.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
	"usage: ingest --engine NAME --target TARGET --step NAME[:KEY=N]... [options]\n"
	"The insert benchmark. JSON lines on stdout, messages on stderr.\n"
	"\n"
	"  --engine NAME        null, sqlite, duckdb, postgres, ... (--list)\n"
	"  --target TARGET      existing folder for the database; of a server the words\n"
	"                       host= port= socket= user= password= dbname=, or env:NAME\n"
	"                       to read them from that environment variable\n"
	"  --step NAME[:KEY=N]  a step and its sizes; give one --step each, in order:\n"
	"                         l.i0:rows=N  l.x  l.i1:rows=N  l.i2:rows=N\n"
	"                         cleanup[:seconds=S]  qr100.L1:seconds=S ...  scan\n"
	"                       rows are for each client; a step that takes rows takes\n"
	"                       seconds instead (also 0.5), of a query step the least\n"
	"                       time; writers may have rows_per_commit=N; queries=N asks\n"
	"                       of a query step so many of each client and no writers\n"
	"  --config FILE        settings of an embedded engine, lines `name = value`\n"
	"  --dop N              clients, 1 to 64 (default 1)\n"
	"  --seed N             seed of the data and the queries (default 1)\n"
	"  --tables 1|dop       one table for all clients, or one each (default 1)\n"
	"  --indexes 0|3        whether l.x creates the secondary indexes (default 3)\n"
	"  --index-set 2023|older\n"
	"                       definitions since or until December 2023 (default 2023)\n"
	"  --price int|real     type of the price (default int; real if --index-set older)\n"
	"  --no-delete          steps that delete do not\n"
	"  --waits 0|1          ask a server once a second what its sessions wait for\n"
	"                       (default 0)\n"
	"  --no-prepare         statements are sent as text, each time\n"
	"  --contend            writers compete in the engine, not in our queue\n"
	"  --list               print engines and steps\n"
	"  --version            print the version of the engine, of a server at --target\n"
	"  --help               print this\n"
	"\n"
	"A server on this machine is told by BENCH_SERVER_PID and BENCH_SERVER_DIR (its data\n"
	"folder) in the environment: its CPU time, files and device are then reported.\n"
	"\n"
	"exit status: 0 done, 1 the run failed, 2 wrong usage\n";

enum long_option {
	OPTION_ENGINE, OPTION_TARGET, OPTION_STEP, OPTION_CONFIG, OPTION_DOP,
	OPTION_SEED, OPTION_TABLES, OPTION_INDEXES, OPTION_INDEX_SET, OPTION_PRICE,
	OPTION_NO_DELETE, OPTION_NO_PREPARE, OPTION_CONTEND, OPTION_WAITS,
	OPTION_LIST, OPTION_VERSION, OPTION_HELP
};

static const struct option LONG_OPTIONS[] = {
	{ "engine",    required_argument, NULL, OPTION_ENGINE },
	{ "target",    required_argument, NULL, OPTION_TARGET },
	{ "step",      required_argument, NULL, OPTION_STEP },
	{ "config",    required_argument, NULL, OPTION_CONFIG },
	{ "dop",       required_argument, NULL, OPTION_DOP },
	{ "seed",      required_argument, NULL, OPTION_SEED },
	{ "tables",    required_argument, NULL, OPTION_TABLES },
	{ "indexes",   required_argument, NULL, OPTION_INDEXES },
	{ "index-set", required_argument, NULL, OPTION_INDEX_SET },
	{ "price",     required_argument, NULL, OPTION_PRICE },
	{ "no-delete", no_argument,	  NULL, OPTION_NO_DELETE },
	{ "no-prepare", no_argument,	  NULL, OPTION_NO_PREPARE },
	{ "contend",   no_argument,	  NULL, OPTION_CONTEND },
	{ "waits",     required_argument, NULL, OPTION_WAITS },
	{ "list",      no_argument,	  NULL, OPTION_LIST },
	{ "version",   no_argument,	  NULL, OPTION_VERSION },
	{ "help",      no_argument,	  NULL, OPTION_HELP },
	{ 0 },
};

static void print_list(void)
{
	puts("engines");
	for (size_t i = 0; i < NENGINES; i++)
		if (ENGINES[i]->create_table)
			printf("  %-10s %s\n", ENGINES[i]->name, ENGINES[i]->about);
	puts("steps");
	for (size_t i = 0; i < NSTEPS; i++)
		printf("  %-10s %s\n", STEPS[i].name, STEPS[i].about);
}

/* One of two words; *second tells which. */
static bool read_choice(const char *name, const char *one, const char *other,
			bool *second)
{
	*second = !strcmp(optarg, other);
	if (*second || !strcmp(optarg, one))
		return true;
	return usage_wrong("--%s %s: expected %s or %s", name, optarg, one, other);
}

static bool read_engine(struct options *options)
{
	options->place.engine = engine_find(optarg);
	if (!options->place.engine)
		return usage_wrong("--engine %s: there is no such engine; --list shows them",
				   optarg);
	return options->place.engine->create_table ||
	       usage_wrong("--engine %s: it keeps vectors alone, so it has no insert "
			   "benchmark", optarg);
}

static bool read_dop(struct options *options)
{
	uint64_t dop = 0;

	if (!usage_number("dop", 1, MAX_DOP, &dop))
		return false;
	options->dop = (unsigned)dop;
	return true;
}

static bool read_step(struct options *options)
{
	char why[ENGINE_TEXT];
	size_t used = strlen(options->steps_text);

	if (options->nsteps == MAX_STEPS ||
	    used + strlen(optarg) + 2 > sizeof(options->steps_text))
		return usage_wrong("there are too many --step");
	if (!step_parse(&options->steps[options->nsteps++], optarg, why, sizeof(why)))
		return usage_wrong("%s", why);
	sprintf(options->steps_text + used, "%s%s", used ? " " : "", optarg);
	return true;
}

/* What getopt read that other options must be known for. */
struct asked {
	const char *config;
	bool price, version;
};

static bool read_option(struct options *options, int option, struct asked *asked)
{
	switch (option) {
	case OPTION_ENGINE:
		return read_engine(options);
	case OPTION_TARGET:
		options->place.target = optarg;
		return true;
	case OPTION_STEP:
		return read_step(options);
	case OPTION_CONFIG:
		asked->config = optarg;
		return true;
	case OPTION_DOP:
		return read_dop(options);
	case OPTION_SEED:
		return usage_number("seed", 0, UINT64_MAX, &options->seed);
	case OPTION_TABLES:
		return read_choice("tables", "1", "dop", &options->table_per_client);
	case OPTION_INDEXES:
		return read_choice("indexes", "0", "3", &options->indexes);
	case OPTION_INDEX_SET:
		return read_choice("index-set", "2023", "older",
				   &options->older_indexes);
	case OPTION_PRICE:
		asked->price = true;
		return read_choice("price", "int", "real", &options->real_price);
	case OPTION_WAITS:
		return read_choice("waits", "0", "1", &options->waits);
	case OPTION_NO_PREPARE:
		return options->no_prepare = true;
	case OPTION_VERSION:
		return asked->version = true;
	case OPTION_NO_DELETE:
		return options->no_delete = true;
	case OPTION_CONTEND:
		return options->contend = true;
	default:		/* getopt has said what is wrong */
		return false;
	}
}

/* A target env:NAME is what the environment says, so that no command line shows it. */
/* What can only be judged when all options are known. */
static bool check_options(struct options *options, const struct asked *asked)
{
	char why[ENGINE_TEXT];

	if (!options->place.engine)
		return usage_wrong("--engine is missing; --help shows the usage");
	options->print_version = asked->version;
	if (asked->version && !(options->place.engine->caps & ENGINE_SERVER))
		/* nothing has to be opened */
		return place_check_library(&options->place, why, sizeof(why)) ||
		       usage_wrong("%s", why);
	if (!place_find(&options->place, asked->config, why, sizeof(why)))
		return usage_wrong("%s", why);
	if (asked->version)
		return true;
	if (!asked->price)
		options->real_price = options->older_indexes;
	if (!options->nsteps)
		return usage_wrong("there is no --step; --help shows the usage");
	if (!steps_check(options->steps, options->nsteps, options->indexes, why,
			 sizeof(why)))
		return usage_wrong("%s", why);
	if (options->waits && !options->place.engine->waits)
		return usage_wrong("--waits 1: %s runs inside this program and has no sessions "
			     "that could wait; leave it out",
			     options->place.engine->name);
	return true;
}

enum next options_read(struct options *options, int argc, char **argv)
{
	struct asked asked = { 0 };
	int option;

	*options = (struct options){ .dop = 1, .seed = 1, .indexes = true };
	while ((option = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1) {
		if (option == OPTION_HELP || option == OPTION_LIST) {
			if (option == OPTION_HELP)
				fputs(USAGE, stdout);
			else
				print_list();
			return NEXT_DONE;
		}
		if (!read_option(options, option, &asked))
			return NEXT_USAGE;
	}
	if (optind < argc) {
		usage_wrong("%s: options begin with --; --help shows the usage", argv[optind]);
		return NEXT_USAGE;
	}
	return check_options(options, &asked) ? NEXT_RUN : NEXT_USAGE;
}
