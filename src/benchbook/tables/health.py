"""The machines of a study as one section that opens on a click."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd
from great_tables import GT
from IPython.display import HTML

from benchbook.raw_html import own_ids
from benchbook.tables.look import Column, Footnote, broken, marked, styled, text
from benchmath.frames import require
from benchmath.prose import counted, listed

SUMMARY = "Machine: what `benchbook doctor` finds, and what drifted"
_MOST_NAMED = 4


def health_section(
    health: pd.DataFrame, drift: pd.DataFrame, summary: str = SUMMARY
) -> HTML:
    """Findings and drift as one closed `<details>`, without any script.

    Takes the frames of ``benchbook.views.machine`` and ``benchbook.drifted``. The
    line that is always seen names what deserves a look. In JupyterLab it opens as it
    does on the page, where ``display`` makes it a raw block.
    """
    parts = [
        own_ids(table.as_raw_html(), prefix)
        for table, prefix in ((findings_table(health), "health"),
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
    keys = ["machine"] * (health["machine"].nunique() > 1)
    cells = health[[*keys, "name"]].map(text).reset_index(drop=True)
    for name in ("value", "why"):
        cells[name] = [_wrapped(v) for v in health[name]]
    cells["status"] = [
        marked(text(s), "worse") if s == "warn" else marked(text(s), "none")
        for s in health["status"]
    ]
    columns = [Column(k, k) for k in keys] + [
        Column("status", "status"),
        Column("name", "what"),
        Column("value", "found"),
        Column("why", "why it matters"),
    ]
    words = "differed between the runs of the study"
    notes = [Footnote(words, i, "value") for i, c in enumerate(health["changed"]) if c]
    return styled(cells, columns, title, notes)


def drifted_table(drift: pd.DataFrame, title: str | None = None) -> GT:
    """What moved while the study ran: the first, the last and the worst run."""
    facts = ("machine", "fact", "unit", "first", "last", "worst", "worst_run", "moved")
    require(drift, (*facts, "first_run", "last_run", "runs"))
    keys = ["machine"] * (drift["machine"].nunique() > 1)
    cells = drift[[*keys, "fact", "unit"]].map(text).reset_index(drop=True)
    for name in ("first", "last", "worst"):
        cells[name] = [text(v) for v in drift[name]]
    cells["worst"] = [
        marked(cell, "worse") if moved else cell
        for cell, moved in zip(cells["worst"], drift["moved"], strict=True)
    ]
    cells["worst_run"] = [_wrapped(v) for v in drift["worst_run"]]
    cells["runs"] = [f"{n:,}" for n in drift["runs"]]
    columns = [Column(k, k) for k in (*keys, "fact", "unit")] + [
        Column("first", "first run", "", True),
        Column("last", "last run", "", True),
        Column("worst", "worst run", "", True),
        Column("worst_run", "which"),
        Column("runs", "runs", "count", True),
    ]
    ends = drift[["first_run", "last_run"]].drop_duplicates()
    notes = [f"First {r.first_run}, last {r.last_run}." for r in ends.itertuples()][:3]
    none = ["No run has recorded what could have drifted."]
    return styled(cells, columns, title, notes=notes if len(drift) else none)


def _wrapped(value: object) -> str:
    """Text that takes the room that there is."""
    return marked(broken(str(value)), "wrap")


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
