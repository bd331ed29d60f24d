"""Relative throughput: each cell against the base cell that equals it otherwise.

The estimate is the ratio of geometric means. Its interval is Student's on logarithms,
with the variance that ``cells`` and ``differences`` find for the pair.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.errors import UserError
from benchmath.frames import (
    Kind,
    MetricFrame,
    cells_of,
    check_base,
    dimensions_of,
    flags,
    label,
    measurement_of,
    name_of,
    require,
    select,
    tied_labels,
)
from benchmath.intervals import (
    LEVEL,
    Logs,
    mean_interval,
    student_interval,
    student_p,
)
from benchmath.ratios.cells import (
    beside,
    cells_frame,
    codes,
    matched,
    noise_of_cells,
    rebuilt,
    reloaded,
    rows_at,
    unmatched,
)
from benchmath.ratios.differences import DIFFERENCES, NOTE, with_differences
from benchmath.ratios.interleaving import drift_notes
from benchmath.ratios.standard_errors import (
    floor_of_cells,
    standard_errors,
    turn_notes,
    with_turns,
)

_STATISTICS = ("unit", "direction", "n", "value", "mean_log", "var_log", "mean", "var",
               "min", "max")  # fmt: skip
SUMMARY = Kind(
    "summary", ("unit", "direction", "n", "value", "low", "high", "min", "max", "note")
)
SummaryFrame = Annotated[pd.DataFrame, SUMMARY]
RATIOS = Kind("relative", (
    "unit", "direction", "me", "base", "n", "n_base", "value", "value_base", "relative",
    "low", "high", "detected", "better", "se", "df", "p", "run_sd", "floor_sd", "noise",
    "paired", "subject", "note", *DIFFERENCES,
))  # fmt: skip
RatioFrame = Annotated[pd.DataFrame, RATIOS]

# A label that says the same as the base's own dimension is not a second change.
_SAME_THING = {
    "compiler": {"build"},
    "flags": {"build"},
    "build": {"compiler", "flags"},
    "engine": {"version", "build", "config"},
    "tag": {"engine", "version"},
    "revision": {"build"},
}
_PARTS = ("in_turns", "repeated", "in_rows")  # notes that others made
_NOISE_NOTES = {
    "": "1 run, no noise on record: no interval",
    "assumed": "assumed noise: from the differences between neighbouring versions",
    "calibrated": "calibrated noise: 1 run a side, its spread is that of A/A runs",
    "own": "spread clearly different from the other versions: Welch's interval",
}


def summary(
    frame: MetricFrame,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
) -> SummaryFrame:
    """One row per cell: n, geometric mean with its interval, lowest and highest run.

    Columns: the dimensions, step, op, clock, metric, unit, direction, n, value, low,
    high, min, max, note. A single run has no interval and says so in ``note``.
    """
    rows = select(frame, metric)
    keys = cells_of(rows, dimensions)
    cells = cells_frame(rows, codes(rows, keys))[[*keys, *_STATISTICS]]
    logs = (cells[c].to_numpy(dtype=float) for c in ("n", "mean_log", "var_log"))
    interval = mean_interval(Logs(*logs), level)
    notes = [["1 run: no interval"] * (n == 1) for n in cells["n"]]
    cells = cells.assign(low=interval.low, high=interval.high, note=_joined(notes))
    return SUMMARY.of(cells, keys)


def relative(
    frame: MetricFrame,
    base: Mapping[str, str],
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
    floor: pd.DataFrame | None = None,
    turns: pd.DataFrame | None = None,
) -> RatioFrame:
    """Each cell over its base: ratio of geometric means over the trials.

    ``base`` maps dimensions to the base's values. ``dimensions`` are the columns that
    tell cells apart (default: all dimension columns of the frame); a cell's base is
    the base cell equal in all of them but those of ``base``. Labels that follow from
    the other dimensions (a build's name when compiler and flags are the base) do not
    take part in the match; where such a label changes together with the base's
    dimension, ``note`` says so. ``floor`` is the frame of ``noise_floor``,
    ``turns`` that of ``turn_ratios`` with the same base: pairs that took turns have the
    ratio of their throughput and its error from there.

    Columns: the dimensions, step, op, clock, metric, unit, direction, me, base, n,
    n_base, value, value_base (geometric means), relative, low, high, detected
    (interval without 1; NA without interval), better (True, False, NA when nothing
    was detected or the metric has no direction), and

    * se: standard error of the logarithm of ``relative``; df: its degrees of freedom;
      p: two-sided, of ``relative`` being 1, below 1 - ``level`` exactly where detected;
    * run_sd: the stddev of the logarithm of one run; floor_sd: that, per side, of build
      and load, which more runs do not average out (0.0 if none is known);
    * noise: where run_sd is from. pooled: the versions of the step, moderated over the
      steps of the machine; own: Welch's interval of the two cells, because the spread
      of one differs clearly; calibrated: A/A runs; assumed: what neighbouring versions
      differ by; turns: rounds of turns and, of several loads, what these differ by;
      '': nowhere, no interval;
    * paired: the difference is taken within rounds of turns, or of runs, which were
      interleaved by when they began (``position``), whatever order was planned;
    * subject: version (the effect of the build is in the interval), binary (two builds
      whose effect was not measured), '' (one build on both sides);
    * note: what limits the row, parts joined by "; ";
    * difference, difference_low, difference_high and mean_base (the base's arithmetic
      mean): of cells with a run of 0, which have no ratio; p, detected and better are
      then those of the difference (``differences``).

    Where a version was built or loaded several times these are its repetitions, and the
    means are those of builds or loads. Cells without a base cell stay, with NaN and a
    note.
    """
    dims = list(dimensions_of(frame) if dimensions is None else dimensions)
    dims += [d for d in base if d not in dims and d in frame.columns]
    rows = select(frame, metric)
    keys = cells_of(rows, dims)
    cell = codes(rows, keys)
    cells = cells_frame(rows, cell)[[*keys, *_STATISTICS]]
    is_base = check_base(cells[keys], base).to_numpy()
    tied = tied_labels(cells, base, dims)
    match = [d for d in dims if d not in base and d not in tied] + measurement_of(cells)
    across = "machine" in base  # each with noise and trials of its own
    group = codes(cells, [*match, *["machine"] * across])
    noise = noise_of_cells(cells, rows, cell, group, across)
    cells = cells.assign(mean_log=noise["mean_log"], value=noise["value"])
    noise = noise.join(floor_of_cells(cells, floor))
    me, of_base = matched(cells, match, is_base)
    pairs = beside(cells, match, me, of_base)
    pairs["lacking"] = unmatched(cells, match, me, of_base, is_base)
    mine, theirs = rows_at(noise, me), rows_at(noise, of_base)
    new_build = rebuilt(pairs, mine, theirs)
    new_load = new_build | reloaded(mine, theirs, base)
    pairs = pairs.assign(me=label(pairs, list(base)), base=name_of(base), in_turns="")
    by_turns = turns is not None and metric == "throughput"
    taken_turns = with_turns(pairs, turns, keys) if by_turns else None
    errors = standard_errors(mine, theirs, new_build, new_load, taken_turns)
    pairs = pd.concat([pairs, errors], axis="columns")
    if taken_turns is not None:
        notes = turn_notes(taken_turns, pairs["floor_sd"])
        ratio = taken_turns["relative"].fillna(pairs["relative"])
        pairs = pairs.assign(relative=ratio, in_turns=notes)
    sides = (me, np.full_like(me, -1) if across else of_base)
    in_rows = drift_notes(rows, cell, sides, pairs["me"], name_of(base))
    pairs["in_rows"] = np.where(pairs["noise"] == "turns", "", in_rows)
    pairs = with_differences(judged(pairs, level), level)
    return _columns(pairs, base, dims, tied)


def judged(pairs: pd.DataFrame, level: float) -> pd.DataFrame:
    """relative, se and df turned into low, high, p, detected and better."""
    ratio, se, df = (pairs[c].to_numpy(dtype=float) for c in ("relative", "se", "df"))
    interval = student_interval(ratio, se, df, level)
    above, below = interval.low > 1, interval.high < 1
    direction = pairs["direction"]
    good = np.where(direction == "higher", above, below)
    directed = direction.isin(["higher", "lower"]).to_numpy()
    return pairs.assign(
        low=interval.low,
        high=interval.high,
        p=student_p(ratio, se, df),
        detected=flags(above | below, np.isfinite(interval.low)),
        better=flags(good, (above | below) & directed),
    )


def _columns(
    pairs: pd.DataFrame, base: Mapping[str, str], dims: list[str], tied: list[str]
) -> RatioFrame:
    implied = set().union(*(_SAME_THING.get(d, set()) for d in base))
    changed = [d for d in tied if d not in implied]
    columns = ["n", "n_base", "value", "value_base", "noise", "se", "lacking", *_PARTS]
    columns += [f"{c}{side}" for c in changed for side in ("", "_base")]
    notes = [_notes(row, changed) for row in pairs[columns].to_dict("records")]
    named = pairs.assign(
        me=label(pairs, list(base)),
        base=name_of(base),
        note=_joined(notes),
    )
    return RATIOS.of(named, [*dims, *measurement_of(pairs)])


def _notes(row: dict, changed: list[str]) -> list[str]:
    if row["n_base"] == 0:
        return [row["lacking"]]
    notes = []
    if row["value"] == 0 or row["value_base"] == 0:
        notes.append(NOTE)
    elif row["noise"] in _NOISE_NOTES:
        notes.append(_NOISE_NOTES[row["noise"]])
    elif row["se"] == 0:
        notes.append("no spread between runs")
    elif row["noise"] != "turns" and min(row["n"], row["n_base"]) == 1:
        side = "" if row["n"] == row["n_base"] else " of me" * (row["n"] == 1)
        side = side or " of the base" * (row["n"] > 1)
        notes.append(f"1 run{side}: noise of the other versions")
    notes += [row[part] for part in _PARTS if row[part]]
    for name in changed:
        mine, theirs = str(row[name]), str(row[f"{name}_base"])
        if mine != theirs:
            notes.append(f"{name} changed too ({theirs} to {mine})")
    return notes


def _joined(notes: list[list[str]]) -> np.ndarray:
    return np.array(["; ".join(parts) for parts in notes], dtype=object)


def neighbours(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    order: Sequence[str] | None = None,
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
    floor: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Each value of a dimension over its predecessor: the columns of ``relative``.

    The order is that in which the values come in the frame, or ``order``. Where the
    predecessor of a cell has no runs (a step that a version lacks), the nearest earlier
    value that has some is compared with; ``base`` names it in each row. The first value
    of a cell has no row. Noise is estimated from the runs of all values, as in
    ``relative``, and not from the two compared alone.

    UserError for a frame without runs, and if ``order`` does not name exactly the
    values that the frame has.
    """
    rows = select(frame, metric)
    values = _ordered(rows, dimension, order)
    dims = list(dimensions_of(rows) if dimensions is None else dimensions)
    tables = [
        relative(rows, {dimension: value}, metric, dims, level, floor)
        for value in values[:-1] or values
    ]
    keys = [*dims, *measurement_of(rows)]
    nearest = [tables[0].iloc[:0]]
    for i, value in enumerate(values[1:], start=1):
        earlier = [_of(table, dimension, value) for table in reversed(tables[:i])]
        nearest.append(pd.concat(earlier).drop_duplicates(keys))
    return pd.concat(nearest, ignore_index=True)


def _ordered(
    rows: pd.DataFrame, dimension: str, order: Sequence[str] | None
) -> list[str]:
    require(rows, (dimension,))
    values = list(dict.fromkeys(rows[dimension].astype(str)))
    if not values:
        raise UserError(f"no run, so no {dimension} has a neighbour")
    if order is None:
        return values
    names = [str(value) for value in order]
    if sorted(names) != sorted(values):
        raise UserError(
            f"order: names {', '.join(names)}, but the runs have {dimension} "
            f"{', '.join(values)}"
        )
    return names


def _of(table: pd.DataFrame, dimension: str, value: str) -> pd.DataFrame:
    """The rows of one value that have a base."""
    return table[(table[dimension].astype(str) == value) & (table["n_base"] > 0)]
