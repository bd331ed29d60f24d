"""A row per step and cell, a column per cost."""

from collections.abc import Iterable, Sequence

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    cost_name,
    figure,
    nothing,
    table,
    with_span,
)
from benchbook.tables.steps import NOT_RECORDED
from benchbook.templates.insert_cost.analysis import LOG_COSTS
from benchmath.costs.by_cell import IO_COSTS
from benchmath.costs.cpu import PARTS
from benchmath.frames import label, require
from benchmath.hazard import Hazard


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
    columns = [
        Column("step"),
        Column("row", ", ".join(by)),
        *(
            Numbers(name, cost_name(name), units[name], of=name, cell=_cost_cell)
            for name in sorted(units, key=_place)
        ),
    ]
    legend = "Arithmetic mean over the trials; small: 95% interval."
    shown = rows[["step", "row", *by, "metric", "mean", "low", "high"]]
    by_row = across(shown, ["step", "row"], "metric")
    return table(by_row, columns, title, [legend], hazards, "row")


def _place(name: str) -> int:
    """Parts of the CPU as they are listed, then other costs as they are."""
    order = (*PARTS, *IO_COSTS, *LOG_COSTS)
    return order.index(name) if name in order else len(order)


def _cost_cell(row: Row) -> str:
    return with_span(figure(row["mean"]), row["low"], row["high"])
