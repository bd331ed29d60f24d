"""Relative throughput: each cell against the base cell that equals it otherwise."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchbook.analysis.frames import (
    cells_of,
    check_base,
    dimensions_of,
    label,
    measurement_of,
    name_of,
    select,
    tied_labels,
)
from benchbook.analysis.intervals import LEVEL, Logs, mean_interval, ratio_interval

_STATISTICS = ("n", "value", "mean_log", "var_log", "low", "high", "min", "max")

# A label that says the same as the base's own dimension is not a second change.
_SAME_THING = {
    "compiler": {"build"},
    "flags": {"build"},
    "build": {"compiler", "flags"},
    "engine": {"version", "build", "config"},
}


def summary(
    frame: pd.DataFrame,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
) -> pd.DataFrame:
    """One row per cell: n, geometric mean with its interval, lowest and highest run.

    Columns: the dimensions, step, op, clock, metric, unit, direction, n, value, low,
    high, min, max, note. A single run has no interval and says so in ``note``.
    """
    cells = _cells(frame, metric, dimensions)
    interval = mean_interval(_logs(cells), level)
    cells = cells.assign(low=interval.low, high=interval.high)
    notes = [["1 run: no interval"] * (n == 1) for n in cells["n"]]
    dims = [c for c in cells.columns if c not in _STATISTICS]
    columns = [*dims, "n", "value", "low", "high", "min", "max"]
    return cells[columns].assign(note=_joined(notes))


def relative(
    frame: pd.DataFrame,
    base: Mapping[str, str],
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
) -> pd.DataFrame:
    """Each cell over its base: ratio of geometric means over the trials.

    ``base`` maps dimensions to the base's values. ``dimensions`` are the columns that
    tell cells apart (default: all dimension columns of the frame); a cell's base is
    the base cell equal in all of them but those of ``base``. Labels that follow from
    the other dimensions (a build's name when compiler and flags are the base) do not
    take part in the match; where such a label changes together with the base's
    dimension, ``note`` says so.

    Columns: the dimensions, step, op, clock, metric, unit, direction, me, base, n,
    n_base, value, value_base (geometric means), relative, low, high, detected
    (interval without 1; NA without interval), better (True, False, NA when nothing
    was detected or the metric has no direction), note. Cells without a base cell stay,
    with NaN and a note.
    """
    dims = list(dimensions_of(frame) if dimensions is None else dimensions)
    dims += [d for d in base if d not in dims and d in frame.columns]
    cells = _cells(frame, metric, dims)
    is_base = check_base(cells, base)
    tied = tied_labels(cells, base, dims)
    match = [d for d in dims if d not in base and d not in tied] + measurement_of(cells)
    pairs = cells[~is_base].merge(
        cells.loc[is_base, [*match, "n", "value", "mean_log", "var_log", *tied]],
        on=match,
        how="left",
        suffixes=("", "_base"),
        validate="many_to_one",
    )
    return _columns(_compared(pairs, level), base, dims, tied)


def published_ratio(me: float, base: float) -> str:
    """A ratio as the published tables print it: ``1`` for 0/0, ``inf`` over 0, %.2f.

    Both arguments are the printed absolute values; rounding is that of C's printf.
    """
    if base == 0:
        return "1" if me == 0 else "inf"
    return f"{me / base:.2f}"


def _cells(
    frame: pd.DataFrame, metric: str, dimensions: Sequence[str] | None
) -> pd.DataFrame:
    rows = select(frame, metric)
    keys = cells_of(rows, dimensions)
    with np.errstate(divide="ignore"):
        rows = rows.assign(log=np.log(rows["value"].to_numpy(dtype=float)))
    grouped = rows.groupby(keys, dropna=False, sort=False)
    cells = grouped.agg(
        unit=("unit", "first"),
        direction=("direction", "first"),
        n=("log", "size"),
        mean_log=("log", "mean"),
        var_log=("log", "var"),
        min=("value", "min"),
        max=("value", "max"),
    ).reset_index()
    mean = np.exp(cells["mean_log"])  # of equal trials: their value, not nearly so
    return cells.assign(value=mean.where(cells["min"] != cells["max"], cells["min"]))


def _logs(cells: pd.DataFrame, suffix: str = "") -> Logs:
    return Logs(
        cells[f"n{suffix}"].to_numpy(dtype=float),
        cells[f"mean_log{suffix}"].to_numpy(dtype=float),
        cells[f"var_log{suffix}"].to_numpy(dtype=float),
    )


def _compared(pairs: pd.DataFrame, level: float) -> pd.DataFrame:
    me, base = _logs(pairs), _logs(pairs, "_base")
    with np.errstate(invalid="ignore"):
        ratio = ratio_interval(me, base, level)
        usable = np.isfinite(me.mean - base.mean)
        relative = np.where(usable, pairs["value"] / pairs["value_base"], np.nan)
    has_interval = np.isfinite(ratio.low)
    above, below = ratio.low > 1, ratio.high < 1
    good = np.select(
        [pairs["direction"] == "higher", pairs["direction"] == "lower"],
        [above, below],
        default=False,
    )
    directed = pairs["direction"].isin(["higher", "lower"]).to_numpy()
    detected = above | below
    exact = ratio.low == ratio.high
    return pairs.assign(
        n_base=pairs["n_base"].fillna(0).astype(int),
        relative=relative,
        low=np.where(exact, relative, ratio.low),
        high=np.where(exact, relative, ratio.high),
        detected=_known(detected, has_interval),
        better=_known(good, detected & directed),
    )


def _known(flags: np.ndarray, where: np.ndarray) -> pd.arrays.BooleanArray:
    """Flags that are NA where they are not known."""
    return pd.arrays.BooleanArray(np.asarray(flags, dtype=bool), ~np.asarray(where))


def _columns(
    pairs: pd.DataFrame, base: Mapping[str, str], dims: list[str], tied: list[str]
) -> pd.DataFrame:
    implied = set().union(*(_SAME_THING.get(d, set()) for d in base))
    changed = [d for d in tied if d not in implied]
    notes = [_notes(row, changed) for row in pairs.to_dict("records")]
    named = pairs.assign(
        me=label(pairs, list(base)),
        base=name_of(base),
        note=_joined(notes),
    )
    columns = [*dims, *measurement_of(pairs), "unit", "direction", "me", "base", "n"]
    columns += ["n_base", "value", "value_base", "relative", "low", "high"]
    return named[[*columns, "detected", "better", "note"]]


def _notes(row: dict, changed: list[str]) -> list[str]:
    if row["n_base"] == 0:
        return ["no base run for this cell"]
    notes = []
    if row["value"] == 0 or row["value_base"] == 0:
        notes.append("a run of 0: no ratio")
    elif min(row["n"], row["n_base"]) == 1:
        side = "" if row["n"] == row["n_base"] else " of me" * (row["n"] == 1)
        side = side or " of the base" * (row["n"] > 1)
        notes.append(f"1 run{side}: no interval")
    elif row["low"] == row["high"]:
        notes.append("no spread between runs")
    for name in changed:
        mine, theirs = str(row[name]), str(row[f"{name}_base"])
        if mine != theirs:
            notes.append(f"{name} changed too ({theirs} to {mine})")
    return notes


def _joined(notes: list[list[str]]) -> np.ndarray:
    return np.array(["; ".join(parts) for parts in notes], dtype=object)
