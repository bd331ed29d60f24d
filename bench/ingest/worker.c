/* What the threads of a step do: one worker, one connection, one kind of statement. */
#include "answer.h"
#include "client/sample.h"
#include "common/clock.h"
#include "delay.h"
#include "run.h"

#define MOST_TRIES 1000
#define BACKOFF_NS (100 * 1000ull)
#define LOOK_NS (10 * 1000 * 1000ull)	/* between two looks for the end of the step */
#define SYNC_STATEMENTS 1000		/* between two looks at the smallest key */

/* One statement of a worker; rows: how many it inserted, deleted or returned. */
typedef enum engine_status send_fn(struct worker *worker, uint64_t *rows);

static struct control *control_of(struct worker *worker)
{
	return &worker->job->run->control;
}

static bool stopped(struct worker *worker)
{
	return control_stopped(control_of(worker));
}

static const char *step_name(struct worker *worker)
{
	return worker->job->spec->step->name;
}

static void raise_to(_Atomic int64_t *value, int64_t to)
{
	int64_t seen = atomic_load_explicit(value, memory_order_relaxed);

	while (seen < to && !atomic_compare_exchange_weak(value, &seen, to))
		;
}

/* Counts a statement that was answered. */
static void count(struct worker *worker, uint64_t intended_ns, uint64_t start_ns,
		  uint64_t rows)
{
	uint64_t end_ns = clock_mono_ns();
	uint64_t actual = end_ns - start_ns, longest = actual;

	hist_record(&worker->actual, actual);
	if (worker->schedule.rows_per_s) {
		longest = end_ns - intended_ns;
		hist_record(&worker->intended, longest);
	}
	arm_count(worker->counters, rows);
	sample_took(worker->counters, &worker->times, longest);
}

static void fail(struct worker *worker, enum engine_status status)
{
	const char *message = worker->job->run->engine->message(worker->conn);

	if (status == ENGINE_FULL)
		control_fail(control_of(worker), "step %s: no space is left for the "
			     "database (%s)", step_name(worker), message);
	else
		control_fail(control_of(worker), "step %s: %s failed: %s",
			     step_name(worker), OP_NAMES[worker->op], message);
}

/* Sends until it is answered or there is no hope; waits for its turn each time. */
static enum engine_status attempt(struct worker *worker, send_fn *send, bool queue,
				  uint64_t *rows)
{
	struct turn *turn = &worker->job->run->turn;
	enum engine_status status;

	for (unsigned tries = 1;; tries++) {
		if (queue)
			worker->wait_ns += turn_take(turn);
		status = send(worker, rows);
		if (queue)
			turn_give(turn);
		if (status != ENGINE_BUSY && status != ENGINE_LOCKED)
			return status;
		worker->retries[status]++;
		if (tries == MOST_TRIES || stopped(worker)) {
			worker->errors++;
			return status;
		}
		clock_sleep_until_ns(clock_mono_ns() +
				     BACKOFF_NS * (tries < 10 ? tries : 10));
	}
}

/* One write, from its intended start to its count. False: the step is over. */
static bool write_once(struct worker *worker, send_fn *send)
{
	uint64_t rows = 0, start_ns;
	uint64_t intended_ns = schedule_ns(&worker->schedule, worker->statements++);
	enum engine_status status;

	if (worker->schedule.rows_per_s)
		control_sleep_until(control_of(worker), intended_ns);
	if (stopped(worker))
		return false;
	start_ns = clock_mono_ns();
	status = attempt(worker, send, worker->job->run->queue, &rows);
	if (status == ENGINE_OK)
		count(worker, intended_ns, start_ns, rows);
	else if (status != ENGINE_BUSY && status != ENGINE_LOCKED)
		fail(worker, status);
	return !stopped(worker);
}

/*
 * A load that is given seconds ends by the clock. Writers at a rate go on, in whole
 * statements, while what others disturbed is done again, but never for longer than the step
 * was to take: those who are behind make it longer, and all of that can be disturbed too.
 */
static uint64_t rows_wanted(const struct step_spec *spec)
{
	uint64_t again_ns = atomic_load_explicit(&arm->again_ns, memory_order_relaxed);
	uint64_t rows = spec->milliseconds * spec->step->rate / 1000;
	uint64_t most_ns = spec->milliseconds * (NS_PER_S / 1000);

	if (spec->rows)
		return spec->rows;
	if (!spec->step->rate)
		return UINT64_MAX;
	if (!again_ns)
		return rows;
	if (again_ns > most_ns)
		again_ns = most_ns;
	rows += again_ns / 1000 * spec->step->rate / (NS_PER_S / 1000);
	return (rows + spec->rows_per_commit - 1) / spec->rows_per_commit *
	       spec->rows_per_commit;
}

/* Whose rows are written waits for the end of the step, which may move. */
static bool is_over(struct worker *worker)
{
	const struct step_spec *spec = worker->job->spec;

	if (rows_wanted(spec) == UINT64_MAX)
		return crew_is_over(&worker->job->crew);
	while (worker->statements * spec->rows_per_commit >= rows_wanted(spec)) {
		if (spec->rows || stopped(worker) || crew_is_over(&worker->job->crew))
			return true;
		control_sleep_until(control_of(worker), clock_mono_ns() + LOOK_NS);
	}
	return false;
}

/* Rows of statement i: the last one may be shorter. */
static size_t statement_rows(const struct step_spec *spec, uint64_t i)
{
	uint64_t left = rows_wanted(spec) - i * spec->rows_per_commit;

	return left < spec->rows_per_commit ? left : spec->rows_per_commit;
}

static enum engine_status send_insert(struct worker *worker, uint64_t *rows)
{
	int64_t last = 0;
	enum engine_status status;

	DELAY(worker->nrows);
	status = worker->job->run->engine->insert(worker->conn, worker->rows,
						  worker->nrows, &last);
	if (status == ENGINE_OK) {
		*rows = worker->nrows;
		raise_to(&worker->table->newest, last);
	}
	return status;
}

/* An engine that does not tell the keys it gives is asked once a second. */
static void follow_newest(struct worker *worker)
{
	const struct engine *engine = worker->job->run->engine;
	uint64_t now = clock_mono_ns();
	int64_t pk = 0;
	enum engine_status status;

	if (engine->caps & ENGINE_TELLS_PK || now < worker->looked_ns + NS_PER_S)
		return;
	worker->looked_ns = now;
	status = engine->end_pk(worker->conn, true, &pk);
	if (status == ENGINE_OK)
		raise_to(&worker->table->newest, pk);
	else if (status != ENGINE_BUSY && status != ENGINE_LOCKED)
		fail(worker, status);
}

static void insert_all(struct worker *worker)
{
	const struct step_spec *spec = worker->job->spec;

	while (!is_over(worker)) {
		worker->nrows = statement_rows(spec, worker->statements);
		rows_make(worker->rows, worker->nrows, &worker->rng,
			  (int64_t)(clock_read_ns(CLOCK_REALTIME) / 1000));
		if (worker->pair && !pair_await_insert(worker->pair))
			break;
		if (!write_once(worker, send_insert))
			break;
		if (worker->pair)
			pair_inserted(worker->pair);
		follow_newest(worker);
	}
}

static enum engine_status send_delete(struct worker *worker, uint64_t *rows)
{
	return worker->job->run->engine->delete_oldest(worker->conn, worker->first,
						       worker->nrows, rows);
}

/* The cursor follows the engine's smallest key, which other deleters move too. */
static bool synchronise(struct worker *worker)
{
	struct run *run = worker->job->run;
	int64_t pk = 0;
	enum engine_status status = run->engine->end_pk(worker->conn, false, &pk);

	if (status == ENGINE_OK && run->ntables == run->options->dop)
		atomic_store(&worker->table->oldest, pk);
	else if (status == ENGINE_OK)
		raise_to(&worker->table->oldest, pk);
	else if (status != ENGINE_BUSY && status != ENGINE_LOCKED)
		fail(worker, status);
	return !stopped(worker);
}

static void delete_all(struct worker *worker)
{
	const struct engine *engine = worker->job->run->engine;

	while (pair_await_delete(worker->pair) && !stopped(worker)) {
		uint64_t before = worker->counters->rows, errors = worker->errors;
		bool dense = engine->caps & ENGINE_DENSE_PK, missed;

		worker->nrows = statement_rows(worker->job->spec, worker->statements);
		worker->first = atomic_fetch_add(&worker->table->oldest,
						 (int64_t)worker->nrows);
		if (!write_once(worker, send_delete))
			break;
		missed = errors == worker->errors &&
			 worker->counters->rows - before != worker->nrows;
		if (dense && missed)
			control_fail(control_of(worker), "step %s: wrong answer to a "
				     "delete: not all of its rows were there",
				     step_name(worker));
		pair_deleted(worker->pair);
		/* A gap in the keys is left behind at once, not statement by statement. */
		if ((missed || worker->statements % SYNC_STATEMENTS == 0) &&
		    !synchronise(worker))
			break;
	}
}

static enum engine_status send_range(struct worker *worker, uint64_t *rows)
{
	enum engine_status status = worker->job->run->engine->range(
		worker->conn, worker->index, worker->from, &worker->answer);

	*rows = worker->answer.rows;
	return status;
}

static enum engine_status send_point(struct worker *worker, uint64_t *rows)
{
	enum engine_status status = worker->job->run->engine->point(
		worker->conn, worker->ids, &worker->answer);

	*rows = worker->answer.rows;
	return status;
}

static const struct index_def *indexes_of(struct worker *worker)
{
	return worker->job->run->indexes;
}

/* Draws what the next query asks for; its response time has not begun. */
static void draw(struct worker *worker, bool range)
{
	struct table *table = worker->table;
	int64_t oldest, newest;

	if (range) {
		worker->index = rng_below(&worker->rng, SECONDARY_INDEXES);
		worker->from = rng_below(&worker->rng,
					 indexes_of(worker)[worker->index].values);
		return;
	}
	oldest = atomic_load_explicit(&table->oldest, memory_order_relaxed);
	newest = atomic_load_explicit(&table->newest, memory_order_relaxed);
	if (newest < oldest)
		newest = oldest;
	for (unsigned i = 0; i < ROWS_PER_QUERY; i++)
		worker->ids[i] = oldest + (int64_t)rng_below64(
			&worker->rng, (uint64_t)(newest - oldest) + 1);
}

static void check(struct worker *worker, bool range)
{
	const char *wrong;
	bool dense = worker->job->run->engine->caps & ENGINE_DENSE_PK;

	if (range)
		wrong = answer_check_range(&worker->answer,
					   &indexes_of(worker)[worker->index],
					   worker->from, worker->table->rows);
	else
		wrong = answer_check_point(&worker->answer, worker->ids, dense ?
			atomic_load(&worker->table->oldest) : INT64_MAX);
	if (wrong)
		control_fail(control_of(worker), "step %s: wrong answer to a query: %s",
			     step_name(worker), wrong);
}

/* One statement of a closed loop. False: the step is over. */
static bool once(struct worker *worker, send_fn *send, bool queue)
{
	uint64_t rows = 0, start_ns = clock_mono_ns();
	enum engine_status status = attempt(worker, send, queue, &rows);

	if (status == ENGINE_OK)
		count(worker, start_ns, start_ns, rows);
	else if (status != ENGINE_BUSY && status != ENGINE_LOCKED)
		fail(worker, status);
	return status == ENGINE_OK;
}

/* Until the writers are done and the time is over, or as many as were asked for. */
static bool queries_left(struct worker *worker)
{
	struct job *job = worker->job;

	if (job->spec->queries)
		return worker->statements++ < job->spec->queries;
	if (atomic_load_explicit(&job->writers, memory_order_relaxed))
		return true;
	/* Writers of a number of rows do none of it again: nor do those beside them. */
	return job->spec->rows ? clock_mono_ns() < job->crew.deadline_ns :
				 !crew_is_over(&job->crew);
}

/* A closed loop. */
static void query_all(struct worker *worker)
{
	bool range = worker->job->spec->step->query == WORK_RANGE;

	while (!stopped(worker) && queries_left(worker)) {
		draw(worker, range);
		if (once(worker, range ? send_range : send_point, false))
			check(worker, range);
	}
}

/* The table's rows count as indexed once, when the last index is there. */
static enum engine_status send_index(struct worker *worker, uint64_t *rows)
{
	unsigned made = 0;
	enum engine_status status = worker->job->run->engine->create_indexes(
		worker->conn, worker->index, &made);

	if (status != ENGINE_OK)
		return status;
	worker->index += made;
	*rows = worker->index == SECONDARY_INDEXES ? worker->table->rows : 0;
	return ENGINE_OK;
}

static void index_all(struct worker *worker)
{
	while (worker->index < SECONDARY_INDEXES && !stopped(worker) &&
	       once(worker, send_index, worker->job->run->queue))
		;
}

static enum engine_status send_scan(struct worker *worker, uint64_t *rows)
{
	uint64_t returned = 0;
	enum engine_status status = worker->job->run->engine->scan(
		worker->conn, worker->index, &returned);

	*rows = worker->table->rows;
	if (returned)
		control_fail(control_of(worker), "step %s: wrong answer to a scan: it "
			     "returned rows", step_name(worker));
	return status;
}

static void scan_all(struct worker *worker)
{
	const struct step *step = worker->job->spec->step;

	for (unsigned i = 0; i < step->scans && !stopped(worker); i++) {
		worker->index = step->first_scan + i;
		once(worker, send_scan, false);
	}
}

static enum engine_status send_cleanup(struct worker *worker, uint64_t *rows)
{
	*rows = 0;
	return worker->job->run->engine->cleanup(worker->conn, &worker->bytes);
}

/* The step may be given a least time, for the engine's and the disk's own work. */
static void clean_all(struct worker *worker)
{
	once(worker, send_cleanup, worker->job->run->queue);
	control_sleep_until(control_of(worker), worker->job->crew.deadline_ns);
}

static void (*const BODIES[OPS])(struct worker *worker) = {
	[OP_INSERT] = insert_all,
	[OP_DELETE] = delete_all,
	[OP_QUERY] = query_all,
	[OP_INDEX] = index_all,
	[OP_SCAN] = scan_all,
	[OP_BYTES] = clean_all,
};

/* Those who wait for this worker need not any more. */
static void leave(struct worker *worker)
{
	if (worker->pair)
		pair_close(worker->pair);
	if (worker->op == OP_INSERT || worker->op == OP_DELETE)
		atomic_fetch_sub(&worker->job->writers, 1);
}

void worker_run(void *argument)
{
	struct worker *worker = argument;

	BODIES[worker->op](worker);
	leave(worker);
}
