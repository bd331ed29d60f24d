"""A row per step and cell, a column per cost."""

from collections.abc import Iterable, Sequence

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    cost_name,
    figure,
    hazard_notes,
    nothing,
    small,
    styled,
    text,
)
from benchbook.tables.steps import NOT_RECORDED
from benchmath.costs.by_cell import IO_COSTS
from benchmath.costs.cpu import PARTS
from benchmath.frames import label, require
from benchmath.hazard import Hazard
from benchmath.prose import span


def cell_costs_table(
    costs: pd.DataFrame,
    by: Sequence[str],
    hazards: Iterable[Hazard] = (),
    title: str | None = None,
) -> GT:
    """Takes the frame of ``cell_costs``; ``by`` are the dimensions of a row."""
    require(costs, ("step", "metric", "unit", "mean", "low", "high", *by))
    if costs.empty:
        return nothing(NOT_RECORDED, title)
    rows = costs.assign(row=label(costs, list(by)))
    units = dict(zip(rows["metric"], rows["unit"], strict=True))
    units = {name: units[name] for name in sorted(units, key=_place)}
    keys = rows[["step", "row", *by]].drop_duplicates().reset_index(drop=True)
    cells = pd.DataFrame({"step": keys["step"].map(text), "row": keys["row"].map(text)})
    for name in units:
        mine = rows[rows["metric"] == name].set_index(["step", "row"])
        costs_of = {key: _cost_cell(row) for key, row in mine.iterrows()}
        pairs = zip(keys["step"], keys["row"], strict=True)
        cells[name] = [costs_of.get(pair, "") for pair in pairs]
    columns = [Column("step", "step"), Column("row", ", ".join(by))]
    columns += [Column(name, cost_name(name), unit, True) for name, unit in units.items()]
    footnotes = hazard_notes(keys.to_dict("records"), hazards, "row")
    legend = "Arithmetic mean over the trials; small: 95% interval."
    return styled(cells, columns, title, footnotes, [legend])


def _place(name: str) -> int:
    """Parts of the CPU as they are listed, then other costs as they are."""
    order = (*PARTS, *IO_COSTS)
    return order.index(name) if name in order else len(order)


def _cost_cell(row: pd.Series) -> str:
    value = figure(row["mean"])
    interval = span(row["low"], row["high"], figure)
    return value if pd.isna(row["low"]) else f"{value}<br>{small(interval)}"
