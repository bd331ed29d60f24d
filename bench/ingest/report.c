#include "report.h"

#include "client/sample.h"

#include <inttypes.h>

static bool has_op(const struct job *job, enum op op)
{
	for (unsigned i = 0; i < job->nworkers; i++)
		if (job->workers[i].op == op)
			return true;
	return false;
}

void report_samples(void *argument, uint64_t now_ns)
{
	struct job *job = argument;
	static struct reported reported[MAX_WORKERS];
	uint64_t interval_ns = now_ns - job->crew.sampled_ns;

	if (job->crew.sampled_ns == job->crew.start_ns)
		for (unsigned i = 0; i < job->nworkers; i++)
			reported[i] = (struct reported){ .rows = 0 };
	for (enum op op = 0; op < OPS; op++) {
		bool by_rows = op == OP_INSERT || op == OP_DELETE;
		uint64_t clients[MAX_DOP], times[TIMES_BUCKETS] = { 0 };
		struct sample_record sample = {
			.step = job->spec->step->name, .op = OP_NAMES[op],
			.t_ns = now_ns, .interval_ns = interval_ns,
			.clients = clients, .times = times,
		};

		for (unsigned i = 0; i < job->nworkers; i++)
			if (job->workers[i].op == op)
				sample_take(&sample, job->workers[i].counters,
					    &job->workers[i].times, &reported[i], by_rows,
					    &clients[sample.nclients++]);
		if (sample.nclients)
			record_sample(stdout, &sample);
	}
}

static bool checked(const struct job *job, enum op op)
{
	bool dense = job->run->engine->caps & ENGINE_DENSE_PK;

	return op == OP_INSERT ? job->spec->step->creates :
	       op == OP_DELETE ? dense : op != OP_BYTES;
}

static void report_op(struct job *job, enum op op)
{
	const struct step *step = job->spec->step;
	struct step_record record = {
		.step = step->name, .op = OP_NAMES[op], .main = op == step->main,
		.checked = checked(job, op), .seq = job->run->seq,
		.dop = job->run->options->dop, .start_ns = job->crew.start_ns,
		.end_ns = job->crew.end_ns,
	};

	if (op == OP_INSERT || op == OP_DELETE)
		record.target_ops_per_s = (uint64_t)step->rate * record.dop;
	for (unsigned i = 0; i < job->nworkers; i++) {
		const struct worker *worker = &job->workers[i];

		if (worker->op != op)
			continue;
		record.ops += worker->counters->ops;
		record.rows += worker->counters->rows;
		record.errors += worker->errors;
		record.retries += worker->retries[ENGINE_BUSY] +
				  worker->retries[ENGINE_LOCKED];
		record.bytes += worker->bytes;
		record.wait_ns += worker->wait_ns;
		record.cpu_ns += worker->member.cpu_ns;
	}
	if (record.main && job->run->engine->caps & ENGINE_THREADS)
		record.cpu_ns += crew_engine_cpu_ns(&job->crew);
	record_step(stdout, &record);
}

static void report_hist(struct job *job, enum op op, bool intended)
{
	static struct hist merged;

	merged = (struct hist){ .counts = { 0 } };
	for (unsigned i = 0; i < job->nworkers; i++)
		if (job->workers[i].op == op)
			hist_merge(&merged, intended ? &job->workers[i].intended :
						       &job->workers[i].actual);
	record_hist(stdout, job->spec->step->name, OP_NAMES[op],
		    intended ? "intended" : "actual", &merged);
}

/* Retries by kind: a run that had to contend is not a run that had not. */
static void note_retries(struct job *job, enum op op)
{
	uint64_t busy = 0, locked = 0, errors = 0;
	char text[200];

	for (unsigned i = 0; i < job->nworkers; i++)
		if (job->workers[i].op == op) {
			busy += job->workers[i].retries[ENGINE_BUSY];
			locked += job->workers[i].retries[ENGINE_LOCKED];
			errors += job->workers[i].errors;
		}
	if (!busy && !locked)
		return;
	snprintf(text, sizeof(text), "%s: the engine was busy %" PRIu64 " times and "
		 "locked %" PRIu64 " times; %" PRIu64 " statements were given up",
		 OP_NAMES[op], busy, locked, errors);
	record_note(stdout, job->spec->step->name, text);
}

/* Queries that no writer disturbs are not those of the benchmark. */
static void note_writers(struct job *job)
{
	const struct step *step = job->spec->step;

	if (job->spec->queries)
		record_note(stdout, step->name, "a number of queries was asked for, so "
			    "the step's writers were left out");
}

void report_step(struct job *job)
{
	const struct step *step = job->spec->step;

	/* l.x without indexes has no worker, but its step is still there. */
	for (enum op op = 0; op < OPS; op++)
		if (has_op(job, op) || op == step->main)
			report_op(job, op);
	for (enum op op = 0; op < OPS; op++) {
		if (!has_op(job, op))
			continue;
		report_hist(job, op, false);
		if (step->rate && (op == OP_INSERT || op == OP_DELETE))
			report_hist(job, op, true);
	}
	record_size(stdout, step->name, job->run->engine->size(job->run->place->db));
	crew_report_use(&job->crew);
	for (enum op op = 0; op < OPS; op++)
		note_retries(job, op);
	note_writers(job);
}
