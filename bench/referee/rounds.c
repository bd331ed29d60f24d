#include "rounds.h"

#include "common/clock.h"
#include "common/json.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HEAD_PARTS 10			/* the first tenth of a turn is told apart */
#define LOOK_NS (50 * 1000 * 1000ull)	/* an arm that died is noticed so soon */

/* What a turn's figures are the differences of. */
struct reading {
	uint64_t ns, cpu_ns[GROUPS];
	uint64_t ops[ARM_OPS], rows[ARM_OPS];
	struct machine_use machine;
};

struct turn {
	struct reading before, head, after;
	unsigned round, place;
};

static void count_ops(const struct arm_page *page, struct reading *reading)
{
	for (unsigned i = 0; i < page->nslots && i < ARM_SLOTS; i++) {
		const struct arm_counters *counters = &page->counters[i];
		unsigned op = page->op_of[i] % ARM_OPS;

		reading->ops[op] += atomic_load_explicit(&counters->ops,
							 memory_order_relaxed);
		reading->rows[op] += atomic_load_explicit(&counters->rows,
							  memory_order_relaxed);
	}
}

/* Of an arm at rest. */
static void read_all(const struct member *member, struct reading *reading)
{
	*reading = (struct reading){ .ns = clock_mono_ns() };
	count_ops(member->page, reading);
	for (enum group group = 0; group < GROUPS; group++)
		reading->cpu_ns[group] = freezer_cpu_ns(&member->freezer, group);
	machine_read(&reading->machine, member->page->device);
}

static bool in_step(struct session *session, const struct member *member)
{
	arms_poll(session);
	return !arms_left(member) && atomic_load(&member->page->state) != ARM_OUTSIDE;
}

/* False if the arm's step was over, or the arm dead, before that. */
static bool wait_until(struct session *session, struct member *member, uint64_t until_ns,
		       bool (*stopped)(void))
{
	uint64_t now = clock_mono_ns();

	while (in_step(session, member) && !stopped()) {
		uint64_t left = until_ns - now < LOOK_NS ? until_ns - now : LOOK_NS;
		struct timespec most = { .tv_nsec = (long)left };
		uint32_t state = atomic_load(&member->page->state);

		if (now >= until_ns)
			return true;
		if (state != ARM_OUTSIDE)
			syscall(SYS_futex, &member->page->state, FUTEX_WAIT, state, &most,
				NULL, 0);
		now = clock_mono_ns();
	}
	return false;
}

static uint64_t between(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

static void print_op(struct member *member, const struct turn *turn, unsigned op)
{
	const struct reading *before = &turn->before, *after = &turn->after;
	struct json json;

	json_begin(&json, member->turns);
	json_text(&json, "kind", "turn");
	json_text(&json, "step", member->page->step);
	json_uint(&json, "seq", member->page->seq);
	json_text(&json, "op", member->page->ops[op]);
	json_uint(&json, "round", turn->round);
	json_uint(&json, "place", turn->place);
	json_uint(&json, "begin_ns", before->ns);
	json_uint(&json, "active_ns", between(before->ns, after->ns));
	json_uint(&json, "head_ns", between(before->ns, turn->head.ns));
	json_uint(&json, "ops", between(before->ops[op], after->ops[op]));
	json_uint(&json, "rows", between(before->rows[op], after->rows[op]));
	json_uint(&json, "head_ops", between(before->ops[op], turn->head.ops[op]));
	for (enum group group = 0; group < GROUPS; group++) {
		json_uint(&json, group == GROUP_CLIENT ? "client_cpu_ns" : "server_cpu_ns",
			  between(before->cpu_ns[group], after->cpu_ns[group]));
	}
	json_uint(&json, "machine_cpu_ns",
		  between(before->machine.counters[MACHINE_CPU_NS],
			  after->machine.counters[MACHINE_CPU_NS]));
	json_uint(&json, "steal_ns", between(before->machine.counters[MACHINE_STEAL_NS],
					     after->machine.counters[MACHINE_STEAL_NS]));
	json_end(&json);
}

/* The arm's clock counts from here to there, and so do the readings. */
static void take_turn(struct session *session, struct member *member, struct turn *turn,
		      bool (*stopped)(void))
{
	uint64_t head_ns = session->turn_ns / HEAD_PARTS;

	read_all(member, &turn->before);
	arms_thaw(member);
	turn->before.ns = clock_mono_ns();
	turn->head = turn->before;
	if (wait_until(session, member, turn->before.ns + head_ns, stopped)) {
		turn->head = (struct reading){ .ns = clock_mono_ns() };
		count_ops(member->page, &turn->head);
		wait_until(session, member, turn->before.ns + session->turn_ns, stopped);
	}
	arms_freeze(member);
	read_all(member, &turn->after);
	turn->after.ns = member->frozen_ns;
	for (unsigned op = 0; op < ARM_OPS && member->page->ops[op][0]; op++)
		print_op(member, turn, op);
}

static void shuffle(unsigned *order, unsigned n, struct rng *rng)
{
	for (unsigned i = n; i > 1; i--) {
		unsigned other = rng_below(rng, i), last = order[i - 1];

		order[i - 1] = order[other];
		order[other] = last;
	}
}

/* The arms that have something of the step to do. */
static unsigned find_active(struct session *session, uint32_t seq, unsigned *order)
{
	unsigned n = 0;

	for (unsigned i = 0; i < session->narms; i++)
		if (in_step(session, &session->arms[i]) &&
		    session->arms[i].page->seq == seq)
			order[n++] = i;
	return n;
}

bool rounds_run(struct session *session, uint32_t seq, struct rng *rng,
		bool (*stopped)(void))
{
	unsigned order[MOST_ARMS], n;

	for (unsigned i = 0; i < session->narms; i++) {
		arms_freeze(&session->arms[i]);
		if (session->arms[i].page->seq == seq)
			atomic_store(&session->arms[i].page->go, seq);
	}
	for (unsigned round = 1; (n = find_active(session, seq, order)) > 0; round++) {
		shuffle(order, n, rng);
		for (unsigned place = 0; place < n && !stopped(); place++) {
			struct turn turn = { .round = round, .place = place };

			take_turn(session, &session->arms[order[place]], &turn, stopped);
		}
		if (stopped())
			break;
	}
	for (unsigned i = 0; i < session->narms; i++) {
		FILE *turns = session->arms[i].turns;

		if (fflush(turns) || ferror(turns))
			session->unwritten = errno ? errno : EIO;
		arms_thaw(&session->arms[i]);
	}
	return stopped();
}
