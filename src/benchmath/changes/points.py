"""The versions of each test: relative to its first, and what moved most by its last."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.changes.series import VersionSeries, version_series
from benchmath.frames import dimensions_of, require, select
from benchmath.intervals import LEVEL
from benchmath.special import special

_COLUMNS = ("test", "version", "n", "ratio", "low", "high", "level", "change")


def version_points(
    frame: pd.DataFrame,
    changes: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    by: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One row per test and version; ``changes`` is the frame of ``version_changes``.

    Columns: test, version, n (runs), ratio (geometric mean of the runs over that of the
    test's first version), low and high (95% interval of the version's own mean, from the
    spread of runs pooled over the test; NaN where no version has two), level (of the
    versions between two changes, on the same scale), change (better, worse or changed at
    the first version of a level, else nothing; a change that is not detected among all
    tests has none). A version with a run of 0 is left out.
    """
    require(changes, ("test", "at", "ratio", "better", "detected"))
    tests = version_series(frame, dimension, metric, by)
    parts = [_points(test, changes[changes["test"] == test.test]) for test in tests]
    if not parts:
        return pd.DataFrame(columns=_COLUMNS)
    return pd.concat(parts, ignore_index=True)  # not with an empty one: numbers stay such


def _points(test: VersionSeries, changes: pd.DataFrame) -> pd.DataFrame:
    with np.errstate(divide="ignore"):
        logs = pd.Series(np.log(test.values)).groupby(test.groups)
    n, mean = logs.size().to_numpy(), logs.mean().to_numpy()
    freedom = float((n - 1).sum())
    half = np.full(n.size, np.nan)
    if freedom:
        sd = np.sqrt(float((logs.var().fillna(0.0) * (n - 1)).sum()) / freedom)
        half = special.stdtrit(freedom, (1 + LEVEL) / 2) * sd / np.sqrt(n)
    mean = mean - mean[0]
    points = pd.DataFrame(
        {
            "test": test.test,
            "version": test.versions,
            "n": n,
            "ratio": np.exp(mean),
            "low": np.exp(mean - half),
            "high": np.exp(mean + half),
            "level": _levels(test, mean, changes),
            "change": "",
        }
    )
    for change in changes[changes["detected"]].itertuples():
        kind = {True: "better", False: "worse"}.get(change.better, "changed")
        points.loc[points["version"] == change.at, "change"] = kind
    return points[np.isfinite(points["ratio"]) & (points["ratio"] > 0)]


def _levels(test: VersionSeries, mean: np.ndarray, changes: pd.DataFrame) -> np.ndarray:
    """The first level is where its versions are, each further one its ratio away."""
    steps = np.zeros(mean.size)
    for change in changes.itertuples():
        steps[test.versions.index(change.at)] = np.log(change.ratio)
    levels = np.cumsum(steps)
    return np.exp(levels + np.median(mean[levels == 0]))


_ENDS = (
    "test",
    "metric",
    "unit",
    "first_version",
    "last_version",
    "first",
    "last",
)


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
    return pd.DataFrame.from_records(records, columns=_ENDS)


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
