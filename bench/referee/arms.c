#include "arms.h"

#include "common/clock.h"
#include "common/json.h"
#include "common/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_S "150"		/* a server may write back a long time */
#define LINE 4096

static bool fail(char *why, size_t size, const char *what, const char *path)
{
	snprintf(why, size, "%s %s: %s", what, path, strerror(errno));
	return false;
}

static bool make_page(struct member *member, char *why, size_t size)
{
	char path[PATH_MAX + 16];
	void *page;
	int file;

	snprintf(path, sizeof(path), "%s/page", member->folder);
	file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* All of it: to write to a page that the disk has no room for is a signal. */
	if (file >= 0)
		errno = posix_fallocate(file, 0, sizeof(*member->page));
	if (file < 0 || errno)
		return fail(why, size, "cannot write", path);
	page = mmap(NULL, sizeof(*member->page), PROT_READ | PROT_WRITE, MAP_SHARED, file,
		    0);
	close(file);
	if (page == MAP_FAILED)
		return fail(why, size, "cannot map", path);
	member->page = page;
	return true;
}

static bool open_turns(const struct session *session, struct member *member,
		       unsigned number, char *why, size_t size)
{
	char path[PATH_MAX + 16];
	struct json json;

	snprintf(path, sizeof(path), "%s/turns.jsonl", member->folder);
	member->turns = fopen(path, "we");
	if (!member->turns)
		return fail(why, size, "cannot write", path);
	json_begin(&json, member->turns);
	json_uint(&json, "schema", 1);
	json_text(&json, "kind", "session");
	json_text(&json, "id", session->id);
	json_uint(&json, "arm", number);
	json_uint(&json, "arms", session->narms);
	json_uint(&json, "turn_ms", session->turn_ns / (NS_PER_S / 1000));
	json_uint(&json, "seed", session->seed);
	json_uint(&json, "quiet", session->quiet);
	json_text(&json, "frozen", *member->freezer.cgroup ? "cgroup" : "stop");
	json_end(&json);
	return true;
}

bool arms_prepare(struct session *session, unsigned number, char *why, size_t size)
{
	struct member *member = &session->arms[number - 1];

	snprintf(member->folder, sizeof(member->folder), "%.*s/arm%u", PATH_MAX - 16,
		 session->folder, number);
	if (mkdir(member->folder, 0755))
		return fail(why, size, "cannot make", member->folder);
	member->out = memfd_create("stdout", MFD_CLOEXEC);
	member->err = memfd_create("stderr", MFD_CLOEXEC);
	if (member->out < 0 || member->err < 0)
		return fail(why, size, "cannot keep what is said of", member->folder);
	return freezer_make(&member->freezer, member->folder, number, why, size) &&
	       make_page(member, why, size) &&
	       open_turns(session, member, number, why, size);
}

static _Noreturn void become_arm(const struct session *session, struct member *member)
{
	char *words[LINE];
	size_t n = 0;
	char *const options[] = { (char *)session->keeper, "--grace", GRACE_S, "--remove",
				  (char *)session->folder };
	sigset_t none;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		words[n++] = options[i];
	if (*member->freezer.cgroup) {
		words[n++] = "--remove";
		words[n++] = member->freezer.cgroup;
	}
	words[n++] = "--";
	for (char **word = member->command; *word && n < LINE - 1; word++)
		words[n++] = *word;
	words[n] = NULL;
	setenv("BENCH_ARM", member->folder, 1);
	dup2(member->out, STDOUT_FILENO);
	dup2(member->err, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(session->keeper, words);
	fprintf(stderr, "cannot run %s: %s\n", session->keeper, strerror(errno));
	_exit(127);
}

bool arms_start(struct session *session, struct member *member, char *why, size_t size)
{
	fflush(NULL);
	member->pid = fork();
	if (!member->pid)
		become_arm(session, member);
	if (member->pid > 0)
		return true;
	member->pid = 0;
	snprintf(why, size, "cannot fork: %s", strerror(errno));
	return false;
}

bool arms_poll(struct session *session)
{
	bool any = false;

	for (unsigned i = 0; i < session->narms; i++) {
		struct member *member = &session->arms[i];
		int status;

		if (member->pid && waitpid(member->pid, &status, WNOHANG) == member->pid) {
			member->pid = 0;
			member->code = WIFEXITED(status) ? WEXITSTATUS(status) :
							   128 + WTERMSIG(status);
		}
		any |= member->pid > 0;
	}
	return any;
}

bool arms_left(const struct member *member)
{
	int32_t driver = atomic_load(&member->page->pid);

	return !member->pid || (driver && kill(driver, 0) && errno == ESRCH);
}

void arms_signal(struct session *session, int signal)
{
	for (unsigned i = 0; i < session->narms; i++) {
		struct member *member = &session->arms[i];

		arms_thaw(member);
		if (member->page)	/* who waits for the last turn's record need not */
			atomic_store(&member->page->over, member->page->seq);
		if (member->pid)
			kill(member->pid, signal);
	}
}

void arms_freeze(struct member *member)
{
	if (member->frozen_ns)
		return;
	if (!freezer_freeze(&member->freezer) && member->pid)
		fprintf(stderr, "referee: a process of %s did not stop within a second\n",
			member->folder);
	member->frozen_ns = clock_mono_ns();
	machine_read(&member->frozen_use, member->page->device);
}

void arms_thaw(struct member *member)
{
	struct machine_use now;

	if (!member->frozen_ns)
		return;
	machine_read(&now, member->page->device);
	for (size_t i = 0; i < MACHINE_COUNTERS; i++)
		if (now.known[i] && member->frozen_use.known[i])
			member->page->elsewhere[i] +=
				now.counters[i] - member->frozen_use.counters[i];
	atomic_fetch_add(&member->page->away_ns, clock_mono_ns() - member->frozen_ns);
	member->frozen_ns = 0;
	freezer_thaw(&member->freezer);
}

/* Each line of what was said with a prefix; closes it. */
static void relay(int said, const char *prefix, FILE *to)
{
	char line[LINE];
	FILE *file;

	lseek(said, 0, SEEK_SET);
	file = fdopen(said, "r");
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		fprintf(to, "%s%s\n", prefix, line);
	}
	if (file)
		fclose(file);
}

void arms_finish(struct session *session)
{
	char prefix[64];

	for (unsigned i = 0; i < session->narms; i++) {
		struct member *member = &session->arms[i];

		if (!member->err)
			continue;
		snprintf(prefix, sizeof(prefix), "%u\t%d\t", i + 1, member->code);
		relay(member->out, prefix, stdout);
		snprintf(prefix, sizeof(prefix), "arm %u: ", i + 1);
		relay(member->err, prefix, stderr);
		if (member->turns)
			fclose(member->turns);
		freezer_remove(&member->freezer);
	}
	remove_tree(session->folder);
}
