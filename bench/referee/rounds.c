#include "rounds.h"

#include "common/clock.h"
#include "common/json.h"
#include "common/work.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HEAD_PARTS 10			/* the first tenth of a turn is told apart */
#define LOOK_NS (50 * 1000 * 1000ull)	/* an arm that died is noticed so soon */
#define FIRST_REST_NS (100 * 1000 * 1000ull)
#define MOST_REST_NS (20 * NS_PER_S)
#define AROUND 9	/* rounds; what the hypervisor takes is known in ticks of the clock */
#define TICK_NS (10 * 1000 * 1000ull)

/* What a turn's figures are the differences of. */
struct reading {
	uint64_t ns, cpu_ns[GROUPS], outside_ns, outside_cpu_ns;
	uint64_t ops[ARM_OPS], rows[ARM_OPS];
	struct machine_use machine;
	uint64_t others_ns, kernel_ns;
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

/* Of an arm at rest. What others took is as they were read last, after a turn. */
static void read_all(const struct session *session, const struct member *member,
		     struct reading *reading)
{
	*reading = (struct reading){ .ns = clock_mono_ns() };
	count_ops(member->page, reading);
	reading->outside_ns = atomic_load(&member->page->outside_ns);
	reading->outside_cpu_ns = atomic_load(&member->page->outside_cpu_ns);
	for (enum group group = 0; group < GROUPS; group++)
		reading->cpu_ns[group] = freezer_cpu_ns(&member->freezer, group);
	machine_read(&reading->machine, member->page->device);
	reading->others_ns = session->others.others_ns;
	reading->kernel_ns = session->others.kernel_ns;
}

static bool in_step(struct session *session, const struct member *member)
{
	arms_poll(session);
	return !arms_left(member) && atomic_load(&member->page->state) != ARM_OUTSIDE;
}

/* Until the arm's state is another one, for so long at most. */
static void look_at(struct member *member, uint32_t state, uint64_t ns)
{
	struct timespec most = { .tv_nsec = (long)(ns < LOOK_NS ? ns : LOOK_NS) };

	syscall(SYS_futex, &member->page->state, FUTEX_WAIT, state, &most, NULL, 0);
}

/* False if the arm's step was over, or the arm dead, before that. */
static bool wait_until(struct session *session, struct member *member, uint64_t until_ns,
		       bool (*stopped)(void))
{
	uint64_t now = clock_mono_ns();

	while (in_step(session, member) && !stopped()) {
		uint32_t state = atomic_load(&member->page->state);

		if (now >= until_ns)
			return true;
		if (state != ARM_OUTSIDE)
			look_at(member, state, until_ns - now);
		now = clock_mono_ns();
	}
	return false;
}

/* Its turn has lasted long enough, and ends with the operation that it is at. */
static void wait_for_rest(struct session *session, struct member *member,
			  bool (*stopped)(void))
{
	atomic_store(&member->page->enough, 1);
	while (in_step(session, member) && !stopped()) {
		uint32_t state = atomic_load(&member->page->state);

		if (state == ARM_RESTING)
			return;
		if (state != ARM_OUTSIDE)
			look_at(member, state, LOOK_NS);
	}
}

static uint64_t between(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

/* Never 0, however much of it was left out. */
static uint64_t active_ns(const struct turn *turn)
{
	uint64_t outside = between(turn->before.outside_ns, turn->after.outside_ns);
	uint64_t passed = between(turn->before.ns, turn->after.ns);

	return passed > outside ? passed - outside : 1;
}

static uint64_t cpu_between(const struct turn *turn, enum group group)
{
	uint64_t cpu = between(turn->before.cpu_ns[group], turn->after.cpu_ns[group]);
	uint64_t outside = group != GROUP_CLIENT ? 0 :
			   between(turn->before.outside_cpu_ns, turn->after.outside_cpu_ns);

	return between(outside, cpu);
}

static uint64_t machine_between(const struct turn *turn, enum machine_counter counter)
{
	return between(turn->before.machine.counters[counter],
		       turn->after.machine.counters[counter]);
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
	json_uint(&json, "active_ns", active_ns(turn));
	json_uint(&json, "head_ns", between(before->ns, turn->head.ns));
	json_uint(&json, "ops", between(before->ops[op], after->ops[op]));
	json_uint(&json, "rows", between(before->rows[op], after->rows[op]));
	json_uint(&json, "head_ops", between(before->ops[op], turn->head.ops[op]));
	for (enum group group = 0; group < GROUPS; group++) {
		json_uint(&json, group == GROUP_CLIENT ? "client_cpu_ns" : "server_cpu_ns",
			  cpu_between(turn, group));
	}
	json_uint(&json, "machine_cpu_ns", machine_between(turn, MACHINE_CPU_NS));
	json_uint(&json, "steal_ns", machine_between(turn, MACHINE_STEAL_NS));
	json_uint(&json, "others_ns", between(before->others_ns, after->others_ns));
	json_uint(&json, "kernel_ns", between(before->kernel_ns, after->kernel_ns));
	if (atomic_load(&member->page->whole))
		json_uint(&json, "outside_ns", between(before->outside_ns, after->outside_ns));
	json_end(&json);
}

/* The arm's clock counts from here to there, and so do the readings. */
static void take_turn(struct session *session, struct member *member, struct turn *turn,
		      bool (*stopped)(void))
{
	uint64_t head_ns = session->turn_ns / HEAD_PARTS;

	bool whole = atomic_load(&member->page->whole);

	read_all(session, member, &turn->before);
	atomic_store(&member->page->enough, 0);
	arms_thaw(member);
	turn->before.ns = clock_mono_ns();
	turn->head = turn->before;
	if (whole) {
		if (wait_until(session, member, turn->before.ns + session->turn_ns, stopped))
			wait_for_rest(session, member, stopped);
	} else if (wait_until(session, member, turn->before.ns + head_ns, stopped)) {
		turn->head = (struct reading){ .ns = clock_mono_ns() };
		count_ops(member->page, &turn->head);
		wait_until(session, member, turn->before.ns + session->turn_ns, stopped);
	}
	arms_freeze(member);
	others_read(&session->others);
	read_all(session, member, &turn->after);
	turn->after.ns = member->frozen_ns;
	for (unsigned op = 0; op < ARM_OPS && member->page->ops[op][0]; op++)
		print_op(member, turn, op);
}

/* What the machine did in the turns of a round. */
struct round {
	uint64_t busy_ns, steal_ns, others_ns;
	uint64_t active_ns[MOST_ARMS];
};

static void add_turn(struct round *round, unsigned number,
		     const struct turn *turn)
{
	round->busy_ns += machine_between(turn, MACHINE_CPU_NS);
	round->steal_ns += machine_between(turn, MACHINE_STEAL_NS);
	round->others_ns += between(turn->before.others_ns, turn->after.others_ns);
	round->active_ns[number] += active_ns(turn);
}

/* What the last rounds were, since the step began or all have rested. */
struct past {
	uint64_t busy_ns[AROUND], steal_ns[AROUND];
	unsigned rounds;
};

/*
 * Two ticks are a lot of a round that uses little: the hypervisor's share is that of the
 * last rounds, less a tick that may be anybody's.
 */
static bool is_disturbed(unsigned quiet, const struct round *round, struct past *past)
{
	unsigned slot = past->rounds++ % AROUND;
	uint64_t busy_ns = round->busy_ns + round->steal_ns, all_ns = 0, steal_ns = 0;
	double share;

	past->busy_ns[slot] = busy_ns;
	past->steal_ns[slot] = round->steal_ns;
	for (unsigned i = 0; i < AROUND; i++) {
		all_ns += past->busy_ns[i];
		steal_ns += past->steal_ns[i];
	}
	if (!quiet || !busy_ns)
		return false;
	share = (double)round->others_ns / (double)busy_ns;
	if (steal_ns > TICK_NS)
		share += (double)(steal_ns - TICK_NS) / (double)all_ns;
	return 1000 * share > quiet;
}

/*
 * Chosen by load, never by what the arms did. What was disturbed is done again, but never
 * for longer than what was not: on a machine that is never quiet a step ends too.
 * Returns whether it was disturbed.
 */
static bool judge_round(struct session *session, const struct round *round,
			struct past *past)
{
	bool disturbed = is_disturbed(session->quiet, round, past);

	for (unsigned i = 0; i < session->narms; i++) {
		struct member *member = &session->arms[i];

		if (disturbed)
			member->disturbed_ns += round->active_ns[i];
		else
			member->quiet_ns += round->active_ns[i];
		if (round->active_ns[i])
			atomic_store(&member->page->again_ns,
				     member->disturbed_ns < member->quiet_ns ?
					     member->disturbed_ns : member->quiet_ns);
	}
	return disturbed;
}

/*
 * After a second disturbed round in a row (one alone may be over already): others go away
 * by themselves, and nobody ages who rests. How much they take, the hypervisor above all,
 * is seen only while something runs: the next round tells, by itself. Each rest is twice
 * the last one, until a round is quiet.
 */
static void rest(struct session *session, struct past *past, bool (*stopped)(void))
{
	uint64_t ns = session->rest_ns ? 2 * session->rest_ns : FIRST_REST_NS;
	uint64_t until_ns;

	ns = ns < MOST_REST_NS ? ns : MOST_REST_NS;
	ns = ns < session->patience_ns ? ns : session->patience_ns;
	session->patience_ns -= ns;
	session->rest_ns = ns;
	*past = (struct past){ .rounds = 0 };
	until_ns = clock_mono_ns() + ns;
	while (clock_mono_ns() < until_ns && !stopped())
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
}

/*
 * Everybody rests: how fast the machine is now, and after a step who else took most of it.
 */
static void print_machine(struct session *session, uint32_t seq, const char *when)
{
	uint64_t took_ns = work_ns(), busiest_ns;
	const char *busiest;
	struct json json;

	others_read(&session->others);
	busiest = others_busiest(&session->others, &busiest_ns);
	for (unsigned i = 0; i < session->narms; i++) {
		const struct member *member = &session->arms[i];

		if (member->page->seq != seq || arms_left(member))
			continue;
		json_begin(&json, member->turns);
		json_text(&json, "kind", "machine");
		json_text(&json, "step", member->page->step);
		json_uint(&json, "seq", seq);
		json_text(&json, "when", when);
		json_uint(&json, "work_ns", took_ns);
		json_text(&json, "busiest", busiest ? busiest : "");
		json_uint(&json, "busiest_ns", busiest_ns);
		json_end(&json);
	}
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
	unsigned order[MOST_ARMS], n, disturbed = 0;
	struct past past = { .rounds = 0 };

	for (unsigned i = 0; i < session->narms; i++) {
		arms_freeze(&session->arms[i]);
		session->arms[i].disturbed_ns = session->arms[i].quiet_ns = 0;
		if (session->arms[i].page->seq == seq)
			atomic_store(&session->arms[i].page->go, seq);
	}
	print_machine(session, seq, "before");
	for (unsigned round = 1; (n = find_active(session, seq, order)) > 0; round++) {
		struct round of_round = { .busy_ns = 0 };

		shuffle(order, n, rng);
		for (unsigned place = 0; place < n && !stopped(); place++) {
			struct turn turn = { .round = round, .place = place };

			take_turn(session, &session->arms[order[place]], &turn, stopped);
			add_turn(&of_round, order[place], &turn);
		}
		if (stopped())
			break;
		if (!judge_round(session, &of_round, &past))
			disturbed = session->rest_ns = 0;
		else if (++disturbed > 1)
			rest(session, &past, stopped);
	}
	print_machine(session, seq, "after");
	for (unsigned i = 0; i < session->narms; i++) {
		FILE *turns = session->arms[i].turns;

		if (fflush(turns) || ferror(turns))
			session->unwritten = errno ? errno : EIO;
		arms_thaw(&session->arms[i]);
	}
	return stopped();
}
