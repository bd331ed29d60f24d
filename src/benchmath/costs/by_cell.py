"""What an operation costs in each cell: arithmetic means over the trials.

Costs may be 0, and parts of a whole must add up: geometric means can do neither.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.costs.cpu import PARTS, PER_RUN, per_run
from benchmath.costs.io import main_op
from benchmath.frames import MetricFrame, dimensions_of, ordered
from benchmath.intervals import LEVEL, t_quantile

# Beside CPU, in the order of a table.
IO_COSTS = (
    "cs_o", "minor_faults_o", "major_faults_o", "r_o", "rkb_o", "w_o", "wkb_o",
    "flushes_o", "d_o", "dkb_o", "log_bytes_o",
)  # fmt: skip


def cell_costs(
    metric: MetricFrame, names: Sequence[str], level: float = LEVEL
) -> pd.DataFrame:
    """Mean of each cost per operation of a step's main op.

    ``metric`` is the long view. Columns: the dimensions, step, metric, unit, n, mean,
    low, high (Student's interval of the mean over the trials; NaN for a single one), in
    the order of the steps, the cells, then ``names``; what a cell lacks has no row.
    """
    rows = main_op(metric)
    return _means(rows[rows["metric"].isin(list(names))], names, level)


def cpu_costs(metric: MetricFrame, level: float = LEVEL) -> pd.DataFrame:
    """CPU per operation by who used it, in microseconds; the parts add up to `whole`.

    Columns as of ``cell_costs``, with the part as `metric` (see ``PARTS``).
    Each engine's is told as finely as its own runs know it.
    """
    each = metric.groupby("engine", sort=False)
    runs = pd.concat([per_run(part) for _, part in each])
    runs = ordered(runs, {"step": runs["step"]})
    keys = PER_RUN.keys(runs)
    runs = runs.assign(row=range(len(runs)))
    long = runs.melt([*keys, "row"], list(PARTS), "metric", "value")
    long = long.dropna(subset=["value"]).sort_values("row", kind="stable")
    return _means(long.drop(columns="row").assign(unit="us"), PARTS, level)


def _means(rows: MetricFrame, names: Sequence[str], level: float) -> pd.DataFrame:
    dims = dimensions_of(rows)
    columns = ["step", *dims, "metric", "unit", "n", "mean", "low", "high"]
    if rows.empty:
        return pd.DataFrame(columns=columns)
    keys = ["step", *dims]
    cell = rows.groupby(keys, sort=False, dropna=False).ngroup()
    grouped = rows.assign(cell=cell).groupby(
        [*keys, "metric", "unit", "cell"], sort=False, dropna=False
    )
    means = grouped["value"].agg(n="size", mean="mean", sd="std").reset_index()
    quantile = t_quantile((1 + level) / 2, np.maximum(means["n"] - 1, 1))
    half = quantile * means["sd"] / np.sqrt(means["n"])
    means = means.assign(low=means["mean"] - half, high=means["mean"] + half)
    orders = {"step": rows["step"], "cell": cell, "metric": names}
    return ordered(means, orders)[columns].reset_index(drop=True)
