"""The same cost as others published it, of versions that the study has not."""

import pandas as pd
from great_tables import GT

from benchbook.project import Project
from benchbook.published.figures import figures
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
    UserError where a table has no such cost, or shares no step with the others.
    """
    if not tables:
        return pd.DataFrame(columns=_CELL)
    project = Project(study.path.parents[2])
    rows = pd.concat([_of(name, cost, project) for name in tables.split()])
    of_step = rows.groupby("step")["table"].transform("nunique")
    shared = rows[of_step == rows["table"].nunique()]
    if shared.empty:
        raise UserError(f"{study.path}: published: {tables} share no step")
    wide = shared.pivot(index=_CELL, columns="step", values="value")
    cells = pd.MultiIndex.from_frame(shared[_CELL].drop_duplicates())
    wide = wide.reindex(index=cells).rename_axis(columns=None).reset_index()
    wide.attrs |= {"unit": rows["unit"].iloc[0], "sources": joined(rows["source"])}
    return wide


def _of(name: str, cost: str, project: Project) -> pd.DataFrame:
    table = figures(name, project).assign(table=name)
    rows = table[table["metric"] == cost]
    if rows.empty:
        raise UserError(
            f"published: {name} has no {cost}; it has {joined(table['metric'])}"
        )
    return rows


def published_costs_table(costs: pd.DataFrame) -> GT:
    """Takes the frame of ``published_costs``."""
    if costs.empty:
        return nothing("No published figures are named.", None)
    unit, sources = costs.attrs["unit"], costs.attrs["sources"]
    steps = [name for name in costs.columns if name not in _CELL]
    units = dict.fromkeys(steps, f"{unit} per operation")
    return plain_table(costs, units=units, notes=[f"From {sources}."])
