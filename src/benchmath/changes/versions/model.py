"""All segmentations of a series of versions at once, weighed by their probability.

The level of a series is a hidden chain: from one version to the next it stays, or jumps
by a step. The chain is solved exactly, forwards and backwards, on a grid of levels and
for every kind of noise considered; kinds of noise are averaged by their evidence.
"""

from dataclasses import dataclass

import numpy as np

from benchmath.changes.versions.noise import Centres
from benchmath.special import special

_STEP, _STEP_FACTOR = 0.08, 1.4  # sizes of steps, in logs: lognormal, median 8%
_CHANGES = 0.52  # expected in a series, times the root of its boundaries
_APART, _APART_SPREAD = 0.005, 0.15  # versions off for reasons of their own
_SINGLE_TAILS, _REPEAT_TAILS = 3, 31  # Student's t of a version's centre

# What the runs of one version share, in units of the spread of a run, and its prior.
_SHARED = (0.0, 0.5, 1.0, 2.0, 5.0, 12.0)
_SHARED_PRIOR = (0.38, 0.20, 0.20, 0.09, 0.07, 0.06)
# In logs: builds, layouts and loads move results by so much, and seldom by more.
_USUAL_EFFECT, _EFFECT_FACTOR = 0.05, 0.5
# How far the level wanders between neighbours, in units of a version's uncertainty.
_DRIFT = (0.0, 0.4, 0.8)
_DRIFT_PRIOR = (0.6, 0.25, 0.15)
_DRIFT_SHARED = (0.0, 1.0)
_OFFSETS = np.array([-3.0, -2.2, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.2, 3.0])


@dataclass(frozen=True)
class Chain:
    """V versions, H kinds of noise (the last ones drift), G levels.

    ``weight`` (H,) is the log prior of a kind of noise with the evidence of the runs
    within their versions; ``likelihood`` (V, H, G) the probability of a version's runs
    at a level; ``start`` (G,) the first level; ``jump`` (G, G) from row to column;
    ``wander`` (D, G, G) the same for the last D kinds of noise; ``hazard`` (V - 1,) the
    chance of a change at each boundary; ``error`` (H, V) the stddev of a version around
    its level.
    """

    weight: np.ndarray
    likelihood: np.ndarray
    start: np.ndarray
    jump: np.ndarray
    wander: np.ndarray
    hazard: np.ndarray
    error: np.ndarray


@dataclass(frozen=True)
class Pass:
    """Forward pass: log evidence (H,) and, before each version, stay and jump (H, G)."""

    evidence: np.ndarray
    stay: list[np.ndarray]
    jump: list[np.ndarray]


def chain(centres: Centres, floor_sd: float) -> Chain:
    """The chain of a series whose versions share an effect of at least ``floor_sd``."""
    spread, shared, drift, weight = _kinds(centres)
    effect = (shared * centres.spread[spread])[:, None]
    floor = (floor_sd * centres.unit) ** 2
    error = np.sqrt(centres.var[spread] + effect**2 + floor)
    best = centres.likely
    uncertainty = np.sqrt(centres.var[best] + floor)
    levels = _levels(centres.mean[best], uncertainty)
    width = np.gradient(levels)
    reach = drift[drift > 0] * np.sqrt((error[drift > 0] ** 2).mean(axis=1))
    return Chain(
        weight=weight,
        likelihood=_likelihoods(levels, centres.mean[spread], error, centres),
        start=width.astype(np.float32),
        jump=(_step_density(levels) * width).astype(np.float32),
        wander=_wander(levels, width, reach),
        hazard=np.full(centres.count.size - 1, usual_hazard(centres.count.size - 1)),
        error=error,
    )


def usual_hazard(boundaries: int) -> float:
    """The chance of a change at any one boundary of a series that has so many."""
    return float(_CHANGES / np.sqrt(max(boundaries, 5)))


def forward(chain: Chain, open_: np.ndarray | None = None) -> Pass:
    """Evidence of the series; jumps are left out at boundaries that are not ``open_``."""
    level = chain.likelihood[0] * chain.start
    total = level.sum(axis=1, keepdims=True)
    evidence = np.log(total[:, 0].astype(float))
    stay_odds, jump_odds = _odds(chain)
    stays, jumps = [], []
    for v in range(1, len(chain.likelihood)):
        level = level / total
        stays.append(_drifted(chain, level, chain.wander))
        jumps.append(level @ chain.jump)
        level = stay_odds[v - 1] * stays[-1]
        if open_ is None or open_[v - 1]:
            level += jump_odds[v - 1] * jumps[-1]
        level *= chain.likelihood[v]
        total = np.maximum(level.sum(axis=1, keepdims=True), np.float32(1e-37))
        evidence += np.log(total[:, 0])
    return Pass(evidence, stays, jumps)


def change_chances(chain: Chain, done: Pass) -> np.ndarray:
    """Posterior probability of a change at each of the V - 1 boundaries."""
    weight = chain.weight + done.evidence
    weight = np.exp(weight - weight.max())
    back, backwards = chain.jump.T.copy(), chain.wander.transpose(0, 2, 1).copy()
    stay_odds, jump_odds = _odds(chain)
    ahead = np.ones_like(chain.likelihood[0])
    chances = np.empty(len(done.stay))
    for v in range(len(done.stay), 0, -1):
        ahead = ahead * chain.likelihood[v]
        stay = stay_odds[v - 1] * (done.stay[v - 1] * ahead).sum(axis=1)
        jump = jump_odds[v - 1] * (done.jump[v - 1] * ahead).sum(axis=1)
        chances[v - 1] = (weight * jump / (stay + jump)).sum() / weight.sum()
        stay, jump = _drifted(chain, ahead, backwards), ahead @ back
        ahead = stay_odds[v - 1] * stay + jump_odds[v - 1] * jump
        ahead /= ahead.max(axis=1, keepdims=True)
    return chances


def none_within(chain: Chain, done: Pass, stretch: np.ndarray) -> float:
    """Posterior probability that no boundary of ``stretch`` (V - 1, bool) is a change."""
    without = chain.weight + forward(chain, ~stretch).evidence
    every = chain.weight + done.evidence
    top = every.max()
    return float(np.exp(without - top).sum() / np.exp(every - top).sum())


def _odds(chain: Chain) -> tuple[np.ndarray, np.ndarray]:
    """Of each boundary the chance to stay and to jump, in the precision of the levels."""
    return (1 - chain.hazard).astype(np.float32), chain.hazard.astype(np.float32)


def _kinds(
    centres: Centres,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Index of the spread, shared effect, drift and log weight of each kind of noise."""
    prior = dict(zip(_SHARED, _SHARED_PRIOR, strict=True))
    if not centres.repeated:
        prior = {0.0: 1.0}
    rows = []
    for drift, chance in zip(_DRIFT, _DRIFT_PRIOR, strict=True):
        shared = {k: p for k, p in prior.items() if not drift or k in _DRIFT_SHARED}
        total = sum(shared.values())
        for at, evidence in enumerate(centres.evidence):
            for ratio, p in shared.items():
                log_weight = evidence + np.log(chance * p / total)
                log_weight += _unusual(ratio * centres.spread[at] / centres.unit)
                rows.append((at, ratio, drift, log_weight))
    spread, ratios, drifts, weight = (np.array(c) for c in zip(*rows, strict=True))
    return spread, ratios, drifts, weight


def _unusual(effect: float) -> float:
    """The log weight of a shared effect of this size: 0 up to the usual one.

    Without it a step at every version would pass for builds that differ by all of it.
    """
    beyond = max(0.0, np.log(max(effect, 1e-9) / _USUAL_EFFECT))
    return -0.5 * (beyond / _EFFECT_FACTOR) ** 2


def _levels(mean: np.ndarray, uncertainty: np.ndarray) -> np.ndarray:
    """(G,) levels around the versions' centres, no denser than they are known."""
    grid = np.sort((mean[:, None] + uncertainty[:, None] * _OFFSETS).ravel())
    cell = np.floor((grid - grid[0]) / (0.3 * uncertainty.min()))
    return grid[np.diff(cell, prepend=-1) > 0]


def _step_density(levels: np.ndarray) -> np.ndarray:
    """Lognormal density of the size of a step, up or down; a step of 0 is none."""
    size = np.abs(levels[:, None] - levels) + 1e-9
    squares = (np.log(size / _STEP) / _STEP_FACTOR) ** 2
    return np.exp(-squares / 2) / (2 * size * _STEP_FACTOR * np.sqrt(2 * np.pi))


def _wander(levels: np.ndarray, width: np.ndarray, reach: np.ndarray) -> np.ndarray:
    squares = ((levels[:, None] - levels) / reach[:, None, None]) ** 2
    kernel = np.exp(-squares / 2) * width
    return (kernel / kernel.sum(axis=2, keepdims=True)).astype(np.float32)


def _likelihoods(
    levels: np.ndarray, mean: np.ndarray, error: np.ndarray, centres: Centres
) -> np.ndarray:
    """(V, H, G) density of each version's centre around each level."""
    likelihood = np.empty((*mean.T.shape, levels.size), dtype=np.float32)
    tails = np.where(centres.count == 1, _SINGLE_TAILS, _REPEAT_TAILS)
    for freedom in np.unique(tails):
        same = tails == freedom
        likelihood[same] = (1 - _APART) * _student(
            levels, mean.T[same], error.T[same], int(freedom)
        )
    apart = np.full_like(centres.mean[centres.likely], _APART_SPREAD)
    wide = _student(levels, centres.mean[centres.likely], apart, 3)
    return likelihood + np.float32(_APART) * wide[:, None]


def _student(
    levels: np.ndarray, mean: np.ndarray, scale: np.ndarray, freedom: int
) -> np.ndarray:
    """Density of Student's t; ``freedom`` + 1 is a power of two, so squaring does."""
    inverse = (1 / scale).astype(np.float32)[..., None]
    squares = (levels.astype(np.float32) - mean.astype(np.float32)[..., None]) * inverse
    squares *= squares
    density = 1 / (1 + squares / np.float32(freedom))
    for _ in range((freedom + 1).bit_length() - 2):
        density *= density
    constant = np.exp(special.gammaln((freedom + 1) / 2) - special.gammaln(freedom / 2))
    return density * (inverse * np.float32(constant / np.sqrt(freedom * np.pi)))


def _drifted(chain: Chain, level: np.ndarray, wander: np.ndarray) -> np.ndarray:
    """Levels (H, G) after the drift of the last kinds of noise."""
    steady = len(level) - len(wander)
    moved = level.copy()
    moved[steady:] = np.matmul(level[steady:, None], wander)[:, 0]
    return moved
