"""Tables of what moved with throughput: at a change, and from first to last version."""

import math
from functools import partial

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    cost_name,
    shown_unit,
    table,
)
from benchmath.frames import require
from benchmath.prose import number

_NOTE = (
    "Ratio of the level after the change to the one before it: throughput from the "
    "changepoints, the others from the medians over the versions of the two levels. "
    "1.00 also where both are 0; from 0 where only the old one is."
)
_ENDS = "Above the first of what is compared, below the last; means over the runs."
_NO_ENDS = "No test has two versions."
_NIL = 1e-4  # nothing to tell from 0 beside larger numbers
_SMALL = 0.01  # where all numbers are below it, they are shown in millionths
_MILLIONTHS = "10⁻⁶ "


def moved_table(moved: pd.DataFrame, title: str | None = None) -> GT:
    """One row per change: throughput and the other metrics, new level over old.

    Takes the frame of ``moved_with``.
    """
    require(moved, ("test", "boundary", "throughput"))
    columns = [Column("test"), Column("boundary", "between")]
    columns += [
        Numbers(name, cost_name(name), spanner="new level / old", show=_ratio)
        for name in map(str, moved.columns[2:])
    ]
    return table(moved, columns, title, [_NOTE], empty="No test changed its level.")


def first_last_table(ends: pd.DataFrame, title: str | None = None) -> GT:
    """One row per test: of each metric its first version's value above its last's.

    Takes the frame of ``first_and_last``. A metric that is 0 at both ends of
    every test has no column.
    """
    require(ends, ("test", "metric", "unit", "first_version", "last_version"))
    columns = [Column("test"), Numbers("versions", "version", cell=_versions)]
    for metric, part in ends.groupby("metric", sort=False):
        largest = float(part[["first", "last"]].abs().max(axis=None))
        if not largest > 0:
            continue
        factor, prefix = (1e6, _MILLIONTHS) if largest < _SMALL else (1.0, "")
        units = ", ".join(prefix + shown_unit(u) for u in dict.fromkeys(part["unit"]))
        head, cell = cost_name(str(metric)), partial(_ends, factor=factor)
        columns.append(Numbers(str(metric), head, units, of=metric, cell=cell))
    rows = across(ends, ["test"], "metric")
    return table(rows, columns, title, [_ENDS], empty=_NO_ENDS)


def _versions(row: Row) -> str:
    return f"{row['first_version']}<br>{row['last_version']}"


def _ends(row: Row, factor: float) -> str:
    return f"{_value(factor * row['first'])}<br>{_value(factor * row['last'])}"


def _ratio(value: float) -> str:
    if pd.isna(value):
        return ""
    return "from 0" if math.isinf(value) else f"{value:.2f}"


def _value(value: float) -> str:
    """Three digits also of the small numbers that hardware per operation has."""
    if pd.isna(value):
        return ""
    if 0 < abs(value) < _NIL:
        return "≈0"
    return f"{value:.3g}" if abs(value) < 0.1 else number(value)
