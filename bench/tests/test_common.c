/* hist, rng and json against answers worked out by hand. */
#include "client/sample.h"
#include "common/hist.h"
#include "common/json.h"
#include "common/record.h"
#include "common/rng.h"
#include "minunit.h"

#include <stdlib.h>

static void small_values_have_a_bucket_each(void)
{
	MU_CHECK(hist_index(0) == 0);
	MU_CHECK(hist_index(127) == 127);
	MU_CHECK(hist_index(128) == 128);
	MU_CHECK(hist_index(255) == 255);
	MU_CHECK(hist_value(255) == 255);
}

static void large_values_share_buckets(void)
{
	/* 256..511 have width 2: index 128 + 128 + (v/2 - 128). */
	MU_CHECK(hist_index(256) == 256);
	MU_CHECK(hist_index(257) == 256);
	MU_CHECK(hist_index(258) == 257);
	/* 1000000: floor(log2) = 19, s = 12, 1000000 >> 12 = 244. */
	MU_CHECK(hist_index(1000000) == 128 + 12 * 128 + (244 - 128));
	/* its bucket is 244 << 12 .. + 4095, the middle is 999424 + 2047 */
	MU_CHECK(hist_value(128 + 12 * 128 + (244 - 128)) == 1001471);
	MU_CHECK(hist_index(UINT64_MAX) == HIST_BUCKETS - 1);
}

/* From 1 ns to 1 hour the value that stands for a bucket is within 1%. */
static void values_are_known_within_one_percent(void)
{
	for (uint64_t value = 1; value < 3600ull * 1000000000; value += value / 7 + 1) {
		uint64_t known = hist_value(hist_index(value));
		uint64_t error = known > value ? known - value : value - known;

		MU_CHECK(error * 100 <= value);
	}
}

static void buckets_are_in_the_order_of_values(void)
{
	for (unsigned i = 1; i < HIST_BUCKETS; i++) {
		MU_CHECK(hist_value(i - 1) < hist_value(i));
		MU_CHECK(hist_index(hist_value(i)) == i);
	}
}

static void merged_equals_recorded_together(void)
{
	struct hist *parts = calloc(3, sizeof(*parts));
	struct rng rng;

	rng_seed(&rng, 7);
	for (int i = 0; i < 10000; i++) {
		uint64_t value = rng_next(&rng) >> (rng_next(&rng) & 63);

		hist_record(&parts[i & 1], value);
		hist_record(&parts[2], value);
	}
	hist_merge(&parts[0], &parts[1]);
	MU_CHECK(!memcmp(&parts[0], &parts[2], sizeof(*parts)));
	MU_CHECK(hist_count(&parts[0]) == 10000);
	free(parts);
}

static void percentiles_are_exact_for_small_values(void)
{
	struct hist *hist = calloc(1, sizeof(*hist));

	MU_CHECK(hist_percentile(hist, 0.5) == 0);
	for (uint64_t value = 1; value <= 100; value++)
		hist_record(hist, value);
	MU_CHECK(hist_percentile(hist, 0.0) == 1);
	MU_CHECK(hist_percentile(hist, 0.5) == 50);
	MU_CHECK(hist_percentile(hist, 0.95) == 95);
	MU_CHECK(hist_percentile(hist, 0.999) == 100);
	MU_CHECK(hist_percentile(hist, 1.0) == 100);
	free(hist);
}

static void histograms_print_their_filled_buckets(void)
{
	struct hist *hist = calloc(1, sizeof(*hist));
	char text[64] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	hist_record(hist, 5);
	hist_record(hist, 257);
	hist_record(hist, 256);
	hist_print(out, hist->counts, HIST_BUCKETS);
	fclose(out);
	MU_TEXT("[[5,1],[256,2]]", text);
	free(hist);
}

static void random_numbers_depend_on_the_seed_alone(void)
{
	struct rng a, b, c;

	rng_seed(&a, 1);
	rng_seed(&b, 1);
	rng_seed(&c, 2);
	/* splitmix64 of 0 begins with the published 0xe220a8397b1dcdaf */
	MU_CHECK(rng_splitmix(&(uint64_t){ 0 }) == 0xe220a8397b1dcdafull);
	MU_CHECK(rng_next(&a) == rng_next(&b));
	MU_CHECK(rng_next(&a) != rng_next(&c));
	MU_CHECK(rng_mix(1, "l.i0", 0) == rng_mix(1, "l.i0", 0));
	MU_CHECK(rng_mix(1, "l.i0", 0) != rng_mix(1, "l.i1", 0));
	MU_CHECK(rng_mix(1, "l.i0", 0) != rng_mix(1, "l.i0", 1));
	MU_CHECK(rng_mix(1, "l.i0", 0) != rng_mix(2, "l.i0", 0));
}

/* The generator's authors give these for the state 1, 2, 3, 4. */
static void xoshiro_gives_the_published_numbers(void)
{
	struct rng rng = { { 1, 2, 3, 4 } };

	MU_CHECK(rng_next(&rng) == 11520);
	MU_CHECK(rng_next(&rng) == 0);
	MU_CHECK(rng_next(&rng) == 1509978240);
}

static void bounded_numbers_are_uniform(void)
{
	unsigned counts[10] = { 0 }, counts64[10] = { 0 };
	struct rng rng;

	rng_seed(&rng, 3);
	for (int i = 0; i < 100000; i++) {
		counts[rng_below(&rng, 10)]++;
		counts64[rng_below64(&rng, 10)]++;
	}
	/* the standard deviation of a count is 95 */
	for (int i = 0; i < 10; i++) {
		MU_CHECK(counts[i] > 9500 && counts[i] < 10500);
		MU_CHECK(counts64[i] > 9500 && counts64[i] < 10500);
	}
	MU_CHECK(rng_below(&rng, 1) == 0 && rng_below64(&rng, 1) == 0);
}

static void check_escape(const char *expected, const char *raw)
{
	char text[64] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	json_escape(out, raw);
	fclose(out);
	MU_TEXT(expected, text);
}

static void json_strings_are_escaped(void)
{
	check_escape("\"plain\"", "plain");
	check_escape("\"a\\\"b\\\\c\"", "a\"b\\c");
	check_escape("\"\\u000a\\u0009\\u0001\"", "\n\t\1");
	check_escape("\"\xc3\xa9\xe2\x82\xac\"", "\xc3\xa9\xe2\x82\xac");
	check_escape("\"\xf0\x9f\x98\x80\"", "\xf0\x9f\x98\x80");
	check_escape("\"?a?\"", "\xff" "a\xc3");
	check_escape("\"??\"", "\xc0\xaf");
	check_escape("\"???\"", "\xed\xa0\x80");
}

static void json_members_are_separated(void)
{
	char text[128] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	struct json json;

	json_begin(&json, out);
	json_text(&json, "a", "x");
	json_text(&json, "n", NULL);
	json_open(&json, "list", '[');
	json_uint(&json, NULL, 1);
	json_uint(&json, NULL, UINT64_MAX);
	json_close(&json, ']');
	json_open(&json, "empty", '{');
	json_close(&json, '}');
	json_bool(&json, "yes", true);
	json_end(&json);
	fclose(out);
	MU_TEXT("{\"a\":\"x\",\"n\":null,\"list\":[1,18446744073709551615],"
		"\"empty\":{},\"yes\":true}\n", text);
}

/* The two records that are printed while a step runs. */
static void running_steps_have_their_records(void)
{
	const struct wait_counts none = { .states = 0 };
	const struct wait_counts some = {
		.states = 2, .of = { { "LWLock:WALWrite", 3 }, { "running", 1 } },
	};
	char text[256] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	record_begin(out, "l.i0", 7);
	record_wait(out, "l.i0", 8, &some);
	record_wait(out, "l.i0", 9, &none);
	fclose(out);
	MU_TEXT("{\"kind\":\"begin\",\"step\":\"l.i0\",\"t_ns\":7}\n"
		"{\"kind\":\"wait\",\"step\":\"l.i0\",\"t_ns\":8,"
		"\"sessions\":{\"LWLock:WALWrite\":3,\"running\":1}}\n"
		"{\"kind\":\"wait\",\"step\":\"l.i0\",\"t_ns\":9,\"sessions\":{}}\n",
		text);
}

/* Four to a doubling: 1000 lies in 896 .. 1023, the last quarter of 512 .. 1023. */
static void response_times_of_samples_are_coarse(void)
{
	struct times *times = calloc(1, sizeof(*times));

	times_record(times, 3);
	times_record(times, 1000);
	times_record(times, 896);
	times_record(times, 1024);
	times_record(times, UINT64_MAX);
	MU_CHECK(times->counts[3] == 1);
	MU_CHECK(times->counts[4 + 7 * 4 + 3] == 2);
	MU_CHECK(times->counts[4 + 8 * 4] == 1);
	MU_CHECK(times->counts[TIMES_BUCKETS - 1] == 1);
	free(times);
}

/* A coarse bucket is made of whole buckets of the step's histogram. */
static void coarse_buckets_are_merged_fine_ones(void)
{
	for (uint64_t value = 1; value < 3600ull * 1000000000; value += value / 50 + 1)
		MU_CHECK(hist_bucket(value, TIMES_SUB_BITS) ==
			 hist_bucket(hist_value(hist_index(value)), TIMES_SUB_BITS));
}

static void count(struct arm_counters *counters, struct times *times, uint64_t ns)
{
	arm_count(counters, 10);
	sample_took(counters, times, ns);
}

/* Of two clients, twice: what came since the first time, and how long it took. */
static void samples_hold_what_came_since_the_last(void)
{
	static struct arm_counters counters[2];
	static struct times times[2];
	static struct reported reported[2];
	uint64_t clients[2], counts[TIMES_BUCKETS] = { 0 };
	struct sample_record first = { .times = counts }, second = first;

	count(&counters[0], &times[0], 5);
	sample_take(&first, &counters[0], &times[0], &reported[0], true, &clients[0]);
	MU_CHECK(first.ops == 1 && first.rows == 10 && first.max_ns == 5);
	MU_CHECK(clients[0] == 10 && counts[5] == 1);

	memset(counts, 0, sizeof(counts));
	count(&counters[0], &times[0], 6);
	count(&counters[1], &times[1], 6);
	count(&counters[1], &times[1], 7);
	for (unsigned i = 0; i < 2; i++)
		sample_take(&second, &counters[i], &times[i], &reported[i], false,
			    &clients[i]);
	MU_CHECK(second.ops == 3 && second.rows == 30 && second.max_ns == 7);
	MU_CHECK(clients[0] == 1 && clients[1] == 2);
	MU_CHECK(counts[5] == 0 && counts[6] == 2 && counts[7] == 1);
}

static void samples_have_times_where_the_driver_has_them(void)
{
	uint64_t clients[] = { 3 }, counts[TIMES_BUCKETS] = { [5] = 1, [7] = 2 };
	struct sample_record sample = {
		.step = "l.i0", .op = "insert", .t_ns = 9, .interval_ns = 4, .ops = 3,
		.rows = 3, .max_ns = 7, .clients = clients, .nclients = 1,
	};
	char text[512] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	record_sample(out, &sample);
	sample.times = counts;
	record_sample(out, &sample);
	fclose(out);
	MU_TEXT("{\"kind\":\"sample\",\"step\":\"l.i0\",\"op\":\"insert\",\"t_ns\":9,"
		"\"interval_ns\":4,\"ops\":3,\"rows\":3,\"max_ns\":7,\"clients\":[3]}\n"
		"{\"kind\":\"sample\",\"step\":\"l.i0\",\"op\":\"insert\",\"t_ns\":9,"
		"\"interval_ns\":4,\"ops\":3,\"rows\":3,\"max_ns\":7,\"clients\":[3],"
		"\"sub_bits\":2,\"times\":[[5,1],[7,2]]}\n", text);
}

int main(void)
{
	small_values_have_a_bucket_each();
	large_values_share_buckets();
	values_are_known_within_one_percent();
	buckets_are_in_the_order_of_values();
	merged_equals_recorded_together();
	percentiles_are_exact_for_small_values();
	histograms_print_their_filled_buckets();
	random_numbers_depend_on_the_seed_alone();
	xoshiro_gives_the_published_numbers();
	bounded_numbers_are_uniform();
	json_strings_are_escaped();
	json_members_are_separated();
	running_steps_have_their_records();
	response_times_of_samples_are_coarse();
	coarse_buckets_are_merged_fine_ones();
	samples_hold_what_came_since_the_last();
	samples_have_times_where_the_driver_has_them();
	return mu_report("common");
}
