/*
 * An arm of a session: a driver that takes turns with others, step by step. While others
 * have their turn it is frozen from outside, server and client, and its clock stands still.
 * It shares one page of memory with the referee (referee/), the file page in the folder
 * that BENCH_ARM names. Without BENCH_ARM all of this works, and nobody looks at it.
 */
#ifndef BENCH_ARM_H
#define BENCH_ARM_H

#include "machine.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARM_SLOTS 256		/* workers of a step */
#define ARM_OPS 8		/* kinds of operations of a step */
#define ARM_NAME 64

/* What others read while a worker counts; one cache line for each. */
struct arm_counters {
	_Alignas(64) _Atomic uint64_t ops;
	_Atomic uint64_t rows, max_ns;
};

enum arm_state {
	ARM_OUTSIDE,		/* of any step: setting up, or reporting */
	ARM_READY,		/* a step is prepared, and waits for its first turn */
	ARM_STEP,
	ARM_RESTING,		/* between two operations, because its turn is over */
};

struct arm_page {
	_Atomic uint64_t away_ns;		/* frozen so far; the referee's */
	_Atomic uint64_t elsewhere[MACHINE_COUNTERS];	/* the machine's use meanwhile */
	_Atomic uint32_t state;			/* a futex */
	_Atomic uint32_t go;			/* the step that may begin */
	_Atomic uint32_t over;			/* the last step whose turns are recorded */
	_Atomic int32_t pid;			/* of the driver, once it is there */
	uint32_t seq, nslots;			/* of the step */
	char step[ARM_NAME], ops[ARM_OPS][ARM_NAME];
	char device[ARM_NAME];			/* of the data, as machine_device names it */
	_Atomic uint64_t again_ns;		/* a timed step lasts so much longer; the referee's */
	_Atomic uint32_t whole;			/* its turns end with an operation, not within */
	_Atomic uint32_t enough;		/* the turn has lasted long enough; the referee's */
	/* Of the step so far: what its clock, and its CPU time, leave out. */
	_Atomic uint64_t outside_ns, outside_cpu_ns;
	uint8_t op_of[ARM_SLOTS];		/* an index in ops */
	struct arm_counters counters[ARM_SLOTS];
};

/* Ours: in a session the shared one. Its counters are zero when a step is made ready. */
extern struct arm_page *arm;

/* Finds the session, if there is one; false with the reason. First thing in main. */
bool arm_open(char *why, size_t size);

/* A new step: nothing counted, no worker. */
void arm_new_step(const char *step, unsigned seq);

/* The counters of the step's next worker, who does op. */
struct arm_counters *arm_add_worker(const char *op);

/* The step may begin when arm_may_begin says so; ask it again after a pause. */
void arm_ready(void);
bool arm_may_begin(void);
void arm_pause(void);

/*
 * The step's time is over: whatever comes next is not measured. Returns when the last turn
 * is recorded, because the next step counts in the same page.
 */
void arm_over(void);

/* From now on turns end with an operation: as soon as arm_rest is called after their time. */
void arm_in_whole_turns(void);
void arm_rest(void);

/*
 * So much of the time since the step began is no part of what is measured: the clock stood
 * still. Only between operations.
 */
void arm_leave_out(uint64_t ns, uint64_t cpu_ns);

/* So many operations more. */
static inline void arm_add(struct arm_counters *counters, uint64_t ops, uint64_t rows)
{
	uint64_t all_ops = atomic_load_explicit(&counters->ops, memory_order_relaxed);
	uint64_t all_rows = atomic_load_explicit(&counters->rows, memory_order_relaxed);

	atomic_store_explicit(&counters->ops, all_ops + ops, memory_order_relaxed);
	atomic_store_explicit(&counters->rows, all_rows + rows, memory_order_relaxed);
}

/* One operation more. */
static inline void arm_count(struct arm_counters *counters, uint64_t rows)
{
	arm_add(counters, 1, rows);
}

/* How long it took. The sampler resets max_ns. */
static inline void arm_took(struct arm_counters *counters, uint64_t ns)
{
	if (ns > atomic_load_explicit(&counters->max_ns, memory_order_relaxed))
		atomic_store_explicit(&counters->max_ns, ns, memory_order_relaxed);
}

#endif
