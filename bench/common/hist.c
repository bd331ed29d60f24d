#include "hist.h"

#include <inttypes.h>

uint64_t hist_value(unsigned index)
{
	unsigned shift;
	uint64_t lower;

	if (index < HIST_LINEAR)
		return index;
	shift = (index - HIST_LINEAR) / HIST_LINEAR;
	lower = ((uint64_t)((index - HIST_LINEAR) % HIST_LINEAR) + HIST_LINEAR) << shift;
	return lower + (((uint64_t)1 << shift) - 1) / 2;
}

uint64_t hist_count(const struct hist *hist)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		count += hist->counts[i];
	return count;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		into->counts[i] += from->counts[i];
}

uint64_t hist_percentile(const struct hist *hist, double q)
{
	double exact = q * (double)hist_count(hist);
	uint64_t wanted = (uint64_t)exact;
	uint64_t seen = 0;

	if ((double)wanted < exact)
		wanted++;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		seen += hist->counts[i];
		if (seen && seen >= wanted)
			return hist_value(i);
	}
	return 0;
}

void hist_print(FILE *out, const uint64_t *counts, unsigned buckets)
{
	const char *comma = "";

	putc('[', out);
	for (unsigned i = 0; i < buckets; i++) {
		if (!counts[i])
			continue;
		fprintf(out, "%s[%u,%" PRIu64 "]", comma, i, counts[i]);
		comma = ",";
	}
	putc(']', out);
}
