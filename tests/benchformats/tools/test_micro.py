"""hyperfine, Google Benchmark, Go, pytest-benchmark, criterion, JMH, asv."""

from __future__ import annotations

import json

import pytest
from tool_files import (
    ASV,
    CHANGE,
    ESTIMATES,
    GO,
    GOOGLE_CSV,
    GOOGLE_JSON,
    HYPERFINE,
    JMH,
    MESSAGES,
    OLD_ESTIMATES,
    OLD_SAMPLES,
    PYTEST,
    SAMPLES,
    found,
    text_file,
    told,
)

from benchformats import asv, go_bench, pytest_benchmark
from benchformats.criterion import estimates, messages, samples
from benchformats.google_benchmark import csv as google_csv
from benchformats.google_benchmark import json as google_json
from benchformats.hyperfine import json as hyperfine
from benchformats.jmh import json as jmh

pytestmark = pytest.mark.unit

CRITERION = "run1/target/criterion/fib/20/new/estimates.json"


def test_hyperfine_times_are_values():
    """Each time to its last digit, CPU times of the command, what memory it took."""
    parsed = hyperfine.read(text_file(HYPERFINE))

    assert [
        ("./sort --threads {threads}", "time", 0.2, "s", "lower"),
        ("./sort --threads {threads}", "time", 0.3, "s", "lower"),
        ("./sort --threads {threads}", "user", 0.125, "s", "lower"),
        ("./sort --threads {threads}", "system", 0.0625, "s", "lower"),
        ("./sort --threads {threads}", "time", 0.1234567890123, "s", "lower"),
        ("./sort --threads {threads}", "user", 0.5, "s", "lower"),
        ("./sort --threads {threads}", "system", 0.25, "s", "lower"),
        ("./sort --threads {threads}", "memory_usage_byte", 4096.0, "bytes", "lower"),
    ] == found(parsed)
    assert [1, 2, None, None, 1, None, None, 1] == [row.trial for row in parsed.rows]
    assert [{"threads": "1"}] * 4 == [row.dims for row in parsed.rows[:4]]
    assert [3, 16] == sorted({row.line for row in parsed.rows})
    assert [] == told(parsed)


def test_hyperfine_keeps_commands_that_no_template_explains():
    """The value 1 stands in both commands, in one of them for something else."""
    results = [
        {
            "command": f"./a1 {n}",
            "user": 0,
            "system": 0,
            "times": [1],
            "parameters": {"n": n},
        }
        for n in ("1", "2")
    ]
    parsed = hyperfine.read(text_file(json.dumps({"results": results})))

    assert ["./a1 1", "./a1 2"] == [r.step for r in parsed.rows if r.metric == "time"]


def test_hyperfine_without_times_has_the_summary():
    """As some exports are trimmed."""
    result = {"command": "x", "mean": 2.0, "median": 1.5, "stddev": 0.5, "user": 1.0,
              "system": 0.5, "min": 1.0, "max": 4.0}  # fmt: skip
    parsed = hyperfine.read(text_file(json.dumps({"results": [result]})))

    assert [("median", True), ("mean", False), ("stddev", False), ("min", False),
            ("max", False), ("user", False), ("system", False)] == [
        (row.metric, row.main) for row in parsed.rows
    ]  # fmt: skip


def test_hyperfine_runs_that_failed_are_left_out():
    """With --ignore-failure their times are there; means are of them too."""
    text = HYPERFINE.replace('"exit_codes": [0, 0]', '"exit_codes": [0, 1]')
    parsed = hyperfine.read(text_file(text))

    assert [(3, "1 runs of the command ended with an error: not read")] == told(parsed)
    assert [("time", 0.2)] == [
        (row.metric, row.value) for row in parsed.rows if row.line == 3
    ]


def test_jmh_iteration_that_is_no_number_is_told():
    """JMH writes "NaN" of one without operations; the others are trials."""
    parsed = jmh.read(text_file(JMH.replace("[[10.0, 11.0]", '[[10.0, "NaN"]')))

    assert [(2, "thrpt is no figure: NaN")] == told(parsed)[:1]
    assert [10.0, 12.0, 13.0] == [r.value for r in parsed.rows if r.metric == "thrpt"]


def test_hyperfine_exit_codes_that_do_not_fit():
    """Nobody can tell which run failed."""
    text = HYPERFINE.replace('"exit_codes": [0, 0]', '"exit_codes": [0, 0, 1]')
    parsed = hyperfine.read(text_file(text))
    why = "./sort --threads {threads}: exit codes and times do not fit: not read"

    assert [(3, why)] == [(line, text) for line, text in told(parsed) if line == 3]


def test_hyperfine_command_of_which_every_run_failed():
    """How long it takes to fail is no figure."""
    text = HYPERFINE.replace('"exit_codes": [0, 0]', '"exit_codes": [1, 127]')
    parsed = hyperfine.read(text_file(text))

    assert [(3, "every run of the command ended with an error: not read")] == told(parsed)
    assert 1 == len({row.step for row in parsed.rows})


def test_hyperfine_names_are_one_line_of_text():
    """A command may hold line ends and what no terminal shows."""
    result = {"command": "a\n  b\x1b[0m\ud800", "user": 0, "system": 0, "times": [1]}
    [first, *_] = hyperfine.read(text_file(json.dumps({"results": [result]}))).rows

    assert "a b\ufffd[0m\ufffd" == first.step


def test_google_benchmark_repetitions():
    """Repetitions are values; their aggregate is not read again; an error is told."""
    parsed = google_json.read(text_file(GOOGLE_JSON))

    step = "BM_copy/64/threads:2"
    assert [
        (step, "real_time", 12.55, "ns", "lower"),
        (step, "cpu_time", 12.5, "ns", "lower"),
        (step, "bytes_per_second", 5.1e9, "bytes/s", "higher"),
        (step, "hits", 3.0, "", "none"),
        (step, "real_time", 13.0, "ns", "lower"),
        (step, "cpu_time", 12.8, "ns", "lower"),
    ] == found(parsed)
    assert {2} == {row.dop for row in parsed.rows}
    assert [(15, "BM_broken failed: no file")] == told(parsed)


def test_google_benchmark_aggregates_only():
    """What is left of repetitions that were not reported; the median is the figure."""
    runs = [
        {"name": f"BM_x_{kind}", "run_name": "BM_x", "run_type": "aggregate",
         "aggregate_name": kind, "aggregate_unit": unit, "real_time": value,
         "cpu_time": value, "time_unit": "ns", "threads": 1}
        for kind, unit, value in (("mean", "time", 2.0), ("median", "time", 1.5),
                                  ("cv", "percentage", 0.25))
    ]  # fmt: skip
    parsed = google_json.read(text_file(json.dumps({"benchmarks": runs})))
    times = [row for row in parsed.rows if row.metric.startswith("real")]

    assert [("real_time_mean", 2.0, "ns", False), ("real_time_median", 1.5, "ns", True),
            ("real_time_cv", 0.25, "ratio", False)] == [
        (row.metric, row.value, row.unit, row.main) for row in times
    ]  # fmt: skip


def test_google_benchmark_console_csv():
    """Counters stand behind the error; a label is a dimension."""
    parsed = google_csv.read(text_file(GOOGLE_CSV))

    assert [
        ("BM_copy/64", "real_time", 12.5, "us", "lower"),
        ("BM_copy/64", "cpu_time", 12.4, "us", "lower"),
        ("BM_copy/64", "bytes_per_second", 5.1e9, "bytes/s", "higher"),
        ("BM_copy/64", "hits", 3.0, "", "none"),
        ("BM_copy/128", "real_time", 25.5, "us", "lower"),
        ("BM_copy/128", "cpu_time", 25.25, "us", "lower"),
    ] == found(parsed)
    assert {"label": "two words"} == parsed.rows[0].dims
    assert [(6, "BM_broken failed: no file")] == told(parsed)


def test_google_benchmark_csv_of_two_programs():
    """Each header says whose counters stand below it."""
    again = GOOGLE_CSV.replace('"hits"', '"misses"')
    parsed = google_csv.read(text_file(GOOGLE_CSV + again))

    assert [("hits", 3.0), ("misses", 3.0)] == [
        (row.metric, row.value) for row in parsed.rows if row.metric in ("hits", "misses")
    ]


def test_go_lines_under_their_configuration():
    """Pairs of value and unit; the suffix of the name is GOMAXPROCS."""
    parsed = go_bench.read(text_file(GO))

    assert [
        ("Sort/size=1k", "ns_op", 31478.0, "ns/op", "lower"),
        ("Sort/size=1k", "mb_s", 42.66, "MB/s", "higher"),
        ("Sort/size=1k", "b_op", 512.0, "B/op", "lower"),
        ("Sort/size=1k", "allocs_op", 3.0, "allocs/op", "lower"),
    ] == found(parsed)[:4]
    assert [
        ("Serve", "ns_op", 5.25e6, "ns/op", "lower"),
        ("Serve", "p99_ms", 12.5, "p99-ms", "lower"),
        ("Serve", "req_s", 190.0, "req/s", "higher"),
    ] == found(parsed)[8:]
    config = {"goos": "linux", "goarch": "amd64", "pkg": "example.org/sort",
              "cpu": "Some CPU"}  # fmt: skip
    assert config | {"gomaxprocs": "8"} == parsed.rows[0].dims
    assert config == parsed.rows[-1].dims
    assert [] == told(parsed)


def test_go_rates_of_what_went_wrong_are_better_low():
    """Errors and misses per second are no throughput."""
    text = "BenchmarkX 1 5 ns/op 2 errors/s 3 cache-misses/sec 4 retries/op 6 hits/s\n"
    parsed = go_bench.read(text_file(text))

    assert ["lower", "lower", "lower", "lower", "higher"] == [
        row.direction for row in parsed.rows
    ]


def test_go_units_say_which_is_better():
    """A line of benchstat's format, wherever it stands; an empty value unsets a key."""
    text = (
        "branch: a\nbranch:\nversion: v2\nBenchmarkX 1 5 widgets\n"
        "Unit widgets better=higher\n"
    )
    [row] = go_bench.read(text_file(text)).rows

    assert ("higher", "v2", {}) == (row.direction, row.version, row.dims)


def test_go_words_of_logs_are_no_configuration():
    """What a program logs between results tells no two results apart."""
    lines = "branch: a\nwarning: slow disk\nmsg: 1\ntime: 12:00\nBenchmarkX 1 5 ns/op\n"
    [row] = go_bench.read(text_file(lines)).rows

    assert {"branch": "a"} == row.dims


def test_go_line_that_is_no_pairs_is_told():
    """An odd number of words, or no number."""
    parsed = go_bench.read(text_file("BenchmarkX 10 5 ns/op\nBenchmarkX 10 5 ns/op 7\n"))

    assert (1, [2]) == (len(parsed.rows), [line for line, _ in told(parsed)])


def test_pytest_benchmark_rounds_and_summaries():
    """Rounds where they were saved, else a summary; the commit is a version."""
    parsed = pytest_benchmark.read(text_file(PYTEST))
    sort = [row for row in parsed.rows if row.step.endswith("test_sort[10]")]
    total = [row for row in parsed.rows if row.step.endswith("test_sum")]

    assert [("time", 0.001), ("time", 0.002), ("time", 0.003), ("rows", 7.0)] == [
        (row.metric, row.value) for row in sort
    ]
    assert [("median", 0.625), ("mean", 0.625), ("min", 0.5), ("max", 0.75),
            ("stddev", 0.125), ("iqr", 0.25)] == [
        (row.metric, row.value) for row in total
    ]  # fmt: skip
    assert {"abc123+dirty"} == {row.version for row in parsed.rows}
    when = {"started": "2026-01-01T00:00:00"}
    assert ({"group": "sorting"} | when, when) == (sort[0].dims, total[0].dims)


def test_criterion_estimates():
    """The folders name benchmark and baseline."""
    parsed = estimates.read(text_file(ESTIMATES, CRITERION))

    assert [
        ("fib/20", "median", 2.25, "ns", "lower"), ("fib/20", "mean", 2.5, "ns", "lower"),
        ("fib/20", "std_dev", 0.75, "ns", "none"),
        ("fib/20", "median_abs_dev", 0.5, "ns", "none"),
    ] == found(parsed)  # fmt: skip
    assert {"new"} == {row.version for row in parsed.rows}


def test_criterion_changes_are_no_times():
    """A comparison of two runs is told and left out."""
    parsed = estimates.read(text_file(CHANGE, "criterion/fib/20/change/estimates.json"))

    assert ([], [0]) == (parsed.rows, [line for line, _ in told(parsed)])


def test_criterion_samples():
    """Time per iteration of each sample."""
    parsed = samples.read(text_file(SAMPLES, CRITERION))

    assert [10.0, 10.5, 9.5] == [row.value for row in parsed.rows]
    assert [1, 2, 3] == [row.trial for row in parsed.rows]


def test_criterion_before_0_3():
    """Names began with capitals, samples were two lists: the same rows."""
    old = text_file(OLD_ESTIMATES, CRITERION)
    old_samples = text_file(OLD_SAMPLES, "target/criterion/fib/20/new/sample.json")
    change = text_file(OLD_ESTIMATES.replace("StdDev", "Other"), CRITERION)

    assert estimates.recognises(old)
    assert samples.recognises(old_samples)
    assert not samples.recognises(text_file(OLD_SAMPLES, "points.json"))
    assert found(estimates.read(text_file(ESTIMATES, CRITERION))) == found(
        estimates.read(old)
    )
    assert samples.read(text_file(SAMPLES, CRITERION)).rows == (
        samples.read(old_samples).rows
    )
    assert [] == estimates.read(change).rows


@pytest.mark.parametrize(
    "text", ["[[1.0,2.0],[10.0]]", "[[1.0],[2.0],[3.0]]", "[[0],[1]]"]
)
def test_criterion_lists_that_do_not_fit(text):
    """Told, and no figure."""
    parsed = samples.read(text_file(text, "criterion/fib/new/sample.json"))

    assert ([], [0]) == (parsed.rows, [line for line, _ in told(parsed)])


def test_criterion_messages():
    """Samples and estimates of a line."""
    parsed = messages.read(text_file(MESSAGES))

    assert [
        ("fib/20", "time", 10.0, "ns", "lower"), ("fib/20", "time", 12.0, "ns", "lower"),
        ("fib/20", "median", 11.25, "ns", "lower"),
        ("fib/20", "mean", 11.0, "ns", "lower"),
    ] == found(parsed)  # fmt: skip
    assert [True, True, False, False] == [row.main for row in parsed.rows]


def test_jmh_iterations():
    """Every iteration of every fork; the mode is the metric and says what is better."""
    parsed = jmh.read(text_file(JMH))

    quick = [row for row in parsed.rows if row.step.endswith("quick")]
    assert [
        ("thrpt", 10.0, "ops/ms", "higher"), ("thrpt", 11.0, "ops/ms", "higher"),
        ("thrpt", 12.0, "ops/ms", "higher"), ("thrpt", 13.0, "ops/ms", "higher"),
        ("gc_alloc_rate_norm", 24.0, "B/op", "lower"),
        ("gc_alloc_rate_norm", 24.0, "B/op", "lower"),
    ] == [(r.metric, r.value, r.unit, r.direction) for r in quick]  # fmt: skip
    assert ({"size": "1000"}, 4) == (quick[0].dims, quick[0].dop)
    assert [("sample", 2.5), ("p50", 2.25), ("p99_9", 9.0)] == [
        (row.metric, row.value) for row in parsed.rows if row.step.endswith("slow")
    ]


def test_asv_results():
    """Samples where they were recorded; no row of what failed or was skipped."""
    parsed = asv.read(text_file(ASV))

    assert [
        ("sort.time_quick(10, 'a')", "time", 0.2, "s", "lower"),
        ("sort.time_quick(10, 'a')", "time", 0.3, "s", "lower"),
        ("sort.peakmem_quick", "peakmem", 4096.0, "bytes", "lower"),
    ] == found(parsed)
    row = parsed.rows[0]
    assert ("0123abcd", "bee", {"python": "3.11", "numpy": "1.26",
                                 "started": "2023-11-14T22:13:20Z"}) == (
        row.version, row.machine, row.dims,
    )  # fmt: skip


def test_asv_of_version_1():
    """A number alone, or an object with parameters."""
    text = json.dumps({
        "commit_hash": "c1", "env_name": "e", "version": 1, "params": {},
        "results": {"time_a": 0.5, "track_b": {"result": [1, 2], "params": [["x", "y"]]},
                    "time_c": None},
    })  # fmt: skip
    parsed = asv.read(text_file(text))

    assert [
        ("time_a", "time", 0.5, "s", "lower"), ("track_b(x)", "track", 1.0, "", "none"),
        ("track_b(y)", "track", 2.0, "", "none"),
    ] == found(parsed)  # fmt: skip
