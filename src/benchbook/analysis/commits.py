"""Changepoints of long series with one value per commit (100-10,000 points).

``CommitShifts`` is a hidden Markov model of the level whose noise is learned from the
series (see ``commits_model``): outliers, several modes, correlation, drift and varying
spread are told from changes of level by their likelihood, not by a threshold on size.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from ruptures.base import BaseEstimator

from benchbook.analysis.shift import Shift

if TYPE_CHECKING:
    from benchbook.analysis.commits_noise import Noise

ALPHA = 0.05
_LEAST = 12  # points: with fewer there is nothing to learn a noise from
_THRESHOLD = 0.45  # probability of a change within _NEAR points that is reported
_NEAR = 2
_SHORT = 6  # a level of fewer points is an outlier and not a level
_DRIFTS = (0.0, 0.04, 0.1, 0.2)  # of the level, in noise per point; weighed by evidence
_NO_DRIFT = -5.0  # log weight of the first against each of the others
_NEGLIGIBLE = 0.03
_OUTLYING = 5.0  # robust stddevs from the level's median


class CommitShifts(BaseEstimator):
    """Level shifts of a series with one value per commit.

    Positive series are taken as logarithms, others on a linear scale in units of their
    own noise. NaN and None are missing: positions are those of the series given.

    ``changes_`` holds a ``Shift`` per reported change, ``outliers_`` the indexes of
    points far off their level. ``p`` is 0.05 (1 - c) / 0.55, with c the probability of a
    change nearby, of which at least 0.45 is reported: a monotonous reading of c and no
    tail probability. Of series without a change 2 to 3% are cut at all (200 each of four
    seeds, eight kinds of noise).
    """

    def __init__(self) -> None:
        self.changes_: list[Shift] = []
        self.outliers_: list[int] = []
        self._size = 0
        self._kept = np.zeros(0, dtype=int)
        self._chances = np.zeros(0)

    def fit(self, signal: ArrayLike) -> CommitShifts:
        """Learn the noise and weigh every position."""
        values = _one_list(signal)
        self.changes_, self.outliers_, self._size = [], [], values.size
        kept = np.flatnonzero(np.isfinite(values))
        self._kept, self._chances = kept, np.zeros(0)
        x = _scaled(values[kept])
        if x.size < _LEAST or np.ptp(x) == 0:
            return self
        cuts, self._chances = _cuts(x)
        self.changes_ = [Shift(int(kept[i]), _p(c)) for i, c in cuts]
        self.outliers_ = [int(kept[i]) for i in _outliers(x, [i for i, _ in cuts])]
        return self

    def predict(self, alpha: float = ALPHA, n_bkps: int | None = None) -> list[int]:
        """End index of each segment; the last one is the length of the series.

        With ``n_bkps`` the most probable positions, that many.
        """
        if n_bkps is not None:
            chosen = _picked(self._chances, 0.0, n_bkps)
            return [*(int(self._kept[i]) for i, _ in chosen), self._size]
        return [*(s.position for s in self.changes_ if s.p <= alpha), self._size]

    def fit_predict(
        self, signal: ArrayLike, alpha: float = ALPHA, n_bkps: int | None = None
    ) -> list[int]:
        """Fit and predict in one call."""
        return self.fit(signal).predict(alpha, n_bkps)


def commit_shifts(series: ArrayLike) -> list[int]:
    """0-based indexes of the first points of new levels."""
    return CommitShifts().fit_predict(series)[:-1]


def _one_list(signal: ArrayLike) -> np.ndarray:
    values = np.asarray(signal, dtype=float)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError("a series is one list of numbers")
    return values


def _scaled(values: np.ndarray) -> np.ndarray:
    """Logarithms; values in their own unit where one is 0 or below."""
    if (values > 0).all():
        return np.log(values)
    size = np.median(np.abs(values - np.median(values))) or np.ptp(values) or 1.0
    return values / size


def _cuts(x: np.ndarray) -> tuple[list[tuple[int, float]], np.ndarray]:
    """Positions with the probability of a change there; that of every position.

    A level of a few points is taken out and the rest looked at again, twice at most.
    """
    from benchbook.analysis.commits_model import fitted

    x, noise = fitted(x)
    at = np.arange(x.size)
    first = _chances(x, noise)
    found = _picked(first, _THRESHOLD)
    for _ in range(2):
        keep = _of_levels([i for i, _ in found], x.size)
        if keep.all() or keep.sum() < _LEAST:
            break
        x, at = x[keep], at[keep]
        noise = replace(noise, spread=noise.spread[keep])
        found = _picked(_chances(x, noise), _THRESHOLD)
    return [(int(at[i]), c) for i, c in found], first


def _chances(x: np.ndarray, noise: Noise) -> np.ndarray:
    """The probability of a change at each position, over the drifts."""
    from benchbook.analysis.commits_kernel import backward
    from benchbook.analysis.commits_noise import (
        HAZARD,
        NOTHING,
        passed,
        points_of,
        tables_of,
    )

    passes = [passed(x, noise, drift) for drift in _DRIFTS]
    logs = np.array([so_far[-1] for so_far, _ in passes])
    logs[0] += _NO_DRIFT
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    points, tables = points_of(x, noise), tables_of(noise)
    chances, unused = np.zeros(x.size), np.zeros((1, 1, 1), np.float32)
    for (so_far, walk), weight in zip(passes, weights, strict=True):
        if weight < _NEGLIGIBLE:
            continue
        to_come, level = np.empty(x.size), np.empty(0)
        backward(points, tables, walk, NOTHING, to_come, unused, unused, level)
        joint = so_far[1 : x.size] + to_come[1:] - so_far[-1]
        chances[1:] += weight * HAZARD * np.exp(joint)
    return chances


def _picked(
    chances: np.ndarray, threshold: float, most: int | None = None
) -> list[tuple[int, float]]:
    """Stretches of five points that likely hold a change, the likeliest first taken."""
    left = chances.copy()
    found: list[tuple[int, float]] = []
    window = np.ones(2 * _NEAR + 1)
    while left.size and (most is None or len(found) < most):
        near = np.minimum(np.convolve(left, window, "same"), 1)
        i = int((near + 1e-3 * left).argmax())
        if near[i] <= 0 or near[i] < threshold:
            break
        low, high = max(0, i - _NEAR), i + _NEAR + 1
        found.append((low + int(left[low:high].argmax()), float(near[i])))
        left[low:high] = 0
    return sorted(found)


def _of_levels(cuts: list[int], n: int) -> np.ndarray:
    """False for the points of levels that are too short to be any."""
    keep, ends = np.ones(n, dtype=bool), [0, *cuts, n]
    for start, end in pairwise(ends):
        if cuts and end - start < _SHORT:
            keep[start:end] = False
    return keep


def _outliers(x: np.ndarray, cuts: list[int]) -> list[int]:
    out = []
    for start, part in zip([0, *cuts], np.split(x, cuts), strict=True):
        off = np.abs(part - np.median(part))
        limit = _OUTLYING * 1.4826 * np.median(off)
        out += [start + int(i) for i in np.flatnonzero(off > limit) if limit > 0]
    return out


def _p(chance: float) -> float:
    return ALPHA * (1 - min(chance, 1.0)) / (1 - _THRESHOLD)
