"""Which noise a series has: candidates are learned from it, the likeliest is taken.

Candidates are independent noise, autoregression, several modes (a bimodal machine) and
bursts of outliers; each may besides have a spread that varies along the series.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from scipy.ndimage import uniform_filter1d

from benchbook.analysis.commits_kernel import has_bursts
from benchbook.analysis.commits_noise import (
    Grid,
    Noise,
    density,
    evidence,
    make_grid,
    normal_noise,
    relearned,
    whitened,
    widened,
)

_GAP = 5.0  # in noise: wider empty stretches of values shrink to it
_ROUNDS, _MORE_ROUNDS = 3, 2  # of learning, for the start and for each candidate
_BROAD = 1.15  # how much wider distant differences are when modes or correlation hide
_AR_ORDER, _AR_COST, _AR_SIGN = 2, 4.5, 1.5
_SPREAD_COST, _SPREAD_WINDOW = 4.0, 61
_STAYS = (0.5, 0.8)  # chances to keep a mode that are tried
_VALLEY = 0.6  # between two modes the density falls below this share of the lower
_BURST = 5  # points at most, each as many robust stddevs off
_Candidate = tuple[Noise, np.ndarray, float]  # noise, levels, what it costs


def fitted(x: np.ndarray) -> tuple[np.ndarray, Noise]:
    """The series with empty stretches shortened, and its likeliest noise."""
    lagged, resolution = _lagged_sd(x), _resolution(x)
    sigma = max(lagged[0, 0], 0.3 * resolution)
    x = _closer(x, _GAP * sigma)
    grid = make_grid(x, sigma, resolution)
    best: tuple[float, Noise, np.ndarray] | None = None
    for sd in _starts(lagged, sigma, resolution):
        for noise, level, cost in _candidates(x, grid, sd):
            found = evidence(x, noise) - cost
            if best is None or found > best[0]:
                best = (found, noise, level)
    assert best is not None  # there is always the independent noise
    _, noise, level = best
    varying = _varying(x, noise, level)
    if varying and evidence(x, varying) > evidence(x, noise) + _SPREAD_COST:
        noise = relearned(x, varying)[0]
    return x, noise


def _lagged_sd(x: np.ndarray) -> np.ndarray:
    """Robust stddevs from differences at several lags, by two pairs of quantiles."""
    rows = []
    for lag in (1, 2, 3, 5, 8, 12):
        if lag >= max(2, x.size / 4):
            break
        d = np.sort(x[lag:] - x[:-lag])
        row = []
        for tail, width in ((0.2, 1.683), (0.05, 3.29)):
            high, low = d[int((1 - tail) * (d.size - 1))], d[int(tail * (d.size - 1))]
            row.append((high - low) / width / math.sqrt(2))
        rows.append(row)
    return np.array(rows)


def _resolution(x: np.ndarray) -> float:
    """The usual distance between neighbouring values: large where values are rounded."""
    gaps = np.diff(np.sort(x))
    gaps = gaps[gaps > 1e-9 * np.ptp(x)]
    return float(np.median(gaps)) if gaps.size else 0.0


def _closer(x: np.ndarray, limit: float) -> np.ndarray:
    order = np.argsort(x, kind="stable")
    gaps = np.minimum(np.diff(x[order]), limit)
    out = np.empty_like(x)
    out[order] = np.concatenate([[0.0], np.cumsum(gaps)])
    return out


def _starts(lagged: np.ndarray, sigma: float, resolution: float) -> list[float]:
    """The noise of neighbours, and a wider one where distant points differ more."""
    rise = lagged.max(axis=0) / np.maximum(lagged[0], 0.3 * resolution)
    j = int(rise.argmax())
    if rise[j] <= _BROAD:
        return [sigma]
    rho = 1 - rise[j] ** -2.0
    return [sigma, lagged[:, j].max() * math.sqrt((1 + rho) / (1 - rho))]


def _candidates(x: np.ndarray, grid: Grid, sd: float) -> Iterator[_Candidate]:
    noise, seen = normal_noise(grid, sd, x.size), []
    for _ in range(_ROUNDS):
        noise, level, distances = relearned(x, noise)
        seen.append(distances)
    yield noise, level, 0.0
    yield from _autoregressive(x, noise, level)
    yield from _modes(x, noise, seen[-1])
    if sd > grid.sigma:
        yield from _modes(x, noise, seen[0])
    if has_bursts(x, 5.0, _BURST):
        yield _burst(x, noise)


def _learn(x: np.ndarray, noise: Noise) -> tuple[Noise, np.ndarray]:
    level = np.zeros(0)
    for _ in range(_MORE_ROUNDS):
        noise, level, _ = relearned(x, noise)
    return noise, level


def _autoregressive(
    x: np.ndarray, noise: Noise, level: np.ndarray
) -> Iterator[_Candidate]:
    """Noise that depends on the points before, where the residuals say so."""
    correlation = _correlation(x, level)
    if np.abs(correlation).max() < _AR_SIGN / math.sqrt(x.size):
        return
    phi, grid = _yule_walker(correlation), noise.grid
    new = whitened(x, phi) - level
    at = np.rint(-new[_AR_ORDER:] / grid.step) + grid.offset
    at = np.clip(at, 0, 2 * grid.offset).astype(int)
    counts = np.bincount(at, minlength=2 * grid.offset + 1).astype(float)
    table = density(counts, grid, x.size)[0][None] / (1 - phi.sum())
    noise, level, _ = relearned(x, replace(noise, phi=phi, next=table))
    noise = replace(noise, phi=_yule_walker(_correlation(x, level)))
    noise, level, _ = relearned(x, noise)
    yield noise, level, _AR_COST


def _correlation(x: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Autocorrelations of the winsorised residuals."""
    e = x - level
    e = e - np.median(e)
    w = np.clip(e / (np.median(np.abs(e)) * 1.4826 + 1e-300), -2.5, 2.5)
    w -= w.mean()
    power = max(float((w * w).sum()), 1e-300)
    lags = range(1, _AR_ORDER + 1)
    return np.array([(w[k:] * w[:-k]).sum() / power + 1 / w.size for k in lags])


def _yule_walker(correlation: np.ndarray) -> np.ndarray:
    """Coefficients whose sum stays away from that of a random walk."""
    k = correlation.size
    padded = np.concatenate([[1.0], correlation])
    apart = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    phi = np.linalg.solve(padded[apart], correlation)
    total = phi.sum()
    if total > 0:
        return phi * min(1, 0.85 / total)
    return phi * min(1.0, -0.4 / total if total < -0.4 else 1.0)


def _modes(x: np.ndarray, noise: Noise, distances: np.ndarray) -> Iterator[_Candidate]:
    """The distances cut at the valleys of their density: one mode each."""
    table, spread = density(distances, noise.grid, x.size)
    o, r = noise.grid.offset, noise.grid.reach
    cuts = _valleys(table[o - r : o + r + 1], spread / noise.grid.step)
    if not 1 <= len(cuts) <= 3:
        return
    parts = np.split(distances, [cut + o - r for cut in cuts])
    starts = np.concatenate([[0], np.cumsum([p.size for p in parts])])
    alone = np.zeros((len(parts), distances.size))
    for row, part, start in zip(alone, parts, starts, strict=False):
        row[start : start + part.size] = part
    weights = alone.sum(axis=1)
    first = np.array([density(a, noise.grid, max(a.sum(), 5))[0] for a in alone])
    for stay in _STAYS:
        mixed = replace(
            noise, first=first, next=first, phi=np.zeros(0),
            weights=weights / weights.sum(), stay=stay,
        )  # fmt: skip
        yield *_learn(x, mixed), 0.0


def _valleys(table: np.ndarray, spread: float) -> list[int]:
    """Where to cut between the peaks of a smoothed density that stand clearly apart."""
    half = 4 * max(1, math.ceil(0.75 * spread))
    width = max(0.25 * spread, 1.0)
    kernel = np.exp(-0.5 * (np.arange(-half, half + 1) / width) ** 2)
    g = np.convolve(table, kernel / kernel.sum(), "same")
    rising, falling = g[1:-1] > g[:-2], g[1:-1] >= g[2:]
    peaks = [int(i) + 1 for i in np.flatnonzero(rising & falling)]
    peaks = [i for i in peaks if g[i] > 0.1 * g.max()]
    while len(peaks) > 1:
        pairs = list(pairwise(peaks))
        depth = [g[a:b].min() / min(g[a], g[b]) for a, b in pairs]
        j = len(depth) - 1 - int(np.argmax(depth[::-1]))
        if depth[j] < _VALLEY:
            break
        del peaks[j if g[peaks[j]] < g[peaks[j + 1]] else j + 1]
    pairs = list(pairwise(peaks))
    return [a + int(g[a:b].argmin()) for a, b in pairs]


def _burst(x: np.ndarray, noise: Noise) -> _Candidate:
    """A second, very wide mode that lasts a few points."""
    grid = noise.grid
    z = np.arange(-grid.reach, grid.reach + 1) * grid.step
    wide = 1 / (1 + (z / (8 * grid.sigma)) ** 4)
    wide /= wide.sum()
    table = widened(wide, wide[0], grid) / grid.step
    first = np.array([noise.first[0], table])
    weights = np.array([0.98, 0.02])
    mixed = replace(
        noise, first=first, next=first, phi=np.zeros(0), weights=weights, stay=0.6
    )
    return *_learn(x, mixed), 0.0


def _varying(x: np.ndarray, noise: Noise, level: np.ndarray) -> Noise | None:
    """The noise with classes of spread, by the local size of the residuals."""
    e = x - level
    e = e - np.median(e)
    size = np.minimum(np.abs(e) / (np.median(np.abs(e)) + 1e-300), 4.0)
    window = min(_SPREAD_WINDOW, x.size // 2 * 2 - 1)
    local = uniform_filter1d(size, window, mode="reflect")
    local = uniform_filter1d(local, max(3, window // 4), mode="reflect")
    k = np.rint(4 * np.log2(np.maximum(local, 1e-12) / np.median(local)))
    k = np.clip(k, -6, 6).astype(np.int64)
    if k.min() == k.max():
        return None
    scales = 2.0 ** (np.arange(k.min(), k.max() + 1) / 4)
    return replace(noise, scales=scales, spread=k - k.min())
