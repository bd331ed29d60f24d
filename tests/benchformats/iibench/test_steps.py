"""What one step of the insert benchmark did, over all clients."""

from __future__ import annotations

import pytest
from iibench_files import STEP
from sysbench_files import told

from benchformats.iibench.steps import read, recognises
from benchformats.parsed import Parsed, TextFile

pytestmark = pytest.mark.unit

LINES = STEP.split("\n")


def parse(text: str = STEP, path: str = "x.my8036_rel.z11a/q100.1/o.res.dop2") -> Parsed:
    """The file, in a folder that names its step."""
    return read(TextFile(path, text))


def by_metric(parsed: Parsed) -> dict[tuple, float]:
    """(op, metric, client) -> value."""
    return {
        (r.op, r.metric, r.dims.get("client", "")): r.value for r in parsed.rows
    }  # fmt: skip


def test_the_title():
    """Clients, whole seconds, and both rates; queries are the rate of the step."""
    rows = [r for r in parse().rows if r.line == 1]

    assert [("query", "elapsed_s", 3626, False),
            ("insert", "rows_per_client", 360000, False),
            ("insert", "ips", 198.6, False), ("query", "queries", 44935553, False),
            ("query", "qps", 12392.6, True)] == [
        (r.op, r.metric, r.value, r.main) for r in rows
    ]  # fmt: skip
    assert {2} == {r.dop for r in parse().rows}
    assert [] == parse().problems


def test_a_title_that_contradicts_itself():
    """2 x 360000 rows in 3626 s are 198.6 per second, and no ten times as many."""
    parsed = parse(STEP.replace("198.6 rows-per-second,", "1986.0 rows-per-second,"))
    why = "clients * rows = 7.2e+05, but ips * elapsed_s = 7,201,236: not believed"

    assert [(1, why.replace("7.2e+05", "720,000"))] == told(parsed)
    assert [] == [r for r in parsed.rows if r.line == 1]


def test_rates_below_one():
    """The calculator that divides prints no zero before the point."""
    title = STEP.replace("44935553 queries, 12392.6", "3264 queries, .9")

    assert 0.9 == by_metric(parse(title))["query", "qps", ""]


@pytest.mark.parametrize(("folder", "op"), [("l.i1", "insert"), ("l.x", "index")])
def test_a_step_without_queries(folder: str, op: str):
    """Its rate is of inserts, or of rows indexed."""
    text = STEP.replace("44935553 queries, 12392.6", "0 queries, 0")
    parsed = parse(text, f"{folder}/o.res.dop2")

    assert [(op, "ips")] == [(r.op, r.metric) for r in parsed.rows if r.main]


def test_divided_by_both_rates():
    """Each figure once: per second, per insert, per query."""
    found = by_metric(parse())

    assert {
        ("query", "rps", ""): 12.5, ("query", "wmbps", ""): 6.1,
        ("query", "cpups", ""): 33.8, ("insert", "rpq", ""): 0.063,
        ("insert", "wkbpi", ""): 31.453, ("insert", "cspq", ""): 242.321,
        ("query", "rkbpq", ""): 0.025, ("query", "wkbpq", ""): 0.504,
        ("query", "cspq", ""): 3.883, ("query", "cpu_o", ""): 0.002727,
        ("query", "samp_io", ""): 725, ("query", "samp_vm", ""): 760,
    }.items() <= found.items()  # fmt: skip
    assert len(found) == len(parse().rows)


def test_sizes_and_processor_time():
    """GB of the database and of its folder, KB of the process, CPU seconds."""
    found = by_metric(parse())

    assert {
        ("query", "dbgb1", ""): 11.533, ("query", "dbgb2", ""): 11.772,
        ("query", "vsz_kb", ""): 3574732, ("query", "rss_kb", ""): 1923712,
        ("query", "client_cpu_total_s", "1"): 14.3, ("query", "dbms_cpu_s", ""): 1057.4,
    }.items() <= found.items()  # fmt: skip


def test_memory_of_a_shell_is_not_that_of_the_dbms():
    """The script that looks for the DBMS by its folder may find itself."""
    process = next(line for line in LINES if "3574732" in line)
    shell = "me    4711  0.0  0.0   8408  4128 pts/3    S    11:58   0:00 bash np.sh 7"
    parsed = parse(STEP.replace(process, shell))

    assert not {"vsz_kb", "rss_kb"} & {r.metric for r in parsed.rows}
    assert ["the process is a shell, not the DBMS: its memory is not read"] == [
        problem.text for problem in parsed.problems
    ]


def test_averages_of_iostat():
    """Under the names that are cut to seven characters."""
    found = by_metric(parse())

    assert (12.55, 0.017) == (
        found["query", "iostat_r_s", ""], found["query", "iostat_pct_rrqm", ""],
    )  # fmt: skip


def test_response_times_by_client():
    """Counts of each client's statements; the longest of all apart."""
    found = by_metric(parse())

    assert {
        ("insert", "rt_1ms", "1"): 118, ("insert", "rt_1ms", "2"): 204,
        ("insert", "rt_max", "1"): 0.01118, ("insert", "rt_max", "2"): 0.01204,
        ("insert", "rt_max", ""): 0.044, ("query", "rt_max", ""): 0.009,
    }.items() <= found.items()  # fmt: skip


def test_rates_that_a_share_of_the_seconds_reach():
    """p99 is the low end; NA is no figure."""
    found = by_metric(parse())

    assert {
        ("insert", "rate_p50", "1"): 100, ("query", "rate_p50", "1"): 6190,
        ("insert", "rate_p99", "1"): 98, ("query", "rate_p99", "1"): 5355,
        ("delete", "rate_p99", "2"): 0, ("query", "rate_p99", "2"): 5201,
    }.items() <= found.items()  # fmt: skip
    assert ("insert", "rate_p99", "2") not in found


def test_a_client_is_missing():
    """Whose the other's figures are is not known."""
    at = next(n for n, line in enumerate(LINES) if line.startswith("Insert rt:"))
    parsed = parse("\n".join(LINES[:at] + LINES[at + 2 :]))

    assert [
        (at + 2, "insert: not of all 2 clients, so not known of which: not read")
    ] == (told(parsed))
    assert not any(r.metric == "rt_1ms" for r in parsed.rows)


def test_a_line_of_rates_is_missing():
    """Five lines are a client's: without one nobody knows where the next begins."""
    parsed = parse("\n".join(line for line in LINES if not line.startswith("90th, 32")))

    assert not any(r.metric.startswith("rate_p") for r in parsed.rows)
    assert "not the next of a client's five lines" in {text for _, text in told(parsed)}


def test_a_short_line_and_a_strange_column():
    """Told with line and column; the other figures are read."""
    text = STEP.replace("\t33.8\t242.321\t0.170191", "\t33.8\t242.321")
    text = text.replace("rKB/q", "xKB/q")
    parsed = parse(text)

    assert [(8, "4 figures for 5 columns"),
            (12, "xKB/q: not a column of this format")] == told(parsed)  # fmt: skip
    assert ("query", "rpq", "") in by_metric(parsed)


def test_what_a_table_is_divided_by_is_lost():
    """vmstat's columns have one name for both rates: without iostat's, not read."""
    text = "\n".join(LINES[:9] + LINES[13:])
    parsed = parse(text)

    assert ("query", "cspq", "") not in by_metric(parsed)
    assert [(11, "cs/q: not a column of this format"),
            (11, "cpu/q: not a column of this format")] == told(parsed)  # fmt: skip


def test_nothing_without_the_title():
    """It says what the rates are, and how many clients there were."""
    text = STEP.partition("\n")[2]

    assert [] == parse(text).rows
    assert not recognises(TextFile("o.res.dop2", text))
    assert recognises(TextFile("notes", STEP))
