"""Response time percentiles from histograms."""

import pandas as pd
import pytest

from benchmath.latency.histogram import percentiles

pytestmark = pytest.mark.unit


def hist(counts, run_id="r1", **changed):
    row = {
        "run_id": run_id, "step": "qr100.L1", "op": "query", "clock": "actual",
        "unit": "ns", "sub_bits": 7,
    } | changed  # fmt: skip
    return [row | {"bucket": b, "count": c} for b, c in counts.items()]


def test_percentiles_are_in_microseconds():
    """99 times 100 ns and once 120 ns: p50 to p99 0.1 us, p99.9 and maximum 0.12 us."""
    row = percentiles(pd.DataFrame(hist({100: 99, 120: 1}))).iloc[0]

    expected = [1, 100, 0.1, 0.1, 0.1, 0.12, 0.12]
    names = ["n", "count", "p50", "p95", "p99", "p999", "max"]
    assert expected == list(row[names])


def test_runs_are_merged_before_the_percentile():
    """A run of 10 fast and one of 90 slow answers: the median of all is slow."""
    rows = hist({10: 10}) + hist({110: 90}, run_id="r2")

    row = percentiles(pd.DataFrame(rows)).iloc[0]

    assert (2, 100, 0.11) == tuple(row[["n", "count", "p50"]])


def test_clocks_are_never_merged():
    """Merging actual with intended response times raises."""
    rows = hist({10: 1}) + hist({10: 1}, clock="intended")

    with pytest.raises(ValueError, match="different clock"):
        percentiles(pd.DataFrame(rows), by=("step",))
