/*
 * The insert benchmark's statements as a C programmer writes them who wants nothing else
 * than to have them done: connect, prepare, and a loop. tests/benchmarks/client_cost.py
 * compares the CPU time of these loops with that of ingest.
 */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include "common/rng.h"
#include "engines/schema.h"
#include "ingest/rows.h"

#include <stdint.h>

#define INSERT_ROWS 100

/* Each loop_<library>.c defines these; they end the process if anything fails. */
void loop_connect(const char *target);
void loop_disconnect(void);
/* Creates the table loop1 anew and prepares its insert. */
void loop_prepare_insert(void);
void loop_insert(uint64_t statements, struct rng *rng);
/* Of the table pi1, which a run of ingest has left with its indexes of 2023. */
void loop_prepare_queries(void);
/* The smallest and the largest primary key. */
void loop_ends(int64_t ends[2]);
/* Both return the number of rows that came. */
uint64_t loop_range(uint64_t queries, struct rng *rng);
uint64_t loop_point(uint64_t queries, struct rng *rng, const int64_t ends[2]);

/* loop.c: where the rows of a query go. */
extern int64_t loop_rows[ROWS_PER_QUERY][KEY_COLUMNS];

_Noreturn void loop_die(const char *what, const char *why);
int64_t loop_now_us(void);
int64_t loop_draw_id(struct rng *rng, const int64_t ends[2]);

#endif
