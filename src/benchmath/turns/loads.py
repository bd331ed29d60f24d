"""Ratios of several loads as one: what the loads differ by is part of the interval."""

from typing import NamedTuple

import numpy as np

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

    Three loads or more, or two without a variance of their own: the plain mean, and the
    spread of the loads around it, with loads - 1 degrees of freedom. Weights by what the
    rounds know would be narrower and wrong: a load in which an engine did work of its own
    in the background is slower and has noisier rounds, so it would count for less.

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
    return OverLoads(float(logs.mean()), float(logs.var(ddof=1)) / k, k - 1.0, LOADS)
