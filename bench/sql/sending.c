/* The statements of a step, made ready for one worker before its time begins. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool failed(struct worker *worker, const char *name, const char *why)
{
	control_fail(&worker->job->run->control, "step %s: statement %s: %s",
		     worker->job->step->name, name, why);
	return false;
}

/* MySQL reads a backslash within a text. */
static bool escapes(const struct engine *engine)
{
	return engine->caps & ENGINE_SERVER && engine->placeholder == '?';
}

static struct writer writer_of(const struct worker *worker, char placeholder)
{
	struct run *run = worker->job->run;

	return (struct writer){
		.workload = run->workload, .scene = &worker->scene,
		.folder = run->folder, .counters = run->counters,
		.placeholder = placeholder, .escapes = escapes(run->engine),
	};
}

static void write_text(struct worker *worker, struct sending *sending, char placeholder)
{
	struct writer writer = writer_of(worker, placeholder);

	sending->text.length = 0;
	template_write(&sending->template, &writer, &sending->text);
}

static struct sending *find_sending(struct worker *worker,
				    const struct statement_def *def, const char *name)
{
	for (unsigned i = 0; i < worker->nsendings; i++)
		if (worker->sendings[i].def == def &&
		    !strcmp(worker->sendings[i].name, name))
			return &worker->sendings[i];
	return NULL;
}

static struct sending *add_sending(struct worker *worker, const char *name)
{
	struct sending *sending = &worker->sendings[worker->nsendings];

	if (worker->nsendings == MAX_SENDINGS) {
		failed(worker, name, "there are too many statements in a step");
		return NULL;
	}
	worker->nsendings++;
	*sending = (struct sending){ .name = name };
	return sending;
}

/* False if a list is longer than there is room for. */
static bool ready_draws(struct worker *worker, struct ready_draw *ready,
			const struct draw *draws, unsigned ndraws, const char *name)
{
	struct run *run = worker->job->run;
	char why[160];

	for (unsigned i = 0; i < ndraws; i++) {
		draw_ready(&ready[i], &draws[i], run, &worker->scene, worker->client,
			   worker->job->nworkers);
		if (draws[i].list == LIST_NONE ||
		    expr_value(&draws[i].length, worker->scene.numbers, run->counters) ==
			    (int64_t)ready[i].count)
			continue;
		snprintf(why, sizeof(why), "the list %s has 1 to %d numbers",
			 run->workload->names[draws[i].name].name, MAX_LIST);
		return failed(worker, name, why);
	}
	return true;
}

/* One value for each placeholder, typed as its name is. */
static bool make_values(struct worker *worker, struct sending *sending)
{
	const struct workload *workload = worker->job->run->workload;
	unsigned n = 0;

	for (unsigned i = 0; i < sending->template.npieces; i++) {
		const struct piece *piece = &sending->template.pieces[i];
		unsigned count = worker->scene.counts[piece->name];

		if (piece->kind != PIECE_PARAMETER)
			continue;
		sending->names[sending->nnames++] = piece->name;
		sending->nvalues += count ? count : 1;
	}
	sending->values = calloc(sending->nvalues + 1, sizeof(*sending->values));
	sending->types = calloc(sending->nvalues + 1, sizeof(*sending->types));
	if (!sending->values || !sending->types)
		return failed(worker, sending->name, "there is no memory for its values");
	for (unsigned i = 0; i < sending->nnames; i++) {
		unsigned name = sending->names[i];
		unsigned count = worker->scene.counts[name];

		for (unsigned j = 0; j < (count ? count : 1); j++, n++) {
			sending->types[n] = workload->names[name].type;
			sending->values[n].text = worker->scene.texts[name];
		}
	}
	return true;
}

/* Once for each table's number: the name stands in the text. */
static bool prepare(struct worker *worker, struct sending *sending)
{
	struct run *run = worker->job->run;
	const struct engine *engine = run->engine;
	int64_t *number = &worker->scene.numbers[run->workload->number];

	for (unsigned i = run->numbers; i > 0; i--) {
		*number = i;
		write_text(worker, sending, engine->placeholder);
		if (sending->text.failed)
			return failed(worker, sending->name, "there is no memory for it");
		sending->statements[i - 1] = engine->prepare(
			worker->conn, sending->text.at, sending->types, sending->nvalues);
		if (!sending->statements[i - 1])
			return failed(worker, sending->name,
				      engine->message(worker->conn));
	}
	return true;
}

static uint64_t scanned_rows(const struct worker *worker, const struct template *template)
{
	uint64_t rows = 0;

	for (unsigned i = 0; i < template->npieces; i++)
		if (template->pieces[i].kind == PIECE_TABLE)
			rows += (uint64_t)expr_value(&template->pieces[i].table->rows,
						     worker->job->run->workload->lets,
						     NULL);
	return rows;
}

/* What recall is told of; the job's truth has its numbers from the step's lets. */
static bool make_answers(struct worker *worker, struct sending *sending)
{
	const struct nearest *nearest = &sending->def->nearest;
	struct run *run = worker->job->run;
	const int64_t *numbers = worker->scene.numbers;
	struct truth *truth = &worker->job->truths[sending - worker->sendings];
	size_t queries;

	if (!nearest->k.ncode)
		return true;
	queries = run->folder->queries.count;
	if (!worker->client)
		*truth = (struct truth){
			.k = expr_value(&nearest->k, numbers, run->counters),
			.low = expr_value(&nearest->low, numbers, run->counters),
			.high = expr_value(&nearest->high, numbers, run->counters),
			.every = expr_value(&nearest->every, numbers, run->counters),
		};
	if (truth->k < 1 || truth->k > MAX_LIST)
		return failed(worker, sending->name, "nearest takes a number from 1 to 10000");
	sending->answers.truth = truth;
	sending->answers.rows = calloc(queries * (size_t)truth->k, sizeof(int64_t));
	sending->answers.nrows = calloc(queries, sizeof(unsigned));
	sending->outcome.keys = calloc((size_t)truth->k, sizeof(int64_t));
	sending->outcome.room = (unsigned)truth->k;
	if (sending->answers.rows && sending->answers.nrows && sending->outcome.keys)
		return true;
	return failed(worker, sending->name, "there is no memory for its answers");
}

bool truths_find(struct worker *worker)
{
	struct run *run = worker->job->run;
	char why[256];

	for (unsigned i = 0; i < worker->nsendings; i++) {
		struct truth *truth = worker->sendings[i].answers.truth;

		if (truth && !truth_find(truth, run->folder, why, sizeof(why)))
			return failed(worker, worker->sendings[i].name, why);
	}
	return true;
}

void answers_count(const struct job *job, unsigned which, uint64_t *asked,
		   uint64_t *found)
{
	const struct vector_folder *folder = job->run->folder;

	*asked = *found = 0;
	for (unsigned i = 0; i < job->nworkers; i++) {
		const struct answers *answers = &job->workers[i].sendings[which].answers;
		size_t k = answers->truth ? (size_t)answers->truth->k : 0;

		for (size_t query = 0; k && query < folder->queries.count; query++) {
			if (!answers->nrows[query])
				continue;
			*asked += k;
			*found += truth_count(answers->truth, folder, (int64_t)query + 1,
					      answers->rows + query * k,
					      answers->nrows[query] - 1);
		}
	}
}

static struct sending *make(struct worker *worker, const struct statement_def *def)
{
	struct run *run = worker->job->run;
	const char *sql = dialect_text(&def->sql, run->engine->name);
	struct sending *sending = find_sending(worker, def, def->name);
	char why[160];

	if (sending)
		return sending;
	sending = add_sending(worker, def->name);
	if (!sending)
		return NULL;
	sending->def = def;
	if (!sql) {
		snprintf(why, sizeof(why), "the workload has no sql for %s",
			 run->engine->name);
		failed(worker, def->name, why);
		return NULL;
	}
	template_read(&sending->template, run->workload, sql, why, sizeof(why));
	sending->scanned = scanned_rows(worker, &sending->template);
	sending->outcome.wanted = def->ntakes > 0 ? def->ntakes : def->value >= 0;
	sending->prepared = !def->text && !run->options->no_prepare;
	if (!ready_draws(worker, sending->draws, def->binds, def->nbinds, def->name) ||
	    !make_values(worker, sending) || !make_answers(worker, sending) ||
	    (sending->prepared && !prepare(worker, sending)))
		return NULL;
	return sending;
}

static struct sending *make_fixed(struct worker *worker, const char *name,
				  const struct dialects *dialects, const char *usual)
{
	const char *text = dialect_text(dialects, worker->job->run->engine->name);
	struct sending *sending = find_sending(worker, NULL, name);

	if (!sending)
		sending = add_sending(worker, name);
	if (!sending)
		return NULL;
	sending->fixed_text = text ? text : usual;
	return sending;
}

static bool make_ends(struct worker *worker, struct ready_part *ready,
		      const struct transaction *transaction)
{
	if (begins_none(transaction, worker->job->run->engine->name))
		return true;
	ready->begin = make_fixed(worker, "begin", &transaction->begin, "BEGIN");
	ready->commit = make_fixed(worker, "commit", &transaction->commit, "COMMIT");
	return ready->begin && ready->commit;
}

static bool make_transaction(struct worker *worker, struct ready_part *ready,
			     const struct transaction *transaction)
{
	const struct workload *workload = worker->job->run->workload;

	ready->transaction = transaction;
	if (!ready_draws(worker, ready->draws, transaction->binds, transaction->nbinds,
			 transaction->name) ||
	    !make_ends(worker, ready, transaction))
		return false;
	for (unsigned i = 0; i < transaction->nparts; i++) {
		const struct part *part = &transaction->parts[i];
		struct ready_part_do *made = &ready->parts[ready->nparts++];

		*made = (struct ready_part_do){ .least = part->least, .most = part->most };
		if (part->transaction < 0) {
			made->sending = make(worker,
					     &workload->statements[part->statement]);
			if (!made->sending)
				return false;
			continue;
		}
		made->part = calloc(1, sizeof(*made->part));
		if (!made->part)
			return failed(worker, transaction->name, "there is no memory for it");
		if (!make_transaction(worker, made->part,
				      &workload->transactions[part->transaction]))
			return false;
	}
	return true;
}

static bool make_part(struct worker *worker, const struct part *part)
{
	struct run *run = worker->job->run;
	struct ready_part *ready = &worker->parts[worker->nparts++];
	int64_t weight = expr_value(&part->least, worker->scene.numbers, run->counters);

	ready->weight = weight > 0 ? (uint64_t)weight : 0;
	worker->weights += ready->weight;
	if (part->transaction >= 0)
		return make_transaction(worker, ready,
					&run->workload->transactions[part->transaction]);
	ready->parts[0] = (struct ready_part_do){
		.sending = make(worker, &run->workload->statements[part->statement]),
		.least = expr_number(1), .most = expr_number(1),
	};
	ready->nparts = 1;
	return ready->parts[0].sending;
}

bool sendings_make(struct worker *worker)
{
	const struct workload_step *step = worker->job->step;

	worker->sendings = calloc(MAX_SENDINGS, sizeof(*worker->sendings));
	worker->parts = calloc(MAX_DO, sizeof(*worker->parts));
	if (!worker->sendings || !worker->parts)
		return failed(worker, "", "there is no memory for it");
	for (unsigned i = 0; i < step->nparts; i++)
		if (!make_part(worker, &step->parts[i]))
			return false;
	return worker->weights || failed(worker, "", "all weights are 0");
}

void sendings_free(struct worker *worker)
{
	const struct engine *engine = worker->job->run->engine;

	for (unsigned i = 0; i < worker->nsendings; i++) {
		struct sending *sending = &worker->sendings[i];

		for (unsigned j = 0; j < MAX_TABLES; j++)
			if (sending->statements[j])
				engine->forget(sending->statements[j]);
		free(sending->values);
		free(sending->types);
		free(sending->answers.rows);
		free(sending->answers.nrows);
		free(sending->outcome.keys);
		free(sending->text.at);
		free(sending->sql);
	}
	for (unsigned i = 0; i < worker->nparts; i++)
		for (unsigned j = 0; j < worker->parts[i].nparts; j++)
			free(worker->parts[i].parts[j].part);
	free(worker->sendings);
	free(worker->parts);
}

/* As draw_do, but a sequence stays where it is. */
static void draw_aside(struct worker *worker, const struct ready_draw *draws,
		       unsigned ndraws, struct rng *rng)
{
	for (unsigned i = 0; i < ndraws; i++) {
		struct ready_draw aside = draws[i];

		draw_do(&aside, worker->job->run, &worker->scene, rng);
	}
}

static void draw_part_aside(struct worker *worker, const struct ready_part *part,
			    struct rng *rng)
{
	if (part->transaction)
		draw_aside(worker, part->draws, part->transaction->nbinds, rng);
	for (unsigned i = 0; i < part->nparts; i++)
		if (part->parts[i].part)
			draw_part_aside(worker, part->parts[i].part, rng);
}

/* A plan says '[...]' where it has the hundred numbers of a vector. */
static void leave_out_vectors(char *plan)
{
	char *from = plan, *end;

	while ((from = strstr(from, "'[")) && (end = strstr(from, "]'"))) {
		if (end > from + 5) {
			memmove(from + 5, end, strlen(end) + 1);
			memcpy(from + 2, "...", 3);
		}
		from += 2;
	}
}

/* With values of their own random numbers, so that what is measured stays the same. */
void sendings_describe(struct worker *worker)
{
	struct job *job = worker->job;
	struct run *run = job->run;
	int64_t counters[MAX_COUNTERS];
	struct rng rng;

	for (unsigned i = 0; i < MAX_COUNTERS; i++)
		counters[i] = run->counters[i];
	rng_seed(&rng, rng_mix(run->options->seed, "explain", 0));
	for (unsigned i = 0; i < worker->nparts; i++)
		draw_part_aside(worker, &worker->parts[i], &rng);
	for (unsigned i = 0; i < worker->nsendings; i++) {
		struct sending *sending = &worker->sendings[i];

		if (!sending->def)
			continue;
		draw_aside(worker, sending->draws, sending->def->nbinds, &rng);
		write_text(worker, sending, run->engine->placeholder);
		sending->sql = strdup(sending->text.at);
		write_text(worker, sending, '\0');
		if (!run->engine->explain ||
		    !run->engine->explain(worker->conn, sending->text.at, job->plans[i],
					  PLAN_SIZE))
			job->plans[i][0] = '\0';
		leave_out_vectors(job->plans[i]);
	}
	for (unsigned i = 0; i < MAX_COUNTERS; i++)
		run->counters[i] = counters[i];
}
