#include "waits.h"

#include <string.h>

static const char OTHERS[] = "others";

static bool is_named(const struct wait_state *state, const char *name)
{
	return !strncmp(state->name, name, sizeof(state->name) - 1);
}

/* The last place is kept for the others. */
void wait_counts_add(struct wait_counts *counts, const char *name, uint64_t sessions)
{
	unsigned i = 0;

	while (i < counts->states && !is_named(&counts->of[i], name))
		i++;
	if (i >= WAIT_STATES - 1) {
		name = OTHERS;
		i = WAIT_STATES - 1;
	}
	if (i >= counts->states) {
		counts->of[i] = (struct wait_state){ .sessions = 0 };
		strncpy(counts->of[i].name, name, sizeof(counts->of[i].name) - 1);
		counts->states = i + 1;
	}
	counts->of[i].sessions += sessions;
}
