"""Tables of changes between versions: the boundaries, and every change."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    decided,
    interval,
    table,
    text,
    varying,
)
from benchmath.changes.shift import SHARED, WITH_OTHERS
from benchmath.frames import require

_SIZES = {"median": "median", "min": "lowest", "max": "highest"}
_BETWEEN = Column("boundary", "between")
_NO_CHANGE = "No test changed its level."
_NAMED = 3  # tests per boundary; the table of changes lists them all
_DETECTED = (
    "p: within the test. q: among all tests (Benjamini-Hochberg). ~ means q > 0.05; "
    "coloured: q is at most 0.05."
)
_CHANCE = " chance: probability that the level changes there, given the other tests."
_SHARED = f"{WITH_OTHERS}: not significant alone"
_BY_OTHERS = f"{WITH_OTHERS}: not significant in this one"


def boundaries_table(boundaries: pd.DataFrame, title: str | None = None) -> GT:
    """One row per boundary: how many tests change there, by how much, which most.

    Takes the frame of ``boundaries``. A footnote counts those that only the
    other tests' evidence finds.
    """
    require(boundaries, ("boundary", "hit", "shared", "of", "members", *_SIZES))
    size = partial(Numbers, unit="%", spanner="change of level", show="{:+.1f}".format)
    columns = [
        _BETWEEN,
        Numbers("hit", "changed", "tests", cell=_hit, notes=_shared),
        *(size(name, head) for name, head in _SIZES.items()),
        Column("members", "changed most", show=lambda names: text(_most(names))),
    ]
    return table(boundaries, columns, title, empty=_NO_CHANGE)


def changes_table(changes: pd.DataFrame, title: str | None = None) -> GT:
    """One row per test and change: the ratio of the two levels with its interval.

    Takes the frame of ``version_changes``. What only the other tests' evidence
    finds has a footnote, and its chance instead of a q.
    """
    require(changes, ("test", "boundary", "ratio", "low", "high", "n_before", "n_after"))
    require(changes, ("p", "q", "detected", "better", "chance", "evidence"))
    keys = [*varying(changes, ("machine",)), "test"]
    shared = changes["evidence"] == SHARED
    rows = changes.assign(q=changes["q"].mask(shared))  # q is of the test's own changes
    names = ["p", "q"] if changes["p"].notna().any() else []
    names += ["chance"] if shared.any() else []
    columns = [
        *map(Column, keys),
        _BETWEEN,
        Numbers("ratio", "new level / old", "ratio", cell=_ratio, notes=_by_others),
        interval("ratio", "{:.3f}".format),
        Numbers("n", "before + after", "runs", cell=_runs),
        *(Numbers(name, show=lambda p: text(_probability(p))) for name in names),
    ]
    note = _DETECTED + (_CHANCE if shared.any() else "")
    return table(rows, columns, title, [note], empty=_NO_CHANGE)


def _most(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _hit(row: Row) -> str:
    return f"{row['hit']} of {row['of']}"


def _shared(row: Row) -> list[str]:
    return [f"{row['shared']} of them {_SHARED}"] if row["shared"] else []


def _by_others(row: Row) -> list[str]:
    return [_BY_OTHERS] if row["evidence"] == SHARED else []


def _runs(row: Row) -> str:
    return f"{row['n_before']} + {row['n_after']}"


def _ratio(row: Row) -> str:
    if pd.isna(row["ratio"]):
        return ""
    judged = pd.notna(row["better"]) and row["evidence"] != SHARED
    better = bool(row["better"]) if judged else None
    return decided(f"{row['ratio']:.3f}", row["detected"], better)


def _probability(value: float) -> str:
    if pd.isna(value):
        return ""
    if value > 0.999:
        return "> 0.999" if value < 1 else "1.000"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
