"""A judged comparison as JSON for programs and as Markdown for a page or a comment.

``table`` is a frame of ``verdicts``; ``keys`` are the columns that tell its rows apart.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from benchbook.cli.compare_text import Names, ratio_text, verdict_cell
from benchbook.escaped import markdown_cell, markdown_code
from benchmath.prose import number
from benchmath.ratios.differences import DIFFERENCES
from benchmath.ratios.verdicts import family

_FIELDS = ("me", "base", "unit", "direction", "value_base", "value", "n_base", "n",
           "relative", "low", "high", "p", "q", "verdict", "arrow", "further_runs",
           "noise", "note", *DIFFERENCES)  # fmt: skip
_LONGEST_NOTE = 1000


def verdict_notes(table: pd.DataFrame) -> tuple[str, ...]:
    """What the verdicts mean, and what Benjamini-Hochberg leaves of them."""
    margin = table["margin"].iloc[0] if len(table) else math.nan
    meaning = (
        f"verdicts at a margin of {100 * margin:.3g}%: +N are further runs on each side "
        "that would find such a change with 80% power"
    )
    return (meaning, family(table).text) if len(table) else ()


def as_json(
    table: pd.DataFrame, keys: Sequence[str], names: Names, chosen: str, metric: str,
    said: Iterable[str], **further: Any,
) -> str:  # fmt: skip
    """Numbers as they are, null where there is none."""
    columns = list(dict.fromkeys([*keys, *_FIELDS, *further.pop("columns", ())]))
    rows = table[[c for c in columns if c in table.columns]].to_dict("records")
    document = {
        "schema": 1, "set": chosen, "metric": metric, "base": names.base,
        "others": names.others,
        "margin": float(table["margin"].iloc[0]) if len(table) else None,
        **further,
        "family": {
            "tests": family(table).tests, "flagged": family(table).flagged,
            "procedure": "Benjamini-Hochberg", "alpha": family(table).alpha,
        },
        "rows": [{str(k): _plain(v) for k, v in row.items()} for row in rows],
        "notes": list(said),
    }  # fmt: skip
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if (
        value is None
        or value is pd.NA
        or (isinstance(value, float) and math.isnan(value))
    ):
        return None
    if isinstance(value, float) and math.isinf(value):
        return None
    return value.item() if hasattr(value, "item") else value


def as_markdown(
    table: pd.DataFrame, keys: Sequence[str], names: Names, metric: str, better: str,
    said: Iterable[str],
) -> str:  # fmt: skip
    """A table per compared cell, its notes numbered below; names are code spans."""
    what = f"{markdown_code(metric)}, {better} is better"
    parts = [f"{what}; ratios of geometric means with 95% intervals"]
    notes: dict[str, int] = {}
    for me in names.others:
        part = table[table["me"] == me]
        rows = [markdown_row(row, keys, notes) for row in part.to_dict("records")]
        parts += ["\n".join([*markdown_header(keys, names.base, me), *rows])]
    parts += ["\n".join(markdown_notes([*(f"[{n}] {t}" for t, n in notes.items())]))]
    parts += ["\n".join(markdown_notes(said))]
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown_header(
    keys: Sequence[str], base: str, me: str, verdict: str = "verdict"
) -> list[str]:
    """The two lines that a table begins with."""
    names = [*map(markdown_cell, [*keys, "unit", base, me]), "ratio", verdict, "runs"]
    marks = [*["---"] * (len(keys) + 1), "---:", "---:", "---:", "---", "---:"]
    return [f"| {' | '.join(line)} |" for line in (names, marks)]


def markdown_row(
    row: Mapping[str, Any], keys: Sequence[str], notes: dict[str, int], verdict: str = ""
) -> str:
    """A line of the table; its notes get numbers."""
    marks = ""
    for text in filter(None, str(row["note"]).split("; ")):
        marks += f" [{notes.setdefault(text, len(notes) + 1)}]"
    cells = [
        *(markdown_cell(row[key]) for key in [*keys, "unit"]),
        number(row["value_base"]), number(row["value"]), ratio_text(row),
        f"{verdict or verdict_cell(row) or 'no interval'}{marks}",
        f"{row['n_base']}+{row['n']}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def markdown_notes(notes: Iterable[str]) -> list[str]:
    """Each as a line of a list; they hold names, so they are code where they do."""
    return [
        f"- {markdown_code(note, _LONGEST_NOTE) if _is_odd(note) else note}"
        for note in notes
    ]


def _is_odd(note: str) -> bool:
    """Would Markdown make something of it?"""
    if _bare(note).startswith(tuple("-+=0123456789")):
        return True
    return any(c in "`*_<>&|#@\\!~[" or not c.isprintable() for c in _bare(note)) or (
        "://" in note or "www." in note
    )


def _bare(note: str) -> str:
    """Without the mark of a footnote at its beginning."""
    mark, found, rest = note.partition("] ")
    return rest if found and mark.startswith("[") and mark[1:].isdigit() else note
