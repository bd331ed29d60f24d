"""Tables of what moved with throughput: at a change, and from first to last version."""

import math

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, cost_name, shown_unit, styled, text
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
    cells = moved[["test", "boundary"]].map(text)
    metrics = [str(c) for c in moved.columns[2:]]
    columns = [Column("test", "test"), Column("boundary", "between")]
    for name in metrics:
        cells[name] = [_ratio(value) for value in moved[name]]
        columns.append(Column(name, cost_name(name), "", True, "new level / old"))
    notes = [_NOTE] if len(moved) else ["No test changed its level."]
    return styled(cells, columns, title, notes=notes)


def first_last_table(ends: pd.DataFrame, title: str | None = None) -> GT:
    """One row per test: of each metric its first version's value above its last's.

    Takes the frame of ``first_and_last``. A metric that is 0 at both ends of
    every test has no column.
    """
    require(ends, ("test", "metric", "unit", "first_version", "last_version"))
    tests = list(dict.fromkeys(ends["test"]))
    own = ends.drop_duplicates("test").set_index("test")
    cells = pd.DataFrame({"test": [text(test) for test in tests]})
    cells["versions"] = [_over(own.loc[t, "first_version"], own.loc[t, "last_version"])
                         for t in tests]  # fmt: skip
    columns = [Column("test", "test"), Column("versions", "version", right=True)]
    for metric, part in ends.groupby("metric", sort=False):
        largest = float(part[["first", "last"]].abs().max(axis=None))
        if not largest > 0:
            continue
        factor, prefix = (1e6, _MILLIONTHS) if largest < _SMALL else (1.0, "")
        shown = part.assign(**{side: factor * part[side] for side in ("first", "last")})
        mine = shown.set_index("test")
        cells[metric] = [_ends(mine, test) for test in tests]
        units = ", ".join(prefix + shown_unit(u) for u in dict.fromkeys(part["unit"]))
        columns.append(Column(str(metric), cost_name(str(metric)), units, True))
    return styled(cells, columns, title, notes=[_ENDS] if tests else [_NO_ENDS])


def _ends(mine: pd.DataFrame, test: str) -> str:
    if test not in mine.index:
        return ""
    return _over(*(_value(mine.loc[test, side]) for side in ("first", "last")))


def _over(first: str, last: str) -> str:
    return f"{first}<br>{last}"


def _ratio(value: float) -> str:
    if pd.isna(value):
        return ""
    return "from 0" if math.isinf(value) else f"{value:.2f}"


def _value(value: float | None) -> str:
    """Three digits also of the small numbers that hardware per operation has."""
    if value is None or pd.isna(value):
        return ""
    if 0 < abs(value) < _NIL:
        return "≈0"
    return f"{value:.3g}" if abs(value) < 0.1 else number(value)
