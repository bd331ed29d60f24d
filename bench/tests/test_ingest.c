/* The parts of ingest that decide when and what: schedule, turns, pairs, checks. */
#include "engines/waits.h"
#include "ingest/answer.h"
#include "ingest/pair.h"
#include "ingest/rows.h"
#include "client/schedule.h"
#include "ingest/steps.h"
#include "client/turn.h"
#include "minunit.h"

#include <unistd.h>

#define WAITERS 8
#define MS 1000000ull

static void statements_are_due_at_the_rate(void)
{
	/* 100 rows/s in fifties: one every 500 ms. */
	struct schedule schedule = schedule_make(1000, 100, 50, 0, 4);

	MU_CHECK(schedule_ns(&schedule, 0) == 1000);
	MU_CHECK(schedule_ns(&schedule, 1) == 1000 + 500 * MS);
	MU_CHECK(schedule_ns(&schedule, 7200) == 1000 + 3600 * 1000 * MS);
}

static void writers_share_the_interval(void)
{
	struct schedule second = schedule_make(1000, 100, 50, 1, 4);
	struct schedule last = schedule_make(1000, 100, 50, 3, 4);

	MU_CHECK(schedule_ns(&second, 0) == 1000 + 125 * MS);
	MU_CHECK(schedule_ns(&last, 1) == 1000 + 875 * MS);
}

/* 50 rows at 300/s are 166666666.67 ns apart; after an hour the sum is still exact. */
static void schedules_do_not_drift(void)
{
	struct schedule schedule = schedule_make(0, 300, 50, 0, 1);

	MU_CHECK(schedule_ns(&schedule, 1) == 166666666);
	MU_CHECK(schedule_ns(&schedule, 21600) == 3600 * 1000 * MS);
}

static void without_a_rate_nothing_is_late(void)
{
	struct schedule schedule = schedule_make(1000, 0, 50, 1, 2);

	MU_CHECK(schedule_ns(&schedule, 99) == 1000);
}

struct queue {
	struct turn turn;
	int order[WAITERS], taken;
};

struct visitor {
	struct queue *queue;
	int number;
	uint64_t waited_ns;
};

static void *visit(void *argument)
{
	struct visitor *visitor = argument;
	struct queue *queue = visitor->queue;

	visitor->waited_ns = turn_take(&queue->turn);
	queue->order[queue->taken++] = visitor->number;
	turn_give(&queue->turn);
	return NULL;
}

/* Waiters that came one after the other are served in that order. */
static void turns_are_first_come_first_served(void)
{
	struct queue queue = { .taken = 0 };
	struct visitor visitors[WAITERS];
	pthread_t threads[WAITERS];

	turn_init(&queue.turn);
	MU_CHECK(turn_take(&queue.turn) == 0);
	for (int i = 0; i < WAITERS; i++) {
		visitors[i] = (struct visitor){ &queue, i, 0 };
		pthread_create(&threads[i], NULL, visit, &visitors[i]);
		while (turn_waiting(&queue.turn) <= (unsigned)i)
			usleep(100);
	}
	turn_give(&queue.turn);
	for (int i = 0; i < WAITERS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < WAITERS; i++) {
		MU_CHECK(queue.order[i] == i);
		MU_CHECK(visitors[i].waited_ns > 0);
	}
	MU_CHECK(turn_take(&queue.turn) == 0);
	turn_give(&queue.turn);
	turn_destroy(&queue.turn);
}

struct deleter {
	struct pair *pair;
	uint64_t deletes;
};

static void *delete_all(void *argument)
{
	struct deleter *deleter = argument;

	while (pair_await_delete(deleter->pair)) {
		deleter->deletes++;
		pair_deleted(deleter->pair);
	}
	return NULL;
}

static void every_insert_is_answered_by_a_delete(void)
{
	struct pair pair;
	struct deleter deleter = { &pair, 0 };
	pthread_t thread;

	pair_init(&pair);
	pthread_create(&thread, NULL, delete_all, &deleter);
	for (int i = 0; i < 1000; i++) {
		MU_CHECK(pair_await_insert(&pair));
		pair_inserted(&pair);
	}
	pair_close(&pair);
	pthread_join(thread, NULL);
	MU_CHECK(deleter.deletes == 1000);
	pair_destroy(&pair);
}

static void inserts_run_no_more_than_the_depth_ahead(void)
{
	struct pair pair;

	pair_init(&pair);
	for (int i = 0; i < PAIR_DEPTH; i++) {
		MU_CHECK(pair_await_insert(&pair));
		pair_inserted(&pair);
	}
	pair_close(&pair);	/* or the next wait would not end */
	MU_CHECK(!pair_await_insert(&pair));
	MU_CHECK(pair_await_delete(&pair));
	pair_destroy(&pair);
}

static struct answer answer_of(unsigned rows, int64_t first)
{
	struct answer answer = { .rows = rows };

	for (unsigned i = 0; i < rows; i++) {
		answer.key[i][0] = first;
		answer.key[i][1] = i;
	}
	return answer;
}

static void wrong_ranges_are_seen(void)
{
	const struct index_def *product = &SCHEMA_INDEXES[INDEXES_2023][0];
	const struct index_def *register_ = &SCHEMA_INDEXES[INDEXES_2023][1];
	struct answer good = answer_of(10, 50);
	struct answer few = answer_of(9, 50);
	struct answer mixed = good;

	mixed.key[3][1] = 7;
	MU_CHECK(!answer_check_range(&good, product, 50, 1000000));
	MU_CHECK(answer_check_range(&good, product, 51, 1000000));
	MU_CHECK(answer_check_range(&good, register_, 50, 1000000));
	MU_CHECK(!answer_check_range(&good, register_, 49, 1000000));
	MU_CHECK(answer_check_range(&mixed, product, 50, 1000000));
	MU_CHECK(answer_check_range(&few, product, 50, 1000000));
	MU_CHECK(!answer_check_range(&few, product, 50, 20));
	few = answer_of(9, 9999);	/* 10 match on average: 9 may be all */
	MU_CHECK(!answer_check_range(&few, product, 9999, 100000));
}

static void wrong_points_are_seen(void)
{
	const int64_t ids[ROWS_PER_QUERY] = { 11, 12, 13, 14, 15, 16, 17, 18, 19, 19 };
	struct answer good = { .rows = 9 };

	for (int i = 0; i < 9; i++)
		good.key[i][0] = 19 - i;
	struct answer stranger = good, twice = good, short_ = good;

	stranger.key[0][0] = 20;
	twice.key[0][0] = 11;
	short_.rows = 8;	/* 11 is missing */
	MU_CHECK(!answer_check_point(&good, ids, 1));
	MU_CHECK(answer_check_point(&stranger, ids, 1));
	MU_CHECK(answer_check_point(&twice, ids, 1));
	MU_CHECK(answer_check_point(&short_, ids, 11));
	MU_CHECK(!answer_check_point(&short_, ids, 12));	/* it was deleted */
}

static void rows_have_the_published_domains(void)
{
	static struct row rows[1000];
	struct rng rng;

	rng_seed(&rng, 5);
	rows_make(rows, 1000, &rng, 77);
	for (int i = 0; i < 1000; i++) {
		int random = rows[i].length * 3 / 8;

		MU_CHECK(rows[i].when_us == 77);
		MU_CHECK(rows[i].cashregisterid >= 0 && rows[i].cashregisterid < 1000);
		MU_CHECK(rows[i].customerid >= 0 && rows[i].customerid < 100000);
		MU_CHECK(rows[i].productid >= 0 && rows[i].productid < 10000);
		MU_CHECK(rows[i].price >= 0 && rows[i].price < 500);
		MU_CHECK(rows[i].length >= 10 && rows[i].length <= 20);
		MU_CHECK(!strncmp(rows[i].data, "aaaaaaaaaaaaaaaaaaaa",
				  (size_t)(rows[i].length - random)));
	}
}

static void steps_are_read_with_their_sizes(void)
{
	struct step_spec spec;
	char why[ENGINE_TEXT];

	MU_CHECK(step_parse(&spec, "l.i0:rows=100000", why, sizeof(why)));
	MU_CHECK(spec.rows == 100000 && spec.rows_per_commit == 100);
	MU_CHECK(step_parse(&spec, "l.i1:rows=7:rows_per_commit=3", why, sizeof(why)));
	MU_CHECK(spec.rows == 7 && spec.rows_per_commit == 3);
	MU_CHECK(step_parse(&spec, "qr100.L1:seconds=2.5", why, sizeof(why)));
	MU_CHECK(spec.milliseconds == 2500);
	MU_CHECK(!step_parse(&spec, "l.i0", why, sizeof(why)));
	MU_TEXT("--step l.i0 needs a size: l.i0:rows=N or l.i0:seconds=S", why);
	MU_CHECK(step_parse(&spec, "l.i1:seconds=2", why, sizeof(why)));
	MU_CHECK(spec.rows == 0 && spec.milliseconds == 2000);
	/* 300 rows at 100 rows/s take 3 seconds. */
	MU_CHECK(step_parse(&spec, "qr100.L1:rows=300", why, sizeof(why)));
	MU_CHECK(spec.rows == 300 && spec.milliseconds == 3000);
	MU_CHECK(!step_parse(&spec, "l.i1:rows=1:seconds=1", why, sizeof(why)));
	MU_TEXT("--step l.i1 takes rows or seconds, not both", why);
	MU_CHECK(!step_parse(&spec, "l.i9:rows=1", why, sizeof(why)));
	MU_CHECK(!step_parse(&spec, "l.i0:rows=", why, sizeof(why)));
	MU_CHECK(!step_parse(&spec, "l.i0:rows=0", why, sizeof(why)));
	MU_CHECK(!step_parse(&spec, "l.i0:rows=1.5", why, sizeof(why)));
	MU_CHECK(!step_parse(&spec, "l.i0:rows=99999999999999999999", why, sizeof(why)));
	MU_CHECK(!step_parse(&spec, "l.x:rows=1", why, sizeof(why)));
}

static void query_steps_take_a_number_of_queries(void)
{
	struct step_spec spec;
	char why[ENGINE_TEXT];

	MU_CHECK(step_parse(&spec, "qp100.L2:queries=500", why, sizeof(why)));
	MU_CHECK(spec.queries == 500 && spec.milliseconds == 0);
	MU_CHECK(!step_parse(&spec, "qp100.L2:queries=5:rows=5", why, sizeof(why)));
	MU_TEXT("--step qp100.L2: queries=N stands alone, there are no writers then", why);
	MU_CHECK(!step_parse(&spec, "l.i1:queries=5", why, sizeof(why)));
	MU_TEXT("--step l.i1 does not take queries=5", why);
}

static void waits_alike_are_counted_together(void)
{
	struct wait_counts counts = { .states = 0 };
	char name[2 * WAIT_NAME];

	wait_counts_add(&counts, "idle", 2);
	wait_counts_add(&counts, "running", 1);
	wait_counts_add(&counts, "idle", 3);
	MU_CHECK(counts.states == 2 && counts.of[0].sessions == 5);
	/* Names that are alike as far as there is room for them are one. */
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	wait_counts_add(&counts, name, 1);
	name[sizeof(name) - 2] = 'y';
	wait_counts_add(&counts, name, 1);
	MU_CHECK(counts.states == 3 && counts.of[2].sessions == 2);
	MU_CHECK(strlen(counts.of[2].name) == WAIT_NAME - 1);
}

static void waits_beyond_the_most_are_others(void)
{
	struct wait_counts counts = { .states = 0 };
	char name[WAIT_NAME];

	for (unsigned i = 0; i < WAIT_STATES + 5; i++) {
		snprintf(name, sizeof(name), "state %u", i);
		wait_counts_add(&counts, name, 1);
	}
	wait_counts_add(&counts, "state 3", 1);
	MU_CHECK(counts.states == WAIT_STATES && counts.of[3].sessions == 2);
	MU_TEXT("others", counts.of[WAIT_STATES - 1].name);
	MU_CHECK(counts.of[WAIT_STATES - 1].sessions == 6);
}

int main(void)
{
	statements_are_due_at_the_rate();
	writers_share_the_interval();
	schedules_do_not_drift();
	without_a_rate_nothing_is_late();
	turns_are_first_come_first_served();
	every_insert_is_answered_by_a_delete();
	inserts_run_no_more_than_the_depth_ahead();
	wrong_ranges_are_seen();
	wrong_points_are_seen();
	rows_have_the_published_domains();
	steps_are_read_with_their_sizes();
	query_steps_take_a_number_of_queries();
	waits_alike_are_counted_together();
	waits_beyond_the_most_are_others();
	return mu_report("ingest");
}
