"""The machines of a study as one section that opens on a click."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd
from great_tables import GT
from IPython.display import HTML

from benchbook.raw_html import own_ids
from benchbook.tables.look import (
    Column,
    Numbers,
    marked,
    table,
    text,
    varying,
    warned,
    wrapped,
)
from benchmath.frames import require
from benchmath.prose import counted, listed

SUMMARY = "Machine: what `benchbook doctor` finds, and what drifted"
_MOST_NAMED = 4
_LOOKS = {"warn": "worse"}
_NO_DRIFT = "No run has recorded what could have drifted."


def health_section(
    health: pd.DataFrame, drift: pd.DataFrame, summary: str = SUMMARY
) -> HTML:
    """Findings and drift as one closed `<details>`, without any script.

    Takes the frames of ``benchbook.views.machine`` and ``benchbook.drifted``. The
    line that is always seen names what deserves a look. In JupyterLab it opens as it
    does on the page, where ``display`` makes it a raw block.
    """
    parts = [
        own_ids(shown.as_raw_html(), prefix)
        for shown, prefix in ((findings_table(health), "health"),
                              (drifted_table(drift), "drift"))
    ]  # fmt: skip
    head = _code(escape(summary, quote=False))
    summary_line = escape(_what_to_look_at(health, drift), quote=False)
    line = (
        f'<summary style="cursor:pointer">{head}<br><small>{summary_line}</small>'
        "</summary>"
    )
    return HTML("\n".join(['<details class="bb-machine">', line, *parts, "</details>"]))


def findings_table(health: pd.DataFrame, title: str | None = None) -> GT:
    """What `doctor` found, with the reason why a benchmark cares."""
    require(health, ("machine", "name", "value", "status", "changed", "why"))
    words = ["differed between the runs of the study"]
    columns = [
        *map(Column, varying(health, ["machine"])),
        Column("status", show=lambda s: marked(text(s), _LOOKS.get(s, "none"))),
        Column("name", "what"),
        Column("value", "found", show=wrapped, notes=lambda r: words * r["changed"]),
        Column("why", "why it matters", show=wrapped),
    ]
    return table(health, columns, title)


def drifted_table(drift: pd.DataFrame, title: str | None = None) -> GT:
    """What moved while the study ran: the first, the last and the worst run."""
    facts = ("machine", "fact", "unit", "first", "last", "worst", "worst_run", "moved")
    require(drift, (*facts, "first_run", "last_run", "runs"))
    columns = [
        *map(Column, (*varying(drift, ["machine"]), "fact", "unit")),
        Numbers("first", "first run"),
        Numbers("last", "last run"),
        Numbers(
            "worst", "worst run", cell=lambda r: warned(text(r["worst"]), r["moved"])
        ),
        Column("worst_run", "which", show=wrapped),
        Numbers("runs", "runs", "count", show="{:,}".format),
    ]
    ends = drift[["first_run", "last_run"]].drop_duplicates()
    notes = [f"First {r.first_run}, last {r.last_run}." for r in ends.itertuples()][:3]
    return table(drift, columns, title, notes, empty=_NO_DRIFT)


def _what_to_look_at(health: pd.DataFrame, drift: pd.DataFrame) -> str:
    """`look at: swap and governor; drifted: steal`: what the closed section says."""
    warned = list(dict.fromkeys(health.loc[health["status"] == "warn", "name"]))
    moved = list(dict.fromkeys(drift.loc[drift["moved"].astype(bool), "fact"]))
    look = f"look at {_few(warned)}" if warned else "nothing found to look at"
    drifted = f"drifted: {_few(moved)}" if moved else "nothing drifted that was recorded"
    return f"{look}; {drifted}"


def _few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    first = [str(name) for name in names[:_MOST_NAMED]]
    more = len(names) - len(first)
    return listed([*first, *([counted(more, "more", "more")] if more else [])])


def _code(words: str) -> str:
    """Text between backticks as code."""
    parts = words.split("`")
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(parts))
