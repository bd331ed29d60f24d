/* One step: connections, threads, the start, samples while it runs, records after. */
#include "common/clock.h"
#include "common/counting.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_NS (100 * 1000 * 1000ull)	/* between two looks for a stop */

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

		worker->conn = run->engine->connect(run->db, worker->table->number,
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
	pthread_cond_destroy(&job->changed);
	pthread_mutex_destroy(&job->lock);
}

static void create(struct job *job, struct run *run, const struct step_spec *spec)
{
	size_t size = MAX_WORKERS * sizeof(struct worker);
	pthread_condattr_t attributes;

	*job = (struct job){ .run = run, .spec = spec };
	pthread_mutex_init(&job->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&job->changed, &attributes);
	pthread_condattr_destroy(&attributes);
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
	job->active = job->nworkers;
}

/* Writers of one step share the rate's interval: see schedule.h. */
static void set_schedules(struct job *job)
{
	const struct step_spec *spec = job->spec;

	for (unsigned i = 0; i < job->nworkers; i++) {
		struct worker *worker = &job->workers[i];
		bool writes = worker->op == OP_INSERT || worker->op == OP_DELETE;

		worker->schedule = schedule_make(
			job->start_ns, writes ? spec->step->rate : 0,
			spec->rows_per_commit, worker->client +
			(worker->op == OP_DELETE ? job->run->options->dop : 0),
			2 * job->run->options->dop);
	}
}

/* Threads that could not be made leave the others to see the stop and go. */
static unsigned start_threads(struct job *job)
{
	unsigned started;
	int error = 0;

	for (started = 0; started < job->nworkers; started++) {
		struct worker *worker = &job->workers[started];

		error = pthread_create(&worker->thread, NULL, worker_run, worker);
		if (error)
			break;
	}
	if (error)
		control_fail(&job->run->control, "cannot start thread %u of %u: %s",
			     started + 1, job->nworkers, strerror(error));
	return started;
}

/* In a session others may have their turn before us. */
static void await_turn(struct job *job)
{
	arm_ready();
	while (!arm_may_begin() && !control_poll(&job->run->control))
		arm_pause();
}

static void begin(struct job *job, unsigned started)
{
	await_turn(job);
	job->watch_cpu_ns = clock_thread_cpu_ns();
	use_read(&job->before, job->run);
	counting_begin();
	pthread_mutex_lock(&job->lock);
	job->active = started;
	job->start_ns = clock_mono_ns();
	job->sampled_ns = job->start_ns;
	job->deadline_ns = job->start_ns + job->spec->milliseconds * (NS_PER_S / 1000);
	set_schedules(job);
	job->go = true;
	pthread_cond_broadcast(&job->changed);
	pthread_mutex_unlock(&job->lock);
	record_begin(stdout, job->spec->step->name, job->start_ns);
	waits_begin(&job->run->waits, job->start_ns);
}

static bool wait_until(struct job *job, uint64_t until_ns)
{
	struct timespec until = clock_kernel_time(until_ns);
	bool active;

	pthread_mutex_lock(&job->lock);
	if (job->active)
		pthread_cond_timedwait(&job->changed, &job->lock, &until);
	active = job->active > 0;
	pthread_mutex_unlock(&job->lock);
	return active;
}

static void interrupt_all(struct job *job)
{
	for (unsigned i = 0; i < job->nworkers; i++)
		job->run->engine->interrupt(job->workers[i].conn);
}

/* The main thread takes the samples and looks for signals while the workers work. */
static void watch(struct job *job)
{
	uint64_t next_ns = job->start_ns + NS_PER_S;
	uint64_t now = job->start_ns;

	while (wait_until(job, next_ns - now < LOOK_NS ? next_ns : now + LOOK_NS)) {
		if (control_poll(&job->run->control))
			interrupt_all(job);
		waits_report(&job->run->waits, job->spec->step->name);
		now = clock_mono_ns();
		if (now < next_ns || counting())	/* printing would be counted too */
			continue;
		report_samples(job, now);
		next_ns += (now - next_ns) / NS_PER_S * NS_PER_S + NS_PER_S;
	}
}

static void finish(struct job *job, unsigned started)
{
	job->end_ns = job->sampled_ns + 1;
	for (unsigned i = 0; i < started; i++) {
		pthread_join(job->workers[i].thread, NULL);
		if (job->workers[i].end_ns > job->end_ns)
			job->end_ns = job->workers[i].end_ns;
	}
	counting_end(job->spec->step->name);
	waits_end(&job->run->waits, job->spec->step->name, job->end_ns);
	if (!control_stopped(&job->run->control))	/* else it may never answer */
		use_read(&job->after, job->run);
	job->watch_cpu_ns = clock_thread_cpu_ns() - job->watch_cpu_ns;
	arm_over();
	report_samples(job, job->end_ns);
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

void job_run(struct run *run, const struct step_spec *spec)
{
	struct job job;
	unsigned started;

	create(&job, run, spec);
	if (!control_stopped(&run->control) && equip(&job)) {
		started = start_threads(&job);
		begin(&job, started);
		watch(&job);
		finish(&job, started);
		if (verify(&job))
			report_step(&job);
	}
	discard(&job);
}
