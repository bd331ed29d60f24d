/* What the processes of the client and of the server have used so far. */
#ifndef SAMPLER_TREES_H
#define SAMPLER_TREES_H

#include "common/json.h"
#include "processes.h"

/* What only grows. Times are in clock ticks. */
enum usage {
	USER, SYSTEM, MINOR_FAULTS, MAJOR_FAULTS, READ_BYTES, WRITTEN_BYTES, USAGES
};

struct tree_usage {
	uint64_t sums[USAGES];
	uint64_t last[USAGES];		/* what was told last */
	uint64_t carried[USAGES];	/* added to the sums; may wrap */
	uint64_t processes, rss_kib;
	bool no_io;
};

struct trees {
	struct processes found;
	struct tree_usage of[TREES];
	pid_t server;
	const char *server_file;
	bool server_inside;		/* the root is an ancestor of it */
	bool no_children;		/* this kernel does not tell them */
	uint64_t forks, threads_ns;
	unsigned scans_due, thread_scans_due;
};

/* False, with errno, if there is no process `root`; 0: there is no client. */
bool trees_open(struct trees *trees, pid_t root, const char *server_file);

/* New processes are looked for if `forks` moved. True: the server is new. */
bool trees_read(struct trees *trees, uint64_t forks, uint64_t now_ns);

void trees_print(const struct trees *trees, struct json *json);

#endif
