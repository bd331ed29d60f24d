#include "options.h"

#include "block.h"
#include "common/clock.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#define MAX_DOP 1024
#define MAX_BLOCK (64u << 20)
#define MAX_SECONDS 86400
#define DEFAULT_NS NS_PER_S

static const char USAGE[] =
	"usage: micro --engine NAME --step NAME[:rows=N|:seconds=S] [options]\n"
	"\n"
	"Checksums, hashes and compression of one block, over and over. One binary holds one\n"
	"library, built by the compiler and with the flags under test, and `ours`.\n"
	"\n"
	"  --engine NAME      the library, or ours; see --list\n"
	"  --step NAME[:...]  what to repeat, for so many repetitions or seconds (default 1 s);\n"
	"                     may be given again: steps run in order\n"
	"  --block-size N     bytes in the block (4096)\n"
	"  --data x|half|random  half, the default, is compressible by half\n"
	"  --dop N            threads, each with a block of its own (1)\n"
	"  --seed N           of the data (42)\n"
	"  --target DIR, --config FILE   accepted and not used: micro keeps no data\n"
	"  --version          the engine's version (the library's, without --engine)\n"
	"  --list             the engines and steps of this binary\n"
	"  --help             this text\n"
	"\n"
	"Prints JSON lines. Exit: 0 done, 1 the run failed, 2 bad usage.\n";

static const struct library *const LIBRARIES[] = { &LIBRARY, &ours_library };

#define NLIBRARIES (&LIBRARY == &ours_library ? 1 : 2)

__attribute__((noreturn, format(printf, 1, 2))) static void bad(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("micro: ", stderr);
	vfprintf(stderr, format, arguments);
	fputs("; see --help\n", stderr);
	va_end(arguments);
	exit(2);
}

static uint64_t number(const char *option, const char *text, uint64_t min, uint64_t max)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < min || value > max)
		bad("%s takes a number from %llu to %llu, not \"%s\"", option,
		    (unsigned long long)min, (unsigned long long)max, text);
	return value;
}

static uint64_t seconds_ns(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0 && value <= MAX_SECONDS))
		bad("seconds takes a number above 0 and up to %d, not \"%s\"", MAX_SECONDS,
		    text);
	return (uint64_t)ceil(value * (double)NS_PER_S);
}

static const struct library *find_library(const char *name)
{
	for (int i = 0; i < NLIBRARIES; i++)
		if (strcmp(LIBRARIES[i]->name, name) == 0)
			return LIBRARIES[i];
	bad("this binary has no engine \"%s\"", name);
}

static const struct micro_step *find_step(const struct library *library, const char *name)
{
	for (size_t i = 0; i < library->nsteps; i++)
		if (strcmp(library->steps[i].name, name) == 0)
			return &library->steps[i];
	bad("engine %s has no step \"%s\"", library->name, name);
}

static void parse_step(struct options *options, char *text)
{
	struct step_option *step = &options->steps[options->nsteps++];
	char *size = strchr(text, ':');

	if (size)
		*size++ = '\0';
	step->step = find_step(options->library, text);
	if (!size)
		step->duration_ns = DEFAULT_NS;
	else if (strncmp(size, "rows=", 5) == 0)
		step->repetitions = number("rows", size + 5, 1, UINT64_MAX / 2);
	else if (strncmp(size, "seconds=", 8) == 0)
		step->duration_ns = seconds_ns(size + 8);
	else
		bad("step %s takes :rows=N or :seconds=S, not \":%s\"", text, size);
}

static void print_list(void)
{
	for (int i = 0; i < NLIBRARIES; i++)
		for (size_t j = 0; j < LIBRARIES[i]->nsteps; j++)
			printf("%s %s\n", LIBRARIES[i]->name, LIBRARIES[i]->steps[j].name);
}

static void set_data(struct options *options, const char *data)
{
	if (!block_data_known(data))
		bad("--data takes x, half or random, not \"%s\"", data);
	options->data = data;
}

enum { ENGINE = 1, STEP, BLOCK_SIZE, DATA, DOP, SEED, UNUSED, VERSION, LIST, HELP };

static const struct option LONG[] = {
	{ "engine", required_argument, NULL, ENGINE },
	{ "step", required_argument, NULL, STEP },
	{ "block-size", required_argument, NULL, BLOCK_SIZE },
	{ "data", required_argument, NULL, DATA },
	{ "dop", required_argument, NULL, DOP },
	{ "seed", required_argument, NULL, SEED },
	{ "target", required_argument, NULL, UNUSED },
	{ "config", required_argument, NULL, UNUSED },
	{ "version", no_argument, NULL, VERSION },
	{ "list", no_argument, NULL, LIST },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

void options_parse(struct options *options, int argc, char **argv)
{
	char *steps[MAX_STEPS];
	size_t nsteps = 0;
	bool version = false;
	int option;

	*options = (struct options){
		.dop = 1, .seed = 42, .block_size = 4096, .data = "half",
	};
	while ((option = getopt_long(argc, argv, "", LONG, NULL)) != -1) {
		switch (option) {
		case ENGINE: options->library = find_library(optarg); break;
		case STEP:
			if (nsteps == MAX_STEPS)
				bad("at most %d steps", MAX_STEPS);
			steps[nsteps++] = optarg;
			break;
		case BLOCK_SIZE:
			options->block_size = number("--block-size", optarg, 1, MAX_BLOCK);
			break;
		case DATA: set_data(options, optarg); break;
		case DOP: options->dop = (unsigned)number("--dop", optarg, 1, MAX_DOP); break;
		case SEED: options->seed = number("--seed", optarg, 0, UINT64_MAX); break;
		case UNUSED: break;
		case VERSION: version = true; break;
		case LIST: print_list(); exit(0);
		case HELP: fputs(USAGE, stdout); exit(0);
		default: exit(2);	/* getopt_long has said what it does not know */
		}
	}
	if (optind < argc)
		bad("what is \"%s\"?", argv[optind]);
	if (version) {
		puts((options->library ? options->library : &LIBRARY)->version());
		exit(0);
	}
	if (!options->library || nsteps == 0)
		bad("--engine and --step are needed");
	for (size_t i = 0; i < nsteps; i++)
		parse_step(options, steps[i]);
}
