/*
 * A workload file in memory: tables and how they are filled, statements and how their
 * parameters are drawn, transactions, steps. What the lines mean stands in
 * workloads/README.md.
 */
#ifndef SQL_WORKLOAD_H
#define SQL_WORKLOAD_H

#include "draw.h"
#include "engines/engine.h"
#include "expr.h"
#include "vectors/exact.h"

#define NAME_SIZE 64
#define MAX_NAMES 96		/* of numbers and texts: lets, binds, columns, ... */
#define MAX_COUNTERS 8
#define MAX_TABLE_KINDS 16
#define MAX_COLUMNS 32
#define MAX_LINES 8		/* indexes of a table, or what a connection is told */
#define MAX_STATEMENTS 64
#define MAX_BINDS 24
#define MAX_TAKES FIELDS
#define MAX_TRANSACTIONS 32
#define MAX_DO 24
#define MAX_STEP_LETS 8
#define MAX_WORKLOAD_STEPS 128
#define MAX_DIALECTS 8
#define MAX_LIST 10000
#define TEXT_SIZE 1024		/* the longest text that is drawn */

/* A text for all engines but those that have one of their own. */
struct dialects {
	char *plain;			/* NULL: there is none */
	unsigned count;
	struct dialect {
		char engines[NAME_SIZE];	/* comma,separated */
		char *text;			/* NULL: not for the distance chosen */
		unsigned lacking;		/* a bit for each distance without a part */
	} of[MAX_DIALECTS];
};

enum list_kind { LIST_NONE, LIST_DRAWS, LIST_RUN };

/* A value that is drawn: of a parameter, or of a column when a table is filled. */
struct draw {
	unsigned name;
	enum value_type type;
	enum distribution distribution;
	struct expr low, high;
	double extra[2];
	unsigned counter;
	char *text;			/* pattern or constant */
	enum list_kind list;
	struct expr length;		/* of a list */
	unsigned line;
};

/* Lines that are sent in this order; of an engine without one, nothing. */
struct lines_of {
	struct dialects of[MAX_LINES];
	unsigned count;
};

/*
 * The answer is to be the k nearest of the vector that the statement draws, among the rows
 * low..high whose number every divides.
 */
struct nearest {
	struct expr k, low, high, every;	/* k without code: it is not */
	unsigned query;				/* name: the vector */
};

/* What must come back: a number in low..high. */
struct bounds {
	bool given;
	struct expr low, high;
};

struct table {
	char name[NAME_SIZE];
	bool numbered;			/* name1, name2, ... */
	struct expr count, rows;
	struct dialects create;
	struct dialects indexes[MAX_LINES];
	unsigned nindexes, ncolumns, line;
	struct draw columns[MAX_COLUMNS];
};

struct statement_def {
	char name[NAME_SIZE];
	struct dialects sql;
	struct draw binds[MAX_BINDS];
	unsigned nbinds, line;
	struct bounds rows, affected;
	int value;			/* a name; -1: not checked */
	struct nearest nearest;
	unsigned takes[MAX_TAKES], ntakes;
	bool text;			/* never prepared */
};

/*
 * A statement in a transaction, or a transaction without begin in one that may have it, and
 * how often; or a part of a step and its weight.
 */
struct part {
	int transaction, statement;	/* one of them is -1 */
	struct expr least, most;
	unsigned line;
};

struct transaction {
	char name[NAME_SIZE];
	struct dialects begin, commit;
	struct draw binds[MAX_BINDS];
	unsigned nbinds, line;
	struct part parts[MAX_DO];
	unsigned nparts;
};

enum step_kind {
	STEP_READ, STEP_WRITE, STEP_SCAN, STEP_CLEANUP, STEP_LOAD, STEP_INDEX, STEP_ANALYZE
};

extern const char *const STEP_KINDS[];

struct workload_step {
	char name[NAME_SIZE], group[NAME_SIZE], about[160];
	enum step_kind kind;
	struct step_let {
		unsigned name;
		struct expr value;
	} lets[MAX_STEP_LETS];
	unsigned nlets, line;
	struct lines_of sessions;
	struct part parts[MAX_DO];
	unsigned nparts;
};

struct workload {
	char name[NAME_SIZE], about[160];
	const char *path;
	struct name {
		char name[NAME_SIZE];
		enum { NAME_LET, NAME_DRAWN, NAME_TAKEN } kind;
		enum value_type type;
		bool list;
	} names[MAX_NAMES];
	unsigned nnames;
	int64_t lets[MAX_NAMES];	/* by name; of the others 0 */
	bool has_vectors;
	enum distance distance;		/* of them */
	enum distance distances[DISTANCES];	/* that the file has words for */
	unsigned ndistances, choice;		/* of them; which is chosen */
	struct lines_of setups, sessions;
	struct counter {
		char name[NAME_SIZE];
		struct expr start;
	} counters[MAX_COUNTERS];
	unsigned ncounters;
	struct table tables[MAX_TABLE_KINDS];
	unsigned ntables;
	struct statement_def statements[MAX_STATEMENTS];
	unsigned nstatements;
	struct transaction transactions[MAX_TRANSACTIONS];
	unsigned ntransactions;
	struct workload_step steps[MAX_WORKLOAD_STEPS];
	unsigned nsteps;
	unsigned row, number;		/* names: the row of a table, its number */
	unsigned repeat;		/* name: which repetition of a `do` it is */
};

/* What --set gives a `let`. */
struct override {
	const char *name;
	int64_t value;
};

/* What a folder of vectors has, for the lets that the line `vectors` makes. */
struct vector_sizes {
	int64_t dim, vectors, queries;
};

/*
 * NULL with one sentence in why; a mistake names the file and its line. sizes: NULL where
 * there is no folder.
 */
struct workload *workload_read(const char *path, const struct override *overrides,
			       unsigned noverrides, const struct vector_sizes *sizes,
			       char *why, size_t size);
void workload_free(struct workload *workload);

/* By name; NULL or -1: there is none. */
const struct workload_step *workload_step(const struct workload *workload,
					  const char *name);
const struct table *workload_table(const struct workload *workload, const char *name);
int workload_name(const struct workload *workload, const char *name);
int workload_counter(const struct workload *workload, const char *name);

/* The text for an engine; NULL: it has none. */
const char *dialect_text(const struct dialects *dialects, const char *engine);

/* The distances, by their places, for which the engine's own line has no words. */
unsigned dialect_lacking(const struct dialects *dialects, const char *engine);

/* `begin none`: its statements are no transaction of the engine's. */
bool begins_none(const struct transaction *transaction, const char *engine);

/* The number of tables of a kind, from the lets. */
unsigned table_count(const struct workload *workload, const struct table *table);

#endif
