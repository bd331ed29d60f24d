"""Bounds for looking at an estimate again and again without erring more often."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from benchmath.distributions import normal_density, normal_tail
from benchmath.intervals import LEVEL

POWER = 1.5
_NODES = 151
_LEAST = 1e-9  # of error to spend at a look; a bound beyond 6 standard errors


def spent(shares: np.ndarray, alpha: float) -> np.ndarray:
    """The error that may be spent by the time a share of the budget is used.

    K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the
    type I error spending rate function", Biometrika 74 (1987): alpha share^1.5. Lower
    powers (Pocock's bounds are near 1) find large differences sooner and small ones, or
    that there is none, later; O'Brien and Fleming's are near 3.
    """
    return alpha * np.clip(shares, 0, 1) ** POWER


def bounds(
    shares: Sequence[float], information: Sequence[float], level: float = LEVEL
) -> np.ndarray:
    """How many standard errors an estimate must be off at each look, on either side.

    K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials",
    Biometrika 70 (1983): all looks together err with chance 1 - ``level`` at most, and
    neither their number nor their times need be known before. ``shares`` of the budget
    say what may be spent (Lan and DeMets, Statistics in Medicine 8, 1989: calendar time),
    ``information`` how much of the data of a look the earlier ones had (any unit).
    Intervals as wide as these bounds hold the truth at all looks together: C. Jennison
    and B. W. Turnbull, "Interim analyses: the repeated confidence interval approach",
    JRSS B 51 (1989).

    Both rise from look to look; ValueError if not. One look at the whole budget is the
    usual interval: 1.96.
    """
    times, amounts = (np.asarray(v, dtype=float) for v in (shares, information))
    if (np.diff(times) < 0).any() or (np.diff(amounts) <= 0).any():
        raise ValueError("looks: share and information must rise from look to look")
    return np.array(_bounds(tuple(times), tuple(amounts / amounts[:1]), 1 - level))


@lru_cache(maxsize=4096)
def _bounds(
    shares: tuple[float, ...], information: tuple[float, ...], alpha: float
) -> tuple[float, ...]:
    """The recursion of P. Armitage, C. K. McPherson and B. C. Rowe, JRSS A 132 (1969).

    The score (estimate times information) adds independent normal steps. Its density
    where no look has stopped yet is kept at Gauss-Legendre nodes between the bounds.
    """
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    score, mass = np.zeros(1), np.ones(1)
    before, so_far, found = 0.0, 0.0, []
    for amount, target in zip(information, spent(np.array(shares), alpha), strict=True):
        step = float(np.sqrt(amount - before))
        may_spend = max(float(target) - so_far, _LEAST)
        bound = _bound(score, mass, step, may_spend)
        found.append(bound / float(np.sqrt(amount)))
        at = bound * nodes
        density = normal_density((at[:, None] - score) / step) / step
        score, mass = at, (density @ mass) * weights * bound
        before, so_far = amount, so_far + may_spend
    return tuple(found)


def _bound(score: np.ndarray, mass: np.ndarray, step: float, chance: float) -> float:
    """The bound of the score that a further normal step passes with this chance."""

    def excess(bound: float) -> float:
        above = normal_tail((bound - score) / step)
        below = normal_tail((bound + score) / step)
        return float(mass @ (above + below)) - chance

    from scipy import optimize  # slow to import, and seldom asked for

    return float(optimize.brentq(excess, 0, np.abs(score).max() + 10 * step))
