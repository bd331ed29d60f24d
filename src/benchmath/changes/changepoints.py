"""Changepoints: where the level of an ordered series changes, and by how much.

One function for two shapes. *Versions* are few positions, measured once or several times;
a cut lies between two versions. *Commits* are many positions, one value each. Our own
detectors and those of ruptures are exchangeable by name.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from benchmath.changes.levels import (
    commit_ratios,
    version_medians,
    version_ratios,
)
from benchmath.changes.shift import Shift
from benchmath.intervals import Interval

if TYPE_CHECKING:
    from benchmath.changes.versions.detector import VersionShifts

METHODS = ("benchbook", "kernelcpd", "pelt")
MOST_VERSIONS = 100  # named positions; more than that are commits
MOST_POINTS = 50  # the same of values that nobody says are versions

Values = Sequence[float | None] | np.ndarray
Groups = Sequence[Hashable] | np.ndarray


@dataclass(frozen=True)
class Changepoint:
    """A change of level; ``position`` is the index of the new level's first point.

    ``ratio`` is the new level over the old one (geometric means without outliers) with
    its 95% interval; NaN for a series that is not positive. ``p`` is adjusted for the
    positions that the detector could have chosen, NaN for the detectors of ruptures.
    ``n_before`` and ``n_after`` count the values of the two levels without outliers.
    """

    position: int
    ratio: float
    low: float
    high: float
    p: float
    n_before: int
    n_after: int


@dataclass(frozen=True)
class Series:
    """An ordered series as the detectors take it: without its missing values.

    ``places`` tells at which index of the series given a level begins that begins with
    this value: its own, or its version's first. ``versions`` counts the versions from 0;
    None for commits.
    """

    values: np.ndarray
    places: np.ndarray
    versions: np.ndarray | None

    @property
    def logs(self) -> np.ndarray:
        """Logarithms; the values themselves where one is not positive."""
        return np.log(self.values) if self.is_positive else self.values

    @property
    def is_positive(self) -> bool:
        return bool((self.values > 0).all())


@dataclass(frozen=True)
class Detected:
    """What a detector says of a ``Series``: changes, and the indexes of outliers.

    ``fit`` is our detector of versions as it was left, for the panel of many tests.
    """

    changes: list[Shift]
    outliers: list[int]
    fit: VersionShifts | None = None


def changepoints(
    series: Values,
    groups: Groups | None = None,
    method: str = "benchbook",
    floor_sd: float = 0.0,
) -> list[Changepoint]:
    """The changepoints of an ordered series, first to last.

    ``groups[i]`` is the version that point i repeats; the points of a version stand
    together. Without groups each point is a version of its own, and more than 50
    points are commits. More than 100 versions are commits too, each the median of its
    points. NaN and None are missing values.
    ``floor_sd`` is the stddev (of logarithms) from build to build and load to load,
    where it is known; of commits the series itself tells the noise.
    ValueError for an unknown method, for values that are no numbers, and for groups
    that do not fit the series.
    """
    present = as_series(series, groups)
    return measured(present, detect(present, method, floor_sd), floor_sd)


def measured(
    series: Series, detection: Detected, floor_sd: float = 0.0
) -> list[Changepoint]:
    """What was found in a series with the ratios of the levels, first to last."""
    if not detection.changes:
        return []
    starts = np.array([change.position for change in detection.changes])
    logs = series.logs.copy()
    logs[detection.outliers] = np.nan
    bounds = np.transpose(_ratios(series, logs, starts, floor_sd)).tolist()
    n = [int(np.count_nonzero(~np.isnan(part))) for part in np.split(logs, starts)]
    return [
        Changepoint(int(series.places[at]), ratio, low, high, p, before, after)
        for (at, p), (ratio, low, high), (before, after) in zip(
            ((c.position, c.p) for c in detection.changes),
            bounds,
            pairwise(n),
            strict=True,
        )
    ]


def shifts(
    series: Values, groups: Groups | None = None, method: str = "benchbook"
) -> list[Shift]:
    """Position and p of each changepoint, without ratios; see ``changepoints``."""
    present = as_series(series, groups)
    changes = detect(present, method).changes
    return [replace(s, position=int(present.places[s.position])) for s in changes]


def as_series(series: Values, groups: Groups | None = None) -> Series:
    """Check a series and drop its missing values; see ``changepoints``."""
    try:
        values = np.asarray(series, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError("a series is one list of numbers") from error
    if values.ndim != 1:
        raise ValueError("a series is one list of numbers")
    if np.isinf(values).any():
        raise ValueError(f"value {int(np.isinf(values).argmax())} is infinite")
    present = np.flatnonzero(~np.isnan(values))
    versions = _versions(values.size, groups)
    if versions is None:
        return Series(values[present], present, None)
    _, begins = np.unique(versions, return_index=True)
    values, versions = values[present], versions[present]
    places = begins[versions]
    if begins.size > MOST_VERSIONS:
        first, medians = version_medians(values, versions)
        return Series(medians, places[first], None)
    _, counted = np.unique(versions, return_inverse=True)
    return Series(values, places, counted)


def detect(series: Series, method: str = "benchbook", floor_sd: float = 0.0) -> Detected:
    """Run the detector of that name; ValueError for a name not in ``METHODS``."""
    if method not in METHODS:
        raise ValueError(f"no method {method!r}; available: {', '.join(METHODS)}")
    if series.values.size < 2:
        return Detected([], [])
    if method == "benchbook":
        return _benchbook(series, floor_sd)
    return _of_ruptures(series, method)


def _benchbook(series: Series, floor_sd: float) -> Detected:
    """Our detector for the shape; imported here because one takes long to load."""
    if series.versions is None:
        from benchmath.changes.commits.detector import CommitShifts

        commits = CommitShifts().fit(series.values)
        return Detected(commits.changes_, commits.outliers_)
    from benchmath.changes.versions.detector import VersionShifts

    versions = VersionShifts().fit(series.values, series.versions.tolist(), floor_sd)
    outliers = runs_of(series, versions.outliers_)
    return Detected(versions.changes_, outliers, versions)


def runs_of(series: Series, first: list[int]) -> list[int]:
    """The indexes of all runs of the versions that these are the first runs of."""
    assert series.versions is not None
    return np.flatnonzero(np.isin(series.versions, series.versions[first])).tolist()


def _of_ruptures(series: Series, method: str) -> Detected:
    from benchmath.changes.ruptures_methods import kernelcpd, pelt

    search = {"kernelcpd": kernelcpd, "pelt": pelt}[method]
    positions = search(series.logs, series.versions)
    return Detected([Shift(at, np.nan) for at in positions], [])


def _versions(size: int, groups: Groups | None) -> np.ndarray | None:
    """The version of each point, counted from 0; None for commits."""
    if groups is None:
        return np.arange(size) if size <= MOST_POINTS else None
    if len(groups) != size:
        raise ValueError(f"{size} values, but {len(groups)} groups")
    codes: dict[Hashable, int] = {}
    versions = np.array([codes.setdefault(g, len(codes)) for g in groups], dtype=int)
    torn = np.diff(versions) < 0  # a version comes back after another one
    if torn.any():
        name = groups[int(torn.argmax()) + 1]
        raise ValueError(f"the points of group {name!r} do not stand together")
    return versions


def _ratios(
    series: Series, logs: np.ndarray, starts: np.ndarray, floor_sd: float
) -> Interval:
    if not series.is_positive:
        return Interval(*np.full((3, starts.size), np.nan))
    if series.versions is None:
        return commit_ratios(logs, starts)
    return version_ratios(logs, series.versions, starts, floor_sd)
