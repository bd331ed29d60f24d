"""Plans that changed: what differs in sight, the plans themselves on a click."""

import html

import pandas as pd
from great_tables import GT
from IPython.display import HTML

from benchbook.raw_html import own_ids
from benchbook.tables.look import Column, table
from benchmath.frames import require
from benchmath.plans import COLUMNS

SAME = "Every statement whose plan is known has that of the base."
_HEADS = {"me": "compared", "what": "what differs"}


def plans_table(changes: pd.DataFrame, title: str | None = None) -> GT:
    """One row per statement whose plan is not the base's."""
    require(changes, COLUMNS)
    names = ["me", "where", "step", "statement", "what"]
    shown = [n for n in names if n != "where" or (changes["where"] != "").any()]
    columns = [Column(name, _HEADS.get(name)) for name in shown]
    return table(changes, columns, title, notes=[] if len(changes) else [SAME])


def plans_section(changes: pd.DataFrame) -> HTML:
    """Takes the frame of ``changed_plans``; texts are in `<details>`."""
    parts = [own_ids(plans_table(changes).as_raw_html(), "plans")]
    both = ["statement", "base_plan", "plan"]
    for row in changes.drop_duplicates(both).to_dict("records"):
        name = html.escape(f"{row['statement']}: {row['what']}")
        sides = f"base:\n{row['base_plan']}\n\n{row['me']}:\n{row['plan']}"
        parts.append(
            f'<details class="bb-plan"><summary style="cursor:pointer">{name}</summary>'
            f"<pre>{html.escape(sides)}</pre></details>"
        )
    return HTML("\n".join(parts))
