/* Runs one loop and prints the CPU time that its thread took. */
#include "loop.h"

#include "common/clock.h"

#include <inttypes.h>
#include <stdlib.h>

int64_t loop_rows[ROWS_PER_QUERY][KEY_COLUMNS];

_Noreturn void loop_die(const char *what, const char *why)
{
	fprintf(stderr, "loop: %s: %s\n", what, why);
	exit(1);
}

int64_t loop_now_us(void)
{
	return (int64_t)(clock_read_ns(CLOCK_REALTIME) / 1000);
}

int64_t loop_draw_id(struct rng *rng, const int64_t ends[2])
{
	return ends[0] + (int64_t)rng_below64(rng, (uint64_t)(ends[1] - ends[0]) + 1);
}

/* Of inserts, how many rows went; of queries, how many came. */
static uint64_t run(const char *what, uint64_t count, uint64_t *cpu_ns)
{
	struct rng rng;
	uint64_t rows, before;
	int64_t ends[2];

	rng_seed(&rng, 1);
	if (!strcmp(what, "insert")) {
		loop_prepare_insert();
	} else {
		loop_prepare_queries();
		loop_ends(ends);
	}
	before = clock_thread_cpu_ns();
	if (!strcmp(what, "insert")) {
		loop_insert(count, &rng);
		rows = count * INSERT_ROWS;
	} else if (!strcmp(what, "range")) {
		rows = loop_range(count, &rng);
	} else {
		rows = loop_point(count, &rng, ends);
	}
	*cpu_ns = clock_thread_cpu_ns() - before;
	return rows;
}

int main(int argc, char **argv)
{
	uint64_t count = argc == 4 ? strtoull(argv[3], NULL, 10) : 0, rows, cpu_ns;

	if (!count) {
		fputs("usage: loop_NAME TARGET insert|range|point STATEMENTS\n", stderr);
		return 2;
	}
	loop_connect(argv[1]);
	rows = run(argv[2], count, &cpu_ns);
	loop_disconnect();
	printf("{\"statements\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"cpu_ns\":%" PRIu64 "}\n",
	       count, rows, cpu_ns);
	return 0;
}
