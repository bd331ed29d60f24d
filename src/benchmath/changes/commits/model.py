"""Which noise a series has: candidates are learned from it, the likeliest is taken.

Candidates are independent noise, an autoregression, several modes (a bimodal machine)
and bursts of outliers; each may besides have a spread that varies along the series.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numba import njit

from benchmath.changes.commits.kernel import COMPILE
from benchmath.changes.commits.noise import (
    Grid,
    Model,
    Noise,
    Series,
    densities,
    density,
    independent,
    innovations,
    learned,
    normal,
)

_CELL = 0.1  # in sigma, see _sigma; more or less
_CELLS = 1024  # at most; beyond, they are wider
_BLOCK = 64  # cells; their number is a multiple of it, which vector code likes
_REACH = 12.0  # in sigma
_GAP = 5.0  # in sigma: wider empty stretches of values shrink to it
_SAMPLE = 1000  # points that the noise is learned from, in four stretches
_ROUNDS, _MEMORY_ROUNDS = 3, 2  # of learning; other candidates begin near and take one
_SETTLED = 3.0  # gain of log likelihood that is worth another round
_RISE = 1.15  # of the noise over lags, that tells of modes or correlation
_JUMPY = 60  # points a jump, at most, of levels that may be modes
_MEMORY, _MEMORY_COST = 2, 4.5
_MEMORIES = 3  # that are tried at most, one after the other
_REMEMBERED = 0.05  # change of the sum of the memory that is worth another look
_STAYS, _MODES_COST = (0.5, 0.8), 8.0
_CLEARLY, _SWITCHES = 12.0, 10  # in log likelihood; of mode, at least
_VALLEY = 0.6  # between two modes the density falls below this share of the lower
_BURST, _FAR = 5, 5.0  # points at most, robust stddevs at least
_WINDOW, _SPREAD_COST = 61, 4.0
_HALVINGS = 20  # of a range of values, before one of them is looked for


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
            model = _with_spread(series, _likeliest(part, candidates))
            return _or_modes_of_values(series, part, model)
    return _with_spread(series, _likeliest(part, candidates))


@njit(**COMPILE)
def _sigma(values: np.ndarray, ordered: np.ndarray) -> tuple[float, float]:
    """Noise from differences of neighbours, and the usual distance of sorted values.

    The noise is at least .3 of that distance, which is large where values are rounded.
    """
    gaps = np.diff(ordered)
    gaps = gaps[gaps > 1e-9 * (ordered[-1] - ordered[0])]
    resolution = middle(gaps)
    return max(_widths(np.diff(values))[0], 0.3 * resolution), resolution


@njit(**COMPILE)
def _widths(differences: np.ndarray) -> tuple[float, float]:
    """Two stddevs of one value, from the middle 60% and 90% of sorted differences."""
    last = differences.size - 1
    a, b = _ranked(differences, int(0.05 * last)), _ranked(differences, int(0.2 * last))
    c, d = _ranked(differences, int(0.8 * last)), _ranked(differences, int(0.95 * last))
    return (c - b) / 2.380, (d - a) / 4.653  # of a difference of two normal values


@njit(**COMPILE)
def middle(values: np.ndarray) -> float:
    """The median, the upper one of two."""
    return _ranked(values, values.size // 2)


@njit(**COMPILE)
def far_off(values: np.ndarray, far: float) -> np.ndarray:
    """Indexes of values that are more than ``far`` robust stddevs off the median."""
    off = np.abs(values - middle(values))
    limit = far * 1.4826 * middle(off)
    return np.flatnonzero((off > limit) & (limit > 0))


@njit(**COMPILE)
def _ranked(values: np.ndarray, rank: int) -> float:
    """The value at this place of the sorted ones.

    Its range is halved until it is the least of it: counting is vector code, sorting is
    not. Equal values cannot be told apart, so now and then the range begins at a value.
    """
    low = high = values[0]
    for i in range(values.size):
        low, high = min(low, values[i]), max(high, values[i])
    while True:
        for _ in range(_HALVINGS):
            centre, below = (low + high) / 2, 0
            for i in range(values.size):
                below += 1 if values[i] < centre else 0
            if below <= rank:
                low = centre
            else:
                high = centre
            if below == rank:
                break
        least, second, count = high, high, 0
        for i in range(values.size):
            least = min(least, values[i] if values[i] >= low else high)
        for i in range(values.size):
            count += 1 if values[i] <= least else 0
            second = min(second, values[i] if values[i] > least else high)
        if count > rank:
            return least
        low = second


@njit(**COMPILE)
def _rise(values: np.ndarray, resolution: float) -> tuple[float, float]:
    """How much wider differences become over the lags, and the widest's stddev.

    Independent noise differs over 12 points as over one; correlated noise differs more.
    """
    inner, outer = _widths(values[1:] - values[:-1])
    most_inner, most_outer = inner, outer
    for lag in (2, 3, 5, 8, 12):
        if 4 * lag < values.size:
            wide, wider = _widths(values[lag:] - values[:-lag])
            most_inner, most_outer = max(most_inner, wide), max(most_outer, wider)
    rise_inner = most_inner / max(inner, 0.3 * resolution)
    rise_outer = most_outer / max(outer, 0.3 * resolution)
    if rise_inner >= rise_outer:
        return rise_inner, most_inner
    return rise_outer, most_outer


@njit(**COMPILE)
def _closer(
    values: np.ndarray, ordered: np.ndarray, limit: float
) -> tuple[np.ndarray, np.ndarray]:
    """Values from 0 on, as given and in order, whose distances are at most ``limit``."""
    gaps = np.diff(ordered)
    wide = np.flatnonzero(gaps > limit)
    above = ordered[wide + 1]
    less = np.cumsum(np.append(ordered[:1], gaps[wide] - limit))
    values = values - less[np.searchsorted(above, values, side="right")]
    return values, np.append(0.0, np.cumsum(np.minimum(gaps, limit)))


def _grid(ordered: np.ndarray, sigma: float, resolution: float) -> Grid:
    """A grid over all but the outermost points."""
    last = ordered.size - 1
    low = ordered[int(0.01 * last)] - 2 * sigma
    high = ordered[math.ceil(0.99 * last)] + 2 * sigma
    cells = min((high - low) / (_CELL * sigma), _CELLS)
    size = _BLOCK * max(round(cells / _BLOCK), 1)
    step = (high - low) / (size - 1)
    reach = int(_REACH * sigma / step)
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
    noise, rounds, last = normal(series.grid, sd), [], -math.inf
    for _ in range(_ROUNDS):
        fit = learned(series, noise)
        noise = fit.noise
        rounds.append(fit.counts)
        if fit.evidence < last + _SETTLED:
            break
        last = fit.evidence
    candidates = [_Candidate(noise), *_with_memory(series, noise, fit.level)]
    for counts in (rounds[0], rounds[-1]) if broad else rounds[-1:]:
        candidates += _with_modes(series, counts)
    if _has_bursts(series.values):
        candidates.append(_with_bursts(series, noise))
    return candidates, fit.level


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
    evidence = [m.evidence - c.cost for m, c in zip(models, candidates, strict=True)]
    return models[int(np.argmax(evidence))]


def _with_memory(series: Series, noise: Noise, level: np.ndarray) -> list[_Candidate]:
    """Noise that depends on the points before, where that would pay.

    Levels that were found without memory follow the noise, and hide some of it: under
    the memory that is left they are smoother and show more, which is a candidate too.
    """
    correlation = _correlation(series.values - level)
    memory = _yule_walker(correlation)
    left = max(1 - float(correlation @ memory), 0.01)  # of the variance
    if level.size / 2 * -math.log(left) < _MEMORY_COST:
        return []
    candidates = []
    for _ in range(_MEMORIES):
        noise = _remembering(series, noise, level, memory)
        for _ in range(_MEMORY_ROUNDS):
            noise, level = learned(series, noise)[:2]
        candidates.append(_Candidate(noise, _MEMORY_COST))
        memory = _yule_walker(_correlation(series.values - level))
        if abs(sum(memory) - sum(noise.memory)) < _REMEMBERED:
            break
    return candidates


def _remembering(
    series: Series, noise: Noise, level: np.ndarray, memory: tuple[float, ...]
) -> Noise:
    """The noise with this memory, its densities those of the innovations about levels."""
    grid = series.grid
    new = (level - innovations(series.values, memory))[_MEMORY:]
    following = densities(_counts(new, grid)[None], grid) / (1 - sum(memory))
    return replace(noise, memory=memory, next=following)


def _counts(distances: np.ndarray, grid: Grid) -> np.ndarray:
    """How many of the distances, level less point, fall into each place of a table."""
    at = np.clip(np.rint(distances / grid.step) + grid.middle, 0, 2 * grid.middle)
    return np.bincount(at.astype(int), minlength=2 * grid.middle + 1).astype(float)


@njit(**COMPILE)
def _correlation(residuals: np.ndarray) -> np.ndarray:
    """Autocorrelations of the winsorised residuals, less their bias; below 1."""
    e = residuals - middle(residuals)
    limit = 3.7 * middle(np.abs(e))  # 2.5 stddevs of normal noise
    e = np.minimum(np.maximum(e, -limit), limit)
    e -= e.mean()
    power = max((e * e).sum(), 1e-300)
    correlations = np.empty(_MEMORY)
    for lag in range(1, _MEMORY + 1):
        correlations[lag - 1] = (e[lag:] * e[:-lag]).sum() / power + 1 / e.size
    return np.minimum(correlations, 0.95)


def _yule_walker(correlation: np.ndarray) -> tuple[float, ...]:
    """Two coefficients of an autoregression, kept apart from those of a random walk."""
    one, two = correlation.tolist()
    memory = one * (1 - two) / (1 - one**2), (two - one**2) / (1 - one**2)
    total = sum(memory)
    within = min(max(total, -0.4), 0.85) / total if total else 1.0
    return tuple(within * coefficient for coefficient in memory)


def _with_modes(series: Series, counts: np.ndarray) -> list[_Candidate]:
    """The distances cut at the valleys of their density: one mode each."""
    cuts = _cuts(counts, series.grid)
    if not 1 <= len(cuts) <= 3:
        return []
    part = np.searchsorted(cuts, np.arange(counts.size), side="right")
    parts = np.array([np.where(part == i, counts, 0) for i in range(len(cuts) + 1)])
    tables = densities(parts, series.grid)
    modes = [independent(tables, parts.sum(axis=1), stay) for stay in _STAYS]
    return [_Candidate(learned(series, noise).noise, _MODES_COST) for noise in modes]


def _or_modes_of_values(series: Series, part: Series, model: Model) -> Model:
    """Modes that the values show as they stand, where they are much likelier.

    Levels that were learned first may have taken modes for levels. The other way round
    levels pass for modes, so these have to change often and to be clearly better.
    """
    off, grid = middle(part.values) - part.values, part.grid
    counts = _counts(off, grid)
    cuts = _cuts(counts, grid)
    mode = np.searchsorted(cuts, off / grid.step + grid.middle)
    if np.count_nonzero(np.diff(mode)) < _SWITCHES:
        return model
    modes = _with_modes(part, counts)
    if not modes:
        return model
    best, sampled = _likeliest(part, modes), Model(_sample(model.series), model.noise)
    if best.evidence < sampled.evidence + _CLEARLY:
        return model
    return _with_spread(series, best)


def _cuts(counts: np.ndarray, grid: Grid) -> np.ndarray:
    return _valleys(counts, grid.reach, max(grid.least, 2.0))


@njit(**COMPILE)
def _valleys(counts: np.ndarray, reach: int, least: float) -> np.ndarray:
    """The lowest place of each stretch that lies clearly below a peak on either side."""
    height = density(counts, reach, least)
    falling = height.copy()  # the highest from here on
    for i in range(height.size - 2, -1, -1):
        falling[i] = max(falling[i], falling[i + 1])
    valleys, count, rising, lowest = np.empty(height.size, np.int64), 0, 0.0, -1
    for i in range(height.size):
        rising = max(rising, height[i])
        peak = min(rising, falling[i])
        if height[i] < _VALLEY * peak and peak > 0.1 * falling[0]:
            if lowest < 0 or height[i] < height[lowest]:
                lowest = i
            valleys[count] = lowest
        elif lowest >= 0:
            count, lowest = count + 1, -1
    return valleys[:count]


def _with_bursts(series: Series, noise: Noise) -> _Candidate:
    """A second, very wide mode that lasts a few points."""
    grid = series.grid
    z = np.minimum(np.abs(grid.distances), grid.reach) * (_REACH / grid.reach)
    wide = 1 / (1 + (z / 8) ** 4)
    tables = np.array([noise.first[0], wide / wide[np.abs(z) < _REACH].sum()])
    mixed = independent(tables, np.array([0.98, 0.02]), 0.6)
    return _Candidate(learned(series, mixed).noise)


@njit(**COMPILE)
def _has_bursts(values: np.ndarray) -> bool:
    """Are there 2 to 5 neighbours far off the median of 13 points around each?"""
    off = np.abs(values - _running_medians(values, 6))
    limit, length = _FAR * 1.4826 * middle(off), 0
    for distance in off:
        if distance > limit:
            length += 1
        elif 2 <= length <= _BURST and limit > 0:
            return True
        else:
            length = 0
    return 2 <= length <= _BURST and limit > 0


def _with_spread(series: Series, even: Model) -> Model:
    """Classes of spread where they make the sample clearly likelier than ``even``."""
    classes = _spread_classes(series.values)
    least, most = int(classes.min()), int(classes.max())
    if most - least > 1:
        varying = replace(series, spread=classes - least)
        scales = tuple(2.0 ** (i / 4) for i in range(least, most + 1))
        uneven = Model(_sample(varying), replace(even.noise, scales=scales))
        if uneven.evidence >= even.evidence + _SPREAD_COST:
            return Model(varying, learned(uneven.series, uneven.noise).noise)
    return even if even.series is series else Model(series, even.noise)


@njit(**COMPILE)
def _spread_classes(values: np.ndarray) -> np.ndarray:
    """The size of differences near each point, in steps of the fourth root of 2."""
    size = np.abs(np.diff(np.append(values[1:2], values)))
    usual = middle(size)
    size = np.minimum(size / (usual if usual > 0 else 1.0), 4.0)
    window = min(_WINDOW, (values.size - 2) // 2 * 2 - 1)
    local = _moving_mean(_moving_mean(size, window), max(3, window // 8 * 2 + 1))
    local = np.maximum(local, 1e-9)
    steps = np.rint(4 * np.log2(local / middle(local)))
    return np.minimum(np.maximum(steps, -6), 6).astype(np.int64)


@njit(**COMPILE)
def _moving_mean(values: np.ndarray, window: int) -> np.ndarray:
    """Over an odd number of points, mirrored at the ends."""
    around = _mirrored(values, window // 2)
    out, total = np.empty(values.size), around[:window].sum()
    for i in range(values.size):
        out[i] = total / window
        if i + 1 < values.size:
            total += around[i + window] - around[i]
    return out


@njit(**COMPILE)
def _mirrored(values: np.ndarray, side: int) -> np.ndarray:
    """With so many points more at either end."""
    before, after = values[side:0:-1], values[-2 : -side - 2 : -1]
    return np.concatenate((before, values, after))


@njit(**COMPILE)
def _running_medians(values: np.ndarray, side: int) -> np.ndarray:
    """Of each point and ``side`` points on either side; all are sorted at once."""
    n, count = values.size, 2 * side + 1
    around = _mirrored(values, side)
    rows = np.empty((count, n))
    for i in range(count):
        rows[i] = around[i : i + n]
    for step in range(count):
        for i in range(step % 2, count - 1, 2):
            low, high = rows[i], rows[i + 1]
            for t in range(n):
                a, b = low[t], high[t]
                low[t], high[t] = min(a, b), max(a, b)
    return rows[side]
