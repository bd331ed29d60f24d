/* Making tables and filling them, making indexes, and paying the debts of writes. */
#include "client/sample.h"
#include "common/clock.h"
#include "engines/digits.h"
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BATCH_ROWS 500
#define MOST_BATCH_BYTES (256 * 1024)

unsigned tables_all(const struct run *run)
{
	unsigned all = 0;

	for (unsigned i = 0; i < run->workload->ntables; i++)
		all += table_count(run->workload, &run->workload->tables[i]);
	return all;
}

const struct table *tables_at(const struct run *run, unsigned i, int64_t *number)
{
	for (unsigned j = 0; j < run->workload->ntables; j++) {
		const struct table *table = &run->workload->tables[j];
		unsigned count = table_count(run->workload, table);

		if (i < count) {
			*number = i + 1;
			return table;
		}
		i -= count;
	}
	return NULL;
}

bool run_text(struct run *run, struct connection *conn, const char *sql,
	      struct outcome *outcome)
{
	struct outcome nothing = { .wanted = 0 };

	if (run->engine->run(conn, sql, outcome ? outcome : &nothing, NULL, NULL) ==
	    ENGINE_OK)
		return true;
	control_fail(&run->control, "%.80s failed: %s", sql, run->engine->message(conn));
	return false;
}

/* A line of the workload with the scene's numbers in it. */
static bool run_line(struct run *run, struct connection *conn, const char *line,
		     const struct scene *scene)
{
	struct template *template = malloc(sizeof(*template));
	struct writer writer = {
		.workload = run->workload, .scene = scene, .counters = run->counters,
	};
	struct text text = { .at = NULL };
	char why[160];
	bool done = false;

	if (template) {
		template_read(template, run->workload, line, why, sizeof(why));
		template_write(template, &writer, &text);
		done = !text.failed && run_text(run, conn, text.at, NULL);
	}
	free(text.at);
	free(template);
	return done;
}

/* Of one table; number: which of its kind. */
static bool run_line_of(struct run *run, struct connection *conn, const char *line,
			int64_t number)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	bool done = false;

	if (scene) {
		memcpy(scene->numbers, run->workload->lets, sizeof(scene->numbers));
		scene->numbers[run->workload->number] = number;
		done = run_line(run, conn, line, scene);
	}
	free(scene);
	return done;
}

static bool run_lines(struct run *run, struct connection *conn,
		      const struct lines_of *lines, const struct scene *scene)
{
	for (unsigned i = 0; i < lines->count; i++) {
		const char *line = dialect_text(&lines->of[i], run->engine->name);

		if (!line)
			continue;
		if (!(scene ? run_line(run, conn, line, scene) :
			      run_line_of(run, conn, line, 1)))
			return false;
	}
	return true;
}

bool run_sessions(struct worker *worker)
{
	struct run *run = worker->job->run;

	return run_lines(run, worker->conn, &run->workload->sessions, &worker->scene) &&
	       run_lines(run, worker->conn, &worker->job->step->sessions, &worker->scene);
}

static bool make_table(struct run *run, struct connection *conn, const struct table *table,
		       int64_t number)
{
	const char *create = dialect_text(&table->create, run->engine->name);
	char name[NAME_SIZE + 24], drop[NAME_SIZE + 64];

	table_name(table, number, name, sizeof(name));
	snprintf(drop, sizeof(drop), "DROP TABLE IF EXISTS %s", name);
	if (!create) {
		control_fail(&run->control, "the workload cannot create table %s on %s",
			     name, run->engine->name);
		return false;
	}
	return run_text(run, conn, drop, NULL) &&
	       run_line_of(run, conn, create, number);
}

static struct connection *admin(struct run *run)
{
	char why[ENGINE_TEXT];
	struct connection *conn = run->engine->connect(run->place->db, 0, WORK_ADMIN, why,
						       sizeof(why));

	if (!conn)
		control_fail(&run->control, "%s", why);
	return conn;
}

bool tables_make(struct run *run)
{
	struct connection *conn = admin(run);
	bool done = conn && run_lines(run, conn, &run->workload->setups, NULL);

	for (unsigned i = 0; done && i < tables_all(run); i++) {
		int64_t number = 1;
		const struct table *table = tables_at(run, i, &number);

		done = make_table(run, conn, table, number);
	}
	if (conn)
		run->engine->disconnect(conn);
	return done;
}

static bool verify_table(struct run *run, struct connection *conn,
			 const struct table *table, int64_t number)
{
	int64_t rows = expr_value(&table->rows, run->workload->lets, run->counters);
	struct outcome outcome = { .wanted = 1 };
	char name[NAME_SIZE + 24], count[NAME_SIZE + 64];

	table_name(table, number, name, sizeof(name));
	snprintf(count, sizeof(count), "SELECT count(*) FROM %s", name);
	if (!run_text(run, conn, count, &outcome))
		return false;
	if (outcome.fields == 1 && outcome.field[0].number == rows)
		return true;
	control_fail(&run->control, "wrong answer: table %s holds %" PRId64 " rows, "
		     "%" PRId64 " were written", name,
		     outcome.fields ? outcome.field[0].number : 0, rows);
	return false;
}

bool tables_verify(struct run *run)
{
	struct connection *conn;
	bool right = true;

	if (run->engine->caps & ENGINE_EMPTY)
		return true;
	conn = admin(run);
	for (unsigned i = 0; conn && right && i < tables_all(run); i++) {
		int64_t number = 1;
		const struct table *table = tables_at(run, i, &number);

		right = verify_table(run, conn, table, number);
	}
	if (conn)
		run->engine->disconnect(conn);
	return conn && right;
}

static void count(struct worker *worker, uint64_t start_ns, uint64_t rows)
{
	uint64_t ns = clock_mono_ns() - start_ns;

	hist_record(&worker->actual, ns);
	arm_count(worker->counters, rows);
	sample_took(worker->counters, &worker->times, ns);
}

/* What fills one table: its draws, and the text of a statement as far as its rows. */
struct filling {
	const struct table *table;
	int64_t number, rows, done;
	struct ready_draw draws[MAX_COLUMNS];
	struct text text;
	size_t head;
};

static void begin_filling(struct worker *worker, struct filling *filling)
{
	struct run *run = worker->job->run;
	const struct table *table = filling->table;
	struct text *text = &filling->text;
	char name[NAME_SIZE + 24];

	table_name(table, filling->number, name, sizeof(name));
	worker->scene.numbers[run->workload->number] = filling->number;
	rng_seed(&worker->rng, rng_mix(run->options->seed, name, 0));
	filling->rows = expr_value(&table->rows, run->workload->lets, run->counters);
	text_add(text, "INSERT INTO ", 12);
	text_add(text, name, strlen(name));
	text_add(text, " (", 2);
	for (unsigned i = 0; i < table->ncolumns; i++) {
		const char *column = run->workload->names[table->columns[i].name].name;

		draw_ready(&filling->draws[i], &table->columns[i], run, &worker->scene, 0,
			   1);
		if (i)
			text_add(text, ",", 1);
		text_add(text, column, strlen(column));
	}
	text_add(text, ") VALUES ", 9);
	filling->head = text->length;
}

static void add_row(struct worker *worker, struct filling *filling)
{
	struct run *run = worker->job->run;
	struct scene *scene = &worker->scene;

	scene->numbers[run->workload->row] = filling->done + 1;
	text_add(&filling->text, "(", 1);
	for (unsigned i = 0; i < filling->table->ncolumns; i++) {
		unsigned name = filling->table->columns[i].name;

		draw_do(&filling->draws[i], run, scene, &worker->rng);
		if (i)
			text_add(&filling->text, ",", 1);
		if (scene->vectors[name])
			vector_literal(run->folder, scene->vectors[name],
				       &filling->text);
		else if (scene->texts[name])
			text_add_quoted(&filling->text, scene->texts[name],
					scene->lengths[name],
					run->engine->placeholder == '?' &&
					run->engine->caps & ENGINE_SERVER);
		else
			text_add_number(&filling->text, scene->numbers[name]);
	}
	text_add(&filling->text, "),", 2);
}

/* One statement, which is one transaction. False: the step is over. */
static bool fill_batch(struct worker *worker, struct filling *filling)
{
	struct run *run = worker->job->run;
	struct outcome outcome = { .wanted = 0 };
	struct text *text = &filling->text;
	uint64_t rows = 0, start_ns;

	text->length = filling->head;
	for (; rows < MOST_BATCH_ROWS && filling->done < filling->rows &&
	       text->length < MOST_BATCH_BYTES; rows++, filling->done++)
		add_row(worker, filling);
	if (text->failed) {
		control_fail(&run->control, "there is no memory for the rows");
		return false;
	}
	text->at[--text->length] = '\0';
	start_ns = clock_mono_ns();
	if (run->queue)
		worker->wait_ns += turn_take(&run->turn);
	if (!run_text(run, worker->conn, text->at, &outcome)) {
		if (run->queue)
			turn_give(&run->turn);
		return false;
	}
	if (run->queue)
		turn_give(&run->turn);
	count(worker, start_ns, rows);
	return !control_stopped(&run->control);
}

void work_load(void *argument)
{
	struct worker *worker = argument;
	struct job *job = worker->job;
	unsigned i;
	bool going = true;

	while (going && (i = atomic_fetch_add(&job->next_table, 1)) <
				tables_all(job->run)) {
		struct filling filling = { .number = 1 };

		filling.table = tables_at(job->run, i, &filling.number);
		begin_filling(worker, &filling);
		while (going && filling.done < filling.rows)
			going = fill_batch(worker, &filling);
		free(filling.text.at);
	}
}

void work_index(void *argument)
{
	struct worker *worker = argument;
	struct run *run = worker->job->run;
	unsigned i;

	while ((i = atomic_fetch_add(&worker->job->next_table, 1)) < tables_all(run)) {
		int64_t number = 1;
		const struct table *table = tables_at(run, i, &number);
		int64_t rows = expr_value(&table->rows, run->workload->lets,
					  run->counters);

		for (unsigned j = 0; j < table->nindexes; j++) {
			const char *line = dialect_text(&table->indexes[j],
							run->engine->name);
			uint64_t start_ns = clock_mono_ns();

			if (!line)
				continue;
			if (!run_line_of(run, worker->conn, line, number))
				return;
			count(worker, start_ns, j ? 0 : (uint64_t)rows);
		}
	}
}

/* How an engine gathers what its planner knows of a table; others have no such planner. */
static const struct {
	const char *engine, *sql;
} ANALYZE[] = {
	{ "postgres", "VACUUM (ANALYZE) %s" },
	{ "mysql", "ANALYZE TABLE %s" },
	{ "mariadb", "ANALYZE TABLE %s" },
	{ "myrocks", "ANALYZE TABLE %s" },
	{ "sqlite", "ANALYZE %s" },
	{ "duckdb", "ANALYZE %s" },
};

static bool analyze(struct run *run, struct connection *conn, const char *name)
{
	char sql[NAME_SIZE + 64];

	for (size_t i = 0; i < sizeof(ANALYZE) / sizeof(ANALYZE[0]); i++)
		if (!strcmp(ANALYZE[i].engine, run->engine->name)) {
			snprintf(sql, sizeof(sql), ANALYZE[i].sql, name);
			return run_text(run, conn, sql, NULL);
		}
	return true;
}

void work_analyze(void *argument)
{
	struct worker *worker = argument;
	struct run *run = worker->job->run;
	unsigned i;

	while ((i = atomic_fetch_add(&worker->job->next_table, 1)) < tables_all(run)) {
		int64_t number = 1;
		const struct table *table = tables_at(run, i, &number);
		uint64_t start_ns = clock_mono_ns();
		char name[NAME_SIZE + 24];
		bool done;

		table_name(table, number, name, sizeof(name));
		if (run->queue)
			worker->wait_ns += turn_take(&run->turn);
		done = analyze(run, worker->conn, name);
		if (run->queue)
			turn_give(&run->turn);
		if (!done)
			return;
		count(worker, start_ns, 0);
	}
}

void work_cleanup(void *argument)
{
	struct worker *worker = argument;
	struct job *job = worker->job;
	uint64_t start_ns = clock_mono_ns();

	if (job->run->engine->cleanup(worker->conn, &worker->bytes) != ENGINE_OK)
		control_fail(&job->run->control, "step %s failed: %s", job->step->name,
			     job->run->engine->message(worker->conn));
	else
		count(worker, start_ns, 0);
	control_sleep_until(&job->run->control, job->crew.deadline_ns);
}
