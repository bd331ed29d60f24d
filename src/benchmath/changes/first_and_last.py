"""The tests that moved most from the first version to the last, in all their metrics."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmath.changes.series import VersionSeries, version_series
from benchmath.frames import dimensions_of, require, select

_COLUMNS = ("test", "metric", "unit", "first_version", "last_version", "first", "last")


def first_and_last(
    frame: pd.DataFrame,
    metrics: tuple[str, ...],
    dimension: str = "version",
    most: int = 8,
) -> pd.DataFrame:
    """Absolute values of the tests whose throughput moved most, that one first.

    One row per test and metric, throughput before ``metrics``; those that a test lacks
    have no row. Columns: test, metric, unit, first_version, last_version, first and last
    (means over the runs of the test's first and last version).
    """
    require(frame, ("step", "metric", "value", "unit", dimension))
    tests = sorted(version_series(frame, dimension), key=_moved, reverse=True)[:most]
    keys = ["step", *(d for d in dimensions_of(frame) if d != dimension)]
    main = select(frame)
    records = []
    for test in tests:
        for metric in ("throughput", *metrics):
            rows = main if metric == "throughput" else frame[frame["metric"] == metric]
            own = [k for k in keys if k in test.labels]
            same = (rows[own] == [test.labels[k] for k in own]).all(axis="columns")
            records += _row(rows[same], test, dimension, metric)
    return pd.DataFrame.from_records(records, columns=_COLUMNS)


def _moved(test: VersionSeries) -> float:
    """How far the last version is from the first, on a logarithmic scale."""
    first, last = _ends(test)
    return abs(float(np.log(last / first))) if first > 0 and last > 0 else 0.0


def _ends(test: VersionSeries) -> tuple[float, float]:
    ends = (test.groups == at for at in (0, len(test.versions) - 1))
    first, last = (float(test.values[runs].mean()) for runs in ends)
    return first, last


def _row(
    rows: pd.DataFrame, test: VersionSeries, dimension: str, metric: str
) -> list[tuple[str | float, ...]]:
    """The metric's row; none where an end of the series lacks it."""
    means = rows.groupby(rows[dimension].astype(str))["value"].mean()
    ends = (test.versions[0], test.versions[-1])
    if not set(ends) <= set(means.index):
        return []
    unit = str(rows["unit"].iloc[0])
    return [(test.test, metric, unit, *ends, *(float(means[v]) for v in ends))]
