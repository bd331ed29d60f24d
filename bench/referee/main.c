/*
 * The referee of a session: starts its arms, calls of run.sh, side by side, and lets them
 * take turns in every step, frozen while they rest. While no arm is in a step all run:
 * they set up, and report. See common/arm.h for what an arm does.
 */
#include "arms.h"
#include "rounds.h"

#include "common/clock.h"
#include "common/leftovers.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LOOK_NS 2000000
#define WHY (PATH_MAX + 512)	/* bytes of a reason */

static const char USAGE[] =
	"usage: referee --dir PARENT --keeper FILE [--session ID] [--turn-ms N] [--seed N]\n"
	"               [--quiet N] [--patience N]\n"
	"               -- COMMAND... [--and COMMAND...]...\n"
	"Runs the commands, calls of run.sh, as the arms of one session: step by step they\n"
	"take turns, in random order within rounds, and are frozen while others have theirs.\n"
	"\n"
	"  --dir PARENT   where its folder is made, and removed at the end\n"
	"  --keeper FILE  the program keeper\n"
	"  --session ID   its name in the arms' records of turns, and for the arms in\n"
	"                 BENCH_SESSION (default: the time in ns, and our process id)\n"
	"  --turn-ms N    how long a turn is, 1 to 60000 (default 100)\n"
	"  --seed N       of the order of turns (default 1)\n"
	"  --quiet N      a round in which other processes and the hypervisor took more than\n"
	"                 N thousandths of the busy CPU time is disturbed: steps that are\n"
	"                 given seconds do it again (default 0: none is)\n"
	"  --patience N   for so many seconds at most all rest after such rounds, from .1 to\n"
	"                 20 s each time, until others are gone (default 0)\n"
	"\n"
	"Prints what the arms print, each line after the arm's number and its exit code.\n"
	"exit status: 0 every arm ended with 0 or 1, 2 wrong usage, 3 anything else\n";

static volatile sig_atomic_t caught;

static void catch(int signal)
{
	caught = signal;
}

static bool stopped(void)
{
	return caught;
}

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *number >= least &&
	       *number <= most;
}

static int usage(const char *what)
{
	fprintf(stderr, "referee: %s\n%s", what, USAGE);
	return 2;
}

/* The words between --and are the arms' commands; each ends with a NULL. */
static bool split(struct session *session, char **words)
{
	bool begins = true;

	for (; *words; words++) {
		if (!strcmp(*words, "--and")) {
			*words = NULL;
			begins = true;
			continue;
		}
		if (begins && session->narms == MOST_ARMS)
			return false;
		if (begins)
			session->arms[session->narms++].command = words;
		begins = false;
	}
	return session->narms > 1 && !begins;
}

static int read_options(struct session *session, const char **parent, int argc,
			char **argv)
{
	static const struct option OPTIONS[] = {
		{ "session", required_argument, NULL, 's' },
		{ "dir", required_argument, NULL, 'd' },
		{ "keeper", required_argument, NULL, 'k' },
		{ "turn-ms", required_argument, NULL, 't' },
		{ "seed", required_argument, NULL, 'r' },
		{ "quiet", required_argument, NULL, 'q' },
		{ "patience", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	uint64_t turn_ms = 100, quiet = 0, patience_s = 0;
	int option;

	while ((option = getopt_long(argc, argv, "+", OPTIONS, NULL)) >= 0) {
		switch (option) {
		case 's': session->id = optarg; break;
		case 'd': *parent = optarg; break;
		case 'k': session->keeper = optarg; break;
		case 't':
			if (!read_number(optarg, 1, 60000, &turn_ms))
				return usage("--turn-ms takes a whole number from 1 to 60000");
			break;
		case 'r':
			if (!read_number(optarg, 0, UINT64_MAX, &session->seed))
				return usage("--seed takes a whole number");
			break;
		case 'q':
			if (!read_number(optarg, 0, 1000, &quiet))
				return usage("--quiet takes a whole number from 0 to 1000");
			break;
		case 'p':
			if (!read_number(optarg, 0, 1000000, &patience_s))
				return usage("--patience takes a whole number from 0 to 1000000");
			break;
		case 'h': fputs(USAGE, stdout); exit(0);
		default: fputs(USAGE, stderr); return 2;
		}
	}
	if (!session->id) {
		static char now[64];

		snprintf(now, sizeof(now), "%" PRIu64 "-%d", clock_pair_now().real_ns,
			 getpid());
		session->id = now;
	}
	setenv("BENCH_SESSION", session->id, 1);
	session->quiet = (unsigned)quiet;
	session->patience_ns = patience_s * NS_PER_S;
	session->turn_ns = turn_ms * (NS_PER_S / 1000);
	if (!*parent || !session->keeper)
		return usage("--dir and --keeper are needed");
	if (!split(session, argv + optind))
		return usage("two commands or more are needed, up to 16, with --and between");
	return 0;
}

/* In time, even if others want the CPU; our arms are as they were. */
static void be_punctual(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first);
}

static bool begin(struct session *session, const char *parent, char *why, size_t size)
{
	char mark[MARK_SIZE];

	snprintf(session->folder, sizeof(session->folder), "%s/session-%s-XXXXXX", parent,
		 process_mark(mark, sizeof(mark)));
	if (!mkdtemp(session->folder)) {
		snprintf(why, size, "cannot make a folder in %.200s: %s", parent,
			 strerror(errno));
		return false;
	}
	for (unsigned i = 0; i < session->narms; i++)
		if (!arms_prepare(session, i + 1, why, size))
			return false;
	for (unsigned i = 0; i < session->narms; i++)
		if (!arms_start(session, &session->arms[i], why, size))
			return false;
	return true;
}

/*
 * The earliest step for which all that live are ready; 0: somebody is still busy. Called
 * between steps, when all turns are recorded: who waits for that may go on.
 */
static uint32_t next_step(const struct session *session)
{
	uint32_t next = 0;
	bool busy = false;

	for (unsigned i = 0; i < session->narms; i++) {
		const struct member *member = &session->arms[i];

		if (arms_left(member))
			continue;
		if (atomic_load(&member->page->state) == ARM_OUTSIDE) {
			busy = true;
			/* Not of seq: that may be a step that is only being prepared. */
			atomic_store(&member->page->over,
				     atomic_load(&member->page->go));
			continue;
		}
		if (!next || member->page->seq < next)
			next = member->page->seq;
	}
	return busy ? 0 : next;
}

static void play(struct session *session)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	struct rng rng;

	rng_seed(&rng, session->seed);
	while (arms_poll(session) && !stopped() && !session->unwritten) {
		uint32_t seq = next_step(session);

		if (seq)
			rounds_run(session, seq, &rng, stopped);
		else
			nanosleep(&pause, NULL);
	}
}

/* A second signal is for those who wait too long for the first: keepers know it. */
static void end(struct session *session)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	int sent = 0;

	while (arms_poll(session)) {
		if (caught != sent) {
			sent = caught;
			arms_signal(session, sent);
		}
		nanosleep(&pause, NULL);
	}
}

int main(int argc, char **argv)
{
	static struct session session = { .seed = 1 };
	const struct sigaction action = { .sa_handler = catch };
	const char *parent = NULL;
	char why[WHY] = "";
	int wrong = read_options(&session, &parent, argc, argv), code = 0;

	if (wrong)
		return wrong;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	be_punctual();
	others_open(&session.others, getpid());
	if (begin(&session, parent, why, sizeof(why)))
		play(&session);
	else
		caught = SIGTERM;
	if (session.unwritten) {
		snprintf(why, sizeof(why), "cannot write in %.200s: %s", session.folder,
			 strerror(session.unwritten));
		caught = SIGTERM;
	}
	end(&session);
	for (unsigned i = 0; i < session.narms; i++)
		if (session.arms[i].code > 1)
			code = 3;
	arms_finish(&session);
	others_close(&session.others);
	if (*why)
		fprintf(stderr, "referee: %s\n", why);
	return *why ? 3 : caught ? 128 + caught : code;
}
