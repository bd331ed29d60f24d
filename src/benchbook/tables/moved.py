"""Tables of what moved with throughput: at a change, and from first to last version."""

import math

import pandas as pd
from great_tables import GT

from benchbook.analysis.frames import require
from benchbook.prose import joined, number
from benchbook.tables.look import Column, styled, text

_NOTE = (
    "Ratio of the level after the boundary to the one before it: throughput from the "
    "changepoints, the others from the medians over the versions of the two levels. "
    "1.00 also where both are 0; inf where only the old one is."
)


def moved_table(moved: pd.DataFrame, title: str | None = None) -> GT:
    """One row per change: throughput and the other metrics, new level over old.

    Takes the frame of ``analysis.moved_with``.
    """
    require(moved, ("test", "boundary", "throughput"))
    cells = moved[["test", "boundary"]].map(text)
    metrics = [str(c) for c in moved.columns[2:]]
    columns = [Column("test", "test"), Column("boundary", "boundary")]
    for name in metrics:
        cells[name] = [_ratio(value) for value in moved[name]]
        columns.append(Column(name, name, "", True, "new level / old"))
    notes = [_NOTE] if len(moved) else ["No test changed its level."]
    return styled(cells, columns, title, notes=notes)


def first_last_table(ends: pd.DataFrame, title: str | None = None) -> GT:
    """One row per test, first and last version side by side for each metric.

    Takes the frame of ``analysis.first_and_last``.
    """
    require(ends, ("test", "metric", "unit", "first_version", "last_version"))
    tests = list(dict.fromkeys(ends["test"]))
    cells = pd.DataFrame({"test": [text(test) for test in tests]})
    columns = [Column("test", "test")]
    for metric, part in ends.groupby("metric", sort=False):
        mine = part.set_index("test")
        units = joined(part["unit"])
        for side in ("first", "last"):
            name = f"{side} {metric}"
            cells[name] = [_value(mine[side].get(test)) for test in tests]
            title_of = joined(part[f"{side}_version"])
            columns.append(Column(name, title_of, "", True, f"{metric} ({units})"))
    return styled(cells, columns, title)


def _ratio(value: float) -> str:
    if pd.isna(value):
        return ""
    return "inf" if math.isinf(value) else f"{value:.2f}"


def _value(value: float | None) -> str:
    """Three digits also of the small numbers that hardware per operation has."""
    if value is None or pd.isna(value):
        return ""
    return f"{value:.3g}" if abs(value) < 0.1 else number(value)
