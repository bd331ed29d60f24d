"""Coefficient of variation over trials: how much a cell's results vary.

The published figures divide by n (population stddev); with three runs that
understates the CoV by a fifth, so the interval and the verdict rest on n-1.

The interval is Vangel's (see ``intervals.cov_interval``). A simulation of 20,000
normal cells each (seed 1, CoV 0.03) covers the true CoV in 95.1%, 94.8% and 95.0% of
cells at n = 3, 5 and 7; a test repeats it with fewer.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchbook.analysis.frames import cells_of, require, select
from benchbook.analysis.intervals import LEVEL, cov_interval


def coefficient_of_variation(
    frame: pd.DataFrame,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    limit: float = 0.03,
    level: float = LEVEL,
) -> pd.DataFrame:
    """One row per cell: n, mean, stddev (n-1), cov with interval, verdict on ``limit``.

    Columns: the dimensions, step, op, clock, metric, unit, n, mean, stddev, cov,
    cov_published (population stddev), low, high, limit, verdict. The verdict is
    ``under 3%`` only when the upper bound is, ``over 3%`` only when the lower bound
    is, else ``cannot tell with n trials``. A mean of 0 has no CoV.
    """
    rows = select(frame, metric)
    keys = cells_of(rows, dimensions)
    grouped = rows.groupby(keys, dropna=False, sort=False)
    cells = grouped.agg(
        unit=("unit", "first"),
        n=("value", "size"),
        mean=("value", "mean"),
        stddev=("value", "std"),
    ).reset_index()
    cells["cov"] = cells["stddev"] / cells["mean"].where(cells["mean"] > 0)
    cells["cov_published"] = cells["cov"] * np.sqrt((cells["n"] - 1) / cells["n"])
    interval = cov_interval(cells["cov"], cells["n"], level)
    cells = cells.assign(low=interval.low, high=interval.high, limit=limit)
    verdicts = [_verdict(row, limit) for row in cells.to_dict("records")]
    return cells.assign(verdict=verdicts)


def cov_summary(cov: pd.DataFrame, by: Sequence[str] = ("step",)) -> pd.DataFrame:
    """Cells of each step together: how many, their median and largest CoV, verdicts.

    Columns: ``by``, cells, n (runs), median, largest, under, over, unknown (cells by
    verdict). Cells with a single run are left out.
    """
    require(cov, (*by, "cov", "n", "verdict"))
    known = cov[cov["cov"].notna()]
    under = known["verdict"].str.startswith("under")
    over = known["verdict"].str.startswith("over")
    rows = known.assign(is_under=under, is_over=over, is_unknown=~under & ~over)
    grouped = rows.groupby(list(by), sort=False, dropna=False)
    return grouped.agg(
        cells=("cov", "size"),
        n=("n", "sum"),
        median=("cov", "median"),
        largest=("cov", "max"),
        under=("is_under", "sum"),
        over=("is_over", "sum"),
        unknown=("is_unknown", "sum"),
    ).reset_index()


def worst_cov(
    cov: pd.DataFrame, by: Sequence[str], steps: Sequence[str] | None = None
) -> pd.DataFrame:
    """The published figure of a setup: the largest ``cov_published`` over its steps.

    Columns: ``by``, cov_published, worst_step, n_steps. ``steps`` limits the maximum
    to the steps that count.
    """
    require(cov, (*by, "step", "cov_published"))
    counted = cov if steps is None else cov[cov["step"].isin(list(steps))]
    if counted["cov_published"].isna().any():
        raise ValueError("a step has a single run or a mean of 0: it has no CoV")
    grouped = counted.groupby(list(by), dropna=False, sort=False)
    worst = counted.loc[grouped["cov_published"].idxmax()]
    worst = worst[[*by, "cov_published", "step"]].rename(columns={"step": "worst_step"})
    sizes = grouped.size().rename("n_steps").reset_index()
    return worst.merge(sizes, on=list(by)).reset_index(drop=True)


def _verdict(cell: Mapping[str, float], limit: float) -> str:
    if cell["mean"] == 0:
        return "no CoV: the mean is 0"
    if cell["high"] < limit:
        return f"under {limit:.0%}"
    if cell["low"] > limit:
        return f"over {limit:.0%}"
    return f"cannot tell with {cell['n']} trial{'s' * (cell['n'] != 1)}"
