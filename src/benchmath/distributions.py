"""Distribution functions that intervals and tests need, from scipy.special alone.

They are those of scipy.stats to the last bit; importing that takes longer than a whole
comparison.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from benchmath.special import special

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
