/* One run, the step it is in, and the workers that do it. */
#ifndef INGEST_RUN_H
#define INGEST_RUN_H

#include "client/crew.h"
#include "client/schedule.h"
#include "client/turn.h"
#include "common/arm.h"
#include "common/hist.h"
#include "common/times.h"
#include "options.h"
#include "pair.h"
#include "rows.h"

#define ROLES 3			/* of a client: inserter, deleter, querier */
#define MAX_WORKERS (MAX_DOP * ROLES)

_Static_assert(MAX_WORKERS <= ARM_SLOTS, "every worker counts in the shared page");

/* Where a table stands, kept by the client. oldest and newest are primary keys. */
struct table {
	_Alignas(64) _Atomic int64_t oldest;	/* the next to delete */
	_Atomic int64_t newest;			/* the last known to be inserted */
	unsigned number;
	uint64_t rows;				/* when the step began */
	unsigned indexes;
};

struct run {
	const struct options *options;
	struct place *place;
	const struct engine *engine;	/* the place's */
	struct table tables[MAX_TABLES];
	unsigned ntables;
	struct turn turn;
	bool queue;		/* writers take turns in the driver */
	struct control control;
	struct waits waits;
	const struct index_def *indexes;
	unsigned seq;		/* of the step */
};

struct worker {
	struct member member;
	struct arm_counters *counters;
	struct times times;
	struct job *job;
	enum op op;
	unsigned client;
	struct connection *conn;
	struct table *table;
	struct pair *pair;	/* NULL without a partner */
	struct schedule schedule;
	struct rng rng;
	struct row *rows;	/* the batch of an inserter */
	size_t nrows;		/* of the statement in progress */
	int64_t first;		/* primary key of a delete's first row */
	uint64_t statements;	/* written so far, or asked of a step given queries */
	uint64_t looked_ns;	/* when an inserter last asked for the newest key */
	unsigned index;		/* of a range query, or the next to be made */
	int64_t from, ids[ROWS_PER_QUERY];	/* what a query asks for */
	struct answer answer;
	uint64_t errors, retries[ENGINE_STATUSES], wait_ns, bytes;
	struct hist actual, intended;
};

/* A step in progress. */
struct job {
	struct run *run;
	const struct step_spec *spec;
	struct worker *workers;
	unsigned nworkers;
	struct pair pairs[MAX_DOP];
	struct crew crew;
	_Atomic unsigned writers;	/* not finished yet */
};

/* What a worker's thread does, by its op. */
void worker_run(void *worker);

/* One step from its connections to its records; a failure is left in run->control. */
void job_run(struct run *run, const struct step_spec *spec);

/* The tables as the engine sees them; false with the failure in run->control. */
bool tables_read(struct run *run);
bool tables_count(struct run *run);

#endif
