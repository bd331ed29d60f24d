"""What the detectors say of the same series: agreement is evidence, not proof.

Each series is taken alone, without what the other tests of its study tell.
Distances between segmentations are those of ruptures.metrics.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from ruptures.metrics import hausdorff, precision_recall, randindex

from benchmath.changes.changepoints import METHODS, Groups, Values, shifts
from benchmath.changes.series import VersionSeries, version_series
from benchmath.frames import Kind

MARGIN = 2  # positions by which two methods may differ on one change
_AGREEMENT = Kind("method_agreement", dict.fromkeys((*METHODS, "all"), "tests"))
_LIKENESS = ("method", "changes", "precision", "recall", "randindex", "hausdorff")


def agreement(
    series: Values, groups: Groups | None = None, margin: int = MARGIN
) -> pd.DataFrame:
    """One row per changepoint that any method finds, in order of position.

    Columns: position, one column per method with the position at which it finds the
    change (NA where it does not), methods (how many do). Changes of two methods
    are one when they are at most ``margin`` positions apart; each has one partner at
    most, the closest first.
    """
    rows: list[dict[str, int]] = []
    for method in METHODS:
        positions = [shift.position for shift in shifts(series, groups, method)]
        partners = matched([row["position"] for row in rows], positions, margin)
        for position in positions:
            if position in partners:
                rows[partners[position]][method] = position
            else:
                rows.append({"position": position, method: position})
    table = pd.DataFrame.from_records(rows, columns=["position", *METHODS])
    table = table.astype("Int64").sort_values("position", ignore_index=True)
    return table.assign(methods=table[list(METHODS)].notna().sum(axis=1))


def likeness(
    series: Values, groups: Groups | None = None, margin: int = MARGIN
) -> pd.DataFrame:
    """One row per method of ruptures, each compared with our own detector.

    Columns: method, changes, precision and recall (share of its changes that ours
    finds, of ours that it finds, within ``margin`` positions), randindex (share of
    pairs of points that both put together or both put apart), hausdorff (the largest
    distance from a change of one to the nearest of the other, positions). Precision,
    recall and distance are NaN where a side has no change.
    """
    size = len(series)
    own, *others = (
        [*(shift.position for shift in shifts(series, groups, method)), size]
        for method in METHODS
    )
    records = [
        (method, len(ends) - 1, *_compared(own, ends, margin))
        for method, ends in zip(METHODS[1:], others, strict=True)
    ]
    return pd.DataFrame.from_records(records, columns=_LIKENESS)


def matched(others: list[int], positions: list[int], margin: int) -> dict[int, int]:
    """For each position with a partner, the index of its partner in ``others``.

    Partners are at most ``margin`` apart, one each, the closest pairs first.
    """
    pairs = sorted(
        (abs(position - other), position, i)
        for position in positions
        for i, other in enumerate(others)
        if abs(position - other) <= margin
    )
    partners: dict[int, int] = {}
    for _, position, i in pairs:
        if position not in partners and i not in partners.values():
            partners[position] = i
    return partners


def method_agreement(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    by: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One row per boundary that any method finds: in how many tests each finds it.

    Columns: boundary, one column per method (tests), all (tests in which all methods
    find it); in version order. Arguments as of ``version_series``. Our own detector is
    given no noise floor here, since the others cannot take one.
    """
    tests = version_series(frame, dimension, metric, by)
    parts = [part for test in tests if len(part := _by_boundary(test))]
    if not parts:
        return pd.DataFrame(columns=["boundary", *_AGREEMENT.columns])
    grouped = pd.concat(parts).groupby(["place", "boundary"])
    counts = grouped[list(_AGREEMENT.columns)].sum().reset_index()
    return _AGREEMENT.of(counts, ["boundary"])


def method_likeness(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    by: Sequence[str] | None = None,
) -> pd.DataFrame:
    """``likeness`` over all tests: one row per method of ruptures.

    Columns: method, changes (their sum), precision, recall, randindex and hausdorff
    (means over the tests that have them). Arguments as of ``version_series``.
    """
    tests = version_series(frame, dimension, metric, by)
    parts = [likeness(test.values, test.groups) for test in tests]
    each = pd.concat([pd.DataFrame(columns=_LIKENESS), *parts]).groupby("method")
    total = each["changes"].sum().astype(int)
    means = each[["precision", "recall", "randindex", "hausdorff"]].mean().astype(float)
    return total.to_frame().join(means).reset_index()


def _compared(
    own: list[int], ends: list[int], margin: int
) -> tuple[float, float, float, float]:
    if len(own) == 1 or len(ends) == 1:
        return np.nan, np.nan, randindex(own, ends), np.nan
    precision, recall = precision_recall(own, ends, margin + 1)  # theirs is exclusive
    return precision, recall, randindex(own, ends), float(hausdorff(own, ends))


def _by_boundary(test: VersionSeries) -> pd.DataFrame:
    points = agreement(test.values, test.groups)
    at = test.groups[points["position"].to_numpy(dtype=int)]
    named = [f"{test.versions[i - 1]}→{test.versions[i]}" for i in at]
    each = points[list(METHODS)].notna().astype(int)
    return each.assign(
        boundary=named,
        place=[test.places[i] for i in at],
        all=(points["methods"] == len(METHODS)).astype(int),
    )
