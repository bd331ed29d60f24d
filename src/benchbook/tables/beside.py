"""Our ratios beside published ones."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from great_tables import GT

from benchbook.tables.comparison import ratio_cell
from benchbook.tables.look import Column, marked, styled, text
from benchmath.frames import require
from benchmath.prose import joined
from benchmath.ratios.beside import HERE, OPPOSITE, THERE, Compared

_DISAGREES = (OPPOSITE, HERE, THERE)
_NOTE = (
    "inside: the published ratio lies in our interval. same side: both are beyond the "
    "margin of {margin:.3g} on one side of 1, or both within it. only here, only there: "
    "one is beyond it. open: ours is undecided, or not significant."
)
_MEDIANS = (
    "Here and there the median of the ratios of a group's tests; the interval is from "
    "the median of their lower ends to that of their upper ends."
)


def beside_table(compared: Compared) -> GT:
    """A row per test or group, what disagrees first; here, there and what agrees."""
    rows = compared.rows
    require(rows, ("step", "me", "theirs", "published_on", "published", "agrees"))
    head = "group" if compared.grouped else "step"
    steps = list(dict.fromkeys(rows["step"]))
    cells = pd.DataFrame({"step": [text(step) for step in steps]})
    columns = [Column("step", head)]
    if compared.grouped:
        tests = rows.drop_duplicates("step").set_index("step")["tests"]
        cells["tests"] = [str(tests[step]) for step in steps]
        columns.append(Column("tests", "tests", "", True))
    for n, (_, pair) in enumerate(rows.groupby(["me", "published_on"], sort=False)):
        of = {str(row["step"]): row for row in pair.to_dict("records")}
        over = _over(pair)
        for name, title, show in _SHOWN:
            cells[f"{name}{n}"] = [show(of[s]) if s in of else "" for s in steps]
            columns.append(Column(f"{name}{n}", title, "", name != "agrees", over))
    notes = [_NOTE.format(margin=rows["margin"].iloc[0])]
    notes += [_MEDIANS] * compared.grouped
    notes.append(f"There: {joined(rows['source'])}.")
    return styled(cells, columns, notes=notes)


def _over(pair: pd.DataFrame) -> str:
    """``8.0.12 / 5.6.24 beside mysql 8.0.13 / mysql 5.6.51 on ser4``."""
    row = pair.iloc[0]
    theirs = f"{row['theirs']} / {row['theirs_base']}{_which(row, 'there')}"
    ours = f"{row['me']} / {row['base']}{_which(row, 'here')}"
    return f"{ours} beside {theirs} on {row['published_on']}"


def _which(row: pd.Series, side: str) -> str:
    return f" ({row[side]})" if row.get(side) else ""


def _agrees(row: Mapping[str, Any]) -> str:
    way = str(row["agrees"])
    return marked(way, "worse") if way in _DISAGREES else way


_SHOWN = (
    ("here", "here", lambda row: ratio_cell(row, "<br>")),
    ("there", "there", lambda row: f"{row['published']:.2f}"),
    ("agrees", "agrees", _agrees),
)
