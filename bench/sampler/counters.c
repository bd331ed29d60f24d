#include "counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIES 8			/* until no thread begins while counters are attached */
#define MAX_THREADS 8192

struct threads {
	pid_t *ids;
	unsigned count;
};

static void add_thread(void *to, pid_t thread)
{
	struct threads *threads = to;

	if (threads->count < MAX_THREADS)
		threads->ids[threads->count++] = thread;
}

/* Of the server's processes, or of all that descend from the root. */
static void list_threads(struct processes *found, enum tree tree, bool server_inside,
			 struct threads *threads)
{
	threads->count = 0;
	processes_scan(found, true);
	for (unsigned i = 0; i < found->count; i++)
		if (found->list[i].tree == tree || (tree == CLIENT && server_inside))
			processes_threads(found->list[i].pid, add_thread, threads);
}

static bool same(const struct threads *one, const struct threads *other)
{
	return one->count == other->count &&
	       !memcmp(one->ids, other->ids, one->count * sizeof(one->ids[0]));
}

static void close_set(struct counter_set *set)
{
	for (unsigned i = 0; i < set->threads * NEVENTS; i++)
		if (set->fds[i] >= 0)
			close(set->fds[i]);
	free(set->fds);
	set->fds = NULL;
	set->threads = 0;
}

static bool open_set(const struct counters *counters, struct counter_set *set,
		     const struct threads *threads)
{
	set->fds = malloc((threads->count * NEVENTS + 1) * sizeof(set->fds[0]));
	if (!set->fds)
		return false;
	set->threads = threads->count;
	for (unsigned i = 0; i < threads->count * NEVENTS; i++) {
		set->fds[i] = -1;
		if (!counters->usable[i % NEVENTS])
			continue;
		set->fds[i] = event_open(i % NEVENTS, threads->ids[i / NEVENTS]);
		if (set->fds[i] < 0 && errno != ESRCH)
			return false;
	}
	return true;
}

/*
 * What begins while counters are attached may be counted by its parent or not at all. So
 * the threads are listed before and after, and it is done again if there are others.
 */
static bool attach(struct counters *counters, struct processes *found, enum tree tree)
{
	struct counter_set *set = &counters->of[tree];
	pid_t *ids = malloc(2 * MAX_THREADS * sizeof(*ids));
	struct threads before = { .ids = ids }, after = { .ids = ids + MAX_THREADS };
	bool good = ids;
	int error;

	for (int i = 0; i < TRIES && good; i++) {
		close_set(set);
		list_threads(found, tree, counters->server_inside, &before);
		good = open_set(counters, set, &before);
		error = errno;
		list_threads(found, tree, counters->server_inside, &after);
		errno = error;
		if (same(&before, &after))
			break;
	}
	error = errno;
	if (!good)
		close_set(set);
	free(ids);
	errno = error;
	return good;
}

/* Of our own thread we may know what the machine can; of the root what we may. */
void counters_open(struct counters *counters, struct processes *found, pid_t root)
{
	pid_t probe = root ? root : getpid();

	for (unsigned i = 0; i < NEVENTS && counters->wanted; i++) {
		int fd = event_open(i, probe);

		counters->usable[i] = fd >= 0;
		if (fd >= 0)
			close(fd);
		else
			event_reason(errno, probe, counters->reasons[i], REASON);
	}
	if (!counters->wanted || !root || attach(counters, found, CLIENT))
		return;
	for (unsigned i = 0; i < NEVENTS; i++) {
		if (!counters->usable[i])
			continue;
		event_reason(errno, root, counters->reasons[i], REASON);
		counters->usable[i] = false;
	}
}

static bool any_usable(const struct counters *counters)
{
	for (unsigned i = 0; i < NEVENTS; i++)
		if (counters->usable[i])
			return true;
	return false;
}

void counters_add_server(struct counters *counters, struct processes *found, pid_t server,
			 bool inside)
{
	char reason[REASON];

	if (!any_usable(counters))
		return;
	counters->server_inside = inside;
	close_set(&counters->of[SERVER]);
	if (attach(counters, found, SERVER))
		return;
	event_reason(errno, server, reason, sizeof(reason));
	fprintf(stderr, "sampler: the server has no counters%s: %s\n",
		inside ? ", nor has the client from now on" : "", reason);
	counters->client_unknown = inside;
}

static void read_set(const struct counter_set *set, struct event_value values[NEVENTS])
{
	memset(values, 0, NEVENTS * sizeof(values[0]));
	for (unsigned i = 0; i < set->threads * NEVENTS; i++)
		event_add(set->fds[i], &values[i % NEVENTS]);
}

static uint64_t at_least(uint64_t last, uint64_t now)
{
	return (int64_t)(now - last) < 0 ? last : now;
}

/* The server first: what happens between the two readings is the client's then. */
void counters_read(struct counters *counters)
{
	struct event_value *client = counters->of[CLIENT].values, now[NEVENTS];
	struct event_value *server = counters->of[SERVER].values;

	read_set(&counters->of[SERVER], server);
	read_set(&counters->of[CLIENT], now);
	for (unsigned i = 0; i < NEVENTS; i++) {
		if (counters->server_inside) {
			now[i].count -= server[i].count;
			now[i].enabled_ns -= server[i].enabled_ns;
			now[i].running_ns -= server[i].running_ns;
		}
		client[i].count = at_least(client[i].count, now[i].count);
		client[i].enabled_ns = at_least(client[i].enabled_ns, now[i].enabled_ns);
		client[i].running_ns = at_least(client[i].running_ns, now[i].running_ns);
	}
}

void counters_print_events(const struct counters *counters, struct json *json)
{
	json_open(json, "events", '[');
	for (unsigned i = 0; i < NEVENTS; i++)
		if (counters->usable[i])
			json_text(json, NULL, EVENT_NAMES[i]);
	json_close(json, ']');
}

void counters_print_reasons(const struct counters *counters, struct json *json)
{
	for (unsigned i = 0; i < NEVENTS; i++)
		if (counters->reasons[i][0])
			json_text(json, EVENT_NAMES[i], counters->reasons[i]);
}

static void print_set(const struct counters *counters, enum tree tree, const char *name,
		      struct json *json)
{
	const struct counter_set *set = &counters->of[tree];

	if (!set->threads || (tree == CLIENT && counters->client_unknown))
		return;
	json_open(json, name, '{');
	for (unsigned i = 0; i < NEVENTS; i++) {
		if (!counters->usable[i])
			continue;
		json_open(json, EVENT_NAMES[i], '[');
		json_uint(json, NULL, set->values[i].count);
		json_uint(json, NULL, set->values[i].enabled_ns);
		json_uint(json, NULL, set->values[i].running_ns);
		json_close(json, ']');
	}
	json_close(json, '}');
}

void counters_print(const struct counters *counters, struct json *json)
{
	if (!any_usable(counters))
		return;
	json_open(json, "counters", '{');
	print_set(counters, SERVER, "server", json);
	print_set(counters, CLIENT, "client", json);
	json_close(json, '}');
}
