"""The same cost as others published it, of versions that the study has not."""

import pandas as pd
from great_tables import GT

from benchbook.project import Project
from benchbook.published.figures import published_frame
from benchbook.study.study import Study
from benchbook.tables.lists import plain_table
from benchbook.tables.look import nothing
from benchmath.errors import UserError
from benchmath.prose import joined

_CELL = ["machine", "engine", "version", "config"]


def published_costs(study: Study, tables: str, cost: str) -> pd.DataFrame:
    """A row per published cell, in the order of the tables; a column per step.

    ``tables`` are names of files in data/published, one after the other, ``cost`` the
    metric; steps are those that all of them have. Without a table there is no row.
    UserError where a table has no such cost, shares no step with the others, or has
    several figures of one step and cell.
    """
    if not tables:
        return pd.DataFrame(columns=_CELL)
    who, names = f"{study.path}: published", tables.split()
    figures = published_frame(names, Project(study.path.parents[2]))
    rows = figures[figures["metric"] == cost]
    if without := [name for name in names if name not in set(rows["set"])]:
        raise UserError(f"{who}: {joined(without)} has no {cost}")
    of_step = rows.groupby("step")["set"].transform("nunique")
    shared = rows[of_step == len(names)]
    if shared.empty:
        raise UserError(f"{who}: {tables} share no step")
    if (twice := shared.duplicated([*_CELL, "step"])).any():
        name = shared.loc[twice, "set"].iloc[0]
        raise UserError(f"{who}: {name} has several figures of one step and cell")
    wide = shared.pivot(index=_CELL, columns="step", values="value")
    cells = pd.MultiIndex.from_frame(shared[_CELL].drop_duplicates())
    wide = wide.reindex(index=cells).rename_axis(columns=None).reset_index()
    wide.attrs |= {"unit": rows["unit"].iloc[0], "sources": joined(rows["source"])}
    return wide


def published_costs_table(costs: pd.DataFrame) -> GT:
    """Takes the frame of ``published_costs``."""
    if costs.empty:
        return nothing("No published figures are named.", None)
    unit, sources = costs.attrs["unit"], costs.attrs["sources"]
    steps = [name for name in costs.columns if name not in _CELL]
    units = dict.fromkeys(steps, f"{unit} per operation")
    return plain_table(costs, units=units, notes=[f"From {sources}."])
