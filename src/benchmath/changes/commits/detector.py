"""Changepoints of long series with one value per commit (100-10,000 points).

`CommitShifts` takes the level of a series as the hidden state of a Markov chain whose
noise is learned from the series (see ``model``): outliers, several modes,
correlation, drift and varying spread are told from changes of level by their likelihood
and not by a threshold on size.
"""

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from benchmath.changes.shift import Shift, near_one, one_list

if TYPE_CHECKING:
    from benchmath.changes.commits.noise import Model

ALPHA = 0.05
_FEWEST = 12  # points: fewer do not tell what the noise is
_LIKELY = 0.4  # probability of a change within _NEAR points that is reported
_NEAR = 2
_SHORT = 6  # points: fewer are outliers and not a level
_EXCURSION = 8  # points, at most, that are none either if the level is back after them
_BACK = 0.25  # of the excursion: as far as the levels around it may differ
_DRIFTS = (0.0, 0.04, 0.1, 0.2)  # of the level per point, weighed by their likelihood
_NO_DRIFT = -4.0  # log weight of the first against each of the others
_NEGLIGIBLE = 0.03
_OUTLYING = 5.0  # robust stddevs from the level's median

Likely = list[tuple[int, float]]  # positions in order, each with its probability


class CommitShifts:
    """Level shifts of a series with one value per commit, called as ruptures' are.

    Positive series are taken as logarithms, others as they are. NaN and None are
    missing: positions are those of the series given. A level has at least 6 points, and
    more than 8 where the level before it is back after it.

    ``changes_`` holds a ``Shift`` per change that has a probability c of 0.4 or more,
    within two points, and p of at most .05; ``outliers_`` the indexes of points far off
    their level. The p of a change bounds the share of series without a change that have a
    c as large, anywhere. It is fitted to 82,640 such series of 20 to 10,000 points with
    eight kinds of noise in equal parts: normal, Student's t with 3 degrees of freedom,
    Laplace, spikes, two modes, autoregressive, drifting, varying spread. For one kind
    alone it can be wrong: of the drifting ones of 100 to 1000 points about a fifth have a
    c of 0.4 or more, of the normal ones .3% at most.
    """

    def __init__(self) -> None:
        self.changes_: list[Shift] = []
        self.outliers_: list[int] = []
        self._size = 0
        self._shifts: list[Shift] = []
        self._chances = np.zeros(0)

    def fit(self, signal: ArrayLike) -> "CommitShifts":
        """Learn the noise and weigh every position."""
        values = one_list(signal)
        present = np.flatnonzero(np.isfinite(values))
        self._size, self._shifts, self.outliers_ = values.size, [], []
        self._chances = np.zeros(values.size)
        x = _scaled(values[present])
        if x.size >= _FEWEST and np.ptp(x) > 0:
            chances, likely = _weighed(x)
            self._chances[present] = chances
            self._shifts = [
                Shift(int(present[i]), _adjusted_p(chance, x.size))
                for i, chance in likely
            ]
            self.outliers_ = present[_outliers(x, [i for i, _ in likely])].tolist()
        self.changes_ = [shift for shift in self._shifts if shift.p <= ALPHA]
        return self

    def predict(self, alpha: float = ALPHA, n_bkps: int | None = None) -> list[int]:
        """End index of each segment; the last one is the length of the series.

        With ``n_bkps`` that many, the most probable ones, whatever their p.
        """
        if n_bkps is None:
            return [*(s.position for s in self._shifts if s.p <= alpha), self._size]
        return [*(i for i, _ in _likely(self._chances, 0.0, n_bkps)), self._size]

    def fit_predict(
        self, signal: ArrayLike, alpha: float = ALPHA, n_bkps: int | None = None
    ) -> list[int]:
        """Fit and predict in one call."""
        return self.fit(signal).predict(alpha, n_bkps)


def _scaled(values: np.ndarray) -> np.ndarray:
    return np.log(values) if (values > 0).all() else near_one(values)


def _weighed(x: np.ndarray) -> tuple[np.ndarray, Likely]:
    """The probability that a level starts, at each position; and where it is likely.

    The points of a level that is too short to be one are taken out, and the rest is
    looked at again, twice at most.
    """
    from benchmath.changes.commits.model import fitted
    from benchmath.changes.commits.noise import Model

    model = fitted(x)
    left, out = np.arange(x.size), np.zeros(x.size)
    chances = _starts(model)
    likely = _likely(chances, _LIKELY)
    for _ in range(2):
        ends = [0, *(i for i, _ in likely), left.size]
        keep = np.flatnonzero(_on_levels(model.series.values, ends))
        if keep.size == left.size or keep.size < _FEWEST:
            break
        left, model = left[keep], Model(model.series.at(keep), model.noise)
        chances = _starts(model)
        likely = _likely(chances, _LIKELY)
    out[left] = chances
    return out, [(int(left[i]), chance) for i, chance in likely]


def _on_levels(values: np.ndarray, ends: list[int]) -> np.ndarray:
    """Whether each point is on a level that is long enough to be one."""
    lengths = np.diff(ends)
    level = np.array([np.median(values[a:b]) for a, b in pairwise(ends)])
    long = lengths >= _SHORT
    away, across = np.abs(np.diff(level))[:-1], np.abs(level[2:] - level[:-2])
    long[1:-1] &= (lengths[1:-1] > _EXCURSION) | (across >= _BACK * away)
    return np.repeat(long, lengths)


def _starts(model: "Model") -> np.ndarray:
    """The probability that a level starts, under the drifts that are likely."""
    from benchmath.changes.commits.kernel import NO_HISTORY, backward, forward
    from benchmath.changes.commits.noise import HAZARD

    points, tables = model.points, model.tables
    logs, passes = [], []
    for drift in _DRIFTS:
        walk = model.walk(drift)
        so_far = forward(points, tables, walk, NO_HISTORY) if drift else model.steady
        passes.append((walk, so_far))
        logs.append(float(so_far[-1]) + (0.0 if drift else _NO_DRIFT))
        if logs[-1] < max(logs) + math.log(_NEGLIGIBLE):
            break  # more drift would be less likely still
    weights = np.exp(np.array(logs) - max(logs))
    weights /= weights.sum()
    chances = np.zeros(model.series.values.size)
    for weight, (walk, so_far) in zip(weights, passes, strict=True):
        if weight > _NEGLIGIBLE:
            to_come = backward(points, tables, walk, NO_HISTORY).to_come
            both = so_far[1:-1] + to_come[1:] - so_far[-1]
            chances[1:] += weight * HAZARD * np.exp(both)
    return chances


def _likely(chances: np.ndarray, least: float, most: int | None = None) -> Likely:
    """Positions with the probability of a change within two points, the likeliest first
    chosen; each takes the five points around it."""
    left = chances.copy()
    near = np.convolve(chances, np.ones(2 * _NEAR + 1))[_NEAR : _NEAR + left.size]
    places = np.flatnonzero(near >= least)
    # of stretches that are as good as certain, the one around a sharp peak
    good = np.minimum(near[places], 1) + 1e-3 * chances[places]
    likely: Likely = []
    for i in places[np.argsort(-good, kind="stable")]:
        start, end = max(0, int(i) - _NEAR), int(i) + _NEAR + 1
        around = left[start:end].tolist()
        chance = min(sum(around), 1.0)
        if len(likely) == most:
            break
        if chance >= least and chance > 0:
            likely.append((start + around.index(max(around)), chance))
            left[start:end] = 0
    return sorted(likely)


def _outliers(x: np.ndarray, cuts: list[int]) -> list[int]:
    from benchmath.changes.commits.model import far_off

    out: list[int] = []
    for start, end in pairwise([0, *cuts, x.size]):
        out += (start + far_off(x[start:end], _OUTLYING)).tolist()
    return out


def _adjusted_p(chance: float, n: int) -> float:
    """An upper bound of what was simulated, see ``CommitShifts``."""
    misled = 0.5 / n + n / 2e6  # too short to tell what the noise is; long, and it varies
    return min(0.06 * (1 - chance) * (1 + n / 20_000) + misled, 1.0)
