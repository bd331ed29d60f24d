"""Two sets of profiles compared: per item the difference, its interval, its p.

An item's cost in a profile is its share of the samples times the cost of the whole. With
two or more profiles on both sides the variance of a difference has two parts:

- of the cost of the whole, from the spread of the trials (Welch, as everywhere);
- of the shares: what sampling makes, and what makes runs differ beyond it, as a share of
  the share and common to all functions; times how much more the trials of this function
  differ. Three trials tell little of one function, which may agree by chance: its factor
  is drawn towards that of all (``profile_dispersion``), and is never below 1.

With a single profile on a side there is no spread to see. The interval then holds only
the noise of sampling, which is assumed to be all: samples that come independently, and a
cost of the whole that is exact. It is too narrow wherever runs differ; the column
``interval`` says so.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmath.intervals import Part, combined, half_width, t_tail
from benchmath.ratios.power import ALPHA
from benchmath.ratios.verdicts import benjamini_hochberg
from benchmath.special import polygamma, special

LEAST = 0.01  # of the median factor: trials that agree by chance have no logarithm


def squeezed(squares: np.ndarray, df: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The factor of each item, and its degrees of freedom.

    ``squares`` are sums of squared deviations over the variance that sampling makes, with
    ``df`` degrees of freedom; items with df 0 get the common factor. Without any to learn
    from the factor is 1, known exactly.
    """
    used = df > 0
    if not used.any():
        return np.ones(squares.shape), np.full(squares.shape, np.inf)
    common, prior = _common(squares[used] / df[used], df[used])
    pooled = float(df[used].sum())
    with np.errstate(invalid="ignore"):
        mixed = (prior * common + squares) / (prior + df)
    factor = np.where(np.isinf(prior), common, mixed)
    return factor, np.minimum(prior + df, pooled)


def _common(factors: np.ndarray, df: np.ndarray) -> tuple[float, float]:
    """Scale and degrees of freedom of the distribution of the factors."""
    least = LEAST * max(float(np.median(factors)), 1e-9)
    logs = np.log(np.maximum(factors, least)) - special.psi(df / 2) + np.log(df / 2)
    spread = float(logs.var(ddof=1)) if logs.size > 1 else 0.0
    spread -= float(polygamma(1, df / 2).mean())
    if spread <= 0:
        return float(np.exp(logs.mean())), np.inf
    prior = 2 * _trigamma_inverse(spread)
    return float(np.exp(logs.mean() + special.psi(prior / 2) - np.log(prior / 2))), prior


def _trigamma_inverse(value: float) -> float:
    """Newton's method from below, where 1/trigamma is nearly straight (Smyth 2004)."""
    x = 0.5 + 1 / value
    for _ in range(50):
        trigamma = float(polygamma(1, x))
        step = trigamma * (1 - trigamma / value) / float(polygamma(2, x))
        x += step
        if -step / x < 1e-8:
            break
    return x


FEWEST = 5  # samples, on both sides together, below which a frame is not tested
TRIALS, ASSUMED = "trials", "sampling alone, assumed"


class Side(NamedTuple):
    """Profiles of one side: a row per profile and a column per item; cost per profile."""

    shares: np.ndarray
    errors: np.ndarray  # of the shares, by sampling
    samples: np.ndarray
    cost: np.ndarray


def differences(me: Side, base: Side) -> pd.DataFrame:
    """Columns value, value_base, difference, low, high, p, q, detected, samples,
    samples_base, n, n_base, interval; a row per item.

    q is p adjusted by Benjamini-Hochberg over the items with FEWEST samples, the others
    are not tested (p and q are NaN); detected means q <= 5%.
    """
    trials = min(len(me.cost), len(base.cost)) >= 2
    parts = _of_trials(me, base) if trials else [_of_sampling(me, base)]
    variance, df = combined(parts)
    value, value_base = _mean(me), _mean(base)
    difference, error = value - value_base, np.sqrt(variance)
    samples, samples_base = me.samples.sum(axis=0), base.samples.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        half = half_width(error, df)
        p = 2 * t_tail(np.abs(difference) / error, df)
    p = np.where(samples + samples_base >= FEWEST, p, np.nan)
    q = benjamini_hochberg(p)
    return pd.DataFrame(
        {
            "value": value,
            "value_base": value_base,
            "difference": difference,
            "low": difference - half,
            "high": difference + half,
            "p": p,
            "q": q,
            "detected": q <= ALPHA,
            "samples": samples.round().astype(int),
            "samples_base": samples_base.round().astype(int),
            "n": len(me.cost),
            "n_base": len(base.cost),
            "interval": TRIALS if trials else ASSUMED,
        }
    )


def whole(me: np.ndarray, base: np.ndarray) -> tuple[float, float, float]:
    """Difference of the mean costs, its bounds; NaN without two runs on both sides."""
    difference = float(me.mean() - base.mean())
    if min(me.size, base.size) < 2:
        return difference, np.nan, np.nan
    part = _welch(np.ones(1), me, np.ones(1), base)
    variance, df = combined([part])
    half = float(half_width(np.sqrt(variance), df)[0])
    return difference, difference - half, difference + half


def _mean(side: Side) -> np.ndarray:
    return (side.shares * side.cost[:, None]).mean(axis=0)


def _of_sampling(me: Side, base: Side) -> Part:
    ours, theirs = _of_means(me, 0.0), _of_means(base, 0.0)
    df = np.full(ours.shape, np.inf)
    return Part(ours, theirs, df, df, np.array(False))


def _of_trials(me: Side, base: Side) -> list[Part]:
    """Noise of the shares, and of the costs of the whole."""
    tau = _drift([me, base])
    squares, freedom = np.zeros(me.shares.shape[1]), np.zeros(me.shares.shape[1])
    for side in (me, base):
        expected = _variances(side, tau).mean(axis=0)
        squares += np.where(_frequent(side), _spread(side) / expected, 0.0)
        freedom += np.where(_frequent(side), len(side.cost) - 1, 0)
    factor, df = squeezed(squares, freedom)
    factor = np.maximum(factor, 1.0)
    ours, theirs = factor * _of_means(me, tau), factor * _of_means(base, tau)
    means = me.shares.mean(axis=0), base.shares.mean(axis=0)
    return [
        Part(ours, theirs, df, df, np.array(True)),
        _welch(means[0], me.cost, means[1], base.cost),
    ]


def _drift(sides: Sequence[Side]) -> float:
    """Variance that shares have beyond sampling, relative to the share itself.

    A share that is large has little noise of sampling, so what makes runs differ is seen
    there. Weighted least squares through the origin of the excess over the squared share,
    where the variance of an excess is that of sampling alone.
    """
    above = below = 0.0
    for side in sides:
        frequent, runs = _frequent(side), len(side.cost)
        sampled = (side.errors**2).mean(axis=0)[frequent]
        share = side.shares.mean(axis=0)[frequent] ** 2
        excess = _spread(side)[frequent] / (runs - 1) - sampled
        weight = (runs - 1) * share / sampled**2
        above += float((weight * excess).sum())
        below += float((weight * share).sum())
    return max(above / below, 0.0) if below else 0.0


def _frequent(side: Side) -> np.ndarray:
    return side.samples.sum(axis=0) >= FEWEST


def _spread(side: Side) -> np.ndarray:
    return ((side.shares - side.shares.mean(axis=0)) ** 2).sum(axis=0)


def _variances(side: Side, tau: float) -> np.ndarray:
    """Of the shares: a row per profile."""
    return side.errors**2 + tau * side.shares.mean(axis=0) ** 2


def _of_means(side: Side, tau: float) -> np.ndarray:
    """Of a side's mean cost, by what its shares have of noise."""
    costs = side.cost[:, None] ** 2
    return (_variances(side, tau) * costs).sum(axis=0) / len(side.cost) ** 2


def _welch(
    share: np.ndarray, cost: np.ndarray, share_base: np.ndarray, cost_base: np.ndarray
) -> Part:
    """What the costs of the whole add, to each item by its share."""
    variances = [s**2 * c.var(ddof=1) / c.size
                 for s, c in ((share, cost), (share_base, cost_base))]  # fmt: skip
    freedom = [np.full(share.shape, float(c.size - 1)) for c in (cost, cost_base)]
    return Part(variances[0], variances[1], freedom[0], freedom[1], np.array(False))
