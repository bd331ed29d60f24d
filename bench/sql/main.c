/* sql: the statements of a workload file on any engine. The usage is in options.c. */
#include "run.h"

#include "common/usage.h"

#include <stdlib.h>
#include <string.h>

#define TABLES_SIZE 2048

static const char *flag(bool on)
{
	return on ? "1" : "0";
}

static void report_run(struct run *run)
{
	const struct options *options = run->options;
	const struct setting settings[] = {
		{ "workload", run->workload->name },
		{ "steps", options->steps_text },
		{ "set", options->sets_text },
		{ "contend", flag(options->contend) },
		{ "server", flag(run->engine->caps & ENGINE_SERVER) },
		{ "prepare", flag(!options->no_prepare) },
		{ "waits", flag(options->waits) },
	};
	struct run_record record = place_record(run->place);

	record.driver = "sql";
	record.dop = options->dop;
	record.seed = options->seed;
	record.options = settings;
	record.noptions = sizeof(settings) / sizeof(settings[0]);
	record_run(stdout, &record);
}

/* ^(sbtest[0-9]+|history)$ */
static void tables_pattern(const struct run *run, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "^(");

	for (unsigned i = 0; run->workload && i < run->workload->ntables; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s%s", i ? "|" : "",
					 run->workload->tables[i].name,
					 run->workload->tables[i].numbered ? "[0-9]+" : "");
	snprintf(text + used, size - used, ")$");
}

static void open_database(struct run *run)
{
	const struct options *options = run->options;
	static char tables[TABLES_SIZE];
	struct engine_target target = {
		.text = run->place->target, .config = &run->place->config,
		.tables = tables,
		/* A server's tables are dropped one by one: others may lie beside them. */
		.create = options->nsteps && options->steps[0].step->kind == STEP_LOAD &&
			  !(run->engine->caps & ENGINE_SERVER),
		.prepare = !options->no_prepare, .rows_per_commit = 1,
		.trace = options->trace,
	};
	char why[ENGINE_TEXT];

	tables_pattern(run, tables, sizeof(tables));
	run->place->db = run->engine->open(&target, why, sizeof(why));
	if (!run->place->db)
		control_fail(&run->control, "%s", why);
}

static void start_counters(struct run *run)
{
	for (unsigned i = 0; i < run->workload->ncounters; i++)
		atomic_init(&run->counters[i],
			    expr_value(&run->workload->counters[i].start,
				       run->workload->lets, run->counters));
}

/* Tables whose number a statement may draw: as many as the first kind that has any. */
static unsigned numbers(const struct workload *workload)
{
	for (unsigned i = 0; i < workload->ntables; i++)
		if (workload->tables[i].numbered)
			return table_count(workload, &workload->tables[i]);
	return 1;
}

static void run_steps(struct run *run)
{
	const struct options *options = run->options;

	for (size_t i = 0; i < options->nsteps && !control_poll(&run->control); i++) {
		run->seq = (unsigned)i + 1;
		job_run(run, &options->steps[i]);
	}
}

/* Of the library, or of the server that answers at the target. */
static int print_version(struct run *run)
{
	if (run->engine->caps & ENGINE_SERVER) {
		open_database(run);
		if (!run->place->db)
			return usage_wrong("%s", run->control.reason), 1;
	}
	place_print_version(run->place);
	return 0;
}

static void work(struct run *run)
{
	start_counters(run);
	run->numbers = numbers(run->workload);
	open_database(run);
	machine_device(arm->device, sizeof(arm->device), place_folder(run->place));
	report_run(run);
	if (!run->place->db)
		return;
	if (run->options->waits)
		waits_start(&run->waits, run->place, 0);
	run_steps(run);
	waits_stop(&run->waits);
	run->engine->close(run->place->db);
}

int main(int argc, char **argv)
{
	static struct options options;
	static struct run run;
	enum next next = options_read(&options, argc, argv);
	char why[ENGINE_TEXT];

	if (next != NEXT_RUN)
		return next == NEXT_DONE ? 0 : 2;
	if (!arm_open(why, sizeof(why)))
		return usage_wrong("%s", why), 1;
	run.options = &options;
	run.place = &options.place;
	run.engine = options.place.engine;
	run.workload = options.workload;
	run.folder = options.vectors ? &options.folder : NULL;
	run.queue = run.engine->caps & ENGINE_ONE_WRITER && !options.contend &&
		    options.dop > 1;
	control_init(&run.control);
	turn_init(&run.turn);
	if (options.print_version)
		return print_version(&run);
	work(&run);
	turn_destroy(&run.turn);
	workload_free(options.workload);
	vectors_close(&options.folder);
	if (options.trace)
		fclose(options.trace);
	return control_end(&run.control);
}
