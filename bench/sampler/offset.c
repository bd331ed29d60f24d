/*
 * The other clock was read somewhere between our question and its answer. Of several
 * round trips the shortest says it best: in its middle, give or take half of it.
 */
#include "offset.h"

#include "common/clock.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 20
#define PATIENCE_MS 60000	/* of the first; a password may have to be typed */
#define LINE 256

int offset_answer(void)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) == 1)
		if (byte == '\n')
			dprintf(STDOUT_FILENO, "%" PRIu64 "\n", clock_mono_ns());
	return 0;
}

struct peer {
	pid_t pid;
	int to;
	FILE *from;
};

static bool start(struct peer *peer, char **command)
{
	int to[2], from[2];

	if (pipe(to) || pipe(from))
		return false;
	peer->pid = fork();
	if (peer->pid < 0)
		return false;
	if (!peer->pid) {
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		for (int i = 0; i < 2; i++) {
			close(to[i]);
			close(from[i]);
		}
		execvp(command[0], command);
		fprintf(stderr, "sampler: cannot run %s: %s\n", command[0],
			strerror(errno));
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	peer->to = to[1];
	peer->from = fdopen(from[0], "r");
	return peer->from;
}

struct round {
	uint64_t begun_ns, ended_ns, other_ns;
};

static bool ask(const struct peer *peer, struct round *round)
{
	struct pollfd answer = { .fd = fileno(peer->from), .events = POLLIN };
	char line[LINE], *end;

	round->begun_ns = clock_mono_ns();
	if (write(peer->to, "\n", 1) != 1 || poll(&answer, 1, PATIENCE_MS) != 1 ||
	    !fgets(line, sizeof(line), peer->from))
		return false;
	round->ended_ns = clock_mono_ns();
	errno = 0;
	round->other_ns = strtoull(line, &end, 10);
	return end != line && *end == '\n' && !errno;
}

int offset_ask(char **command)
{
	uint64_t shortest = UINT64_MAX;
	int64_t offset = 0;
	struct round round;
	struct peer peer;
	bool good;
	int status;

	signal(SIGPIPE, SIG_IGN);
	good = start(&peer, command);
	for (int i = 0; i < ROUNDS && good; i++) {
		good = ask(&peer, &round);
		if (!good || round.ended_ns - round.begun_ns >= shortest)
			continue;
		shortest = round.ended_ns - round.begun_ns;
		offset = (int64_t)(round.begun_ns + shortest / 2 - round.other_ns);
	}
	if (good) {
		close(peer.to);
		waitpid(peer.pid, &status, 0);
		printf("%" PRId64 " %" PRIu64 "\n", offset, shortest);
		return fflush(stdout) ? 1 : 0;
	}
	fputs("sampler: the other clock does not answer\n", stderr);
	return 1;
}
