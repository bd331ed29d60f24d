"""What a model of the noise is, and how it is learned from the series itself.

No shape is assumed: the density of a point about its level is a table, begun as a normal
one and estimated again from how far each point lay from its likely levels (expectation
and maximisation: A. P. Dempster et al., JRSS B 39, 1977), smoothed by a kernel.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import njit

from benchmath.changes.commits.kernel import (
    COMPILE,
    MARGIN,
    NO_HISTORY,
    Points,
    Tables,
    Walk,
    backward,
    forward,
    room,
)

HAZARD = 1 / 200  # changes per point, before looking
_FLOOR = 0.02  # share of a density that is not learned: the unseen is not impossible


@dataclass(frozen=True)
class Grid:
    """Cells of the level: lowest value, width and count of them.

    Farther from the level than ``reach`` cells all points are equally likely. A density
    is smoothed over ``least`` cells at least.
    """

    bottom: float
    step: float
    size: int
    reach: int
    least: float

    @property
    def middle(self) -> int:
        """Where distance 0 stands in a table."""
        return self.size + self.reach + 1

    @property
    def distances(self) -> np.ndarray:
        """From level to point, in cells: what the places of a table stand for."""
        return np.arange(-self.middle, self.middle + 1)

    def cells(self, values: np.ndarray) -> np.ndarray:
        """The cell of each value; what is out of reach of the grid counts as just so."""
        cells = np.rint((values - self.bottom) / self.step)
        return np.clip(cells, -self.reach - 1, self.size + self.reach).astype(np.int64)


@dataclass(frozen=True)
class Series:
    """Values on a scale that the noise has a constant size on, with their grid.

    ``spread`` is each point's class of spread, an index into the ``scales`` of a noise.
    """

    values: np.ndarray
    spread: np.ndarray
    grid: Grid

    @cached_property
    def places(self) -> np.ndarray:
        """Where in the table of a mode the density of each point under level 0 stands."""
        return self.places_of(self.values)

    def places_of(self, values: np.ndarray) -> np.ndarray:
        """The same of points with these values."""
        length, middle = 2 * self.grid.middle + 1, self.grid.middle
        return middle + self.spread * length - self.grid.cells(values)

    def at(self, places: np.ndarray) -> "Series":
        """Only the points at these places."""
        return replace(self, values=self.values[places], spread=self.spread[places])


@dataclass(frozen=True)
class Noise:
    """Densities by mode: of the first point of a level and of those after it.

    A density is per cell and indexed by distance from the level (see ``Grid``).
    ``weights`` are the shares of the modes and ``stay`` is the probability that the
    next point keeps the mode without a draw. ``memory`` are the coefficients of an
    autoregression, ``scales`` the factors of the classes of spread.
    """

    first: np.ndarray
    next: np.ndarray
    weights: np.ndarray
    stay: float = 1.0
    memory: tuple[float, ...] = ()
    scales: tuple[float, ...] = (1.0,)


@dataclass(frozen=True)
class Model:
    """A series under a noise: what the passes over it take, made once."""

    series: Series
    noise: Noise

    @cached_property
    def points(self) -> Points:
        """The points on the grid."""
        series, memory = self.series, self.noise.memory
        if not memory:
            return Points(series.places, series.places)
        new = innovations(series.values, memory)
        return Points(series.places, series.places_of(new))

    @cached_property
    def tables(self) -> Tables:
        """The densities of each class of spread."""
        noise = self.noise
        scales = np.array(noise.scales)
        first = following = _stretched(noise.first, scales)
        if noise.memory:
            following = _stretched(noise.next, scales)
        draws = (1 - noise.stay) * noise.weights
        moves = noise.stay * np.eye(noise.weights.size) + draws
        return Tables(first, following, noise.weights, moves)

    @cached_property
    def steady(self) -> np.ndarray:
        """Log likelihood of the first t points, whatever their levels; none drifts."""
        return forward(self.points, self.tables, self.walk(), NO_HISTORY)

    @property
    def evidence(self) -> float:
        """Log likelihood of the series, whatever its levels."""
        return float(self.steady[-1])

    def walk(self, drift: float = 0.0) -> Walk:
        """A level that drifts by ``drift`` in units of `_sd` per point."""
        variance = (drift * self._sd) ** 2 if drift else 0.0
        reach = min(max(1, math.ceil(math.sqrt(variance / 0.6))), MARGIN)
        share = min(variance / 2 / reach**2, 1 / 3)
        return Walk(self.series.grid.size, HAZARD, share, reach)

    @cached_property
    def _sd(self) -> float:
        """Stddev, in cells, of normal noise that tells as much of the level (Fisher)."""
        noise = self.noise
        slope = np.diff(noise.next, axis=1)
        height = (noise.next[:, 1:] + noise.next[:, :-1]) / 2
        information = (slope**2 / height).sum(axis=1) @ noise.weights
        return 1 / math.sqrt(information * (1 - sum(noise.memory)))


class Learned(NamedTuple):
    """A noise learned once more, and what came to light under the one before.

    ``level`` is the expected level at each point, ``counts`` how often a point was how
    far from its level, ``evidence`` the log likelihood.
    """

    noise: Noise
    level: np.ndarray
    counts: np.ndarray
    evidence: float


def independent(densities: np.ndarray, weights: np.ndarray, stay: float) -> Noise:
    """Noise in which a point depends on those before it by its mode only."""
    return Noise(densities, densities, weights / weights.sum(), stay)


def normal(grid: Grid, sd: float) -> Noise:
    """Independent normal noise with the floor of every density."""
    table = _normal(grid.middle, grid.reach, grid.step / sd)
    return independent(table[None], np.ones(1), 1.0)


def learned(series: Series, noise: Noise) -> Learned:
    """Estimate the densities and the modes' weights again, with the noise as it is."""
    model, grid = Model(series, noise), series.grid
    passes = model.points, model.tables, model.walk()
    history = room(*passes)
    so_far = forward(*passes, history)
    passed = backward(*passes, history)
    counts = _pooled(passed.first_counts, noise)
    first = following = densities(counts, grid)
    if noise.memory:
        following = densities(_pooled(passed.next_counts, noise), grid)
        following = following / (1 - sum(noise.memory))
    weights = counts.sum(axis=1) / counts.sum()
    again = replace(noise, first=first, next=following, weights=weights)
    level = grid.bottom + passed.level * grid.step
    return Learned(again, level, counts.sum(axis=0), float(so_far[-1]))


def densities(counts: np.ndarray, grid: Grid) -> np.ndarray:
    """Counts of distances, one row per mode, as densities."""
    return np.array([density(row, grid.reach, grid.least) for row in counts])


def innovations(values: np.ndarray, memory: tuple[float, ...]) -> np.ndarray:
    """Values less what those before tell of them, such that the level stays in place."""
    k, new = len(memory), values.copy()
    for lag, coefficient in enumerate(memory, 1):
        new[k:] -= coefficient * values[k - lag : values.size - lag]
    new[k:] /= 1 - sum(memory)
    return new


@njit(**COMPILE)
def _normal(middle: int, reach: int, step: float) -> np.ndarray:
    z = np.arange(-middle, middle + 1) * step
    bell = np.exp(-z * z / 2)
    tail = step / (2 * math.pi * (1 + (z / 2) ** 2))
    return (1 - _FLOOR) * bell / bell.sum() + _FLOOR / 2 * (tail + 1 / (2 * reach))


@njit(**COMPILE)
def _stretched(tables: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The density of each mode and class of spread, between cells interpolated."""
    modes, length = tables.shape
    middle = length // 2
    out = np.empty((modes, scales.size, length), np.float32)
    for m in range(modes):
        for s in range(scales.size):
            factor = 1 / scales[s]
            for i in range(length):
                at = min(max((i - middle) * factor + middle, 0.0), length - 1.0)
                low = min(int(at), length - 2)
                below, above = tables[m, low], tables[m, low + 1]
                out[m, s, i] = (below + (at - low) * (above - below)) * factor
    return out


def _pooled(counts: np.ndarray, noise: Noise) -> np.ndarray:
    """Counts of all classes of spread, at the distances they have in that of factor 1."""
    if len(noise.scales) == 1:
        return counts[:, 0].astype(float)
    edges = np.arange(counts.shape[2] + 1) - counts.shape[2] / 2
    below = np.cumsum(counts, axis=2, dtype=float)
    below = np.pad(below, ((0, 0), (0, 0), (1, 0)))
    pooled = [
        sum(
            np.interp(edges * scale, edges, row)
            for row, scale in zip(mode, noise.scales, strict=True)
        )
        for mode in below
    ]
    return np.diff(np.array(pooled), axis=1)


@njit(**COMPILE)
def density(counts: np.ndarray, reach: int, least: float) -> np.ndarray:
    """A kernel estimate within reach, flat beyond, per cell and with a floor.

    The bandwidth is half of Silverman's rule: densities of benchmarks have edges.
    """
    near = counts[counts.size // 2 - reach : counts.size // 2 + reach + 1]
    total = max(counts.sum(), 1e-9)
    spread, centre = _spread(near)
    width = max(0.45 * spread * max(total, 5.0) ** -0.2, least)
    half = math.ceil(4 * width)
    kernel = np.exp(-0.5 * (np.arange(-half, half + 1) / width) ** 2)
    kernel /= kernel.sum() * total
    tail = 1 / (1 + ((np.arange(near.size) - centre) / (2 * spread)) ** 2)
    tail = _FLOOR / 2 * (tail / tail.sum() + 1 / (2 * reach))
    out = np.full(counts.size, (1 - near.sum() / total + _FLOOR / 2) / (2 * reach))
    for i in range(near.size):
        smooth = 0.0
        for j in range(max(0, i - half), min(near.size, i + half + 1)):
            smooth += near[j] * kernel[i - j + half]
        out[counts.size // 2 - reach + i] = (1 - _FLOOR) * smooth + tail[i]
    return out


@njit(**COMPILE)
def _spread(near: np.ndarray) -> tuple[float, int]:
    """The lesser of stddev and scaled interquartile range, and the median, in cells."""
    total, at = max(near.sum(), 1e-9), np.arange(near.size)
    mean = (near * at).sum() / total
    sd = math.sqrt((near * (at - mean) ** 2).sum() / total)
    share = np.cumsum(near) / total
    low, centre, high = np.searchsorted(share, np.array([0.25, 0.5, 0.75]))
    return max(min(sd, (high - low + 1) / 1.349), 0.5), centre
