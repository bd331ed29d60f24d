#include "record.h"

#include "clock.h"
#include "json_clocks.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

#if defined(__clang__)
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." \
		 TEXT(__clang_patchlevel__)
#elif defined(__GNUC__)
#define COMPILER "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__) "." \
		 TEXT(__GNUC_PATCHLEVEL__)
#else
#define COMPILER "unknown"
#endif

#ifdef __OPTIMIZE__
#define OPTIMIZED true
#else
#define OPTIMIZED false
#endif

#ifdef NDEBUG
#define ASSERTIONS false
#else
#define ASSERTIONS true
#endif

#ifndef BENCH_FLAGS
#define BENCH_FLAGS ""
#endif

/* Lines since the run record, which begins a file; several threads print. */
static atomic_uint_least64_t lines;

void record_open(struct json *json, FILE *out, const char *kind)
{
	lines++;
	json_begin(json, out);
	json_text(json, "kind", kind);
}

static void print_cpus(struct json *json)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	json_open(json, "cpus", '[');
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			json_uint(json, NULL, cpu);
	json_close(json, ']');
}

static void print_setting(void *to, const char *name, const char *value)
{
	json_text(to, name, value);
}

void record_run(FILE *out, const struct run_record *run)
{
	struct json json;

	lines = 0;
	record_open(&json, out, "run");
	json_uint(&json, "schema", 1);
	json_text(&json, "driver", run->driver);
	json_text(&json, "engine", run->engine);
	json_text(&json, "version", run->version);
	json_text(&json, "compiler", COMPILER);
	json_bool(&json, "optimized", OPTIMIZED);
	json_bool(&json, "assertions", ASSERTIONS);
	json_uint(&json, "dop", run->dop);
	json_uint(&json, "seed", run->seed);
	print_cpus(&json);
	json_uint(&json, "pid", (uint64_t)getpid());
	json_clocks(&json);
	json_open(&json, "options", '{');
	for (size_t i = 0; i < run->noptions; i++)
		json_text(&json, run->options[i].name, run->options[i].value);
	json_text(&json, "build_flags", BENCH_FLAGS);
	json_close(&json, '}');
	json_open(&json, "settings", '{');
	if (run->settings)
		run->settings(run->settings_of, print_setting, &json);
	json_close(&json, '}');
	json_end(&json);
}

void record_begin(FILE *out, const char *step, uint64_t start_ns)
{
	struct json json;

	record_open(&json, out, "begin");
	json_text(&json, "step", step);
	json_uint(&json, "t_ns", start_ns);
	json_end(&json);
}

void record_step(FILE *out, const struct step_record *step)
{
	struct json json;

	record_open(&json, out, "step");
	json_text(&json, "step", step->step);
	json_text(&json, "op", step->op);
	json_bool(&json, "main", step->main);
	json_uint(&json, "seq", step->seq);
	json_uint(&json, "dop", step->dop);
	json_uint(&json, "start_ns", step->start_ns);
	json_uint(&json, "end_ns", step->end_ns);
	json_uint(&json, "ops", step->ops);
	json_uint(&json, "rows", step->rows);
	json_uint(&json, "errors", step->errors);
	json_uint(&json, "retries", step->retries);
	json_uint(&json, "bytes", step->bytes);
	json_uint(&json, "wait_ns", step->wait_ns);
	json_uint(&json, "cpu_ns", step->cpu_ns);
	json_uint(&json, "target_ops_per_s", step->target_ops_per_s);
	if (step->checked)
		json_bool(&json, "checked", true);
	json_end(&json);
}

void record_sample(FILE *out, const struct sample_record *sample)
{
	struct json json;

	record_open(&json, out, "sample");
	json_text(&json, "step", sample->step);
	json_text(&json, "op", sample->op);
	json_uint(&json, "t_ns", sample->t_ns);
	json_uint(&json, "interval_ns", sample->interval_ns);
	json_uint(&json, "ops", sample->ops);
	json_uint(&json, "rows", sample->rows);
	json_uint(&json, "max_ns", sample->max_ns);
	json_open(&json, "clients", '[');
	for (unsigned i = 0; i < sample->nclients; i++)
		json_uint(&json, NULL, sample->clients[i]);
	json_close(&json, ']');
	if (sample->times) {
		json_uint(&json, "sub_bits", TIMES_SUB_BITS);
		json_key(&json, "times");
		hist_print(out, sample->times, TIMES_BUCKETS);
	}
	json_end(&json);
}

void record_wait(FILE *out, const char *step, uint64_t t_ns,
		 const struct wait_counts *counts)
{
	struct json json;

	record_open(&json, out, "wait");
	json_text(&json, "step", step);
	json_uint(&json, "t_ns", t_ns);
	json_open(&json, "sessions", '{');
	for (unsigned i = 0; i < counts->states; i++)
		json_uint(&json, counts->of[i].name, counts->of[i].sessions);
	json_close(&json, '}');
	json_end(&json);
}

void record_hist(FILE *out, const char *step, const char *op, const char *clock,
		 const struct hist *hist)
{
	struct json json;

	record_open(&json, out, "hist");
	json_text(&json, "step", step);
	json_text(&json, "op", op);
	json_text(&json, "clock", clock);
	json_text(&json, "unit", "ns");
	json_uint(&json, "sub_bits", HIST_SUB_BITS);
	json_key(&json, "counts");
	hist_print(out, hist->counts, HIST_BUCKETS);
	json_end(&json);
}

void record_statement(FILE *out, const struct statement_record *statement)
{
	struct json json;

	record_open(&json, out, "statement");
	json_text(&json, "step", statement->step);
	json_text(&json, "name", statement->name);
	json_text(&json, "sql", statement->sql);
	json_uint(&json, "sent", statement->sent);
	json_uint(&json, "rows", statement->rows);
	json_uint(&json, "affected", statement->affected);
	json_uint(&json, "errors", statement->errors);
	json_uint(&json, "retries", statement->retries);
	json_uint(&json, "total_ns", statement->total_ns);
	json_uint(&json, "max_ns", statement->max_ns);
	json_uint(&json, "sub_bits", HIST_SUB_BITS);
	json_key(&json, "counts");
	hist_print(out, statement->hist->counts, HIST_BUCKETS);
	json_text(&json, "plan", statement->plan);
	json_end(&json);
}

void record_recall(FILE *out, const struct recall_record *recall)
{
	struct json json;

	record_open(&json, out, "recall");
	json_text(&json, "step", recall->step);
	json_text(&json, "name", recall->name);
	json_uint(&json, "k", recall->k);
	json_uint(&json, "asked", recall->asked);
	json_uint(&json, "found", recall->found);
	json_end(&json);
}

void record_size(FILE *out, const char *step, uint64_t bytes)
{
	struct json json;

	record_open(&json, out, "size");
	json_text(&json, "step", step);
	json_uint(&json, "bytes", bytes);
	json_end(&json);
}

static const char *const USE_NAMES[USE_COUNTERS] = {
	[USE_SERVER_CPU] = "server_cpu_ns",
	[USE_CLIENT_CPU] = "client_cpu_ns",
	[USE_MACHINE_CPU] = "machine_busy_ns",
	[USE_SWITCHES] = "switches",
	[USE_READS] = "reads",
	[USE_READ_BYTES] = "read_bytes",
	[USE_WRITES] = "writes",
	[USE_WRITTEN_BYTES] = "written_bytes",
	[USE_SERVER_READ_BYTES] = "server_read_bytes",
	[USE_SERVER_WRITTEN_BYTES] = "server_written_bytes",
	[USE_LOG_BYTES] = "log_bytes",
};

void record_use(FILE *out, const struct use_record *use)
{
	struct json json;

	record_open(&json, out, "use");
	json_text(&json, "step", use->step);
	for (size_t i = 0; i < USE_COUNTERS; i++)
		if (use->known[i])
			json_uint(&json, USE_NAMES[i], use->counters[i]);
	if (use->folder_known)
		json_uint(&json, "folder_bytes", use->folder_bytes);
	if (use->memory_known)
		json_uint(&json, "memory_bytes", use->memory_bytes);
	json_end(&json);
}

void record_note(FILE *out, const char *step, const char *text)
{
	struct json json;

	record_open(&json, out, "note");
	json_text(&json, "step", step);
	json_text(&json, "text", text);
	json_end(&json);
}

void record_end(FILE *out, const char *reason)
{
	struct json json;

	record_open(&json, out, "end");
	json_text(&json, "status", reason ? "failed" : "ok");
	json_text(&json, "reason", reason ? reason : "");
	json_clocks(&json);
	json_uint(&json, "lines", lines);
	json_end(&json);
}
