"""What is so slow that its plan is looked at before its percentage."""

import re

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.plans import access_of

FAR = 100.0  # times, between two engines in one step
# Of a client and statement that reads a table whole: what 1,000 rows and more take. A
# small table is read so on purpose, and faster.
LONG_US = 500.0
COLUMNAR = "duckdb"  # reads columns in blocks and leaves out most of them: no index
_BY_KEY = re.compile(r"^\s*SELECT\b.*\bWHERE\b.*?[\w)] = (?:\?|\$\d|-?\d|')", re.I | re.S)
_FIX = "gather the statistics of its tables (step analyze) or give it an index"


def whole_scans(statements: pd.DataFrame, steps: pd.DataFrame) -> list[Hazard]:
    """Queries that give a key by equality, and whose plan reads a whole table for it.

    ``statements``: run_id, step, name, sql, plan and mean_us; ``steps``: run_id, step,
    engine and dop, beside which a statement waits for CPU.
    """
    if statements.empty:
        return []
    require(statements, ("run_id", "step", "name", "sql", "plan", "mean_us"))
    sides = steps[["run_id", "step", "engine", "dop"]].drop_duplicates()
    rows = statements.merge(sides, on=["run_id", "step"])
    rows = rows[(rows["mean_us"] / rows["dop"] >= LONG_US) & rows["plan"].notna()]
    told = {
        (str(row.step), str(row.name), str(row.engine))
        for row in rows.itertuples(index=False)
        if row.engine != COLUMNAR
        and _BY_KEY.search(str(row.sql))
        and access_of(str(row.plan)).whole
    }
    return [
        Hazard(
            "whole scan",
            f"statement {name} reads a whole table for a key on {engine}: {_FIX}",
            {"step": step},
        )
        for step, name, engine in sorted(told)
    ]


def far_apart(metric: pd.DataFrame) -> list[Hazard]:
    """Steps in which one engine does a hundred times what another one does.

    ``metric``: engine, step, dop, main and value; those of a main rate count.
    """
    require(metric, ("engine", "step", "dop", "metric", "main", "value"))
    main = metric[metric["main"].fillna(False).astype(bool) & (metric["value"] > 0)]
    hazards: dict[str, Hazard] = {}
    for (step, _, _), part in main.groupby(["step", "dop", "metric"], sort=False):
        means = np.exp(np.log(part["value"]).groupby(part["engine"]).mean())
        if len(means) > 1 and means.max() / means.min() >= FAR:
            slow, fast = means.idxmin(), means.idxmax()
            text = f"{step} is a hundred times and more slower on {slow} than on {fast}"
            where = {"step": str(step)}
            hazards[text] = Hazard("far apart", f"{text}: look at its plans", where)
    return list(hazards.values())
