"""Best throughput at a given recall."""

from __future__ import annotations

import pandas as pd
import pytest

from benchmath.recall import best_at_recall, frontier, recall_and_qps

pytestmark = pytest.mark.unit

# Runs of the archives, batch 0: the best at six recalls are published.
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


def test_the_best_at_a_recall():
    """Published for recall >= 0.99: 2337.0, 2558.3 and 4745.0 queries/s."""
    found = best_at_recall(RUNS, [0.99])

    assert [
        (0.99, "pgvector", 1, 2337.0), (0.99, "pgvector_halfvec", 1, 2558.3),
        (0.99, "mariadb", 1, 4745.0),
    ] == list(
        found[["at_recall", "engine", "rank", "qps"]].itertuples(index=False, name=None)
    )  # fmt: skip
    assert "m=12 s=10" == found["parameters"][2]


def test_the_best_two():
    """By queries/s, highest recall first."""
    found = best_at_recall(RUNS[RUNS["engine"] == "mariadb"], [0.98, 0.99], best=2)

    assert [
        (0.99, 1, 4745.0), (0.99, 2, 4522.7), (0.98, 1, 5351.4), (0.98, 2, 4745.0),
    ] == [
        (one.at_recall, one.rank, one.qps) for one in found.itertuples(index=False)
    ]  # fmt: skip


def test_an_engine_that_does_not_reach_a_recall():
    """It has no row there."""
    assert ["pgvector"] == list(best_at_recall(RUNS, [1.0])["engine"])


def test_no_recall_asked_for():
    """No rows, the same columns."""
    found = best_at_recall(RUNS, [])

    assert (0, ["at_recall", "engine", "rank"]) == (len(found), list(found.columns)[:3])


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
