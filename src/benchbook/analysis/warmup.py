"""The seconds of a step as a line with correlated noise, after a warm-up.

Warm-up is cut off by MSER (K. P. White, "An Effective Truncation Heuristic for Bias
Reduction in Simulation Output", Simulation 69, 1997): leave out so many seconds that the
squared standard error of what the rest estimates is least. Here the rest is a line and
not a level, so that a slow drift is not taken for a long warm-up. The trend has the
interval of B. D. Santer et al. (J. Geophysical Research 105, 2000): least squares whose
n residuals count as n (1 - r) / (1 + r), with r their correlation from one second to the
next, corrected for its bias (M. G. Kendall, Biometrika 41, 1954).
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.ndimage import median_filter

from benchbook.analysis.intervals import LEVEL

TOLERANCE = 0.01  # share of the mean rate below which nothing is worth a flag
_SMOOTH = 5  # seconds of the running median that keeps single spikes from MSER
_SURE = 3.5  # standard errors of a warm-up; not 2, as MSER has chosen its length


class Seconds(NamedTuple):
    """Middle, length and rate of each second, in s and per s."""

    at: np.ndarray
    length: np.ndarray
    rate: np.ndarray


class Line(NamedTuple):
    """A line through seconds, and what its residuals say about its errors."""

    slope: float
    middle: float  # mean time
    level: float  # the rate there
    leverage: float  # sum of squares of the times around their middle
    n: int
    n_effective: float
    sd: float  # of the residuals
    explained: float  # share of the variance that is the slope's


def line_through(at: np.ndarray, rate: np.ndarray) -> Line:
    """Least squares through rates at some times, three of them at least."""
    times = at - at.mean()
    leverage, level, n = float(times @ times), float(rate.mean()), at.size
    slope = float(times @ rate) / leverage
    residual = rate - level - slope * times
    power = float(residual @ residual)
    r = 0.0
    if power > n * (1e-9 * level) ** 2:
        r = float(residual[1:] @ residual[:-1]) / power
        r = min(max(r + (2 + 4 * r) / n, 0.0), 0.99)
    effective = max(1.0, n * (1 - r) / (1 + r))
    sd = math.sqrt(power / (n - 2))
    whole = power + slope**2 * leverage
    explained = 1 - power / whole if whole > 0 else 0.0
    middle = float(at.mean())
    return Line(slope, middle, level, leverage, n, effective, sd, explained)


def warmup(seconds: Seconds) -> int:
    """How many seconds at the start differ from the rest; 0 if that may be chance."""
    smooth = median_filter(seconds.rate, _SMOOTH, mode="nearest")
    cut = _mser(seconds.at, smooth)
    rest = line_through(seconds.at[cut:], seconds.rate[cut:])

    def off(rate: np.ndarray) -> np.ndarray:
        return rate - rest.level - rest.slope * (seconds.at[: rate.size] - rest.middle)

    visible = np.flatnonzero(np.abs(off(smooth[:cut])) > 2 * rest.sd)
    if not visible.size:
        return 0
    warm = int(visible[-1]) + 1
    early = (warm + 1) // 2  # MSER may have cut too much: its first half must differ
    effect = float(np.median(off(seconds.rate[:early])))
    error = _error(rest, float(seconds.at[:early].mean()), early)
    sure = abs(effect) > max(_SURE * error, TOLERANCE * rest.level)
    return warm if sure and not _goes_on(effect, rest, seconds.at[-1]) else 0


def trend(line: Line, start: float, end: float) -> tuple[float, float, float]:
    """Change of the line from start to end in % of its start, with 95% interval.

    In % of the mean rate where the line starts at or below 0. The bounds are NaN where
    the residuals are worth fewer than three seconds.
    """
    freedom = line.n_effective - 2
    half = math.nan
    if freedom >= 1:
        sd = line.sd * math.sqrt((line.n - 2) / freedom)
        half = stats.t.ppf((1 + LEVEL) / 2, freedom) * sd / math.sqrt(line.leverage)
    begin = line.level + line.slope * (start - line.middle)
    percent = 100 * (end - start) / (begin if begin > 0 else line.level)
    change = percent * line.slope
    return change, change - percent * half, change + percent * half


def _goes_on(effect: float, rest: Line, end: float) -> bool:
    """A start that is higher is part of a fall that goes on and is larger: no warm-up."""
    change = rest.slope * 2 * (end - rest.middle)
    return effect * change < 0 and abs(effect) < abs(change)


def _mser(at: np.ndarray, rate: np.ndarray) -> int:
    """The first cut, up to half of the values, whose MSER is as good as the least.

    As good: within one standard error of the least residual sum of squares.
    """
    n = at.size
    left = n - np.arange(n // 2 + 1.0)

    def sums(values: np.ndarray) -> np.ndarray:
        return np.cumsum(values[::-1])[::-1][: left.size]

    t, v = at - at.mean(), rate - rate.mean()
    tt = sums(t * t) - sums(t) ** 2 / left
    tv = sums(t * v) - sums(t) * sums(v) / left
    vv = sums(v * v) - sums(v) ** 2 / left
    mser = np.maximum(vv - tv**2 / tt, 0) / left**2
    return int(np.argmax(mser <= mser.min() * (1 + math.sqrt(2 / n))))


def _error(rest: Line, at: float, n: int) -> float:
    """Standard error of the median of n seconds around ``at`` less the line there."""
    share = rest.n_effective / rest.n
    median = math.pi / 2 / max(1.0, n * share)
    line = 1 / rest.n_effective + (at - rest.middle) ** 2 / (rest.leverage * share)
    return rest.sd * math.sqrt(median + line)
