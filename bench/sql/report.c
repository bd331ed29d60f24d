/* The records of a step in progress and of a finished one. */
#include "run.h"

#include "client/sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const char *const OP_NAMES[OPS] = {
	[OP_INSERT] = "insert", [OP_QUERY] = "query", [OP_TRANSACTION] = "transaction",
	[OP_INDEX] = "index", [OP_SCAN] = "scan", [OP_BYTES] = "bytes",
};

static void report_op_samples(struct job *job, enum op op, struct reported *reported,
			      uint64_t now_ns)
{
	uint64_t clients[MAX_DOP], times[TIMES_BUCKETS] = { 0 };
	struct sample_record sample = {
		.step = job->step->name, .op = OP_NAMES[op], .t_ns = now_ns,
		.interval_ns = now_ns - job->crew.sampled_ns, .clients = clients,
		.nclients = job->nworkers, .times = times,
	};

	if (job->crew.sampled_ns == job->crew.start_ns)
		for (unsigned i = 0; i < job->nworkers; i++)
			reported[i] = (struct reported){ .rows = 0 };
	for (unsigned i = 0; i < job->nworkers; i++) {
		struct worker *worker = &job->workers[i];
		bool events = op == OP_TRANSACTION;

		sample_take(&sample, events ? worker->events : worker->counters,
			    events ? &worker->event_times : &worker->times, &reported[i],
			    op == OP_INSERT, &clients[i]);
	}
	record_sample(stdout, &sample);
}

void report_samples(void *argument, uint64_t now_ns)
{
	static struct reported reported[2][MAX_DOP];
	struct job *job = argument;

	report_op_samples(job, job->op, reported[0], now_ns);
	if (job->transactions)
		report_op_samples(job, OP_TRANSACTION, reported[1], now_ns);
}

/* Does the workload say of every statement what must come back? */
static bool checked(const struct job *job)
{
	const struct worker *worker = &job->workers[0];
	unsigned statements = 0;

	if (job->run->engine->caps & ENGINE_EMPTY)
		return false;
	if (job->op == OP_INSERT)
		return true;
	for (unsigned i = 0; i < worker->nsendings; i++) {
		const struct statement_def *def = worker->sendings[i].def;

		if (def && !def->rows.given && !def->affected.given &&
		    !def->nearest.k.ncode && def->value < 0)
			return false;
		statements += def != NULL;
	}
	return statements;
}

static struct step_record step_record(const struct job *job, enum op op)
{
	return (struct step_record){
		.step = job->step->name, .op = OP_NAMES[op], .main = op == job->op,
		.seq = job->run->seq, .dop = job->nworkers,
		.start_ns = job->crew.start_ns, .end_ns = job->crew.end_ns,
	};
}

static void report_main(struct job *job)
{
	struct step_record record = step_record(job, job->op);

	record.checked = checked(job);
	if (!job->transactions)
		record.target_ops_per_s = job->size->rate;
	for (unsigned i = 0; i < job->nworkers; i++) {
		const struct worker *worker = &job->workers[i];

		record.ops += worker->counters->ops;
		record.rows += worker->counters->rows;
		record.wait_ns += worker->wait_ns;
		record.cpu_ns += worker->member.cpu_ns;
		record.bytes += worker->bytes;
		if (!job->transactions) {
			record.errors += worker->errors;
			record.retries += worker->retries;
		}
	}
	if (job->run->engine->caps & ENGINE_THREADS)
		record.cpu_ns += crew_engine_cpu_ns(&job->crew);
	record_step(stdout, &record);
}

static void report_transactions(struct job *job)
{
	struct step_record record = step_record(job, OP_TRANSACTION);

	record.target_ops_per_s = job->size->rate;
	for (unsigned i = 0; i < job->nworkers; i++) {
		record.ops += job->workers[i].events->ops;
		record.errors += job->workers[i].errors;
		record.retries += job->workers[i].retries;
	}
	record_step(stdout, &record);
}

static void merge_sent(struct hist *into, const struct job *job, int which)
{
	*into = (struct hist){ .counts = { 0 } };
	for (unsigned i = 0; i < job->nworkers; i++)
		for (unsigned j = 0; j < job->workers[i].nsendings; j++)
			if (which < 0 || j == (unsigned)which)
				hist_merge(into, &job->workers[i].sendings[j].tally.hist);
}

static void merge_events(struct hist *into, const struct job *job, bool intended)
{
	*into = (struct hist){ .counts = { 0 } };
	for (unsigned i = 0; i < job->nworkers; i++)
		hist_merge(into, intended ? &job->workers[i].intended :
					    &job->workers[i].actual);
}

/* Of statements those of the engine's answers; of events with waiting and trying again. */
static void report_hists(struct job *job)
{
	static struct hist merged;
	const char *step = job->step->name;
	const char *event = OP_NAMES[job->transactions ? OP_TRANSACTION : job->op];

	if (job->transactions) {
		merge_sent(&merged, job, -1);
		record_hist(stdout, step, OP_NAMES[job->op], "actual", &merged);
	}
	merge_events(&merged, job, false);
	record_hist(stdout, step, event, "actual", &merged);
	if (!job->size->rate)
		return;
	merge_events(&merged, job, true);
	record_hist(stdout, step, event, "intended", &merged);
}

static void report_statement(struct job *job, unsigned which)
{
	static struct hist merged;
	const struct sending *first = &job->workers[0].sendings[which];
	struct statement_record record = {
		.step = job->step->name, .name = first->name,
		.sql = first->def ? first->sql : first->fixed_text,
		.plan = job->plans[which][0] ? job->plans[which] : NULL, .hist = &merged,
	};

	for (unsigned i = 0; i < job->nworkers; i++) {
		const struct tally *tally = &job->workers[i].sendings[which].tally;

		record.sent += tally->sent;
		record.rows += tally->rows;
		record.affected += tally->affected;
		record.retries += tally->retries;
		record.total_ns += tally->total_ns;
		if (tally->max_ns > record.max_ns)
			record.max_ns = tally->max_ns;
	}
	merge_sent(&merged, job, (int)which);
	record_statement(stdout, &record);
}

/* Of a statement that asks for the nearest. */
static void report_recall(struct job *job, unsigned which)
{
	const struct sending *sending = &job->workers[0].sendings[which];
	struct recall_record record = {
		.step = job->step->name, .name = sending->name,
	};

	if (!sending->answers.truth || job->run->engine->caps & ENGINE_EMPTY)
		return;
	record.k = (uint64_t)sending->answers.truth->k;
	answers_count(job, which, &record.asked, &record.found);
	record_recall(stdout, &record);
}

/* A run that had to try again is not a run that had not. */
static void note_retries(struct job *job)
{
	uint64_t retries = 0, errors = 0;
	char text[200];

	for (unsigned i = 0; i < job->nworkers; i++) {
		retries += job->workers[i].retries;
		errors += job->workers[i].errors;
	}
	if (!retries)
		return;
	snprintf(text, sizeof(text), "the engine undid %" PRIu64 " events, which were sent "
		 "again (deadlocks, locks, conflicts); %" PRIu64 " were given up", retries,
		 errors);
	record_note(stdout, job->step->name, text);
}

void report_step(struct job *job)
{
	report_main(job);
	if (job->transactions)
		report_transactions(job);
	report_hists(job);
	for (unsigned i = 0; i < job->workers[0].nsendings; i++)
		report_statement(job, i);
	for (unsigned i = 0; i < job->workers[0].nsendings; i++)
		report_recall(job, i);
	record_size(stdout, job->step->name, job->run->engine->size(job->run->place->db));
	crew_report_use(&job->crew);
	note_retries(job);
}
