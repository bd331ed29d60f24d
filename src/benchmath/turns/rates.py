"""The ratio of two rates that were counted in the same rounds."""

from typing import NamedTuple

import numpy as np

from benchmath.turns.correlated import FEWEST, variance_of_mean

FEWEST_OPS = 20  # a side; below, an operation more or less is 5%
_FAR_APART = 2  # rounds; sides that have the same seconds end closer than that


class Counted(NamedTuple):
    """Operations of one side and the time they took, one value per round.

    No time where the side was not in the round.
    """

    ops: np.ndarray
    time: np.ndarray


class RateRatio(NamedTuple):
    """Logarithm of a ratio of rates; var and df are NaN where the rounds give none."""

    log: float
    var: float
    df: float
    autocorrelation: float


def log_ratio(me: Counted, base: Counted) -> float:
    """Logarithm of the ratio of all operations over all time; NaN without either."""
    sums = np.array([side.sum() for side in (*me, *base)], dtype=float)
    if (sums <= 0).any():
        return np.nan
    ops, time, ops_base, time_base = np.log(sums)
    return float(ops - time - ops_base + time_base)


def rate_ratio(me: Counted, base: Counted) -> RateRatio:
    """The ratio of rates over all rounds, with its variance from round to round.

    The estimate is the ratio of sums, each side's over the rounds it was in: a mean of
    the rounds' own ratios is biased where a turn holds few operations, and has no value
    where it holds none; and where a step ends after so many rows and slows down as it
    goes, the rounds that both were in are all of one side's step and the fast part of the
    other's (true ratio 1.2, rates that fall by 30%: they say 1.167).

    Its variance is that of the mean of the linearised rounds (W. G. Cochran, Sampling
    Techniques, 1977, 6.3): to first order the logarithm of a ratio of sums is off by the
    mean of ops / mean ops - time / mean time. The sides are subtracted round by round, so
    what slows both in one round cancels; what rounds share with the next is allowed for
    (``variance_of_mean``). Sides that end far apart are subtracted at equal shares of
    their rounds, so that what the step does to both as it goes cancels.

    No variance with fewer than ``FEWEST`` rounds or ``FEWEST_OPS`` operations on a side.
    """
    log = log_ratio(me, base)
    few = min((side.time > 0).sum() for side in (me, base)) < FEWEST
    few |= min(me.ops.sum(), base.ops.sum()) < FEWEST_OPS
    if few or not np.isfinite(log):
        return RateRatio(log, np.nan, np.nan, np.nan)
    return RateRatio(log, *variance_of_mean(_linearised(me, base)))


def _linearised(me: Counted, base: Counted) -> np.ndarray:
    """How far off each round is, arm less base; the mean is 0."""
    present = [
        _of_side(Counted(s.ops[s.time > 0], s.time[s.time > 0])) for s in (me, base)
    ]
    shortest, longest = sorted(side.size for side in present)
    if longest - shortest > _FAR_APART:
        mine, theirs = (_stretched(side, longest) for side in present)
        return mine - theirs
    return _of_side(me) - _of_side(base)


def _of_side(side: Counted) -> np.ndarray:
    return side.ops / side.ops.mean() - side.time / side.time.mean()


def _stretched(values: np.ndarray, size: int) -> np.ndarray:
    """As many values as asked for, with the same running mean at each share of them."""
    running = np.concatenate([[0.0], np.cumsum(values) / values.size])
    shares = np.linspace(0, 1, size + 1)
    return size * np.diff(np.interp(shares, np.linspace(0, 1, running.size), running))
