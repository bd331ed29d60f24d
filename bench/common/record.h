/*
 * The records every C driver prints, schema 1: run, begin, step, sample, wait, hist,
 * statement, recall, size, use, note, end.
 * src/benchbook/records.py reads exactly these keys. Counters only; nothing is divided.
 */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "hist.h"
#include "json.h"
#include "times.h"

#include <stddef.h>

struct setting {
	const char *name, *value;
};

typedef void setting_fn(void *to, const char *name, const char *value);

struct run_record {
	const char *driver, *engine, *version;
	unsigned dop;
	uint64_t seed;
	const struct setting *options;
	size_t noptions;
	/* Calls each(to, name, value) for every setting of the engine; may be NULL. */
	void (*settings)(void *engine, setting_fn *each, void *to);
	void *settings_of;
};

/* What one op of one step did. */
struct step_record {
	const char *step, *op;
	bool main, checked;
	unsigned seq, dop;
	uint64_t start_ns, end_ns, ops, rows, errors, retries, bytes, wait_ns, cpu_ns;
	uint64_t target_ops_per_s;
};

/* One interval of one op; clients holds one number for each client. */
struct sample_record {
	const char *step, *op;
	uint64_t t_ns, interval_ns, ops, rows, max_ns;
	const uint64_t *clients;
	unsigned nclients;
	uint64_t *times;	/* of TIMES_BUCKETS; NULL where the driver has none */
};

/* What one statement of a step came to; plan: NULL where the engine does not tell it. */
struct statement_record {
	const char *step, *name, *sql, *plan;
	uint64_t sent, rows, affected, errors, retries, total_ns, max_ns;
	const struct hist *hist;	/* of its response times */
};

/* Of the nearest that a step's statement should have brought, how many it did: recall. */
struct recall_record {
	const char *step, *name;
	uint64_t k, asked, found;	/* asked: k of each query, once for each client */
};

#define WAIT_STATES 48		/* told apart; the rest are "others" */
#define WAIT_NAME 96

/* What the sessions of a server do or wait for at one moment. No name is there twice. */
struct wait_counts {
	unsigned states;
	struct wait_state {
		char name[WAIT_NAME];
		uint64_t sessions;
	} of[WAIT_STATES];
	const char *source;	/* where the names are from, and what it cannot see */
};

/* What a step used, in the order of USE_NAMES in record.c. */
enum use_counter {
	USE_SERVER_CPU,		/* of the server's processes */
	USE_CLIENT_CPU,		/* of this process, with the engine if it is embedded */
	USE_MACHINE_CPU,	/* of all CPUs of the machine, by anybody */
	USE_SWITCHES,		/* context switches of the machine */
	USE_READS, USE_READ_BYTES, USE_WRITES, USE_WRITTEN_BYTES,	/* of the device */
	USE_SERVER_READ_BYTES, USE_SERVER_WRITTEN_BYTES,
	USE_LOG_BYTES,		/* of the write-ahead log, as the engine says */
	USE_COUNTERS
};

struct use_record {
	const char *step;
	bool known[USE_COUNTERS];
	uint64_t counters[USE_COUNTERS];
	bool folder_known;
	uint64_t folder_bytes;	/* the server's data folder after the step, logs too */
	bool memory_known;
	uint64_t memory_bytes;	/* of the server's processes then, what they share once */
};

/* A record of a kind that only one driver has: its first member; json_end ends it. */
void record_open(struct json *json, FILE *out, const char *kind);

void record_run(FILE *out, const struct run_record *run);
/* A step's clock has started; printed at once, for those who watch the run. */
void record_begin(FILE *out, const char *step, uint64_t start_ns);
void record_step(FILE *out, const struct step_record *step);
void record_sample(FILE *out, const struct sample_record *sample);
void record_wait(FILE *out, const char *step, uint64_t t_ns,
		 const struct wait_counts *counts);
void record_hist(FILE *out, const char *step, const char *op, const char *clock,
		 const struct hist *hist);
void record_statement(FILE *out, const struct statement_record *statement);
void record_recall(FILE *out, const struct recall_record *recall);
void record_size(FILE *out, const char *step, uint64_t bytes);
void record_use(FILE *out, const struct use_record *use);
void record_note(FILE *out, const char *step, const char *text);

/* A NULL reason ends the run as ok, any other as failed. It says which line it is. */
void record_end(FILE *out, const char *reason);

#endif
