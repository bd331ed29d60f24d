/* One step: connections, threads, the start, samples while it runs, records after. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* A number of queries is asked for to count what they cost: without writers. */
static bool inserts(const struct job *job)
{
	return job->spec->step->rows_per_commit && !job->spec->queries;
}

static bool deletes(const struct job *job)
{
	return inserts(job) && job->spec->step->deletes && !job->run->options->no_delete;
}

/* Clients that work in a step: one for each table where the work is the table's. */
static unsigned clients(const struct run *run, const struct step *step)
{
	switch (step->main) {
	case OP_INSERT:
	case OP_QUERY:
		return run->options->dop;
	case OP_INDEX:
		return run->options->indexes ? run->ntables : 0;
	case OP_SCAN:
		return run->ntables;
	default:
		return 1;
	}
}

static enum engine_work work_of(const struct step *step, enum op op)
{
	return op == OP_INSERT ? WORK_INSERT : op == OP_DELETE ? WORK_DELETE :
	       op == OP_QUERY ? step->query : WORK_ADMIN;
}

static void add_worker(struct job *job, enum op op, unsigned client)
{
	struct run *run = job->run;
	const struct step *step = job->spec->step;
	struct worker *worker = &job->workers[job->nworkers++];
	unsigned table = client % run->ntables;

	worker->member.work = worker_run;
	worker->counters = arm_add_worker(OP_NAMES[op]);
	worker->job = job;
	worker->op = op;
	worker->client = client;
	worker->table = &run->tables[table];
	rng_seed(&worker->rng, rng_mix(run->options->seed, step->name,
				       (uint64_t)client * OPS + op));
	if (op != OP_INSERT && op != OP_DELETE)
		return;
	job->writers++;
	if (deletes(job))
		worker->pair = &job->pairs[client];
}

static void add_workers(struct job *job)
{
	const struct step *step = job->spec->step;

	for (unsigned client = 0; client < clients(job->run, step); client++) {
		if (step->main != OP_INSERT)
			add_worker(job, step->main, client);
		if (inserts(job))
			add_worker(job, OP_INSERT, client);
		if (deletes(job))
			add_worker(job, OP_DELETE, client);
	}
}

/* Connections and batches are made before the step's time begins. */
static bool equip(struct job *job)
{
	struct run *run = job->run;
	const struct step *step = job->spec->step;
	char why[ENGINE_TEXT];

	for (unsigned i = 0; i < job->nworkers; i++) {
		struct worker *worker = &job->workers[i];

		worker->conn = run->engine->connect(run->place->db, worker->table->number,
						    work_of(step, worker->op), why,
						    sizeof(why));
		if (!worker->conn) {
			control_fail(&run->control, "step %s: %s", step->name, why);
			return false;
		}
		if (worker->op != OP_INSERT)
			continue;
		worker->rows = calloc(job->spec->rows_per_commit, sizeof(*worker->rows));
		if (!worker->rows) {
			control_fail(&run->control, "step %s: there is no memory for "
				     "the rows", step->name);
			return false;
		}
	}
	return true;
}

static void discard(struct job *job)
{
	for (unsigned i = 0; i < job->nworkers; i++) {
		if (job->workers[i].conn)
			job->run->engine->disconnect(job->workers[i].conn);
		free(job->workers[i].rows);
	}
	free(job->workers);
	for (unsigned i = 0; i < MAX_DOP; i++)
		pair_destroy(&job->pairs[i]);
	crew_destroy(&job->crew);
}

/* Writers of one step share the rate's interval: see schedule.h. */
static void set_schedules(void *argument)
{
	struct job *job = argument;
	const struct step_spec *spec = job->spec;

	for (unsigned i = 0; i < job->nworkers; i++) {
		struct worker *worker = &job->workers[i];
		bool writes = worker->op == OP_INSERT || worker->op == OP_DELETE;

		worker->schedule = schedule_make(
			job->crew.start_ns, writes ? spec->step->rate : 0,
			spec->rows_per_commit, worker->client +
			(worker->op == OP_DELETE ? job->run->options->dop : 0),
			2 * job->run->options->dop);
	}
}

static void interrupt_all(void *argument)
{
	struct job *job = argument;

	for (unsigned i = 0; i < job->nworkers; i++)
		job->run->engine->interrupt(job->workers[i].conn);
}

static void create(struct job *job, struct run *run, const struct step_spec *spec)
{
	size_t size = MAX_WORKERS * sizeof(struct worker);

	*job = (struct job){ .run = run, .spec = spec };
	job->crew = (struct crew){
		.step = spec->step->name, .place = run->place,
		.control = &run->control, .waits = &run->waits,
		.milliseconds = spec->milliseconds, .job = job,
		.begin = set_schedules, .sample = report_samples,
		.interrupt = interrupt_all,
	};
	crew_init(&job->crew);
	for (unsigned i = 0; i < MAX_DOP; i++)
		pair_init(&job->pairs[i]);
	job->workers = aligned_alloc(64, size);
	if (!job->workers) {
		control_fail(&run->control, "there is no memory for the workers");
		return;
	}
	memset(job->workers, 0, run->options->dop * ROLES * sizeof(struct worker));
	arm_new_step(spec->step->name, run->seq);
	add_workers(job);
}

/* Brings the tables up to date with what the step wrote. */
static void settle(struct job *job)
{
	for (unsigned i = 0; i < job->nworkers; i++) {
		struct worker *worker = &job->workers[i];

		if (worker->op == OP_INSERT)
			worker->table->rows += worker->counters->rows;
		if (worker->op == OP_DELETE)
			worker->table->rows -= worker->counters->rows;
	}
}

/* After the load and after l.x the engine's own view must be what was asked for. */
static bool verify(struct job *job)
{
	struct run *run = job->run;
	const struct step *step = job->spec->step;

	settle(job);
	if (control_stopped(&run->control))
		return false;
	if (!step->creates && (step->main != OP_INDEX || !run->options->indexes))
		return true;
	if (!tables_count(run))
		return false;
	for (unsigned i = 0; step->main == OP_INDEX && i < run->ntables; i++)
		if (run->tables[i].indexes != SECONDARY_INDEXES) {
			control_fail(&run->control, "step %s: table pi%u has %u of its "
				     "indexes", step->name, i + 1,
				     run->tables[i].indexes);
			return false;
		}
	return true;
}

static void work(struct job *job)
{
	struct member *members[MAX_WORKERS];

	for (unsigned i = 0; i < job->nworkers; i++)
		members[i] = &job->workers[i].member;
	crew_run(&job->crew, members, job->nworkers);
}

void job_run(struct run *run, const struct step_spec *spec)
{
	struct job job;

	create(&job, run, spec);
	if (!control_stopped(&run->control) && equip(&job)) {
		work(&job);
		if (verify(&job))
			report_step(&job);
	}
	discard(&job);
}
