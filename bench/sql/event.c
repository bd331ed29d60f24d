/* What the threads of a step with events do: draw values, send statements, look at answers. */
#include "client/sample.h"
#include "common/clock.h"
#include "run.h"

#include <inttypes.h>
#include <string.h>

#define MOST_TRIES 1000
#define BACKOFF_NS (100 * 1000ull)

static struct run *run_of(struct worker *worker)
{
	return worker->job->run;
}

static bool stopped(struct worker *worker)
{
	return control_stopped(&run_of(worker)->control);
}

/* The values of a statement's placeholders, where its own draws have put them. */
static void fill(struct worker *worker, struct sending *sending)
{
	const struct scene *scene = &worker->scene;
	unsigned n = 0;

	for (unsigned i = 0; i < sending->nnames; i++) {
		unsigned name = sending->names[i], many = scene->counts[name];

		if (many) {
			for (unsigned j = 0; j < many && n < sending->nvalues; j++)
				sending->values[n++].number = scene->lists[name][j];
		} else if (n < sending->nvalues) {
			sending->values[n].number = scene->numbers[name];
			sending->values[n++].length = scene->lengths[name];
		}
	}
}

/* A statement that is not prepared: its text with the values in it. */
static const char *text_of(struct worker *worker, struct sending *sending)
{
	struct run *run = run_of(worker);
	struct writer writer = {
		.workload = run->workload, .folder = run->folder,
		.scene = &worker->scene, .counters = run->counters,
		.escapes = run->engine->placeholder == '?' &&
			   run->engine->caps & ENGINE_SERVER,
	};

	if (!sending->def)
		return sending->fixed_text;
	sending->text.length = 0;
	template_write(&sending->template, &writer, &sending->text);
	return sending->text.at;
}

static enum engine_status dispatch(struct worker *worker, struct sending *sending)
{
	struct run *run = run_of(worker);
	int64_t number = worker->scene.numbers[run->workload->number];

	if (sending->prepared)
		return run->engine->execute(sending->statements[number - 1],
					    sending->values, &sending->outcome);
	return run->engine->run(worker->conn, text_of(worker, sending), &sending->outcome,
				NULL, NULL);
}

static bool within(struct worker *worker, const struct bounds *bounds, uint64_t value)
{
	struct run *run = run_of(worker);
	int64_t low = expr_value(&bounds->low, worker->scene.numbers, run->counters);
	int64_t high = expr_value(&bounds->high, worker->scene.numbers, run->counters);

	return (int64_t)value >= low && (int64_t)value <= high;
}

static bool wrong_number(struct worker *worker, const struct sending *sending,
			 const char *what, const struct bounds *bounds, uint64_t value)
{
	struct run *run = run_of(worker);

	control_fail(&run->control, "step %s: wrong answer: statement %s has %" PRIu64
		     " rows %s, its workload says %" PRId64 " to %" PRId64,
		     worker->job->step->name, sending->name, value, what,
		     expr_value(&bounds->low, worker->scene.numbers, run->counters),
		     expr_value(&bounds->high, worker->scene.numbers, run->counters));
	return false;
}

/* Does a text begin so, with nothing but blanks behind it, as CHAR columns have them? */
static bool is_text(const struct field *field, const char *text, size_t length)
{
	const char *end;

	if (length >= FIELD_TEXT)
		length = FIELD_TEXT - 1;
	if (field->type != VALUE_TEXT || strlen(field->text) < length ||
	    memcmp(field->text, text, length))
		return false;
	end = field->text + length;
	return !end[strspn(end, " ")];
}

static bool is_value(struct worker *worker, const struct sending *sending)
{
	const struct scene *scene = &worker->scene;
	const struct field *field = &sending->outcome.field[0];
	unsigned name = (unsigned)sending->def->value;

	if (!sending->outcome.fields || field->null)
		return false;
	if (run_of(worker)->workload->names[name].type >= VALUE_TEXT)
		return is_text(field, scene->texts[name], scene->lengths[name]);
	return field->type != VALUE_TEXT && field->type != VALUE_REAL &&
	       field->number == scene->numbers[name];
}

/*
 * Another client that deletes a row and puts it back in one transaction hides it from who
 * waited for the lock and sees only what was committed when its statement began (Postgres).
 */
static bool was_hidden(const struct worker *worker, uint64_t affected)
{
	return !affected && worker->within && worker->job->nworkers > 1;
}

/* Is the answer what the workload says? */
static bool check(struct worker *worker, const struct sending *sending)
{
	const struct statement_def *def = sending->def;
	const struct outcome *outcome = &sending->outcome;

	if (!def || run_of(worker)->engine->caps & ENGINE_EMPTY)
		return true;
	if (def->rows.given && !within(worker, &def->rows, outcome->rows))
		return wrong_number(worker, sending, "in its answer", &def->rows,
				    outcome->rows);
	if (def->affected.given && !within(worker, &def->affected, outcome->affected) &&
	    !was_hidden(worker, outcome->affected))
		return wrong_number(worker, sending, "affected", &def->affected,
				    outcome->affected);
	if (def->value < 0 || !outcome->rows || is_value(worker, sending))
		return true;
	control_fail(&run_of(worker)->control, "step %s: wrong answer: statement %s has "
		     "another value in its first column than the workload's %s",
		     worker->job->step->name, sending->name,
		     run_of(worker)->workload->names[def->value].name);
	return false;
}

static void take(struct worker *worker, const struct sending *sending)
{
	const struct statement_def *def = sending->def;

	for (unsigned i = 0; def && i < def->ntakes && i < sending->outcome.fields; i++)
		worker->scene.numbers[def->takes[i]] =
			sending->outcome.field[i].type == VALUE_REAL ?
			(int64_t)sending->outcome.field[i].real :
			sending->outcome.field[i].number;
}

static void keep(struct worker *worker, struct sending *sending, uint64_t ns)
{
	struct kept *kept = &sending->kept;
	unsigned bucket = hist_index(ns);

	if (!kept->sent++)
		worker->kept[worker->nkept++] = sending;
	kept->rows += sending->outcome.rows;
	kept->affected += sending->outcome.affected;
	kept->total_ns += ns;
	if (ns > kept->max_ns)
		kept->max_ns = ns;
	if (!kept->counts[bucket]++)
		kept->used[kept->nused++] = (uint16_t)bucket;
}

/* The transaction is done: what was kept of it counts. */
static void count_kept(struct worker *worker, struct sending *sending)
{
	struct tally *tally = &sending->tally;
	const struct kept *kept = &sending->kept;

	tally->sent += kept->sent;
	tally->rows += kept->rows;
	tally->affected += kept->affected;
	tally->total_ns += kept->total_ns;
	if (kept->max_ns > tally->max_ns)
		tally->max_ns = kept->max_ns;
	for (unsigned i = 0; i < kept->nused; i++) {
		unsigned bucket = kept->used[i];

		tally->hist.counts[bucket] += kept->counts[bucket];
		times_add(&worker->times, hist_value(bucket), kept->counts[bucket]);
	}
	arm_add(worker->counters, kept->sent, worker->job->op == OP_SCAN ?
		kept->sent * sending->scanned : kept->rows + kept->affected);
	arm_took(worker->counters, kept->max_ns);
}

/* Of one that was undone nothing counts. */
static void settle(struct worker *worker, bool done)
{
	while (worker->nkept) {
		struct sending *sending = worker->kept[--worker->nkept];
		struct kept *kept = &sending->kept;

		if (done)
			count_kept(worker, sending);
		while (kept->nused)
			kept->counts[kept->used[--kept->nused]] = 0;
		kept->sent = kept->rows = kept->affected = 0;
		kept->total_ns = kept->max_ns = 0;
	}
}

static void count_sent(struct worker *worker, struct sending *sending, uint64_t ns)
{
	struct tally *tally = &sending->tally;
	const struct outcome *outcome = &sending->outcome;

	if (worker->warming)
		return;
	if (worker->keeping) {
		keep(worker, sending, ns);
		return;
	}
	tally->sent++;
	tally->rows += outcome->rows;
	tally->affected += outcome->affected;
	tally->total_ns += ns;
	if (ns > tally->max_ns)
		tally->max_ns = ns;
	hist_record(&tally->hist, ns);
	arm_count(worker->counters, worker->job->op == OP_SCAN ? sending->scanned :
		  outcome->rows + outcome->affected);
	if (worker->events)
		sample_took(worker->counters, &worker->times, ns);
}

/* The first one to each query; all of them are counted when the step's time is over. */
static void remember(const struct worker *worker, struct sending *sending)
{
	struct answers *answers = &sending->answers;
	const struct outcome *outcome = &sending->outcome;
	size_t query, k;
	unsigned kept;

	if (!answers->truth || worker->warming)
		return;
	query = (size_t)worker->scene.numbers[sending->def->nearest.query] - 1;
	if (answers->nrows[query])
		return;
	k = (size_t)answers->truth->k;
	kept = outcome->rows < k ? (unsigned)outcome->rows : (unsigned)k;
	memcpy(answers->rows + query * k, outcome->keys, kept * sizeof(*answers->rows));
	answers->nrows[query] = kept + 1;
}

static void fail(struct worker *worker, const struct sending *sending,
		 enum engine_status status)
{
	struct run *run = run_of(worker);
	const char *message = run->engine->message(worker->conn);

	if (status == ENGINE_FULL)
		control_fail(&run->control, "step %s: no space is left for the database "
			     "(%s)", worker->job->step->name, message);
	else
		control_fail(&run->control, "step %s: statement %s failed: %s",
			     worker->job->step->name, sending->name, message);
}

static bool undone(enum engine_status status)
{
	return status == ENGINE_BUSY || status == ENGINE_LOCKED;
}

/* One statement. Undone is for the event to try again, all else ends the run. */
static enum engine_status send(struct worker *worker, struct sending *sending)
{
	uint64_t start_ns;
	enum engine_status status;

	for (unsigned i = 0; sending->def && i < sending->def->nbinds; i++)
		draw_do(&sending->draws[i], run_of(worker), &worker->scene, &worker->rng);
	fill(worker, sending);
	start_ns = clock_mono_ns();
	status = dispatch(worker, sending);
	if (status == ENGINE_OK) {
		count_sent(worker, sending, clock_mono_ns() - start_ns);
		remember(worker, sending);
		take(worker, sending);
		return check(worker, sending) ? ENGINE_OK : ENGINE_FAILED;
	}
	if (undone(status) && !worker->warming)
		sending->tally.retries++;
	if (!undone(status))
		fail(worker, sending, status);
	return status;
}

static uint64_t times(struct worker *worker, const struct ready_part_do *part)
{
	struct run *run = run_of(worker);
	int64_t least = expr_value(&part->least, worker->scene.numbers, run->counters);
	int64_t most = expr_value(&part->most, worker->scene.numbers, run->counters);

	if (most > least)
		least += (int64_t)rng_below64(&worker->rng, (uint64_t)(most - least) + 1);
	return least > 0 ? (uint64_t)least : 0;
}

static void draw_all(struct worker *worker, struct ready_part *part)
{
	for (unsigned i = 0; part->transaction && i < part->transaction->nbinds; i++)
		draw_do(&part->draws[i], run_of(worker), &worker->scene, &worker->rng);
}

/* A part in this one, with values of its own. */
static enum engine_status send_inner(struct worker *worker, struct ready_part *part)
{
	enum engine_status status = ENGINE_OK;

	draw_all(worker, part);
	for (unsigned i = 0; status == ENGINE_OK && i < part->nparts; i++)
		for (uint64_t left = times(worker, &part->parts[i]);
		     left && status == ENGINE_OK; left--)
			status = send(worker, part->parts[i].sending);
	return status;
}

static enum engine_status send_parts(struct worker *worker, struct ready_part *part)
{
	int64_t *repeat = &worker->scene.numbers[run_of(worker)->workload->repeat];
	enum engine_status status = ENGINE_OK;

	for (unsigned i = 0; status == ENGINE_OK && i < part->nparts; i++) {
		const struct ready_part_do *one = &part->parts[i];
		int64_t most = (int64_t)times(worker, one);

		for (*repeat = 1; *repeat <= most && status == ENGINE_OK; ++*repeat)
			status = one->part ? send_inner(worker, one->part) :
					     send(worker, one->sending);
	}
	return status;
}

static void roll_back(struct worker *worker)
{
	struct outcome outcome = { .wanted = 0 };

	run_of(worker)->engine->run(worker->conn, "ROLLBACK", &outcome, NULL, NULL);
}

static enum engine_status send_event(struct worker *worker, struct ready_part *part)
{
	enum engine_status status;

	draw_all(worker, part);
	if (!part->begin)
		return send_parts(worker, part);
	status = send(worker, part->begin);
	worker->within = true;
	if (status == ENGINE_OK)
		status = send_parts(worker, part);
	worker->within = false;
	if (status == ENGINE_OK)
		status = send(worker, part->commit);
	if (undone(status))
		roll_back(worker);
	return status;
}

/* The same values again until it is answered or there is no hope. */
static enum engine_status attempt(struct worker *worker, struct ready_part *part)
{
	struct run *run = run_of(worker);
	bool queue = run->queue && worker->job->step->kind == STEP_WRITE;
	struct rng before = worker->rng;
	enum engine_status status;

	worker->keeping = part->transaction;
	for (unsigned tries = 1;; tries++) {
		if (queue)
			worker->wait_ns += turn_take(&run->turn);
		status = send_event(worker, part);
		if (queue)
			turn_give(&run->turn);
		settle(worker, status == ENGINE_OK);
		if (!undone(status))
			return status;
		worker->retries += !worker->warming;
		if (tries == MOST_TRIES || stopped(worker)) {
			worker->errors += !worker->warming;
			return status;
		}
		worker->rng = before;
		clock_sleep_until_ns(clock_mono_ns() +
				     BACKOFF_NS * (tries < 10 ? tries : 10));
	}
}

static struct ready_part *choose(struct worker *worker)
{
	uint64_t at;
	unsigned i = 0;

	if (worker->nparts == 1)
		return &worker->parts[0];
	at = rng_below64(&worker->rng, worker->weights);
	while (at >= worker->parts[i].weight)
		at -= worker->parts[i++].weight;
	return &worker->parts[i];
}

/* A scan is of the client's own table, all else of any. */
static void choose_table(struct worker *worker)
{
	struct run *run = run_of(worker);
	int64_t *number = &worker->scene.numbers[run->workload->number];

	if (worker->job->step->kind == STEP_SCAN)
		*number = 1 + worker->client % run->numbers;
	else if (run->numbers > 1)
		*number = 1 + rng_below(&worker->rng, run->numbers);
}

/* An event of one statement is counted with it: only its time is told here. */
static void count_event(struct worker *worker, uint64_t ns)
{
	if (worker->events) {
		arm_count(worker->events, 0);
		sample_took(worker->events, &worker->event_times, ns);
	} else {
		sample_took(worker->counters, &worker->times, ns);
	}
}

static void event(struct worker *worker, uint64_t intended_ns)
{
	uint64_t start_ns = clock_mono_ns(), end_ns, longest;
	enum engine_status status;

	choose_table(worker);
	status = attempt(worker, choose(worker));
	if (status != ENGINE_OK || worker->warming)
		return;
	end_ns = clock_mono_ns();
	longest = end_ns - start_ns;
	hist_record(&worker->actual, longest);
	if (worker->schedule.rows_per_s) {
		longest = end_ns - intended_ns;
		hist_record(&worker->intended, longest);
	}
	count_event(worker, longest);
}

/* Events that are asked for by number are shared out evenly, the first ones to the first. */
static uint64_t share(const struct worker *worker)
{
	uint64_t events = worker->job->size->events, clients = worker->job->nworkers;

	return events / clients + (worker->client < events % clients);
}

static bool is_over(struct worker *worker)
{
	const struct job *job = worker->job;

	if (job->size->events)
		return worker->done >= share(worker);
	return crew_is_over(&job->crew);
}

void work_events(void *argument)
{
	struct worker *worker = argument;

	while (!stopped(worker) && !is_over(worker)) {
		uint64_t intended_ns = schedule_ns(&worker->schedule, worker->done);

		if (worker->schedule.rows_per_s)
			control_sleep_until(&run_of(worker)->control, intended_ns);
		if (stopped(worker) || (!worker->job->size->events &&
					crew_is_over(&worker->job->crew)))
			break;
		event(worker, intended_ns);
		worker->done++;
	}
}

void warm_up(struct worker *worker)
{
	struct rng before = worker->rng;

	rng_seed(&worker->rng, rng_mix(run_of(worker)->options->seed, "warm-up",
				       worker->client));
	worker->warming = true;
	while (!stopped(worker) && clock_mono_ns() < worker->job->warm_until_ns)
		event(worker, 0);
	worker->warming = false;
	worker->rng = before;
}
