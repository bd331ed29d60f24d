"""sysbench's output: statistics of all versions, noise, failures, settings."""

import pytest
from sysbench_files import FOLDER, OLD, RUN, told

from benchformats.parsed import TextFile
from benchformats.sysbench.output import read, recognises

pytestmark = pytest.mark.unit

BANNER = "sysbench 1.1.0-abc1234 (using bundled LuaJIT 2.1.0-beta3)\n"
STATISTICS = RUN[RUN.index("SQL statistics:") :]


def of_name(test, text, dop=3):
    """The output of a test, in a folder of the archives."""
    return read(TextFile(f"{FOLDER}/sb.o.{test}.dop{dop}", text))


def values(parsed):
    return {row.metric: row.value for row in parsed.rows}


def test_statistics_of_1_1_are_read_as_printed():
    """All figures of the blocks at the end, counts and rates apart."""
    expected = {
        "reads": 0, "writes": 48342, "others": 48343, "queries": 96685,
        "transactions": 48342, "tps": 805.66, "qps": 1611.37,
        "errors": 1, "errors_s": 0.02, "reconnects": 0, "reconnects_s": 0,
        "eps": 805.6612, "elapsed_s": 60.0029, "events": 48342,
        "rtmin": 3.11, "rtavg": 3.72, "rtmax": 118.04, "rt95": 6.55, "rtsum": 179832.24,
        "thread_events": 16114.0, "thread_events_sd": 21.37,
        "thread_s": 59.9441, "thread_s_sd": 0.01,
    }  # fmt: skip

    assert expected == values(read(TextFile("x", BANNER + STATISTICS)))


def test_settings_are_those_of_the_command_line():
    """Sizes and times of line 1, CPUs of line 2; threads are the dop."""
    parsed = of_name("update-index.range100.pk1", RUN)
    settings = [(r.line, r.metric, r.value, r.unit) for r in parsed.rows[:5]]

    assert [
        (2, "cpus", 8, "count"),
        (1, "table_size", 5000000, "rows"),
        (1, "tables", 2, "count"),
        (1, "time_s", 60, "s"),
        (1, "warmup_s", 5, "s"),
    ] == settings
    assert {3} == {row.dop for row in parsed.rows}
    assert [] == told(parsed)


def test_queries_per_second_are_the_throughput():
    """One row of a run is main, with its line, unit and direction."""
    [row] = [r for r in of_name("update-index.range100.pk1", RUN).rows if r.main]

    assert (30, "qps", 1611.37, "queries/s", "higher") == (
        row.line, row.metric, row.value, row.unit, row.direction,
    )  # fmt: skip


def test_the_step_is_that_of_the_files_name():
    """The script does not tell a test from its repetition before the writes."""
    parsed = of_name("point-query.pre.range100.pk1", RUN)

    assert {"point-query.pre_range=100"} == {row.step for row in parsed.rows}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sysbench --range-size=10 /s/oltp_read_only.lua run", "oltp_read_only_range=10"),
        (
            "LUA_PATH=/l/?.lua /l/sysbench --threads=3 /l/oltp_insert.lua run",
            "oltp_insert",
        ),
        ("sysbench oltp_read_write --tables=4 run", "oltp_read_write"),
        ("/usr/bin/sysbench --test=tests/db/oltp.lua --num-threads=3 run", "oltp"),
    ],
)
def test_without_a_name_the_step_is_the_script(command, expected):
    """Somebody else's file is filed under the script and its range."""
    parsed = read(TextFile("mine.txt", f"{command}\n{BANNER}{STATISTICS}"))

    assert {expected} == {row.step for row in parsed.rows}


def test_large_counts_leave_one_blank_before_the_rate():
    """Padding to a fixed width ends where a count is longer."""
    text = STATISTICS.replace("96685 (1611.37 per", "302467785 (5040886.04 per")
    text = text.replace("96685", "302467785").replace("48343", "302419443")

    assert 5040886.04 == values(of_name("point-query.range100.pk1", text))["qps"]


def test_plans_of_all_threads_are_passed_over():
    """EXPLAIN output stands before the statistics, its lines run into one another."""
    noise = (
        "explain: for point_selects :: explain SELECT c FROM t%u WHERE id=%u"
        "for point_selects\ntable 3 : explain SELECT c FROM t3 WHERE id=48342\n"
        "\t1\tSIMPLE\tt3\tconst\tPRIMARY\tPRIMARY\t4\tconst\t1\n\n"
        "    queries:                             5 (5.00 per sec.)\n"
        "         avg:                                    9.99\n"
    ) * 40
    text = RUN.replace("Threads started!\n", noise + "Threads started!\n")
    plain = values(of_name("point-query.range100.pk1", RUN))

    assert plain == values(of_name("point-query.range100.pk1", text))


def test_a_run_with_a_fatal_line_gives_no_figures():
    """It is told with its line; statistics of the threads that lived are not believed."""
    text = BANNER + (
        "FATAL: mysql_stmt_execute() returned error 1205 (Lock wait timeout)\n"
        "FATAL: `thread_run' function failed\n"
    )
    problem = (
        "a run that failed: FATAL: mysql_stmt_execute() returned error 1205 "
        "(Lock wait timeout) (and 1 more)"
    )

    for parsed in (read(TextFile("x", text)), read(TextFile("x", text + STATISTICS))):
        assert ([], [(2, problem)]) == (parsed.rows, told(parsed))


@pytest.mark.parametrize(("errors", "rated"), [(488, True), (489, False)])
def test_a_run_with_many_ignored_errors_has_no_rate(errors, rated):
    """Events that were begun again are no work done; their count is still told.

    Nor are response times: those of failed events may be shorter, or longer.
    """
    text = RUN.replace(
        "ignored errors:                      1 ", f"ignored errors:      {errors} "
    )
    parsed = read(TextFile("x", text))
    why = (
        f"a run of which {errors} of {48342 + errors:,} operations failed: "
        "neither rates nor times are read"
    )

    assert rated == any(row.direction == "higher" for row in parsed.rows)
    assert rated == any(row.main for row in parsed.rows)
    assert rated == any(row.clock for row in parsed.rows)
    assert rated == any(row.metric in ("rtavg", "rt95") for row in parsed.rows)
    assert errors in [row.value for row in parsed.rows if row.metric == "errors"]
    assert rated == (why not in [text for _, text in told(parsed)])


def test_a_run_without_statistics_is_told():
    """A killed run leaves the beginning of its output."""
    parsed = read(TextFile("x", RUN[: RUN.index("Latency histogram")]))

    assert [(3, "a run without statistics: it failed or was cut")] == told(parsed)
    assert [] == parsed.rows


def test_the_percentile_is_the_one_asked_for():
    """--percentile=99 changes a label."""
    text = STATISTICS.replace("95th percentile:", "99th percentile:")
    found = values(of_name("scan.range100.pk1", text))

    assert (6.55, False) == (found["rt99"], "rt95" in found)


def test_a_scan_has_scans_per_second():
    """Its qps in the archives is in rows, so its queries have another name."""
    parsed = of_name("scan.range100.pk1", RUN)
    [row] = [r for r in parsed.rows if r.metric == "scans_s"]

    assert (1611.37, "scans/s", "scan", False) == (row.value, row.unit, row.op, row.main)
    assert "qps" not in values(parsed)


def test_response_times_of_a_given_rate_count_from_the_intended_start():
    """With --rate the time in the queue is part of them."""
    limited = RUN.replace("--time=60", "--time=60 --rate=800")
    clocks = [
        {r.clock for r in of_name("insert.range100.pk1", text).rows if r.metric == "rt95"}
        for text in (RUN, limited)
    ]

    assert [{"actual"}, {"intended"}] == clocks


def test_a_given_rate_is_said_without_a_command_line():
    """Below the number of threads, as people save it."""
    text = f"{BANNER}Number of threads: 3\nTarget transaction rate: 800/sec\n{STATISTICS}"
    parsed = read(TextFile("x", text))

    assert {"intended"} == {r.clock for r in parsed.rows if r.metric == "rt95"}
    assert {"800"} == {r.dims.get("rate") for r in parsed.rows}  # no trial of another


def test_a_command_of_several_lines():
    """As it was typed, with the prompts of the shell."""
    command = "$ sysbench oltp_insert \\\n> --threads=3 \\\n  --db-ps-mode=disable run\n"
    rows = read(TextFile("x", command + BANNER + STATISTICS)).rows

    assert {("oltp_insert", 3, "disable")} == {
        (r.step, r.dop, r.dims.get("ps_mode")) for r in rows
    }


def test_intervals_without_names_are_told():
    """With --report-csv=yes, which some scripts offer; told once."""
    row = "{},2,76.79,2144.07,973.31,1009.21,161.55,70.55,0.00,0.00\n"
    parsed = read(TextFile("x", BANNER + row.format(1) + row.format(2) + STATISTICS))

    assert 1611.37 == values(parsed)["qps"]
    assert [(2, "intervals as csv: not read")] == told(parsed)


def test_unprepared_statements_are_a_dimension():
    """A run without prepared statements is no repetition of one with them."""
    text = RUN.replace("--time=60", "--time=60 --db-ps-mode=disable")
    dims = [dict(r.dims) for r in of_name("insert.range100.pk1", text).rows]

    assert [{"ps_mode": "disable"}] == [
        d for i, d in enumerate(dims) if d not in dims[:i]
    ]


def test_statistics_of_0_5_are_read_as_printed():
    """No rate of queries: transactions are the throughput; times end in ms."""
    parsed = read(TextFile("x", OLD))
    found = values(parsed)

    assert ["tps"] == [row.metric for row in parsed.rows if row.main]
    assert {
        "transactions": 24650, "tps": 410.8, "deadlocks": 2, "deadlocks_s": 0.03,
        "rw_requests": 443700, "rw_requests_s": 7394.41, "other_ops": 49300,
        "other_ops_s": 821.6, "elapsed_s": 60.0048, "events": 24650, "event_s": 959.7001,
        "rtmin": 9.1, "rtavg": 38.93, "rtmax": 201.75, "rt95": 44.71,
    }.items() <= found.items()  # fmt: skip
    assert {16} == {row.dop for row in parsed.rows}


def test_statistics_of_0_4_are_read_as_printed():
    """Another header, and seconds without their unit."""
    text = (
        "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n\n"
        "Number of threads: 4\n\nOLTP test statistics:\n"
        "    transactions:                        10000  (166.59 per sec.)\n\n"
        "Test execution summary:\n"
        "    total time:                          60.0243s\n"
        "    total time taken by event execution: 239.8154\n"
        "    per-request statistics:\n"
        "         min:                                  1.33ms\n"
        "         approx.  95 percentile:               3.34ms\n\n"
        "Threads fairness:\n"
        "    events (avg/stddev):           2500.0000/4.50\n"
    )

    assert {
        "transactions": 10000, "tps": 166.59, "elapsed_s": 60.0243, "event_s": 239.8154,
        "rtmin": 1.33, "rt95": 3.34, "thread_events": 2500.0, "thread_events_sd": 4.5,
    } == values(read(TextFile("x", text)))  # fmt: skip


def test_general_statistics_of_1_0_are_read():
    """1.0 has 'total time' where 1.1 has 'time elapsed'."""
    text = BANNER + STATISTICS.replace(
        "Throughput:\n    events/s (eps):                      805.6612\n"
        "    time elapsed:  ",
        "General statistics:\n    total time:    ",
    )
    found = values(read(TextFile("x", text)))

    assert (60.0029, 48342) == (found["elapsed_s"], found["events"])


def test_runs_one_after_the_other_are_told_apart():
    """A loop over threads appends to one file: each run has its own dop."""
    text = "".join(
        RUN.replace("threads: 3", f"threads: {n}")
        .replace("16114.0000", f"{48342 / n:.4f}")
        .replace("59.9441", f"{179.83224 / n:.4f}")
        for n in (1, 4, 16)
    )
    rates = [(r.dop, r.value) for r in read(TextFile("loop.txt", text)).rows if r.main]

    assert [(1, 1611.37), (4, 1611.37), (16, 1611.37)] == rates


def test_runs_of_other_work_are_no_trials():
    """What their commands say otherwise is a dimension; for how long is not."""
    text = "".join(
        f"sysbench oltp_read_only --threads=3 {options} run\n{BANNER}{STATISTICS}"
        for options in ("--tables=1 --time=5", "--tables=2 --rate=9 --time=6")
    )
    rows = read(TextFile("x", text)).rows

    assert [{"tables": "1"}, {"tables": "2", "rate": "9"}] == [
        row.dims for row in rows if row.main
    ]


def test_statistics_of_a_checkpoint_are_not_the_runs():
    """--report-checkpoints prints the same blocks before the end."""
    early = STATISTICS.replace("1611.37", "9999.99")
    text = f"{BANNER}[ 30s ] Checkpoint report:\n{early}{STATISTICS}"
    parsed = read(TextFile("x", text))

    assert 1611.37 == values(parsed)["qps"]
    assert [(2, "a checkpoint's statistics, not the run's: not read")] == told(parsed)


def test_prepare_gives_the_load():
    """Its last line is the archives' own: seconds, and rows per second."""
    text = (
        "/s/sysbench --table-size=1000 --tables=8 /s/oltp_scan.lua prepare\n"
        f"{BANNER}Creating table 'sbtest1'...\nSeconds for: 71 load, 7 index\n"
        "Load seconds is 644 for 8 tables, .124 Mips, 124223 ips\n"
    )
    parsed = read(TextFile(f"{FOLDER}/sb.prepare.o.point-query.warm.range100.pk1", text))
    rates = [(r.step, r.metric, r.value, r.unit, r.op) for r in parsed.rows if r.main]

    assert [("prepare", "ips", 124223, "rows/s", "insert")] == rates
    assert 644 == values(parsed)["load_s"]
    assert [] == told(parsed)


def test_the_last_line_of_a_cut_file_is_not_read():
    """A number at the very end may lack digits: 1611.3 is not believed."""
    text = RUN[: RUN.index("7 per sec.)\n    ignored")]
    parsed = of_name("update-index.range100.pk1", text)

    assert (805.66, False) == (values(parsed)["tps"], "qps" in values(parsed))
    assert [
        (30, "the file ends within this line: not read"),
        (3, "a run whose statistics end early"),
    ] == told(parsed)


def test_a_damaged_figure_is_told_and_the_rest_is_read():
    """A line whose text is not as printed is a problem of its own."""
    text = STATISTICS.replace("(805.66 per", "(805,66 per")
    parsed = of_name("update-index.range100.pk1", text)

    assert [(7, "transactions: not a figure of this line")] == told(parsed)
    assert 1611.37 == values(parsed)["qps"]


def test_the_shortest_time_of_no_event_is_no_figure():
    """Of a run in which nothing ended sysbench prints the largest integer."""
    line = next(x for x in STATISTICS.split("\n") if x.startswith("         min:"))
    text = BANNER + STATISTICS.replace(line, "         min:    18446744073709.55")
    parsed = read(TextFile("x", text))

    assert "rtmin" not in values(parsed)
    assert ["min: of no event, so no figure"] == [text for _, text in told(parsed)]


def test_a_name_of_another_dop_is_told():
    """The output is believed, and the contradiction is told."""
    parsed = of_name("update-index.range100.pk1", RUN, dop=40)

    assert {3} == {row.dop for row in parsed.rows}
    assert [(3, "a run of 3 threads, by the file's name of 40")] == told(parsed)


@pytest.mark.parametrize("text", [RUN, OLD, STATISTICS, BANNER + "FATAL: no\n"])
def test_output_is_recognised_by_content(text):
    """A banner or the header of statistics, whatever the name."""
    assert recognises(TextFile("anything", text))


@pytest.mark.parametrize(
    "text", ["", "sysbench is a tool\n", "vac_my starts at Mon\nAnalyze table sbtest1\n"]
)
def test_other_text_is_not_recognised(text):
    """Side files of the same folder are left to others."""
    assert not recognises(TextFile("sb.o.pw.range100.pk1", text))


def test_a_run_that_contradicts_itself_gives_no_figure():
    """Every total times ten, as its interval lines and histogram are not."""
    text = RUN.replace("96685 (1611.37", "966850 (1611.37")
    parsed = read(TextFile("x.txt", text.replace("96685\n", "966850\n")))

    assert [] == parsed.rows
    assert ["queries = 966,850, but reads + writes + others = 96,685: not believed"] == [
        problem.text for problem in parsed.problems
    ]
