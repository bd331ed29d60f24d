/*
 * micro: checksum, hash and compression microbenchmarks of one library, as it was built by
 * the compiler under test. Prints the records of common/record.h.
 */
#include "measure.h"
#include "options.h"

#include "common/arm.h"
#include "common/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_run(const struct options *options)
{
	const struct library *library = options->library;
	char block_size[24];
	struct setting settings[] = {
		{ "block_size", block_size },
		{ "data", options->data },
		{ "isa", MICRO_ISA },
		{ "code_path", library->code_path ? library->code_path() : "" },
	};

	snprintf(block_size, sizeof(block_size), "%zu", options->block_size);
	record_run(stdout, &(struct run_record){
		.driver = "micro",
		.engine = library->name,
		.version = library->version(),
		.dop = options->dop,
		.seed = options->seed,
		.options = settings,
		.noptions = sizeof(settings) / sizeof(settings[0]) - !library->code_path,
	});
}

static void print_samples(const char *step, const struct measured *measured)
{
	uint64_t *clients = calloc(measured->nclients, sizeof(*clients));
	uint64_t begin_ns = measured->start_ns;

	if (!clients)
		abort();
	for (size_t i = 0; i < measured->nintervals; i++) {
		bool last = i + 1 == measured->nintervals;
		struct sample_record sample = {
			.step = step,
			.op = "bytes",
			.t_ns = last ? measured->end_ns : begin_ns + measured->interval_ns,
			.clients = clients,
			.nclients = measured->nclients,
		};

		for (unsigned j = 0; j < measured->nclients; j++) {
			struct interval interval = measured_interval(measured, j, i);

			clients[j] = interval.ops;
			sample.ops += interval.ops;
			if (interval.max_ns > sample.max_ns)
				sample.max_ns = interval.max_ns;
		}
		sample.interval_ns = sample.t_ns - begin_ns;
		begin_ns = sample.t_ns;
		record_sample(stdout, &sample);
	}
	free(clients);
}

static void print_step(const struct request *request, const struct measured *measured)
{
	record_step(stdout, &(struct step_record){
		.step = request->step->name,
		.op = "bytes",
		.main = true,
		.checked = true,
		.seq = request->seq,
		.dop = request->dop,
		.start_ns = measured->start_ns,
		.end_ns = measured->end_ns,
		.ops = measured->ops,
		.bytes = measured->ops * request->block_size,
		.cpu_ns = measured->cpu_ns,
	});
}

/* Both streams say why, then the process fails. */
static int fail(const char *step, const char *problem)
{
	char reason[256];

	snprintf(reason, sizeof(reason), "%s: %s", step, problem);
	record_end(stdout, reason);
	fprintf(stderr, "micro: %s\n", reason);
	return 1;
}

int main(int argc, char **argv)
{
	struct options options;
	char why[256];

	options_parse(&options, argc, argv);
	if (!arm_open(why, sizeof(why))) {
		fprintf(stderr, "micro: %s\n", why);
		return 1;
	}
	print_run(&options);
	for (size_t i = 0; i < options.nsteps; i++) {
		const struct step_option *asked = &options.steps[i];
		struct request request = {
			.library = options.library,
			.step = asked->step,
			.dop = options.dop,
			.seq = (unsigned)i + 1,
			.seed = options.seed,
			.block_size = options.block_size,
			.data = options.data,
			.repetitions = asked->repetitions,
			.duration_ns = asked->duration_ns,
		};
		struct measured measured;
		const char *problem = measure(&request, &measured);

		if (!problem) {
			print_samples(request.step->name, &measured);
			print_step(&request, &measured);
		}
		measure_release(&measured);
		if (problem)
			return fail(request.step->name, problem);
	}
	record_end(stdout, NULL);
	return fflush(stdout) || ferror(stdout) ? fail("stdout", "cannot be written") : 0;
}
