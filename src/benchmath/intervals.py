"""Confidence intervals, each formula in one place.

Everything here is vectorised over cells: the arguments are numbers or arrays of one
length, and a cell with too few runs gets NaN bounds, never a guess.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from benchmath.special import special

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
    logarithms = np.log(np.asarray(values, dtype=float))
    var = logarithms.var(ddof=1) if logarithms.size > 1 else np.nan
    return Logs(np.array(logarithms.size), np.array(logarithms.mean()), np.array(var))


def ratio_interval(me: Logs, base: Logs, level: float = LEVEL) -> Interval:
    """Ratio of geometric means with Welch's interval on the logarithms.

    Welch (1947) with Satterthwaite's degrees of freedom. It needs two runs on both
    sides. Without any spread on either side the interval is the ratio itself.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = me.mean - base.mean
        variance, freedom = combined([welch(me.var, me.n, base.var, base.n)])
        half = half_width(np.sqrt(variance), freedom, level)
    enough = (np.minimum(me.n, base.n) >= 2) & np.isfinite(difference)
    half = np.where(enough, half, np.nan)
    return Interval(
        np.exp(difference), np.exp(difference - half), np.exp(difference + half)
    )


class Part(NamedTuple):
    """What a source of noise adds to the variance of a difference of two sides.

    ``me`` and ``base`` are variances with their degrees of freedom. ``shared`` means
    that one estimate, with ``me_df``, serves both sides, so their errors add up.
    """

    me: np.ndarray
    base: np.ndarray
    me_df: np.ndarray
    base_df: np.ndarray
    shared: np.ndarray


def welch(
    var: np.ndarray, n: np.ndarray, var_base: np.ndarray, n_base: np.ndarray
) -> Part:
    """Of two means, each with the variance of its own values."""
    return Part(var / n, var_base / n_base, n - 1, n_base - 1, np.array(False))


def combined(parts: Sequence[Part]) -> tuple[np.ndarray, np.ndarray]:
    """Variance of a difference and its degrees of freedom, over all sources of noise.

    F. E. Satterthwaite, "An Approximate Distribution of Estimates of Variance
    Components", Biometrics Bulletin 2 (1946). Without any variance the degrees of
    freedom are infinite.
    """
    variance = np.sum([part.me + part.base for part in parts], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        uncertain = np.sum([_uncertainty(part) for part in parts], axis=0)
        freedom = np.where(variance == 0, np.inf, variance**2 / uncertain)
    return variance, np.where(np.isnan(variance), np.nan, freedom)


def student_interval(
    estimate: ArrayLike, se: ArrayLike, df: ArrayLike, level: float = LEVEL
) -> Interval:
    """A ratio whose logarithm has this standard error: bounds are those of Student's t.

    Without an error the bounds are the ratio itself. A bound lies on 1 exactly where
    ``student_p`` is 1 - ``level``.
    """
    ratio, error = np.asarray(estimate, dtype=float), np.asarray(se, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        half = half_width(error, df, level)
        return Interval(ratio, ratio * np.exp(-half), ratio * np.exp(half))


def student_p(estimate: ArrayLike, se: ArrayLike, df: ArrayLike) -> np.ndarray:
    """Two-sided p of a ratio being 1; without an error 1 if it is, else 0."""
    ratio, error = np.asarray(estimate, dtype=float), np.asarray(se, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return two_sided(np.log(ratio), error, np.asarray(df, dtype=float))


def half_width(se: np.ndarray, df: ArrayLike, level: float = LEVEL) -> np.ndarray:
    """Half of Student's interval of what has this standard error; 0 without an error."""
    with np.errstate(invalid="ignore"):
        return np.where(se == 0, 0.0, _quantile(level, df) * se)


def two_sided(estimate: np.ndarray, se: np.ndarray, df: ArrayLike) -> np.ndarray:
    """Two-sided p of the estimate being 0; without an error 1 if it is, else 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * t_tail(np.abs(estimate) / se, df)
        return np.where(se == 0, np.where(estimate == 0, 1.0, 0.0), p)


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
        _vangel(k, freedom, chi2_quantile(1 - tail, freedom)),
        _vangel(k, freedom, chi2_quantile(tail, freedom)),
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


def _uncertainty(part: Part) -> np.ndarray:
    """Half the variance of a part's own estimate."""
    apart = _over(part.me**2, part.me_df) + _over(part.base**2, part.base_df)
    return np.where(part.shared, _over((part.me + part.base) ** 2, part.me_df), apart)


def _over(square: np.ndarray, df: np.ndarray) -> np.ndarray:
    return np.where(square == 0, 0.0, square / df)


def _quantile(level: float, freedom: ArrayLike) -> np.ndarray:
    usable = np.where(np.asarray(freedom, dtype=float) > 0, freedom, np.nan)
    return t_quantile((1 + level) / 2, usable)


def _vangel(k: np.ndarray, freedom: np.ndarray, chi2: np.ndarray) -> np.ndarray:
    n = freedom + 1
    with np.errstate(invalid="ignore", divide="ignore"):
        under_root = ((chi2 + 2) / n - 1) * k**2 + chi2 / freedom
        bound = k / np.sqrt(np.where(under_root > 0, under_root, np.nan))
    return np.where(under_root <= 0, np.inf, bound)


_ROOT = np.sqrt(2 * np.pi)


def t_quantile(share: ArrayLike, df: ArrayLike) -> Any:
    """Student's t below which a share lies; NaN for degrees of freedom not above 0."""
    return special.stdtrit(df, share)


def t_tail(value: ArrayLike, df: ArrayLike) -> Any:
    """The share of Student's t above a value."""
    return special.stdtr(df, np.negative(value))


def t_above(share: ArrayLike, df: ArrayLike) -> Any:
    """Student's t above which a share lies."""
    return np.negative(special.stdtrit(df, share))


def normal_tail(value: ArrayLike) -> Any:
    """The share of the standard normal above a value."""
    return special.ndtr(np.negative(value))


def normal_density(value: ArrayLike) -> Any:
    """Of the standard normal at a value."""
    return np.exp(-(np.asarray(value) ** 2) / 2.0) / _ROOT


def chi2_quantile(share: ArrayLike, df: ArrayLike) -> Any:
    """Chi-squared below which a share lies."""
    return 2 * special.gammaincinv(np.asarray(df, dtype=float) / 2, share)


def chi2_share(value: ArrayLike, df: ArrayLike) -> Any:
    """The share of chi-squared below a value."""
    return special.chdtr(df, value)


def f_quantile(share: ArrayLike, above: ArrayLike, below: ArrayLike) -> Any:
    """Fisher's F below which a share lies, of two degrees of freedom."""
    return special.fdtri(above, below, share)


def f_tail(value: ArrayLike, above: ArrayLike, below: ArrayLike) -> Any:
    """The share of Fisher's F above a value."""
    return special.fdtrc(above, below, value)
