"""Confidence intervals, each formula in one place.

Everything here is vectorised over cells: the arguments are numbers or arrays of one
length, and a cell with too few runs gets NaN bounds, never a guess.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

LEVEL = 0.95


class Interval(NamedTuple):
    """An estimate with its bounds; NaN bounds mean that the data gives none."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Logs(NamedTuple):
    """n, mean and variance (n-1) of the logarithms of a cell's trials."""

    n: np.ndarray
    mean: np.ndarray
    var: np.ndarray


def logs(values: ArrayLike) -> Logs:
    """Count, mean and variance of the logarithms of positive trials."""
    taken = np.log(np.asarray(values, dtype=float))
    var = taken.var(ddof=1) if taken.size > 1 else np.nan
    return Logs(np.array(taken.size), np.array(taken.mean()), np.array(var))


def ratio_interval(me: Logs, base: Logs, level: float = LEVEL) -> Interval:
    """Ratio of geometric means with Welch's interval on the logarithms.

    Welch (1947) with Satterthwaite's degrees of freedom. It needs two runs on both
    sides. Without any spread on either side the interval is the ratio itself.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        error = me.var / me.n + base.var / base.n
        freedom = error**2 / (
            (me.var / me.n) ** 2 / (me.n - 1) + (base.var / base.n) ** 2 / (base.n - 1)
        )
        difference = me.mean - base.mean
        half = np.where(error == 0, 0.0, _quantile(level, freedom) * np.sqrt(error))
    enough = (np.minimum(me.n, base.n) >= 2) & np.isfinite(difference)
    half = np.where(enough, half, np.nan)
    return Interval(
        np.exp(difference), np.exp(difference - half), np.exp(difference + half)
    )


def mean_interval(cell: Logs, level: float = LEVEL) -> Interval:
    """Geometric mean of a cell with Student's interval on the logarithms."""
    with np.errstate(divide="ignore", invalid="ignore"):
        half = _quantile(level, cell.n - 1) * np.sqrt(cell.var / cell.n)
    half = np.where(np.isfinite(cell.mean), half, np.nan)
    return Interval(np.exp(cell.mean), np.exp(cell.mean - half), np.exp(cell.mean + half))


def cov_interval(cov: ArrayLike, n: ArrayLike, level: float = LEVEL) -> Interval:
    """Interval of a coefficient of variation: Vangel's modified McKay method.

    M. G. Vangel, "Confidence Intervals for a Normal Coefficient of Variation", The
    American Statistician 50 (1996). ``cov`` is the sample stddev (n-1) over the mean.
    Valid for normal data and CoV below about 0.33; where three runs spread so widely
    that the method has no upper bound, the bound is infinite.
    """
    k, runs = np.asarray(cov, dtype=float), np.asarray(n, dtype=float)
    freedom = np.where(runs > 1, runs - 1, np.nan)
    tail = (1 - level) / 2
    return Interval(
        k,
        _vangel(k, freedom, stats.chi2.ppf(1 - tail, freedom)),
        _vangel(k, freedom, stats.chi2.ppf(tail, freedom)),
    )


def slope_interval(
    x: ArrayLike, y: ArrayLike, used: int, level: float = LEVEL
) -> Interval:
    """Least-squares slope through the origin of centred x and y.

    ``used`` is how many means were taken out of x and y: each costs one degree of
    freedom besides the slope's own.
    """
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    freedom, spread = xs.size - used - 1, float(xs @ xs)
    if spread == 0:
        return Interval(np.array(np.nan), np.array(np.nan), np.array(np.nan))
    slope = float(xs @ ys) / spread
    if freedom < 1:
        return Interval(np.array(slope), np.array(np.nan), np.array(np.nan))
    residual = float(((ys - slope * xs) ** 2).sum())
    half = float(_quantile(level, freedom)) * np.sqrt(residual / freedom / spread)
    return Interval(np.array(slope), np.array(slope - half), np.array(slope + half))


def _quantile(level: float, freedom: ArrayLike) -> np.ndarray:
    usable = np.where(np.asarray(freedom, dtype=float) > 0, freedom, np.nan)
    return stats.t.ppf((1 + level) / 2, usable)


def _vangel(k: np.ndarray, freedom: np.ndarray, chi2: np.ndarray) -> np.ndarray:
    n = freedom + 1
    with np.errstate(invalid="ignore", divide="ignore"):
        under_root = ((chi2 + 2) / n - 1) * k**2 + chi2 / freedom
        bound = k / np.sqrt(np.where(under_root > 0, under_root, np.nan))
    return np.where(under_root <= 0, np.inf, bound)
