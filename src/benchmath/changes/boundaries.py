"""Which versions changed: changepoints of every test, grouped by boundary.

A boundary lies between two neighbouring versions of a test: ``8.0.20→8.0.28``. A version
that alone differs from those around it is no change of level and is listed apart.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.changes.changepoints import Changepoint, measured
from benchmath.changes.panel import LEAST_CHANCE, Judged, detect_together
from benchmath.changes.series import VersionSeries, version_series
from benchmath.changes.shift import OWN, SHARED, WITH_OTHERS
from benchmath.frames import Kind, require
from benchmath.ratios.power import ALPHA
from benchmath.ratios.verdicts import benjamini_hochberg

_OUTLIERS = Kind("outlying_versions", {"ratio": "ratio", "n": "runs"})
_CHANGE = (
    "after", "at", "boundary", "place", "ratio", "low", "high", "n_before", "n_after",
    "p", "better", "chance", "evidence", "q", "detected",
)  # fmt: skip
_BOUNDARY = (
    "boundary", "after", "at", "hit", "shared", "of", "median", "min", "max", "up",
    "down", "members", "sentence",
)  # fmt: skip


def version_changes(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    by: Sequence[str] | None = None,
    floor: pd.DataFrame | None = None,
    method: str = "benchbook",
) -> pd.DataFrame:
    """One row per test and changepoint; arguments as of ``version_series``.

    Columns: test (its name), the columns of the tests, unit, direction, after (the last
    version of the old level), at (the first of the new), boundary, place (index of
    ``at`` among the frame's versions), ratio, low, high, n_before and n_after (runs of
    the two levels), p (adjusted within its test, by its own series), better (by the
    metric's direction; NA without one), chance (posterior, with what the other tests
    tell; NaN for the detectors of ruptures and for more than 100 versions), evidence
    ("own": the test's series shows the change; "shared": only the evidence of the other
    tests makes it likely, see ``panel.detect_together``), q (of the test:
    Benjamini-Hochberg over the smallest p that its own series gives, 1 if it gives none),
    detected (shared, or not q > 0.05 and an interval that leaves out 1; true also of a
    change without p, which the detectors of ruptures give, or without an interval).

    Tests are screened as a family first and their own changes taken as their own p says:
    Y. Benjamini and M. Bogomolov, "Selective inference on multiple families of
    hypotheses", JRSS B 76 (2014). Shared changes rest on their chance instead, and so do
    own ones that are not clear by themselves but whose chance the others raise as high.
    """
    tests = version_series(frame, dimension, metric, by, floor)
    panel = detect_together(tests, method)
    family = benjamini_hochberg([_least_own_p(judged) for judged in panel])
    records = [
        record
        for test, judged, q in zip(tests, panel, family, strict=True)
        for record in _changes(test, judged, q)
    ]
    columns = ["test", *(tests[0].labels if tests else ()), *_CHANGE]
    table = pd.DataFrame.from_records(records, columns=columns)
    return table.astype({"better": "boolean", "detected": bool})


def outlying_versions(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    by: Sequence[str] | None = None,
    floor: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """One row per test and version that alone differs from the level around it.

    Columns: test, version, ratio (geometric mean of its runs over that of its level's
    other runs), n (its runs).
    """
    tests = version_series(frame, dimension, metric, by, floor)
    panel = zip(tests, detect_together(tests), strict=True)
    records = [record for test, judged in panel for record in _outliers(test, judged)]
    columns = ["test", "version", *_OUTLIERS.columns]
    return _OUTLIERS.shown(pd.DataFrame.from_records(records, columns=columns))


def boundaries(changes: pd.DataFrame, series_count: int) -> pd.DataFrame:
    """One row per boundary with all the tests that change there, in version order.

    Takes the detected rows of ``version_changes``. Columns: boundary, after, at, hit
    (tests), shared (those of them found only with the evidence of the other tests), of
    (``series_count``), median, min, max (change in percent; the median on
    the log scale), up and down (tests), members (a tuple of their names, the largest
    change first), sentence.
    """
    require(changes, ("test", "boundary", "after", "at", "place", "ratio"))
    require(changes, ("evidence", "detected"))
    changes = changes[changes["detected"]].sort_values("place", kind="stable")
    records = [
        _boundary(name, part, series_count)
        for name, part in changes.groupby("boundary", sort=False)
    ]
    return pd.DataFrame.from_records(records, columns=_BOUNDARY)


def percent_text(change: float) -> str:
    """A change in percent with its sign, two digits: ``−6.2%``, ``+12%``."""
    size = abs(change)
    digits = f"{size:.0f}" if size >= 99.5 else f"{size:.2g}"
    return f"{'−' if change < 0 else '+'}{digits}%"


def _least_own_p(judged: Judged) -> float:
    own = zip(judged.detection.changes, judged.evidence, strict=True)
    return min((change.p for change, evidence in own if evidence == OWN), default=1.0)


def _changes(test: VersionSeries, judged: Judged, q: float) -> list[dict[str, object]]:
    """The records of a test; what its family does not believe the panel may."""
    records = []
    changes = measured(judged.series, judged.detection, test.floor_sd)
    for change, chance, evidence, raised in zip(
        changes, judged.chances, judged.evidence, judged.raised, strict=True
    ):
        clear = not q > ALPHA and not change.low <= 1 <= change.high
        by_others = not clear and raised and chance >= LEAST_CHANCE
        shared = evidence == SHARED or by_others
        judgement = {"chance": chance, "evidence": SHARED if shared else OWN}
        judgement |= {"q": q, "detected": shared or clear}
        records.append(_change(test, change) | judgement)
    return records


def _change(test: VersionSeries, change: Changepoint) -> dict[str, object]:
    at = int(test.groups[change.position])
    after, first = test.versions[at - 1], test.versions[at]
    rises = {"higher": change.ratio > 1, "lower": change.ratio < 1}
    return test.labels | {
        "test": test.test,
        "after": after,
        "at": first,
        "boundary": f"{after}→{first}",
        "place": test.places[at],
        "ratio": change.ratio,
        "low": change.low,
        "high": change.high,
        "n_before": change.n_before,
        "n_after": change.n_after,
        "p": change.p,
        "better": rises.get(str(test.labels["direction"]), pd.NA),
    }


def _outliers(test: VersionSeries, judged: Judged) -> list[tuple[str, str, float, int]]:
    """The versions all of whose runs are outliers, each against its level."""
    series, detection = judged.series, judged.detection
    out = np.zeros(series.values.size, dtype=bool)
    out[detection.outliers] = True
    starts = [change.position for change in detection.changes]
    level = np.searchsorted(starts, np.arange(out.size), side="right")
    records = []
    groups = test.groups[series.places]  # of many versions a series keeps one value each
    for version in np.unique(groups):
        runs = groups == version
        others = (level == level[runs][0]) & ~out
        if out[runs].all() and others.any():
            change = series.logs[runs].mean() - series.logs[others].mean()
            name, ratio = test.versions[version], float(np.exp(change))
            n = int((test.groups == version).sum())
            records.append((test.test, name, ratio, n))
    return records


def _boundary(name: object, part: pd.DataFrame, of: int) -> dict[str, object]:
    percent = 100 * (part["ratio"] - 1)
    logs = np.log(part["ratio"])
    median = float(100 * np.expm1(logs.median()))
    largest = logs.abs().sort_values(ascending=False, kind="stable").index
    up, down = int((percent > 0).sum()), int((percent < 0).sum())
    mixed = f", {down} down and {up} up" if up and down else ""
    tests = f"{len(part)} of {of} test{'s' * (of != 1)}"
    shared = int((part["evidence"] == SHARED).sum())
    by_others = f" ({shared} {WITH_OTHERS})" if shared else ""
    return {
        "boundary": name,
        "after": part["after"].iloc[0],
        "at": part["at"].iloc[0],
        "hit": len(part),
        "shared": shared,
        "of": of,
        "median": median,
        "min": float(percent.min()),
        "max": float(percent.max()),
        "up": up,
        "down": down,
        "members": tuple(part.loc[largest, "test"]),
        "sentence": f"{name}: {tests}{by_others}{mixed}, median {percent_text(median)}",
    }


FAR = 0.1  # of the base, that an interval must be away from it


def unplaced(judged: pd.DataFrame, boundaries: pd.DataFrame) -> pd.DataFrame:
    """Rows of ``judged`` with an interval far from 1, where no boundary moves the step.

    ``judged`` is the frame of ``verdicts`` in the order of the versions, ``boundaries``
    that of the same study. The noise of a detector is that between runs of a version; a
    ratio may have a much shorter interval, that of turns, or of many runs.
    """
    require(judged, ("version", "step", "low", "high", "q"))
    order = list(dict.fromkeys(judged["version"].astype(str)))
    far = (judged["q"] <= ALPHA) & (
        (judged["high"] < 1 - FAR) | (judged["low"] > 1 + FAR)
    )
    rows = judged[far.fillna(False).astype(bool)]
    placed = [
        _is_placed(str(row["step"]), str(row["version"]), boundaries, order)
        for row in rows.to_dict("records")
    ]
    return rows[[not one for one in placed]]


def _is_placed(
    step: str, version: str, boundaries: pd.DataFrame, order: Sequence[str]
) -> bool:
    """Does a boundary move the step at this version or before it?"""
    upto = set(order[: order.index(version) + 1])
    return any(
        step in {word for test in row["members"] for word in str(test).split()}
        and (str(row["at"]) in upto or str(row["at"]) not in order)
        for row in boundaries.to_dict("records")
    )
