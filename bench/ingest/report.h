/* The records of a step in progress and of a finished one. */
#ifndef INGEST_REPORT_H
#define INGEST_REPORT_H

#include "run.h"

/* One sample for each op of a job: what happened since the last one, up to now_ns. */
void report_samples(void *job, uint64_t now_ns);

/* step, hist, size and note records. */
void report_step(struct job *job);

#endif
