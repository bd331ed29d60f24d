#include "measure.h"

#include "block.h"
#include "common/arm.h"
#include "common/clock.h"
#include "common/counting.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64
#define BATCH_NS 100000ull		/* a clock reading is below 0.05% of it */
#define WARM_UP_NS (20 * 1000000ull)	/* clock frequency and wide vectors settle */
#define SHORTEST_NS (50 * 1000000ull)	/* fewer repetitions than fill this are looped */
#define SHORT_STEP_NS (10 * NS_PER_S)	/* up to here a sample each tenth of a second */

struct client {
	struct job job;
	const struct request *request;
	struct shared *shared;
	struct arm_counters *counters;
	pthread_t thread;
	uint64_t batch, repetitions;
	uint64_t ops, end_ns, cpu_ns;
	const char *problem;
	struct interval *intervals;
};

struct shared {
	pthread_barrier_t barrier;
	uint64_t start_ns, interval_ns;
	size_t nintervals;
};

static unsigned char *allocate(size_t size)
{
	size_t rounded = (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
	unsigned char *memory = aligned_alloc(ALIGNMENT, rounded);

	if (memory)
		memset(memory, 0, rounded);	/* touched: no page fault when timed */
	return memory;
}

static const char *prepare(struct client *client)
{
	const struct request *request = client->request;
	const struct library *library = request->library;
	struct job *job = &client->job;
	unsigned char *block = allocate(request->block_size);
	const char *problem;

	job->block = block;
	job->block_size = request->block_size;
	job->packed_max = library->packed_max ? library->packed_max(job->block_size) : 0;
	job->packed = allocate(job->packed_max);
	job->unpacked = allocate(job->block_size);
	if (!block || !job->packed || !job->unpacked)
		return "no memory for the blocks";
	block_fill(block, job->block_size, request->data, request->seed);
	problem = request->step->prepare(job);
	memset(job->unpacked, 0, job->block_size);	/* the loop has to fill it again */
	return problem;
}

/* Finds how many repetitions fill a batch; returns the time of one in ns. */
static double calibrate(struct client *client)
{
	const struct micro_step *step = client->request->step;
	uint64_t begin = clock_mono_ns(), took = 0, now = begin;

	client->batch = 1;
	while (now - begin < WARM_UP_NS) {
		uint64_t before = now;

		step->repeat(&client->job, client->batch);
		now = clock_mono_ns();
		took = now - before;
		if (took < BATCH_NS)
			client->batch *= 2;
	}
	return (double)took / (double)client->batch;
}

static uint64_t next_batch(const struct client *client, uint64_t elapsed_ns)
{
	uint64_t left = client->repetitions - client->ops;

	if (!client->repetitions)
		return elapsed_ns < client->request->duration_ns ? client->batch : 0;
	if (client->ops >= client->repetitions)
		return elapsed_ns < SHORTEST_NS ? client->batch : 0;
	return left < client->batch ? left : client->batch;
}

/*
 * A build slowed on purpose, -DEXTRA_PERCENT=3: with every 100 operations that count come 3
 * of the same kind that do not. The number is data: builds that differ in it alone have the
 * same code at the same addresses. A build without it has nothing of this.
 */
#ifdef EXTRA_PERCENT
static const volatile uint64_t extra_percent = EXTRA_PERCENT;
#else
#define extra_percent 0
#endif

/* How many to add to the client's next batch. */
static uint64_t extra(const struct client *client, uint64_t batch)
{
	uint64_t after = client->ops + batch;

	return after * extra_percent / 100 - client->ops * extra_percent / 100;
}

static void timed_loop(struct client *client)
{
	const struct micro_step *step = client->request->step;
	const struct shared *shared = client->shared;
	uint64_t now = clock_mono_ns(), batch;

	while ((batch = next_batch(client, now - shared->start_ns)) > 0) {
		uint64_t before = now, all = batch + extra(client, batch);
		uint64_t sum = step->repeat(&client->job, all);
		struct interval *interval;
		size_t index;

		now = clock_mono_ns();
		if (sum != all * client->job.expected) {
			client->problem = "a repetition gave a wrong answer";
			break;
		}
		index = (now - 1 - shared->start_ns) / shared->interval_ns;
		if (index >= shared->nintervals)
			index = shared->nintervals - 1;
		interval = &client->intervals[index];
		interval->ops += batch;
		if (now - before > interval->max_ns)
			interval->max_ns = now - before;
		client->ops += batch;
		atomic_store_explicit(&client->counters->ops, client->ops,
				      memory_order_relaxed);
	}
	client->end_ns = now;
}

static void *run_client(void *argument)
{
	struct client *client = argument;
	struct shared *shared = client->shared;
	uint64_t cpu_ns;

	if (pthread_barrier_wait(&shared->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		counting_begin();
		shared->start_ns = clock_mono_ns();
	}
	pthread_barrier_wait(&shared->barrier);
	cpu_ns = clock_thread_cpu_ns();
	timed_loop(client);
	client->cpu_ns = clock_thread_cpu_ns() - cpu_ns;
	return NULL;
}

/* Room for the samples is made before the clock starts. */
static const char *plan_intervals(struct measured *measured, struct shared *shared,
				  double repetition_ns)
{
	const struct request *request = measured->clients[0].request;
	uint64_t expected_ns = request->duration_ns;

	if (!expected_ns)
		expected_ns = (uint64_t)((double)measured->clients[0].repetitions *
					 repetition_ns) + SHORTEST_NS;
	shared->interval_ns = expected_ns <= SHORT_STEP_NS ? NS_PER_S / 10 : NS_PER_S;
	shared->nintervals = expected_ns / shared->interval_ns * 2 + 16;
	for (unsigned i = 0; i < measured->nclients; i++) {
		struct interval *intervals = calloc(shared->nintervals,
						    sizeof(*intervals));

		measured->clients[i].intervals = intervals;
		if (!intervals)
			return "no memory for the samples";
	}
	return NULL;
}

/* After the clock and the count: the first problem of a client. */
static const char *check(const struct measured *measured)
{
	for (unsigned i = 0; i < measured->nclients; i++) {
		struct client *client = &measured->clients[i];

		if (!client->problem && client->request->step->check)
			client->problem = client->request->step->check(&client->job);
		if (client->problem)
			return client->problem;
	}
	return NULL;
}

/* In a session others may have their turn before us. */
static void await_turn(const struct measured *measured)
{
	const struct request *request = measured->clients[0].request;

	arm_new_step(request->step->name, request->seq);
	for (unsigned i = 0; i < measured->nclients; i++)
		measured->clients[i].counters = arm_add_worker("bytes");
	arm_ready();
	while (!arm_may_begin())
		arm_pause();
}

static const char *run_clients(struct measured *measured, struct shared *shared)
{
	unsigned n = measured->nclients;

	await_turn(measured);
	pthread_barrier_init(&shared->barrier, NULL, n);
	for (unsigned i = 0; i < n; i++) {
		struct client *client = &measured->clients[i];

		client->shared = shared;
		/* Clients that run already wait for the missing one: end the process. */
		if (pthread_create(&client->thread, NULL, run_client, client) != 0)
			abort();
	}
	for (unsigned i = 0; i < n; i++) {
		struct client *client = &measured->clients[i];

		pthread_join(client->thread, NULL);
		measured->ops += client->ops;
		measured->cpu_ns += client->cpu_ns;
		if (client->end_ns > measured->end_ns)
			measured->end_ns = client->end_ns;
	}
	counting_end(measured->clients[0].request->step->name);
	arm_over();
	pthread_barrier_destroy(&shared->barrier);
	return check(measured);
}

/* A tail of less than half an interval says little: it goes with the one before. */
static void count_intervals(struct measured *measured, const struct shared *shared)
{
	uint64_t elapsed_ns = measured->end_ns - shared->start_ns;

	measured->start_ns = shared->start_ns;
	measured->interval_ns = shared->interval_ns;
	measured->nintervals = (elapsed_ns + shared->interval_ns / 2) / shared->interval_ns;
	if (measured->nintervals > shared->nintervals)
		measured->nintervals = shared->nintervals;
	if (measured->nintervals == 0)
		measured->nintervals = 1;
	for (unsigned i = 0; i < measured->nclients; i++) {
		struct interval *all = measured->clients[i].intervals;
		struct interval *last = &all[measured->nintervals - 1];

		for (size_t j = measured->nintervals; j < shared->nintervals; j++) {
			last->ops += all[j].ops;
			if (all[j].max_ns > last->max_ns)
				last->max_ns = all[j].max_ns;
		}
	}
}

const char *measure(const struct request *request, struct measured *measured)
{
	struct shared shared = { .start_ns = 0 };
	const char *problem;
	double repetition_ns = 0;

	*measured = (struct measured){ .nclients = request->dop };
	measured->clients = calloc(request->dop, sizeof(*measured->clients));
	if (!measured->clients)
		return "no memory for the clients";
	for (unsigned i = 0; i < request->dop; i++) {
		struct client *client = &measured->clients[i];

		client->request = request;
		client->repetitions = request->repetitions / request->dop +
				      (i < request->repetitions % request->dop);
		problem = prepare(client);
		if (problem)
			return problem;
		repetition_ns = calibrate(client);
		if (counting() && client->repetitions)	/* must not hang on time */
			client->batch = client->repetitions;
	}
	problem = plan_intervals(measured, &shared, repetition_ns);
	if (!problem)
		problem = run_clients(measured, &shared);
	if (!problem)
		count_intervals(measured, &shared);
	return problem;
}

struct interval measured_interval(const struct measured *measured, unsigned client,
				  size_t index)
{
	return measured->clients[client].intervals[index];
}

void measure_release(struct measured *measured)
{
	for (unsigned i = 0; measured->clients && i < measured->nclients; i++) {
		struct client *client = &measured->clients[i];

		if (client->request && client->request->step->release)
			client->request->step->release(&client->job);
		free((void *)client->job.block);
		free(client->job.packed);
		free(client->job.unpacked);
		free(client->intervals);
	}
	free(measured->clients);
	measured->clients = NULL;
}
