/* One step: connections, statements, threads, samples while it runs, records after. */
#include "common/clock.h"
#include "run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The main op of a step; that of its events is what they send. */
static enum op op_of(const struct workload_step *step)
{
	switch (step->kind) {
	case STEP_LOAD:
		return OP_INSERT;
	case STEP_INDEX:
		return OP_INDEX;
	case STEP_CLEANUP:
	case STEP_ANALYZE:
		return OP_BYTES;
	case STEP_SCAN:
		return OP_SCAN;
	default:
		return OP_QUERY;
	}
}

static unsigned clients(const struct run *run, const struct workload_step *step)
{
	unsigned tables = tables_all(run), dop = run->options->dop;

	if (step->kind == STEP_CLEANUP)
		return 1;
	if (step->kind == STEP_LOAD || step->kind == STEP_INDEX ||
	    step->kind == STEP_ANALYZE)
		return tables < dop ? tables : dop;
	return dop;
}

static bool has_transactions(const struct run *run, const struct workload_step *step)
{
	(void)run;
	for (unsigned i = 0; i < step->nparts; i++)
		if (step->parts[i].transaction >= 0)
			return true;
	return false;
}

static void add_worker(struct job *job, unsigned client)
{
	static void (*const WORK[])(void *) = {
		[STEP_READ] = work_events, [STEP_WRITE] = work_events,
		[STEP_SCAN] = work_events, [STEP_CLEANUP] = work_cleanup,
		[STEP_LOAD] = work_load, [STEP_INDEX] = work_index,
		[STEP_ANALYZE] = work_analyze,
	};
	struct worker *worker = &job->workers[job->nworkers++];

	worker->member.work = WORK[job->step->kind];
	worker->counters = arm_add_worker(OP_NAMES[job->op]);
	if (job->transactions)
		worker->events = arm_add_worker(OP_NAMES[OP_TRANSACTION]);
	worker->job = job;
	worker->client = client;
	rng_seed(&worker->rng, rng_mix(job->run->options->seed, job->step->name, client));
}

/* Writers of one step share the rate's interval: see schedule.h. */
static void set_schedules(void *argument)
{
	struct job *job = argument;

	for (unsigned i = 0; i < job->nworkers; i++)
		job->workers[i].schedule = schedule_make(
			job->crew.start_ns, job->size->rate, job->nworkers, i,
			job->nworkers);
}

static void interrupt_all(void *argument)
{
	struct job *job = argument;

	for (unsigned i = 0; i < job->nworkers; i++)
		job->run->engine->interrupt(job->workers[i].conn);
}

static bool create(struct job *job, struct run *run, const struct step_size *size)
{
	unsigned most = clients(run, size->step);

	*job = (struct job){
		.run = run, .size = size, .step = size->step, .op = op_of(size->step),
		.transactions = has_transactions(run, size->step),
	};
	job->crew = (struct crew){
		.step = size->step->name, .place = run->place, .control = &run->control,
		.waits = &run->waits, .milliseconds = size->milliseconds, .job = job,
		.begin = set_schedules, .sample = report_samples,
		.interrupt = interrupt_all,
	};
	crew_init(&job->crew);
	job->workers = calloc(most, sizeof(*job->workers));
	job->plans = calloc(MAX_SENDINGS, sizeof(*job->plans));
	if (!job->workers || !job->plans) {
		control_fail(&run->control, "there is no memory for the workers");
		return false;
	}
	arm_new_step(size->step->name, run->seq);
	for (unsigned client = 0; client < most; client++)
		add_worker(job, client);
	return true;
}

/* Connections, values and statements are made before the step's time begins. */
static bool equip(struct job *job)
{
	struct run *run = job->run;
	char why[ENGINE_TEXT];

	for (unsigned i = 0; i < job->nworkers; i++) {
		struct worker *worker = &job->workers[i];

		worker->conn = run->engine->connect(run->place->db, 0, WORK_ADMIN, why,
						    sizeof(why));
		if (!worker->conn) {
			control_fail(&run->control, "step %s: %s", job->step->name, why);
			return false;
		}
		if (!scene_make(&worker->scene, run)) {
			control_fail(&run->control, "there is no memory for the values");
			return false;
		}
		scene_begin(&worker->scene, job->step, run);
		if (job->step->kind != STEP_LOAD && !run_sessions(worker))
			return false;
		if (job->step->nparts && !sendings_make(worker))
			return false;
	}
	if (job->step->nparts && !truths_find(&job->workers[0]))
		return false;
	if (job->step->nparts)
		sendings_describe(&job->workers[0]);
	return job->step->kind != STEP_LOAD || tables_make(run);
}

static void *warm_body(void *worker)
{
	warm_up(worker);
	return NULL;
}

/* The same clients, uncounted, before the step's turn comes. */
static void warm_all(struct job *job)
{
	pthread_t threads[MAX_DOP];
	unsigned started = 0;

	job->warm_until_ns = clock_mono_ns() + job->size->warmup_ms * (NS_PER_S / 1000);
	while (job->size->warmup_ms && started < job->nworkers &&
	       !pthread_create(&threads[started], NULL, warm_body, &job->workers[started]))
		started++;
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}

static void work(struct job *job)
{
	struct member *members[MAX_DOP];

	for (unsigned i = 0; i < job->nworkers; i++)
		members[i] = &job->workers[i].member;
	crew_run(&job->crew, members, job->nworkers);
}

static void discard(struct job *job)
{
	for (unsigned i = 0; job->workers && i < job->nworkers; i++) {
		struct worker *worker = &job->workers[i];

		if (worker->sendings)
			sendings_free(worker);
		scene_free(&worker->scene);
		if (worker->conn)
			job->run->engine->disconnect(worker->conn);
	}
	for (unsigned i = 0; i < MAX_SENDINGS; i++)
		free(job->truths[i].farthest);
	free(job->workers);
	free(job->plans);
	crew_destroy(&job->crew);
}

void job_run(struct run *run, const struct step_size *size)
{
	struct job job;

	if (create(&job, run, size) && equip(&job)) {
		warm_all(&job);
		work(&job);
		if (!control_stopped(&run->control) &&
		    (size->step->kind != STEP_LOAD || tables_verify(run)))
			report_step(&job);
	}
	discard(&job);
}
