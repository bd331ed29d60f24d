"""Ratios of several loads as one: what the loads differ by is part of the interval."""

from typing import NamedTuple

import numpy as np
from scipy import optimize

from benchbook.analysis.ratios.pooling import moderate

THIS_LOAD, THESE_LOADS, LOADS = "this load", "these loads", "loads"
FEWEST = 3  # loads that tell what loads differ by


class OverLoads(NamedTuple):
    """A mean of logarithms over loads; ``var`` is of the mean, NaN if unknown.

    ``covers`` says what the interval speaks of: this load or these loads (the turns'
    variance alone), or loads (the spread between them).
    """

    log: float
    var: float
    df: float
    covers: str


def over_loads(logs: np.ndarray, var: np.ndarray, df: np.ndarray) -> OverLoads:
    """The mean of the logarithms of ratios that different loads gave.

    ``var`` and ``df`` are those within each load, NaN where its turns give none.

    Three loads or more, or two without a variance of their own: a random-effects mean.
    The variance between loads is R. C. Paule and J. Mandel's (1982), the weights are
    1 / (within + between). The variance of the mean is J. Hartung and G. Knapp's
    (Statistics in Medicine 20, 2001): the weighted spread of the loads around the mean,
    with loads - 1 degrees of freedom. The variances within are moderated over the loads
    for that, because weights that vary by chance make the spread too small: 95% intervals
    of 5 loads that do not differ, of 60 rounds each, then covered 92%.

    One load or two: the variance within, with Satterthwaite's degrees of freedom; it
    says nothing of other loads.
    """
    k = logs.size
    within = bool(np.isfinite(var).all())
    if k < FEWEST and (within or k == 1):
        total = float(var.sum()) / k**2
        uncertain = float((var**2 / df).sum()) / k**4
        freedom = np.inf if total == 0 else total**2 / uncertain
        covers = THIS_LOAD if k == 1 else THESE_LOADS
        return OverLoads(float(logs.mean()), total, freedom, covers)
    weights = _weights(logs, moderate(var, df).var if within else np.zeros(k))
    mean = float(weights @ logs)
    spread = float(weights @ (logs - mean) ** 2) / (k - 1)
    return OverLoads(mean, spread, k - 1.0, LOADS)


def between_loads(logs: np.ndarray, var: np.ndarray) -> float:
    """Paule and Mandel's variance between loads: with it, Q is its degrees of freedom."""

    def excess(between: float) -> float:
        weights = 1 / (var + between)
        mean = weights @ logs / weights.sum()
        return float(weights @ (logs - mean) ** 2) - (logs.size - 1)

    highest = float(logs.var(ddof=1))
    if highest == 0 or ((var > 0).all() and excess(0.0) <= 0):
        return 0.0
    if (var == 0).all():
        return highest
    # Below the whole spread: Q falls as the variance between grows.
    return float(optimize.brentq(excess, highest * 1e-9, 2 * highest * logs.size))


def _weights(logs: np.ndarray, var: np.ndarray) -> np.ndarray:
    total = var + between_loads(logs, var)
    if (total <= 0).any():
        return np.full(logs.size, 1 / logs.size)
    return (1 / total) / (1 / total).sum()
