"""Tables of changes between versions: the boundaries, and every change."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Footnote,
    marked,
    small,
    styled,
    text,
    varying,
)
from benchmath.changes.shift import SHARED, WITH_OTHERS
from benchmath.frames import require
from benchmath.prose import span, unsure

_SIZES = {"median": "median", "min": "lowest", "max": "highest"}
_HEADS = {"boundary": "between"}
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
    cells = boundaries[["boundary"]].map(text)
    cells["members"] = [text(_most(names)) for names in boundaries["members"]]
    counts = zip(boundaries["hit"], boundaries["of"], strict=True)
    cells["hit"] = [f"{hit} of {of}" for hit, of in counts]
    columns = [Column("boundary", "between"), Column("hit", "changed", "tests", True)]
    for name, head in _SIZES.items():
        cells[name] = [f"{v:+.1f}" for v in boundaries[name]]
        columns.append(Column(name, head, "%", True, "change of level"))
    columns.append(Column("members", "changed most"))
    footnotes = [
        Footnote(f"{shared} of them {_SHARED}", row, "hit")
        for row, shared in enumerate(boundaries["shared"])
        if shared
    ]
    notes = [] if len(boundaries) else ["No test changed its level."]
    return styled(cells, columns, title, footnotes, notes)


def changes_table(changes: pd.DataFrame, title: str | None = None) -> GT:
    """One row per test and change: the ratio of the two levels with its interval.

    Takes the frame of ``version_changes``. What only the other tests' evidence
    finds has a footnote, and its chance instead of a q.
    """
    require(changes, ("test", "boundary", "ratio", "low", "high", "n_before", "n_after"))
    require(changes, ("p", "q", "detected", "better", "chance", "evidence"))
    keys = [*varying(changes, ("machine",)), "test", "boundary"]
    cells = changes[keys].map(text)
    rows = changes.to_dict("records")
    cells["ratio"] = [_ratio(row) for row in rows]
    cells["interval"] = [
        small(span(row["low"], row["high"], "{:.3f}".format)) for row in rows
    ]
    cells["n"] = [f"{row['n_before']} + {row['n_after']}" for row in rows]
    columns = [
        *(Column(key, _HEADS.get(key, key)) for key in keys),
        Column("ratio", "new level / old", "ratio", True),
        Column("interval", "95% interval", "ratio", True),
        Column("n", "before + after", "runs", True),
    ]
    shared = [i for i, row in enumerate(rows) if row["evidence"] == SHARED]
    for i in shared:
        rows[i]["q"] = None  # of the test's own changes
    names = ["p", "q"] if changes["p"].notna().any() else []
    for name in [*names, *(["chance"] if shared else [])]:
        cells[name] = [text(_probability(row[name])) for row in rows]
        columns.append(Column(name, name, "", True))
    footnotes = [Footnote(_BY_OTHERS, i, "ratio") for i in shared]
    note = _DETECTED + (_CHANCE if shared else "")
    notes = [note] if len(changes) else ["No test changed its level."]
    return styled(cells, columns, title, footnotes, notes)


def _most(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _ratio(row: Mapping[str, Any]) -> str:
    if pd.isna(row["ratio"]):
        return ""
    ratio = f"{row['ratio']:.3f}"
    if not row["detected"]:
        return marked(unsure(ratio, False), "none")
    if pd.isna(row["better"]) or row["evidence"] == SHARED:
        return ratio
    return marked(ratio, "better" if row["better"] else "worse")


def _probability(value: float) -> str:
    if pd.isna(value):
        return ""
    if value > 0.999:
        return "> 0.999" if value < 1 else "1.000"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
