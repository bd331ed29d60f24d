"""Which noise a series has: candidates are learned from it, the likeliest is taken.

Candidates are independent noise, an autoregression, several modes (a bimodal machine)
and bursts of outliers; each may besides have a spread that varies along the series.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numba import njit

from benchbook.analysis.commits_kernel import COMPILE
from benchbook.analysis.commits_noise import (
    Grid,
    Model,
    Noise,
    Series,
    densities,
    independent,
    innovations,
    learned,
    normal,
)

_CELL = 0.1  # in sigma, see _sigma
_CELLS = 1024  # at most; beyond, they are wider
_REACH = 12.0  # in sigma
_GAP = 5.0  # in sigma: wider empty stretches of values shrink to it
_SAMPLE = 1000  # points that the noise is learned from, in four stretches
_ROUNDS, _MORE_ROUNDS = 3, 2  # of learning: of the first candidate and of the others
_SETTLED = 3.0  # gain of log likelihood that is worth another round
_RISE = 1.15  # of the noise over lags, that tells of modes or correlation
_JUMPY = 60  # points a jump, at most, of levels that may be modes
_MEMORY, _MEMORY_COST, _MEMORY_SIGN = 2, 4.5, 1.5
_STAYS, _MODES_COST = (0.5, 0.8), 8.0
_VALLEY = 0.6  # between two modes the density falls below this share of the lower
_BURST, _FAR = 5, 5.0  # points at most, robust stddevs at least
_WINDOW, _SPREAD_COST = 61, 4.0


class _Candidate(NamedTuple):
    noise: Noise
    cost: float = 0.0  # in log likelihood: for parameters that can fit anything


def fitted(values: np.ndarray) -> Model:
    """The series on a grid, and the noise that makes it likeliest."""
    ordered = np.sort(values)
    sigma, resolution = _sigma(values, ordered)
    values, ordered = _closer(values, ordered, _GAP * sigma)
    grid = _grid(ordered, sigma, resolution)
    series = Series(values, np.zeros(values.size, np.int64), grid)
    part = _sample(series)
    candidates, level = _candidates(part, sigma, broad=False)
    if _is_unsettled(part.values, level, sigma, resolution):
        rise, sd = _rise(part.values, resolution)
        if rise > _RISE:
            sd *= math.sqrt(2 * rise**2 - 1)  # of a mean, if it is an AR(1)
            candidates += _candidates(part, sd, broad=True)[0]
    return _with_spread(series, _likeliest(part, candidates))


def _sigma(values: np.ndarray, ordered: np.ndarray) -> tuple[float, float]:
    """Noise from differences of neighbours, and the usual distance of sorted values.

    The noise is at least .3 of that distance, which is large where values are rounded.
    """
    gaps = np.diff(ordered)
    gaps = gaps[gaps > 1e-9 * (ordered[-1] - ordered[0])]
    resolution = middle(gaps)
    return max(_widths(np.diff(values))[0], 0.3 * resolution), resolution


def _widths(differences: np.ndarray) -> tuple[float, float]:
    """Two stddevs of one value, from the middle 60% and 90% of sorted differences."""
    last = differences.size - 1
    places = [int(p * last) for p in (0.05, 0.2, 0.8, 0.95)]
    a, b, c, d = np.partition(differences, places)[places].tolist()
    return (c - b) / 2.380, (d - a) / 4.653  # of a difference of two normal values


def middle(values: np.ndarray) -> float:
    """The median, the upper one of two: much faster than NumPy's."""
    return float(np.partition(values, values.size // 2)[values.size // 2])


def _rise(values: np.ndarray, resolution: float) -> tuple[float, float]:
    """How much wider differences become over the lags, and the widest's stddev.

    Independent noise differs over 12 points as over one; correlated noise differs more.
    """
    lags = [lag for lag in (1, 2, 3, 5, 8, 12) if lag == 1 or 4 * lag < values.size]
    widths = np.array([_widths(values[lag:] - values[:-lag]) for lag in lags])
    rises = widths.max(axis=0) / np.maximum(widths[0], 0.3 * resolution)
    return float(rises.max()), float(widths[:, rises.argmax()].max())


def _closer(
    values: np.ndarray, ordered: np.ndarray, limit: float
) -> tuple[np.ndarray, np.ndarray]:
    """Values from 0 on, as given and in order, whose distances are at most ``limit``."""
    gaps = np.diff(ordered)
    wide = np.flatnonzero(gaps > limit)
    above = ordered[wide + 1]
    less = np.cumsum(np.append(ordered[0], gaps[wide] - limit))
    values, ordered = (
        x - less[np.searchsorted(above, x, side="right")] for x in (values, ordered)
    )
    return values, ordered


def _grid(ordered: np.ndarray, sigma: float, resolution: float) -> Grid:
    """A grid over all but the outermost points."""
    last = ordered.size - 1
    low = ordered[int(0.01 * last)] - 2 * sigma
    high = ordered[math.ceil(0.99 * last)] + 2 * sigma
    step = max(_CELL * sigma, (high - low) / _CELLS)
    size, reach = int((high - low) / step) + 1, int(_REACH * sigma / step)
    return Grid(low, step, size, reach, max(0.3, 0.5 * resolution / step))


def _sample(series: Series) -> Series:
    n = series.values.size
    if n <= _SAMPLE:
        return series
    starts = np.linspace(0, n - _SAMPLE // 4, 4).astype(int)
    return series.at((starts[:, None] + np.arange(_SAMPLE // 4)).ravel())


def _candidates(
    series: Series, sd: float, broad: bool
) -> tuple[list[_Candidate], np.ndarray]:
    """Noise learned from a normal one of this stddev, and its likely levels.

    From a broad one modes show at once, before levels are learned that follow them.
    """
    noise, seen, last = normal(series.grid, sd), [], -math.inf
    for _ in range(_ROUNDS):
        found = learned(series, noise)
        noise = found.noise
        seen.append(found.seen)
        if found.evidence < last + _SETTLED:
            break
        last = found.evidence
    candidates = [_Candidate(noise), *_with_memory(series, noise, found.level)]
    for counts in (seen[0], seen[-1]) if broad else seen[-1:]:
        candidates += _with_modes(series, counts)
    if _has_bursts(series.values):
        candidates.append(_with_bursts(series, noise))
    return candidates, found.level


def _is_unsettled(
    values: np.ndarray, level: np.ndarray, sigma: float, resolution: float
) -> bool:
    """Whether the levels jump so often, or the rest is so correlated, as to be modes."""
    jumps = np.count_nonzero(np.abs(np.diff(level)) > sigma / 2)
    if jumps * _JUMPY > values.size:
        return True
    return _rise(values - level, resolution)[0] > _RISE


def _likeliest(series: Series, candidates: list[_Candidate]) -> Model:
    models = [Model(series, c.noise) for c in candidates]
    if len(models) == 1:
        return models[0]
    found = [m.evidence - c.cost for m, c in zip(models, candidates, strict=True)]
    return models[int(np.argmax(found))]


def _relearned(series: Series, noise: Noise) -> Noise:
    for _ in range(_MORE_ROUNDS):
        noise = learned(series, noise).noise
    return noise


def _with_memory(series: Series, noise: Noise, level: np.ndarray) -> list[_Candidate]:
    """Noise that depends on the points before, where the residuals say so."""
    correlation = _correlation(series.values - level)
    if np.abs(correlation).max() < _MEMORY_SIGN / math.sqrt(level.size):
        return []
    memory, grid = _yule_walker(correlation), series.grid
    new = (level - innovations(series.values, memory))[_MEMORY:]
    at = np.clip(np.rint(new / grid.step) + grid.middle, 0, 2 * grid.middle)
    seen = np.bincount(at.astype(int), minlength=2 * grid.middle + 1).astype(float)
    following = densities(seen[None], grid) / (1 - sum(memory))
    noise = _relearned(series, replace(noise, memory=memory, next=following))
    return [_Candidate(noise, _MEMORY_COST)]


def _correlation(residuals: np.ndarray) -> np.ndarray:
    """Autocorrelations of the winsorised residuals, less their bias."""
    e = residuals - middle(residuals)
    limit = 3.7 * middle(np.abs(e))  # 2.5 stddevs of normal noise
    e = np.clip(e, -limit, limit)
    e = e - e.mean()
    power = max(float(e @ e), 1e-300)
    lags = range(1, _MEMORY + 1)
    return np.array([e[lag:] @ e[:-lag] / power + 1 / e.size for lag in lags])


def _yule_walker(correlation: np.ndarray) -> tuple[float, ...]:
    """Coefficients of the autoregression, kept apart from those of a random walk."""
    apart = np.abs(np.subtract.outer(range(_MEMORY), range(_MEMORY)))
    memory = np.linalg.solve(np.append(1.0, correlation)[apart], correlation)
    total = memory.sum()
    within = np.clip(total, -0.4, 0.85) / total if total else 1.0
    return tuple((memory * within).tolist())


def _with_modes(series: Series, seen: np.ndarray) -> list[_Candidate]:
    """The distances cut at the valleys of their density: one mode each."""
    cuts = _valleys(seen, series.grid)
    if not 1 <= len(cuts) <= 3:
        return []
    part = np.searchsorted(cuts, np.arange(seen.size), side="right")
    parts = np.array([np.where(part == i, seen, 0) for i in range(len(cuts) + 1)])
    tables = densities(parts, series.grid)
    modes = [independent(tables, parts.sum(axis=1), stay) for stay in _STAYS]
    return [_Candidate(_relearned(series, noise), _MODES_COST) for noise in modes]


def _valleys(seen: np.ndarray, grid: Grid) -> list[int]:
    """The lowest place of each stretch that lies clearly below a peak on either side."""
    height = densities(seen[None], replace(grid, least=max(grid.least, 2.0)))[0]
    rising = np.maximum.accumulate(height)
    falling = np.maximum.accumulate(height[::-1])[::-1]
    low = height < _VALLEY * np.minimum(rising, falling)
    low &= np.minimum(rising, falling) > 0.1 * height.max()
    ends = np.flatnonzero(np.diff(low.astype(int), prepend=0, append=0))
    return [int(a + height[a:b].argmin()) for a, b in ends.reshape(-1, 2)]


def _with_bursts(series: Series, noise: Noise) -> _Candidate:
    """A second, very wide mode that lasts a few points."""
    grid = series.grid
    z = np.minimum(np.abs(grid.distances), grid.reach) * (_REACH / grid.reach)
    wide = 1 / (1 + (z / 8) ** 4)
    tables = np.array([noise.first[0], wide / wide[np.abs(z) < _REACH].sum()])
    mixed = independent(tables, np.array([0.98, 0.02]), 0.6)
    return _Candidate(_relearned(series, mixed))


def _has_bursts(values: np.ndarray) -> bool:
    """Are there 2 to 5 neighbours far off the median of 13 points around each?"""
    off = _deviations(values, 6)
    limit = _FAR * 1.4826 * middle(off)
    ends = np.flatnonzero(np.diff((off > limit).astype(int), prepend=0, append=0))
    lengths = ends[1::2] - ends[::2]
    return bool(((lengths >= 2) & (lengths <= _BURST)).any() and limit > 0)


def _with_spread(series: Series, even: Model) -> Model:
    """Classes of spread where they make the sample clearly likelier than ``even``."""
    classes, scales = _spread_classes(series.values)
    if len(scales) > 2:
        varying = replace(series, spread=classes)
        uneven = Model(_sample(varying), replace(even.noise, scales=scales))
        if uneven.evidence >= even.evidence + _SPREAD_COST:
            return Model(varying, learned(uneven.series, uneven.noise).noise)
    return even if even.series is series else Model(series, even.noise)


def _spread_classes(values: np.ndarray) -> tuple[np.ndarray, tuple[float, ...]]:
    """The size of differences near each point, in steps of the fourth root of 2."""
    size = np.abs(np.diff(values, prepend=values[1]))
    size = np.minimum(size / (middle(size) or 1.0), 4.0)
    window = min(_WINDOW, (values.size - 2) // 2 * 2 - 1)
    local = _moving_mean(_moving_mean(size, window), max(3, window // 8 * 2 + 1))
    local = np.maximum(local, 1e-9)
    classes = np.rint(4 * np.log2(local / middle(local))).astype(np.int64)
    classes = np.clip(classes, -6, 6)
    scales = 2.0 ** (np.arange(classes.min(), classes.max() + 1) / 4)
    return classes - classes.min(), tuple(scales.tolist())


def _moving_mean(values: np.ndarray, window: int) -> np.ndarray:
    """Over an odd number of points, mirrored at the ends."""
    side = window // 2
    before, after = values[side:0:-1], values[-2 : -side - 2 : -1]
    sums = np.cumsum(np.concatenate([[0.0], before, values, after]))
    return (sums[window:] - sums[:-window]) / window


@njit(**COMPILE)
def _deviations(values: np.ndarray, side: int) -> np.ndarray:
    """Distance of each point from the median of it and ``side`` points on either side."""
    n, count = values.size, 0
    window = np.empty(2 * side + 2)  # sorted; only the first ``count`` are filled
    out = np.empty(n)
    for t in range(-side, n):
        if t + side < n:
            place = count
            while place > 0 and window[place - 1] > values[t + side]:
                window[place] = window[place - 1]
                place -= 1
            window[place] = values[t + side]
            count += 1
        if t > side:
            count -= 1
            gone = 0
            while window[gone] != values[t - side - 1]:
                gone += 1
            for i in range(gone, count):
                window[i] = window[i + 1]
        if t >= 0:
            median = (window[count // 2] + window[(count - 1) // 2]) / 2
            out[t] = abs(values[t] - median)
    return out
