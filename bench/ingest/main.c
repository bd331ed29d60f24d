/* ingest: the insert benchmark. The steps are in steps.c, the usage in options.c. */
#include "run.h"

#include "common/usage.h"

#include <stdlib.h>

static const char *flag(bool on)
{
	return on ? "1" : "0";
}

static void report_run(struct run *run)
{
	const struct options *options = run->options;
	const struct setting settings[] = {
		{ "steps", options->steps_text },
		{ "tables", options->table_per_client ? "dop" : "1" },
		{ "indexes", options->indexes ? "3" : "0" },
		{ "index_set", options->older_indexes ? "older" : "2023" },
		{ "delete", flag(!options->no_delete) },
		{ "contend", flag(options->contend) },
		{ "server", flag(run->engine->caps & ENGINE_SERVER) },
		{ "prepare", flag(!options->no_prepare) },
		{ "price", options->real_price ? "real" : "int" },
		{ "waits", flag(options->waits) },
	};
	struct run_record record = place_record(run->place);

	record.driver = "ingest";
	record.dop = options->dop;
	record.seed = options->seed;
	record.options = settings;
	record.noptions = sizeof(settings) / sizeof(settings[0]);
	record_run(stdout, &record);
}

static size_t most_rows(const struct options *options)
{
	uint64_t most = 1;

	for (size_t i = 0; i < options->nsteps; i++)
		if (options->steps[i].rows_per_commit > most)
			most = options->steps[i].rows_per_commit;
	return (size_t)most;
}

static void open_database(struct run *run)
{
	const struct options *options = run->options;
	struct engine_target target = {
		.text = options->place.target, .config = &options->place.config,
		.tables = SCHEMA_TABLES, .indexes = run->indexes,
		.create = options->nsteps && options->steps[0].step->creates,
		.prepare = !options->no_prepare, .real_price = options->real_price,
		.rows_per_commit = most_rows(options),
	};
	char why[ENGINE_TEXT];

	run->place->db = run->engine->open(&target, why, sizeof(why));
	if (!run->place->db)
		control_fail(&run->control, "%s", why);
}

/* Only an existing database can lack indexes here: steps_check has seen to the rest. */
static bool has_indexes(struct run *run, const struct step *step)
{
	for (unsigned i = 0; step->indexes && i < run->ntables; i++)
		if (run->tables[i].indexes != SECONDARY_INDEXES) {
			control_fail(&run->control, "step %s needs the three secondary "
				     "indexes of --index-set %s, and table pi%u has %u "
				     "of them", step->name,
				     run->options->older_indexes ? "older" : "2023",
				     i + 1, run->tables[i].indexes);
			return false;
		}
	return true;
}

static void run_steps(struct run *run)
{
	const struct options *options = run->options;

	for (size_t i = 0; i < options->nsteps && !control_poll(&run->control); i++) {
		run->seq = (unsigned)i + 1;
		if (has_indexes(run, options->steps[i].step))
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
	run.ntables = options.table_per_client ? options.dop : 1;
	run.indexes = SCHEMA_INDEXES[options.older_indexes ? INDEXES_OLDER :
							     INDEXES_2023];
	run.queue = run.engine->caps & ENGINE_ONE_WRITER && !options.contend;
	control_init(&run.control);
	turn_init(&run.turn);
	if (options.print_version)
		return print_version(&run);
	open_database(&run);
	machine_device(arm->device, sizeof(arm->device), place_folder(run.place));
	report_run(&run);
	if (run.place->db && tables_read(&run)) {
		if (options.waits)
			waits_start(&run.waits, run.place, run.tables[0].number);
		run_steps(&run);
		waits_stop(&run.waits);
		if (!control_poll(&run.control))
			tables_count(&run);
	}
	if (run.place->db)
		run.engine->close(run.place->db);
	turn_destroy(&run.turn);
	return control_end(&run.control);
}
