"""sysbench's interval lines of all versions, and its histogram."""

import pytest
from sysbench_files import OLD, RUN, told

from benchformats.parsed import TextFile
from benchformats.sysbench.output import read

pytestmark = pytest.mark.unit

INTERVAL = "sysbench_interval"


def intervals(text):
    return read(TextFile("x", text)).series[INTERVAL].to_pylist()


def test_interval_lines_of_1_1_are_a_series():
    """A row per line, with its number, the run, and NULL for what it does not print."""
    expected = {
        "line": 18, "run": 1, "second": 20, "dop": 3, "tps": 799.10, "qps": 1598.20,
        "reads_s": 0.0, "writes_s": 799.10, "other_s": 799.10, "eps": None,
        "lat_ms": 6.79, "percentile": 95.0, "err_s": 0.10, "reconn_s": 0.0,
    }  # fmt: skip

    assert expected == intervals(RUN)[1]


def test_interval_lines_of_0_5_are_the_same_series():
    """Four ways of printing it: errors or not, a comma or not, min and max."""
    found = [
        (r["second"], r["dop"], r["tps"], r["reads_s"], r["writes_s"], r["lat_ms"],
         r["percentile"], r["err_s"])
        for r in intervals(OLD)
    ]  # fmt: skip

    assert [
        (5, 16, 410.20, 5742.83, 1640.81, 44.10, 95, 0.0),
        (10, 16, 415.00, 5810.05, 1660.01, 43.87, 99, None),
        (15, 16, 409.99, 5739.80, 1639.94, 45.02, 99, None),
        (20, 16, 411.25, 5757.5, 1645.0, 44.9, 95, None),
    ] == found


def test_tests_without_sql_have_events():
    """cpu, memory and the like print eps."""
    [row] = intervals(
        "sysbench 1.0.20 (x)\n[ 1s ] thds: 2 eps: 730.11 lat (ms,95%): 2.76\n"
    )

    assert (1, 2, 730.11, 2.76) == (row["second"], row["dop"], row["eps"], row["lat_ms"])


def test_runs_of_one_file_are_numbered():
    """Lines belong to the run whose banner precedes them."""
    assert [1, 1, 2, 2, 2, 2, 3, 3] == [r["run"] for r in intervals(RUN + OLD + RUN)]


def test_an_interval_line_that_is_not_understood_is_told():
    """It is no row; other lines with a time are passed over."""
    text = (
        "sysbench 1.1.0 (x)\n"
        "[ 10s ] thds: 4 tps: 81x.40 qps: 1.00\n"
        "[ 10s ] queue length: 3, concurrency: 4\n"
        "[ 20s ] thds: 4 eps: 5.00 lat (ms,95%): 1.00\n"
    )
    parsed = read(TextFile("x", text))

    assert (2, "not a known interval line") in told(parsed)
    assert [4] == parsed.series[INTERVAL]["line"].to_pylist()


def test_the_histogram_is_a_series():
    """Buckets by their value in ms, with their counts."""
    table = read(TextFile("x", RUN)).series["sysbench_histogram"]

    assert [
        {"line": 21, "run": 1, "value_ms": 3.615, "count": 4021},
        {"line": 22, "run": 1, "value_ms": 3.681, "count": 44321},
    ] == table.to_pylist()


def test_a_run_without_intervals_has_no_series():
    """The archived runs use neither option."""
    text = "".join(
        x for x in RUN.splitlines(keepends=True) if "[ " not in x and "|" not in x
    )

    assert {} == read(TextFile("x", text)).series
