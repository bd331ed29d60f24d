"""A metric frame as histories: of each test one value per commit, and what changed.

A commit's value is the median of its runs; in which order they stand, ``order`` knows.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from benchmath.changes.apart import OF_A_RUN, SETTINGS, settings_split, splits
from benchmath.changes.changepoints import (
    MOST_POINTS,
    Changepoint,
    Detected,
    Series,
    as_series,
    detect,
    measured,
)
from benchmath.changes.order import Order, order_of
from benchmath.changes.shift import Shift
from benchmath.frames import dimensions_of, kept, measurement_of, name_of, require

BLOCK = 2000  # points that are searched at once; a longer past is settled
_STEP = 1000  # from block to block: each change lies well inside one of them
_NEAR = 6  # points: nearer changes of two blocks are one; a level has as many

Search = Callable[[Sequence[np.ndarray]], list[Detected]]


@dataclass(frozen=True)
class CommitSeries:
    """One value per commit of one test; ``labels`` are what tells it from others."""

    test: str
    labels: dict[str, str]
    commits: tuple[str, ...]
    times: tuple[str, ...]
    values: np.ndarray


def commit_dimension(frame: pd.DataFrame) -> str:
    """``commit`` where runs have one, else ``version``."""
    named = "commit" in frame.columns and (frame["commit"].astype(str) != "").any()
    return "commit" if named else "version"


def commit_series(
    frame: pd.DataFrame, dimension: str, order: Order | None = None
) -> list[CommitSeries]:
    """Every test of a metric frame, all its metrics, over the commits, in their order.

    Dimensions that follow from the commit (its version, its build) tell no tests apart;
    machine, clients and placement always do, and settings that commits share. ValueError
    for values that are not finite, and for a test whose unit or direction changes on the
    way.
    """
    require(frame, (dimension, "value", "unit", "direction"))
    rows = kept(frame, frame[dimension].astype(str) != "")
    order = order or order_of(rows, dimension)
    rows = kept(rows, rows[dimension].astype(str).isin(order.names))
    if not np.isfinite(rows["value"].to_numpy(dtype=float)).all():
        raise ValueError("a value is not finite")
    if rows.empty:
        return []
    codes = _codes(rows, dimension)
    keys = _keys(codes, measurement_of(rows), dimension)
    names = np.asarray(order.names, dtype=object)
    times = np.asarray([order.times.get(n, "") for n in order.names], dtype=object)
    place = pd.Index(names).get_indexer(rows[dimension].astype(str))
    telling = [k for k in keys if codes[k].any()] or ["step"]
    test = codes.groupby(telling, sort=False).ngroup().to_numpy()
    points = pd.DataFrame(
        {"test": test, "place": place, "value": rows["value"].to_numpy()}
    )
    medians = points.groupby(["test", "place"], sort=True)["value"].median()
    _, first = np.unique(test, return_index=True)
    _check_one(codes, test, ("unit", "direction"))
    labels = rows[[*keys, "unit", "direction"]].iloc[first].astype(str).to_dict("records")
    at = medians.index.get_level_values("test").to_numpy()
    ends = np.searchsorted(at, np.arange(len(labels) + 1))
    places = medians.index.get_level_values("place").to_numpy()
    values = medians.to_numpy()
    return [
        CommitSeries(
            name_of_test(label, telling), label,
            tuple(names[places[a:b]]), tuple(times[places[a:b]]), values[a:b],
        )
        for label, (a, b) in zip(labels, pairwise(ends), strict=True)
    ]  # fmt: skip


def name_of_test(labels: dict[str, str], telling: Sequence[str]) -> str:
    """The step and metric, then what else tells the test from others."""
    measured_as = [labels[k] for k in ("step", "metric") if labels.get(k)]
    further = {k: labels[k] for k in telling if k not in ("step", "metric", "op")}
    words = name_of({k: v for k, v in further.items() if v})
    return " ".join([*dict.fromkeys(measured_as), *([words] if words else [])])


def blocks(n: int) -> list[tuple[int, int]]:
    """Where the blocks of a series begin and end; a new point changes the last alone."""
    last = max(0, math.ceil((n - BLOCK) / _STEP))
    return [(i * _STEP, min(i * _STEP + BLOCK, n)) for i in range(last + 1)]


def histories_of(
    series: Sequence[np.ndarray], search: Search | None = None
) -> list[list[Changepoint]]:
    """The changes of each series; of more than 2,000 points block by block.

    ``search`` answers for blocks: the detector, one after the other, where none is given,
    in several processes, or a memory of what it said. Blocks
    overlap by half, each answers for its middle, and p is that within the block.
    """
    parts = [blocks(values.size) for values in series]
    wanted = [v[a:b] for v, its in zip(series, parts, strict=True) for a, b in its]
    answers = iter(search(wanted) if search else map(found, wanted))
    return [
        measured(as_series(values), _joined(its, [next(answers) for _ in its]))
        for values, its in zip(series, parts, strict=True)
    ]


def _joined(parts: list[tuple[int, int]], answers: list[Detected]) -> Detected:
    """What the blocks of a series say together."""
    if len(parts) == 1:
        return answers[0]
    changes: list[Shift] = []
    outliers: set[int] = set()
    for (start, end), answer in zip(parts, answers, strict=True):
        low = start + _STEP // 2 if start else 0
        high = end if (start, end) == parts[-1] else end - _STEP // 2
        at = [Shift(start + c.position, c.p) for c in answer.changes]
        changes += [c for c in at if low - _NEAR <= c.position < high + _NEAR]
        outliers |= {start + i for i in answer.outliers if low <= start + i < high}
    return Detected(_apart(changes), sorted(outliers))


def found(values: np.ndarray) -> Detected:
    """What the detector says of one block: of few points that of versions."""
    series = as_series(values)
    if values.size > MOST_POINTS:
        return detect(Series(series.values, series.places, None))
    answer = detect(series)
    return Detected(answer.changes, answer.outliers)


def change_rows(series: CommitSeries, changes: Sequence[Changepoint]) -> list[dict]:
    """Each change of a test with its range of commits, and what it means, in words.

    ``difference`` is that of the two levels' means: what there is where one of them has a
    0, and so no ratio.
    """
    ends = [0, *(c.position for c in changes), len(series.values)]
    levels = [series.values[a:b].mean() for a, b in pairwise(ends)]
    return [
        {
            "after": series.commits[c.position - 1], "at": series.commits[c.position],
            "time": series.times[c.position], "place": c.position,
            "ratio": c.ratio, "low": c.low, "high": c.high, "p": c.p,
            "n_before": c.n_before, "n_after": c.n_after, "difference": new - old,
            "verdict": verdict(c, series.labels["direction"], new - old),
        }
        for c, (old, new) in zip(changes, pairwise(levels), strict=True)
    ]  # fmt: skip


def verdict(change: Changepoint, direction: str, difference: float) -> str:
    """better, worse, changed (no direction), or unsure (its interval holds 1)."""
    if change.low <= 1 <= change.high:
        return "unsure"
    if direction not in ("higher", "lower"):
        return "changed"
    more = difference > 0 if math.isnan(change.ratio) else change.ratio > 1
    return "better" if more == (direction == "higher") else "worse"


def _codes(rows: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """What tells rows apart, each value as a number: 0 where a column has but one."""
    names = (dimension, *measurement_of(rows), *dimensions_of(rows), "unit", "direction")
    return pd.DataFrame(
        {name: pd.factorize(rows[name], use_na_sentinel=False)[0] for name in names}
    )


def _keys(codes: pd.DataFrame, measurement: list[str], dimension: str) -> list[str]:
    """What was measured, and the dimensions that vary within a commit.

    Clients and placement tell tests apart in any case, and settings that commits share:
    no commit brings them along.
    """
    told = [*measurement, "unit", "direction"]
    free = [str(c) for c in codes.columns if c not in (dimension, *told)]
    varying = [c for c in measurement if codes[c].any()]
    cell = codes.groupby([dimension, *varying], sort=False).ngroup().to_numpy()
    always = {"machine", *(d for d in OF_A_RUN if d in free and codes[d].any())}
    keys = [
        d
        for d in free
        if d in always or (codes[d].any() and splits(cell, codes[d].to_numpy()))
    ]
    if SETTINGS in free and SETTINGS not in keys and codes[SETTINGS].any():
        tests = codes.groupby([*varying, *keys], sort=False).ngroup().to_numpy()
        own = codes[SETTINGS].to_numpy()
        if settings_split(tests, own, codes[dimension].to_numpy()):
            keys = [d for d in free if d in (*keys, SETTINGS)]
    return [*measurement, *keys]


def _check_one(codes: pd.DataFrame, test: np.ndarray, columns: Sequence[str]) -> None:
    """A test has one value of each of these columns."""
    for column in columns:
        own = codes[column].to_numpy()
        if len(pd.unique(test * (own.max() + 1) + own)) > int(test.max()) + 1:
            raise ValueError(f"a test has more than one {column}")


def _apart(changes: Sequence[Shift]) -> list[Shift]:
    """Of changes that two blocks put nearly at one place, the surer one."""
    kept: list[Shift] = []
    for change in sorted(changes, key=lambda c: (c.position, c.p)):
        if kept and change.position - kept[-1].position < _NEAR:
            kept[-1] = min(kept[-1], change, key=lambda c: c.p)
        else:
            kept.append(change)
    return kept
