"""Differences of arithmetic means with Welch's interval: figures that add up.

Ratios of geometric means do not add up over the parts of a whole, and a part may be 0 or,
as what is left over, below 0. Means of the values themselves do add up.
"""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import (
    Kind,
    MetricFrame,
    cells_of,
    check_base,
    dimensions_of,
    flags,
    label,
    measurement_of,
    name_of,
    require,
    tied_labels,
)
from benchmath.intervals import LEVEL, combined, half_width, welch
from benchmath.ratios.cells import codes, matched, rows_at

DIFFERENCES = Kind("mean_differences", (
    "unit", "direction", "me", "base", "n", "n_base", "mean", "mean_base", "diff", "low",
    "high", "detected",
))  # fmt: skip
DifferenceFrame = Annotated[pd.DataFrame, DIFFERENCES]


def mean_differences(
    rows: MetricFrame, base: Mapping[str, str], level: float = LEVEL
) -> DifferenceFrame:
    """Each cell's mean minus that of its base cell, for every metric of ``rows``.

    ``rows`` is a metric frame; a cell's base is found as ``relative`` finds it. Columns:
    the dimensions, step, op, clock, metric, unit, direction, me, base, n, n_base, mean,
    mean_base, diff, low, high (NaN without two runs on both sides) and detected (the
    interval excludes 0; NA without one). Welch (1947), Satterthwaite's degrees of
    freedom, on the values as they are. Without any spread the interval is the difference.
    """
    require(rows, ("step", "metric", "value", "unit", "direction"))
    dims = [*dimensions_of(rows)]
    if rows.empty:
        return pd.DataFrame(columns=[*dims, *measurement_of(rows), *DIFFERENCES.columns])
    keys = cells_of(rows, dims)
    cells = _cells(rows, codes(rows, keys), keys)
    is_base = check_base(cells[keys], base).to_numpy()
    tied = tied_labels(cells, base, dims)
    match = [d for d in dims if d not in base and d not in tied] + measurement_of(cells)
    me, of_base = matched(cells, match, is_base)
    mine, theirs = rows_at(cells, me), rows_at(cells, of_base)
    pairs = mine.assign(
        me=label(mine, list(base)),
        base=name_of(base),
        n_base=theirs["n"].fillna(0).astype(int),
        mean_base=theirs["mean"],
        diff=mine["mean"] - theirs["mean"],
    )
    half = _half(mine, theirs, level)
    low, high = pairs["diff"] - half, pairs["diff"] + half
    outside = flags((low > 0) | (high < 0), np.isfinite(half))
    pairs = pairs.assign(low=low, high=high, detected=outside)
    return DIFFERENCES.of(pairs, keys)


def _cells(rows: pd.DataFrame, cell: np.ndarray, keys: list[str]) -> pd.DataFrame:
    """The keys, unit, direction, n, mean and variance (n-1) of each cell."""
    first = np.flatnonzero(~pd.Series(cell).duplicated().to_numpy())
    values = rows["value"].astype(float).groupby(cell)
    labels = rows.iloc[first][[*keys, "unit", "direction"]].reset_index(drop=True)
    return labels.assign(
        n=values.size().to_numpy(),
        mean=values.mean().to_numpy(),
        var=values.var().to_numpy(),
    )


def _half(me: pd.DataFrame, base: pd.DataFrame, level: float) -> np.ndarray:
    """Half the width of the interval of each difference; NaN where there is none."""
    sides = (side[c].to_numpy(float) for side in (me, base) for c in ("var", "n"))
    variance, df = combined([welch(*sides)])
    return half_width(np.sqrt(variance), df, level)
