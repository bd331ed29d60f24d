/*
 * How fast the disk below DIR syncs right now, and how much time the hypervisor has
 * taken: the two things that make runs on shared machines differ. Takes 0.2 s at most.
 */
#include "common/clock.h"
#include "common/hist.h"
#include "common/json.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define PROBE_NS (150 * 1000 * 1000ull)
#define PROBE_BLOCK 4096
#define PROBE_BLOCKS 64

struct probe {
	uint64_t syncs, elapsed_ns;
	struct hist hist;
};

static void fail(const char *what, const char *where)
{
	fprintf(stderr, "probe: cannot %s %s: %s\n", what, where, strerror(errno));
	exit(1);
}

/* The file has no name once it is open: a killed probe leaves nothing behind. */
static int open_scratch(const char *dir)
{
	char path[4096];
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/.probe-XXXXXX", dir) >=
	    sizeof(path)) {
		errno = ENAMETOOLONG;
		fail("write in", dir);
	}
	fd = mkstemp(path);
	if (fd < 0)
		fail("write in", dir);
	unlink(path);
	return fd;
}

static void sync_for_a_while(struct probe *probe, int fd, const char *dir)
{
	static const char block[PROBE_BLOCK];
	uint64_t start = clock_mono_ns();
	uint64_t before = start, after = start;

	while (after - start < PROBE_NS) {
		off_t at = (off_t)(probe->syncs % PROBE_BLOCKS) * PROBE_BLOCK;

		if (pwrite(fd, block, sizeof(block), at) != sizeof(block))
			fail("write in", dir);
		before = clock_mono_ns();
		if (fdatasync(fd))
			fail("sync in", dir);
		after = clock_mono_ns();
		hist_record(&probe->hist, after - before);
		probe->syncs++;
	}
	probe->elapsed_ns = after - start;
}

/* Clock ticks stolen from all CPUs since boot; 0 where the kernel does not count them. */
static uint64_t steal_ticks(void)
{
	FILE *file = fopen("/proc/stat", "r");
	uint64_t steal = 0;

	if (!file)
		return 0;
	if (fscanf(file, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &steal) != 1)
		steal = 0;
	fclose(file);
	return steal;
}

int main(int argc, char **argv)
{
	static struct probe probe;
	struct json json;
	int fd;

	if (argc != 2 || argv[1][0] == '-') {
		fputs("usage: probe DIR\n", stderr);
		return 2;
	}
	fd = open_scratch(argv[1]);
	sync_for_a_while(&probe, fd, argv[1]);
	close(fd);
	json_begin(&json, stdout);
	json_uint(&json, "fdatasync_per_s", probe.syncs * NS_PER_S / probe.elapsed_ns);
	json_uint(&json, "fdatasync_n", probe.syncs);
	json_uint(&json, "fdatasync_p50_ns", hist_percentile(&probe.hist, 0.5));
	json_uint(&json, "steal_ticks", steal_ticks());
	json_end(&json);
	return ferror(stdout) ? 1 : 0;
}
