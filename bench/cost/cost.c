/*
 * What the client costs: ingest on the engine that stores nothing, so that all CPU time
 * is the harness's own. Thread CPU time, so a machine with fewer CPUs than clients gives
 * the same figures. The goal is 100 ns a row, the same for any number of clients.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 2000000		/* of all clients together */

static const unsigned DOPS[] = { 1, 2, 4, 8 };

/* One line of the table: a step's main op and what its cost is divided by. */
static const struct cost {
	const char *step, *per;
} COSTS[] = {
	{ "l.i0", "rows" },
	{ "qr100.L1", "ops" },
	{ "qp100.L2", "ops" },
};

#define NCOSTS (sizeof(COSTS) / sizeof(COSTS[0]))

/* The counter of that name in a record, 0 if it has none. */
static uint64_t counter(const char *line, const char *name)
{
	char key[64];
	const char *at;

	snprintf(key, sizeof(key), "\"%s\":", name);
	at = strstr(line, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static void read_step(const char *line, double costs[NCOSTS])
{
	char step[64];

	if (!strstr(line, "\"kind\":\"step\"") || !strstr(line, "\"main\":true"))
		return;
	for (size_t i = 0; i < NCOSTS; i++) {
		snprintf(step, sizeof(step), "\"step\":\"%s\"", COSTS[i].step);
		if (strstr(line, step) && counter(line, COSTS[i].per))
			costs[i] = (double)counter(line, "cpu_ns") /
				   (double)counter(line, COSTS[i].per);
	}
}

/* False if the driver failed. */
static bool measure(const char *ingest, unsigned dop, double costs[NCOSTS])
{
	static char line[1 << 20];
	char command[4096];
	FILE *driver;

	snprintf(command, sizeof(command), "'%s' --engine null --target . --dop %u "
		 "--step l.i0:rows=%u --step l.x --step qr100.L1:seconds=0.5 "
		 "--step qp100.L2:seconds=0.5", ingest, dop, ROWS / dop);
	driver = popen(command, "r");
	if (!driver)
		return false;
	while (fgets(line, sizeof(line), driver))
		read_step(line, costs);
	return pclose(driver) == 0;
}

int main(int argc, char **argv)
{
	if (argc != 2 || argv[1][0] == '-') {
		fputs("usage: cost INGEST\n", stderr);
		return 2;
	}
	puts("client CPU on the engine null, ns");
	puts("  dop  per row (l.i0)  per range query  per point query");
	for (size_t i = 0; i < sizeof(DOPS) / sizeof(DOPS[0]); i++) {
		double costs[NCOSTS] = { 0 };

		if (!measure(argv[1], DOPS[i], costs)) {
			fprintf(stderr, "cost: %s failed\n", argv[1]);
			return 1;
		}
		printf("%5u %15.1f %16.1f %16.1f\n", DOPS[i], costs[0], costs[1],
		       costs[2]);
	}
	return 0;
}
