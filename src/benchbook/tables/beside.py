"""Our ratios beside published ones."""

import pandas as pd
from great_tables import GT

from benchbook.tables.comparison import ratio_cell
from benchbook.tables.look import Column, Numbers, Row, across, table, warned
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
    columns = [Column("step", "group" if compared.grouped else "step")]
    columns += [Numbers("tests", show=str)] * compared.grouped
    pairs = rows.groupby(["me", "published_on"], sort=False)
    for n, (_, pair) in enumerate(pairs):
        over = _over(pair)
        columns += [
            Column(f"{name}{n}", name, "", name != "agrees", over, of=n, cell=cell)
            for name, cell in _SHOWN.items()
        ]
    notes = [_NOTE.format(margin=rows["margin"].iloc[0])]
    notes += [_MEDIANS] * compared.grouped
    notes.append(f"There: {joined(rows['source'])}.")
    return table(across(rows.assign(pair=pairs.ngroup()), ["step"], "pair"), columns,
                 notes=notes)  # fmt: skip


def _over(pair: pd.DataFrame) -> str:
    """``8.0.12 / 5.6.24 beside mysql 8.0.13 / mysql 5.6.51 on ser4``."""
    row = pair.iloc[0]
    theirs = f"{row['theirs']} / {row['theirs_base']}{_which(row, 'there')}"
    ours = f"{row['me']} / {row['base']}{_which(row, 'here')}"
    return f"{ours} beside {theirs} on {row['published_on']}"


def _which(row: pd.Series, side: str) -> str:
    return f" ({row[side]})" if row.get(side) else ""


def _agrees(row: Row) -> str:
    return warned(str(row["agrees"]), row["agrees"] in _DISAGREES)


_SHOWN = {
    "here": ratio_cell,
    "there": lambda row: f"{row['published']:.2f}",
    "agrees": _agrees,
}
