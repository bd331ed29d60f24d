"""Spread within a run, between runs, and drift along the order of runs."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmath.variation.spread import (
    deviations,
    drift,
    rates,
    spread,
    within_runs,
)

pytestmark = pytest.mark.unit

SECOND = 1_000_000_000


def samples(rows, run_id="r1", step="l.i0", op="insert", intervals=None):
    """One run's seconds, with the rows that each inserted."""
    lengths = intervals or [SECOND] * len(rows)
    return pd.DataFrame(
        {
            "run_id": run_id,
            "step": step,
            "op": op,
            "t_ns": np.cumsum(lengths),
            "interval_ns": lengths,
            "ops": [r // 100 for r in rows],
            "rows": rows,
        }
    )


def runs(values, positions, step="l.i0", **dims):
    """A metric frame with one run per value."""
    row = {
        "machine": "m1", "engine": "null", "step": step, "op": "insert", "metric": "ips",
        "unit": "rows/s", "direction": "higher", "main": True,
    } | dims  # fmt: skip
    name = "".join(map(str, dims.values()))
    return pd.DataFrame(
        [
            row | {"run_id": f"{name}r{p}", "position": p, "value": float(v)}
            for v, p in zip(values, positions, strict=True)
        ]
    )


def test_rates_count_rows_for_inserts_and_statements_for_queries():
    """Inserts are counted in rows, queries in statements, per second of the interval."""
    insert = rates(samples([200, 200, 200], intervals=[SECOND, 2 * SECOND, SECOND]))
    query = rates(samples([200, 200], op="query"))

    assert [200, 100, 200] == list(insert["rate"])
    assert ["rows/s"] == list(insert["unit"].unique())
    assert [2, 2] == list(query["rate"])
    assert ["queries/s"] == list(query["unit"].unique())


def test_partial_last_second_is_dropped():
    """A last sample of 10 ms is no second of the run."""
    cut = samples([100, 100, 100, 1], intervals=[SECOND] * 3 + [SECOND // 100])

    assert [100, 100, 100] == list(rates(cut)["rate"])


def test_whole_first_and_last_second_are_kept():
    """Seconds of full length count, wherever they stand."""
    assert 3 == len(rates(samples([100, 100, 100])))


def test_cov_of_seconds():
    """9, 10, 11 rows a second: CoV 0.1 (n-1), and too few seconds to judge."""
    row = within_runs(samples([9, 10, 11])).iloc[0]

    assert (3, 10, 0.1) == tuple(row[["n", "mean", "cov"]])
    assert math.isnan(row["autocorrelation"])
    assert "3 seconds: too few to judge" == row["note"]


def test_autocorrelated_seconds_are_worth_less():
    """50 slow then 50 fast seconds: correlation .97, worth between one and two."""
    row = within_runs(samples([100] * 50 + [200] * 50)).iloc[0]

    assert math.isclose(0.97, row["autocorrelation"])
    assert math.isclose(100 * 0.03 / 1.97, row["n_effective"])
    assert "autocorrelated: 100 seconds are worth 2" == row["note"]


def test_alternating_seconds_are_not_worth_more():
    """A negative correlation does not make n seconds worth more than n."""
    assert 100 == within_runs(samples([100, 200] * 50)).iloc[0]["n_effective"]


def test_spreads_stand_side_by_side():
    """Between runs 0.1 over three runs; within, the median run's CoV of seconds."""
    metric = runs([90, 100, 110], [1, 2, 3])
    seconds = pd.concat(samples([9, 10, 11, 10, 10], f"r{p}") for p in (1, 2, 3))

    row = spread(seconds, metric).iloc[0]

    assert 3 == row["n"]
    assert math.isclose(0.1, row["between"])
    assert math.isclose(math.sqrt(0.5) / 10, row["within"])
    assert 5 == row["seconds"]
    assert math.isclose(
        row["within"] / math.sqrt(row["n_effective"]), row["expected_between"]
    )


def test_spread_without_samples_says_so():
    """A step whose driver prints no samples keeps its spread between runs."""
    metric = runs([90, 110], [1, 2], step="bytes")

    row = spread(samples([1, 2], step="other"), metric).iloc[0]

    assert math.isnan(row["within"])
    assert "no samples" == row["note"]


def test_deviations_are_from_the_cells_own_mean():
    """100 and 400 have geometric mean 200: one run is half of it, one twice."""
    table = deviations(runs([100, 400], [1, 2]))

    assert [-50, 100] == [round(v, 6) for v in table["deviation_pct"]]


def test_drift_is_percent_per_position():
    """Each run 1% faster than the last: slope +1% per position, exactly."""
    row = drift(runs([1.01**p for p in range(5)], range(5))).iloc[0]

    assert math.isclose(1.0, row["slope_pct"])
    assert math.isclose(1.0, row["low"])
    assert 4 == row["positions"]
    assert math.isclose(100 * (1.01**4 - 1), row["change_pct"])
    assert row["detected"]


def test_cells_of_different_level_are_no_drift():
    """Two configs, ten times apart and interleaved, each flat: no slope."""
    both = pd.concat(
        [
            runs([10, 10, 10], [1, 3, 5], config="a"),
            runs([100] * 3, [2, 4, 6], config="b"),
        ]
    )

    row = drift(both).iloc[0]

    assert (6, 2) == (row["n"], row["cells"])
    assert math.isclose(0, row["slope_pct"], abs_tol=1e-9)


def test_two_runs_have_no_interval():
    """Two runs give a slope without an interval, and say so."""
    row = drift(runs([100, 101], [1, 2])).iloc[0]

    assert math.isnan(row["low"])
    assert pd.isna(row["detected"])
    assert "2 runs: no interval" == row["note"]
