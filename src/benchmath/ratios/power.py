"""How many runs find an effect, and the smallest effect that some runs can find.

The test is the one behind every interval of a ratio: Student's t on logarithms, two
sided. Its power is that of the noncentral t distribution with the noncentrality
log(ratio) / standard error: J. Cohen, "Statistical Power Analysis for the Behavioral
Sciences" (1988), chapter 2, and D. B. Owen, "The Power of Student's t-test", JASA 60
(1965), without Cohen's normal approximation.

All stddevs are of logarithms; for the few percent of a benchmark that is the CoV. An
effect is relative: 0.03 is a ratio of 1.03, -0.03 one of 0.97.
"""

import math
from collections.abc import Callable

from benchmath.special import special

POWER = 0.8
ALPHA = 0.05
_NORMAL = 1e5  # degrees of freedom from which t is the normal distribution to 5 digits


def runs_needed(
    sd: float,
    effect: float,
    power: float = POWER,
    alpha: float = ALPHA,
    ratio: float = 1.0,
    floor_sd: float = 0.0,
    df: float = 0.0,
) -> int | None:
    """Runs of one side that find ``effect`` with probability ``power``.

    ``sd`` is the stddev from run to run. The base gets ``ratio`` times the runs of the
    other side, rounded up. ``floor_sd`` is a stddev per side (of the build, the load)
    that more runs do not average out. ``df`` are degrees of freedom that the estimate
    of ``sd`` has from other cells than these two; without any, two runs are the least.

    None when no number of runs reaches the power. ValueError for an effect of 0 or of
    -1 and less, or a stddev that is negative or not finite.
    """
    distance = _distance(effect)
    _check(sd, floor_sd)
    least = 1 if df > 0 else 2

    def power_with(n: int) -> float:
        base = math.ceil(ratio * n)
        return _power(distance, sd, n, base, alpha, floor_sd, n + base - 2 + df)

    if not _within_reach(distance, floor_sd, power, alpha, math.inf):
        return None
    return least if sd == 0 else _first(least, lambda n: power_with(n) >= power)


def further_runs(
    sd: float,
    effect: float,
    n_me: int,
    n_base: int,
    power: float = POWER,
    alpha: float = ALPHA,
    floor_sd: float = 0.0,
    df: float | None = None,
) -> int | None:
    """Runs to add on each side to find ``effect`` with ``power``; 0 if they do so now.

    ``df`` are the degrees of freedom that the test has now (default: n_me + n_base - 2).
    Each further pair of runs adds two; where a floor is part of the error they stay, as
    runs make it no better known. With equal sides, the default and no floor this is
    ``runs_needed`` less the runs there. None and errors as in ``runs_needed``.
    """
    distance = _distance(effect)
    _check(sd, floor_sd)
    now = n_me + n_base - 2 if df is None else df
    gain = 0 if floor_sd else 2

    def power_with(more: int) -> float:
        me, base = n_me + more, n_base + more
        return _power(distance, sd, me, base, alpha, floor_sd, now + gain * more)

    if not _within_reach(distance, floor_sd, power, alpha, now):
        return None
    if sd == 0 or power_with(0) >= power:
        return 0
    return _first(1, lambda more: power_with(more) >= power)


def smallest_effect(
    sd: float,
    n_me: int,
    n_base: int,
    power: float = POWER,
    alpha: float = ALPHA,
    floor_sd: float = 0.0,
    df: float | None = None,
) -> float:
    """The smallest relative increase that these runs find with ``power``.

    ``df`` are all degrees of freedom of the test; by default those of the two cells,
    n_me + n_base - 2. NaN where none are left: one run a side and no noise on record.
    The smallest decrease is a little smaller: effect / (1 + effect).
    """
    _check(sd, floor_sd)
    freedom = n_me + n_base - 2 if df is None else df
    if freedom <= 0 or min(n_me, n_base) < 1:
        return math.nan
    error = math.sqrt(sd**2 * (1 / n_me + 1 / n_base) + 2 * floor_sd**2)
    if error == 0:
        return 0.0

    def missing(errors: float) -> float:
        return (
            power_of(
                math.expm1(errors * error), sd, n_me, n_base, alpha, floor_sd, freedom
            )
            - power
        )

    from scipy.optimize import brentq  # slow to import, and seldom asked for

    high = 8.0
    while missing(high) < 0:
        high *= 2
    return math.expm1(brentq(missing, 1e-9, high, xtol=1e-10) * error)


def power_of(
    effect: float,
    sd: float,
    n_me: int,
    n_base: int,
    alpha: float = ALPHA,
    floor_sd: float = 0.0,
    df: float | None = None,
) -> float:
    """The probability that these runs find ``effect``: the other two, the other way."""
    freedom = n_me + n_base - 2 if df is None else df
    return _power(_distance(effect), sd, n_me, n_base, alpha, floor_sd, freedom)


def _within_reach(
    distance: float, floor_sd: float, power: float, alpha: float, freedom: float
) -> bool:
    """Whether unlimited runs reach the power: the floor is the error that is left."""
    if floor_sd == 0:
        return True
    return _power(distance, 0.0, 1, 1, alpha, floor_sd, freedom) > power


def _first(low: int, enough: Callable[[int], bool]) -> int:
    """The first number from ``low`` on that is enough; all after it are."""
    high = low
    while not enough(high):
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return high


def _distance(effect: float) -> float:
    if not -1 < effect < math.inf or effect == 0:
        raise ValueError(f"an effect of {effect:g} cannot be looked for")
    return abs(math.log1p(effect))


def _check(*stddevs: float) -> None:
    for sd in stddevs:
        if not 0 <= sd < math.inf:
            raise ValueError(f"a stddev of {sd:g} says nothing")


def _power(
    distance: float,
    sd: float,
    n_me: int,
    n_base: int,
    alpha: float,
    floor_sd: float,
    freedom: float,
) -> float:
    """Power at a distance of logs; NaN without degrees of freedom."""
    if freedom <= 0:
        return math.nan
    error = math.sqrt(sd**2 * (1 / n_me + 1 / n_base) + 2 * floor_sd**2)
    if freedom > _NORMAL or error == 0:
        return _normal_power(distance, error, alpha)
    shift, critical = distance / error, special.stdtrit(freedom, 1 - alpha / 2)
    return float(1 - special.ncfdtr(1, freedom, shift**2, critical**2))  # both tails


def _normal_power(distance: float, error: float, alpha: float) -> float:
    if error == 0:
        return 1.0
    shift, critical = distance / error, special.ndtri(1 - alpha / 2)
    return float(special.ndtr(shift - critical) + special.ndtr(-shift - critical))
