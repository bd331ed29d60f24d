"""Recall against throughput: frontiers, rates at a recall."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmath.recall import (
    at_recalls,
    frontier,
    frontiers,
    rate_at,
    recall_and_qps,
    unmoved,
)

pytestmark = pytest.mark.unit

# Runs of the archives, batch 0.
RUNS = pd.DataFrame(
    [
        ("pgvector", "m=16 c=96 s=20", 0.990, 2337.0),
        ("pgvector", "m=16 c=192 s=20", 0.991, 2323.6),
        ("pgvector", "m=16 c=192 s=120", 1.000, 920.0),
        ("pgvector_halfvec", "m=16 c=192 s=20", 0.991, 2558.3),
        ("pgvector_halfvec", "m=16 c=96 s=20", 0.990, 2557.9),
        ("mariadb", "m=12 s=10", 0.995, 4745.0),
        ("mariadb", "m=8 s=20", 0.994, 4522.7),
        ("mariadb", "m=8 s=10", 0.984, 5351.4),
    ],
    columns=["engine", "parameters", "recall", "qps"],
)


def test_the_frontier():
    """m=8 s=20 is beaten in both by m=12 s=10."""
    found = frontier(RUNS[RUNS["engine"] == "mariadb"])

    assert [(0.995, 4745.0), (0.984, 5351.4)] == [
        (one.recall, one.qps) for one in found.itertuples(index=False)
    ]


def metrics(*rows: tuple) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["engine", "m", "metric", "value"])


def test_recall_and_rate_side_by_side():
    """One row per run; a parameter that an engine lacks is empty."""
    found = recall_and_qps(
        metrics(("a", "8", "recall", 0.9), ("a", "8", "qps", 50.0),
                ("b", None, "qps", 70.0), ("b", None, "recall", 0.8),
                ("b", None, "build_s", 7.0)), ["engine", "m"],
    )  # fmt: skip

    assert [("a", "8", 0.9, 50.0), ("b", "", 0.8, 70.0)] == list(
        found.itertuples(index=False, name=None)
    )


def test_runs_that_are_not_told_apart():
    """Two rates of one run: which belongs to the recall?"""
    rows = metrics(("a", "8", "recall", 0.9), ("a", "8", "qps", 5), ("a", "8", "qps", 6))
    with pytest.raises(ValueError, match="engine, m do not tell all runs apart"):
        recall_and_qps(rows, ["engine", "m"])


def test_a_run_without_its_rate():
    """Nothing is filled in."""
    with pytest.raises(ValueError, match="without its recall or its queries/s"):
        recall_and_qps(metrics(("a", "8", "recall", 0.9)), ["engine", "m"])


@pytest.mark.parametrize(
    ("recall", "rate"),
    [
        (0.5, 1000.0),  # all settings have more: the fastest
        (0.8, 1000.0),
        (0.85, 1000 * 0.1**0.5),  # half way between 1,000 and 100 on a log scale
        (0.9, 100.0),
        (0.95, 10.0),  # 0.97 at 5 is beaten by 0.95 at 10 only in rate: both are in front
        (0.97, 5.0),
    ],
)
def test_the_rate_at_a_recall_lies_between_settings(recall, rate):
    """Straight lines of log qps over recall; a setting that another beats has no say."""
    recalls, rates = [0.8, 0.9, 0.95, 0.97, 0.85], [1000, 100, 10, 5, 90]

    assert rate == pytest.approx(rate_at(recall, recalls, rates))


def test_beyond_what_was_measured_nothing_is_said():
    """A recall above all settings' has no rate."""
    assert np.isnan(rate_at(0.98, [0.8, 0.97], [10, 5]))


def _runs(recalls):
    """A metric frame: per engine and run the recalls of settings ef10 and ef40."""
    rows = []
    for engine, runs in recalls.items():
        for trial, (low, high) in enumerate(runs, 1):
            for step, recall, qps in (("ef10", low, 1000.0), ("ef40", high, 100.0)):
                row = {
                    "engine": engine, "trial": trial, "run_id": f"{engine}{trial}",
                    "step": step, "op": "query", "clock": "", "seq": 1,
                    "direction": "higher",
                }  # fmt: skip
                rate = {"metric": "qps", "value": qps, "unit": "queries/s", "main": True}
                share = {"metric": "recall", "value": recall, "unit": "ratio"}
                rows += [row | rate, row | share | {"main": False}]
    return pd.DataFrame(rows)


def test_a_frontier_has_means_with_intervals():
    """Recalls .80, .82, .84: mean .82, sem .02 / sqrt 3, t(2) 4.303: half .0497."""
    table = frontiers(_runs({"a": [(0.80, 0.9), (0.82, 0.9), (0.84, 0.9)]}))
    row = table[table["step"] == "ef10"].iloc[0]

    assert row["recall"] == pytest.approx(0.82)
    assert row["recall_low"] == pytest.approx(0.82 - 0.0497, abs=1e-4)
    assert row["qps"] == pytest.approx(1000)
    assert 3 == row["n"]


def test_rates_at_recalls_are_steps_of_a_metric_frame():
    """.9 of every run; .99 of none, so it has no row."""
    table = at_recalls(_runs({"a": [(0.8, 0.9), (0.8, 0.92)]}), [0.9, 0.99])

    assert ["recall 0.9", "recall 0.9"] == list(table["step"])
    assert table["value"].iloc[0] == pytest.approx(100)
    assert table["value"].iloc[1] == pytest.approx(10 ** (3 - 0.1 / 0.12))
    assert table["main"].all()


def test_an_engine_that_ignores_its_setting_is_found():
    """The same recall wherever it looks; all of them found is no sign of it."""
    fronts = frontiers(
        _runs({"deaf": [(0.8, 0.8)] * 2, "good": [(0.8, 0.9)] * 2, "all": [(1, 1)] * 2})
    )

    assert ["deaf"] == list(unmoved(fronts)["engine"])
