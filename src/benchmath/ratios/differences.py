"""What a run of 0 leaves: no ratio, but a difference, with an interval and a verdict.

Allocations, errors and stalls may be 0 in all runs, or in some. Their cells have no
geometric mean, so they are compared by the difference of their means.
"""

import numpy as np
import pandas as pd

from benchmath.frames import flags
from benchmath.intervals import combined, half_width, two_sided, welch

DIFFERENCES = ("difference", "difference_low", "difference_high", "mean_base")
NOTE = "a run of 0 has no ratio: the difference of the means"


def with_differences(pairs: pd.DataFrame, level: float) -> pd.DataFrame:
    """Pairs with DIFFERENCES, and p, detected and better of those that have no ratio.

    Needs n, mean, var and the same of the base with ``_base``, relative and direction.
    The difference of the means of all runs has Welch's interval (Satterthwaite's degrees
    of freedom), the difference itself where no side has a spread, none where a side has
    one run. NaN for pairs that have a ratio, or no base.
    """
    no_ratio = (pairs["relative"].isna() & (pairs["n_base"] > 0)).to_numpy()
    table = pairs.assign(**dict.fromkeys(DIFFERENCES, np.nan))
    if not no_ratio.any():
        return table
    rows = pairs[no_ratio]
    n, n_base, mean, mean_base, var, var_base = (
        rows[c].to_numpy(float)
        for c in ("n", "n_base", "mean", "mean_base", "var", "var_base")
    )
    difference = mean - mean_base
    variance, df = combined([welch(var, n, var_base, n_base)])
    error = np.sqrt(variance)
    half, p = half_width(error, df, level), two_sided(difference, error, df)
    low, high = difference - half, difference + half
    for name, values in zip(DIFFERENCES, (difference, low, high, mean_base), strict=True):
        table.loc[no_ratio, name] = values
    good = np.where(rows["direction"] == "higher", low > 0, high < 0)
    detected = (low > 0) | (high < 0)
    directed = rows["direction"].isin(["higher", "lower"]).to_numpy()
    table.loc[no_ratio, "p"] = p
    table.loc[no_ratio, "detected"] = flags(detected, np.isfinite(low))
    table.loc[no_ratio, "better"] = flags(good, detected & directed)
    return table


def differences_of(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The differences of a frame with their bounds; NaN where all rows have a ratio."""
    none = np.full(len(frame), np.nan)
    low, apart, high = (
        frame[c].to_numpy(float) if c in frame.columns else none
        for c in ("difference_low", "difference", "difference_high")
    )
    return apart, low, high


def limit(frame: pd.DataFrame, margin: float | np.ndarray) -> np.ndarray:
    """How large a difference nobody minds: the margin of the base's mean, 0 of a 0."""
    if "mean_base" not in frame.columns:
        return np.full(len(frame), np.nan)
    return margin * frame["mean_base"].to_numpy(float)
