"""What a model of noise is, and how it is learned from the series itself.

No shape is assumed: the density of a point about its level is a table, begun as a normal
one and estimated again from what each point was to the likely levels (expectation and
maximisation: A. P. Dempster et al., JRSS B 39, 1977), smoothed by a kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from benchbook.analysis.commits_kernel import (
    EDGE,
    Points,
    Tables,
    Walk,
    backward,
    forward,
)

HAZARD = 1 / 200  # changes per point, before looking
_CELL = 0.1  # of the noise; a grid has at most _CELLS
_CELLS = 1024
_REACH = 12.0  # in noise: farther from the level all is equally unlikely
_BANDWIDTH = 0.5  # of Silverman's rule: densities here have edges and peaks
_TAIL = 0.02  # share of a density that is not learned, so that nothing is impossible
NOTHING = np.zeros((0, 1, 1), np.float32)


@dataclass(frozen=True)
class Grid:
    """Cells of the level: lowest value, width, count; distances to ``reach`` cells."""

    bottom: float
    step: float
    size: int
    reach: int
    sigma: float
    resolution: float

    @property
    def offset(self) -> int:
        """Index of distance 0 in a table of distances."""
        return self.size + self.reach + 1

    def cells(self, values: np.ndarray) -> np.ndarray:
        """The cell of each value, clipped to what the tables hold."""
        cells = np.rint((values - self.bottom) / self.step)
        return np.clip(cells, -self.reach - 1, self.size + self.reach).astype(np.int64)


@dataclass(frozen=True)
class Noise:
    """Density tables by mode (first point of a level, points after it), and what else.

    ``phi`` are coefficients of autoregression, ``weights`` and ``stay`` those of the
    modes, ``scales`` the factors of the classes of spread, ``spread`` the class of each
    point.
    """

    grid: Grid
    first: np.ndarray
    next: np.ndarray
    phi: np.ndarray
    weights: np.ndarray
    stay: float
    scales: np.ndarray
    spread: np.ndarray


def make_grid(x: np.ndarray, sigma: float, resolution: float) -> Grid:
    """A grid over all but the outermost points."""
    s = np.sort(x)
    low = s[int(0.01 * (x.size - 1))] - 2 * sigma
    high = s[math.ceil(0.99 * (x.size - 1))] + 2 * sigma
    step = max(_CELL * sigma, (high - low) / _CELLS)
    size, reach = int((high - low) / step) + 1, int(_REACH * sigma / step)
    return Grid(float(low), float(step), size, reach, sigma, resolution)


def normal_noise(grid: Grid, sd: float, n: int) -> Noise:
    """The start: a normal density with a heavy tail."""
    z = np.arange(-grid.reach, grid.reach + 1) * grid.step / sd
    bell = np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi) / sd * grid.step
    tail = 1 / (1 + (z / 2) ** 2)
    flat = _TAIL / 2 / (2 * grid.reach)
    core = (1 - _TAIL) * bell + _TAIL / 2 * tail / tail.sum() + flat
    table = widened(core, _TAIL / (2 * grid.reach), grid)[None] / grid.step
    return Noise(
        grid, table, table, np.zeros(0), np.ones(1), 1.0, np.ones(1), np.zeros(n, int)
    )


def widened(core: np.ndarray, outside: float, grid: Grid) -> np.ndarray:
    """A density within reach as a table of all distances."""
    full = np.full(2 * grid.offset + 1, outside)
    full[grid.offset - grid.reach : grid.offset + grid.reach + 1] = core
    return full


def density(counts: np.ndarray, grid: Grid, n: float) -> tuple[np.ndarray, float]:
    """Counts of distances as a smooth density, and its spread."""
    o, r = grid.offset, grid.reach
    core, total = counts[o - r : o + r + 1], counts.sum()
    if core.sum() <= 1e-9:
        core = np.ones(2 * r + 1)
        total = core.sum()
    inside, z = core.sum(), np.arange(-r, r + 1)
    quarters = np.array([0.25, 0.5, 0.75]) * inside
    q1, q2, q3 = np.searchsorted(np.cumsum(core), quarters)
    mean = (core * z).sum() / inside
    sd = math.sqrt(max((core * (z - mean) ** 2).sum() / inside, 1e-9))
    spread = max(min(sd, (q3 - q1 + 1) / 1.349), 0.5)
    width = _BANDWIDTH * 0.9 * spread * max(n, 5) ** -0.2
    width = max(width, 0.3, 0.5 * grid.resolution / grid.step)
    half = math.ceil(4 * width)
    kernel = np.exp(-0.5 * (np.arange(-half, half + 1) / width) ** 2)
    smooth = np.convolve(core, kernel / kernel.sum())[half : half + 2 * r + 1] / total
    tail = 1 / (1 + ((z - (q2 - r)) / (2 * spread)) ** 2)
    flat = 0.5 * _TAIL / (2 * r)
    core = (1 - _TAIL) * smooth + 0.5 * _TAIL * tail / tail.sum() + flat
    outside = (1 - inside / total + 0.5 * _TAIL) / (2 * r)
    return widened(core, outside, grid) / grid.step, spread * grid.step


def relearned(x: np.ndarray, noise: Noise) -> tuple[Noise, np.ndarray, np.ndarray]:
    """The noise estimated again: with it the levels it saw, and the distances."""
    first_seen, next_seen, level = _seen(x, noise)
    firsts = _pooled(first_seen, noise)
    weights = firsts.sum(axis=1)
    n = weights.sum()
    tables = [density(c, noise.grid, max(c.sum(), 5))[0] for c in firsts]
    first = following = np.array(tables)
    if noise.phi.size:
        nexts = [density(c, noise.grid, n)[0] for c in _pooled(next_seen, noise)]
        following = np.array(nexts) / (1 - noise.phi.sum())
    learned = replace(noise, first=first, next=following, weights=weights / n)
    return learned, level, firsts.sum(axis=0)


def evidence(x: np.ndarray, noise: Noise) -> float:
    """log p(series | noise), the levels summed over."""
    return float(passed(x, noise, 0.0)[0][-1])


def passed(x: np.ndarray, noise: Noise, drift: float) -> tuple[np.ndarray, Walk]:
    """The forward pass with a level that drifts by ``drift`` noise a point."""
    so_far, walk = np.empty(x.size + 1), _walk(noise, drift)
    forward(points_of(x, noise), tables_of(noise), walk, so_far, NOTHING)
    return so_far, walk


def whitened(x: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """What is new in each point; the first ones as they are."""
    k, new = phi.size, x.copy()
    for i, factor in enumerate(phi):
        new[k:] -= factor * x[k - 1 - i : x.size - 1 - i]
    new[k:] /= 1 - phi.sum()
    return new


def points_of(x: np.ndarray, noise: Noise) -> Points:
    """The points on the grid of the noise."""
    cells = noise.grid.cells(x)
    given = noise.grid.cells(whitened(x, noise.phi)) if noise.phi.size else cells
    return Points(cells, given, noise.spread)


def tables_of(noise: Noise) -> Tables:
    """The density tables with one row per class of spread."""
    first = _scaled(noise.first, noise)
    following = first if noise.next is noise.first else _scaled(noise.next, noise)
    return Tables(first, following, noise.weights, noise.stay)


def _scaled(tables: np.ndarray, noise: Noise) -> np.ndarray:
    if noise.scales.size == 1:
        return tables[:, None, :].astype(np.float32)
    i = np.arange(-noise.grid.offset, noise.grid.offset + 1.0)
    wide = [[np.interp(i / s, i, t) / s for s in noise.scales] for t in tables]
    return np.array(wide).astype(np.float32)


def _seen(x: np.ndarray, noise: Noise) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    points, tables, walk = points_of(x, noise), tables_of(noise), _walk(noise, 0.0)
    so_far, to_come, level = np.empty(x.size + 1), np.empty(x.size), np.empty(x.size)
    kept = np.empty((x.size, noise.weights.size, noise.grid.size), np.float32)
    forward(points, tables, walk, so_far, kept)
    first, following = np.zeros_like(tables.first), np.zeros_like(tables.first)
    backward(points, tables, walk, kept, to_come, first, following, level)
    return first, following, noise.grid.bottom + level * noise.grid.step


def _pooled(seen: np.ndarray, noise: Noise) -> np.ndarray:
    """Distances of all classes of spread, in units of the class of factor 1."""
    if noise.scales.size == 1:
        return seen[:, 0].astype(float)
    o = noise.grid.offset
    i, edges = np.arange(-o, o + 1.0), np.arange(-o - 0.5, o + 1.0)
    pooled = np.zeros((seen.shape[0], i.size))
    for m, classes in enumerate(seen):
        for counts, s in zip(classes, noise.scales, strict=True):
            total = np.concatenate([[0], np.cumsum(counts, dtype=float)])
            pooled[m] += np.diff(np.interp(edges * s, edges, total))
    return pooled


def _walk(noise: Noise, drift: float) -> Walk:
    """Jumps of the level, and steps whose variance is that of the drift."""
    variance = (drift * _information_sd(noise) / noise.grid.step) ** 2 / 2 if drift else 0
    reach = min(max(1, math.ceil(math.sqrt(variance / 0.3))), EDGE)
    share = min(variance / reach / reach, 0.33)
    return Walk(noise.grid.size, HAZARD, share, reach)


def _information_sd(noise: Noise) -> float:
    """The stddev of a normal noise that would tell as much of the level (Fisher)."""
    table, step = noise.next, noise.grid.step
    slope, middle = np.diff(table, axis=1), 0.5 * (table[:, 1:] + table[:, :-1])
    information = ((slope * slope / middle).sum(axis=1) @ noise.weights) / step
    return 1 / math.sqrt(information * (1 - noise.phi.sum()))
