/* One run, the step it is in, and the workers that do it. */
#ifndef SQL_RUN_H
#define SQL_RUN_H

#include "client/crew.h"
#include "client/schedule.h"
#include "client/turn.h"
#include "common/arm.h"
#include "common/hist.h"
#include "common/times.h"
#include "options.h"
#include "template.h"
#include "vectors.h"

#define PLAN_SIZE 8192
#define MAX_SENDINGS (MAX_DO * 4 + 2)

enum op { OP_INSERT, OP_QUERY, OP_TRANSACTION, OP_INDEX, OP_SCAN, OP_BYTES, OPS };

extern const char *const OP_NAMES[OPS];

struct run {
	const struct options *options;
	struct place *place;
	const struct engine *engine;		/* the place's */
	const struct workload *workload;
	const struct vector_folder *folder;	/* NULL: the workload has no vectors */
	unsigned numbers;			/* of the tables that are numbered */
	struct turn turn;
	bool queue;		/* writers take turns in the driver */
	struct control control;
	struct waits waits;
	_Atomic int64_t counters[MAX_COUNTERS];
	unsigned seq;		/* of the step */
};

/* A draw with what of it does not change within a step. */
struct ready_draw {
	const struct draw *draw;
	bool fixed;		/* low and high are numbers */
	int64_t low, high;
	uint64_t next;		/* of a sequence */
	uint64_t stride;
	unsigned count;		/* of a list; 0: it is none */
	struct zipf zipf;
};

/* A worker's first answer to each query that asks for the nearest; recall is told of them. */
struct answers {
	struct truth *truth;	/* the job's; NULL: the statement asks for no nearest */
	int64_t *rows;		/* truth->k of each query */
	unsigned *nrows;	/* of each query, 1 more; 0: it was not asked */
};

/* What a statement of a worker came to in a step. */
struct tally {
	uint64_t sent, rows, affected, errors, retries, total_ns, max_ns;
	struct hist hist;
};

/*
 * What it came to in a transaction that is not over, which may be undone yet. As large for
 * any number of them: their times are in the hist's buckets.
 */
struct kept {
	uint64_t sent, rows, affected, total_ns, max_ns;
	uint32_t counts[HIST_BUCKETS];
	uint16_t used[HIST_BUCKETS];		/* the buckets that are not 0 */
	unsigned nused;
};

/* A statement as one worker sends it in a step. */
struct sending {
	const struct statement_def *def;	/* NULL: begin or commit */
	const char *name, *fixed_text;		/* of begin and commit */
	struct template template;
	struct ready_draw draws[MAX_BINDS];
	unsigned names[MAX_PIECES], nnames;	/* of its parameters, in order */
	struct value *values;
	enum value_type *types;
	unsigned nvalues;
	bool prepared;
	struct statement *statements[MAX_TABLES];	/* by the table's number */
	struct text text;			/* being written */
	char *sql;				/* as it is prepared, for the record */
	uint64_t scanned;			/* rows of the tables that it names */
	struct outcome outcome;
	struct answers answers;
	struct tally tally;
	struct kept kept;
};

/* A part of a step or of a transaction, with what it sends. */
struct ready_part {
	const struct transaction *transaction;	/* NULL: one statement */
	struct sending *begin, *commit;		/* NULL: they are not sent */
	struct ready_draw draws[MAX_BINDS];
	struct ready_part_do {
		struct sending *sending;
		struct ready_part *part;	/* instead: a transaction in this one */
		struct expr least, most;
	} parts[MAX_DO];
	unsigned nparts;
	uint64_t weight;
};

struct worker {
	struct member member;
	struct arm_counters *counters, *events;	/* of its op; of transactions, or NULL */
	struct times times, event_times;
	struct job *job;
	unsigned client;
	struct connection *conn;
	struct rng rng;
	struct scene scene;
	struct sending *sendings;
	unsigned nsendings;
	struct sending *kept[MAX_SENDINGS];	/* those of which something is kept */
	unsigned nkept;
	struct ready_part *parts;
	unsigned nparts;
	uint64_t weights;
	struct schedule schedule;
	uint64_t done;			/* events so far */
	uint64_t errors, retries, wait_ns, bytes;
	struct hist actual, intended;	/* of events */
	bool warming;			/* nothing is counted */
	bool within;			/* a transaction that was begun */
	bool keeping;			/* what is sent counts when the event is over */
};

/* A step in progress. */
struct job {
	struct run *run;
	const struct step_size *size;
	const struct workload_step *step;
	enum op op;			/* the main one */
	bool transactions;		/* its events have more than one statement */
	struct worker *workers;
	unsigned nworkers;
	_Atomic unsigned next_table;	/* of a load */
	uint64_t warm_until_ns;
	char (*plans)[PLAN_SIZE];	/* of worker 0's sendings; "" where it is not told */
	struct truth truths[MAX_SENDINGS];	/* of its sendings */
	struct crew crew;
};

/* scene.c: the values of names */

bool scene_make(struct scene *scene, const struct run *run);
/* Gives the step's own lets their values. */
void scene_begin(struct scene *scene, const struct workload_step *step, struct run *run);
void scene_free(struct scene *scene);
/* What does not change within a step is worked out; low and high hang on the scene's lets. */
void draw_ready(struct ready_draw *ready, const struct draw *draw, struct run *run,
		struct scene *scene, unsigned client, unsigned clients);
void draw_do(struct ready_draw *ready, struct run *run, struct scene *scene,
	     struct rng *rng);

/* event.c: what a worker does in a step with events */

void work_events(void *worker);
/* The same without counting, until job->warm_until_ns. */
void warm_up(struct worker *worker);

/* sending.c */

/* Readies the step's statements for a worker; false with the failure in run->control. */
bool sendings_make(struct worker *worker);
void sendings_free(struct worker *worker);
/* What is true is found before the step's time begins, by worker 0 for all. */
bool truths_find(struct worker *worker);
/* How many nearest the workers' first answers should have, and have. */
void answers_count(const struct job *job, unsigned which, uint64_t *asked,
		   uint64_t *found);
/* The texts and plans for the records. */
void sendings_describe(struct worker *worker);

/* load.c: filling tables, making indexes, cleaning up */

/* All tables of the workload; number counts from 1. */
unsigned tables_all(const struct run *run);
const struct table *tables_at(const struct run *run, unsigned i, int64_t *number);
bool tables_make(struct run *run);
bool tables_verify(struct run *run);
void work_load(void *worker);
void work_index(void *worker);
void work_analyze(void *worker);
void work_cleanup(void *worker);

/* report.c */

void report_samples(void *job, uint64_t now_ns);
void report_step(struct job *job);

/* job.c: one step from its connections to its records; a failure is in run->control. */
void job_run(struct run *run, const struct step_size *size);

/* What the workload says to every connection at the start of a step. */
bool run_sessions(struct worker *worker);

/* A text to the engine, not timed; false with the failure in run->control. */
bool run_text(struct run *run, struct connection *conn, const char *sql,
	      struct outcome *outcome);

#endif
