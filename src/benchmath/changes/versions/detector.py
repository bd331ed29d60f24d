"""Changepoints of a series of versions: few positions, repeated runs, or one run each.

``VersionShifts`` averages over all the ways to cut the series between versions and over
what the noise may be: the spread of runs, the effect that the runs of one version share
(build, layout, load), which their own spread does not show, and slow drift.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from benchmath.changes.shift import Shift, near_one, one_list
from benchmath.changes.versions.model import (
    Chain,
    Pass,
    chain,
    change_chances,
    forward,
    none_within,
)
from benchmath.changes.versions.noise import Centres, centres
from benchmath.intervals import t_above

_OFF = 0.01  # chance of any version standing apart in a series of its level's noise
_FREEDOM = 7  # of Student's t
_LEAST_OTHERS = 3  # versions that tell where their level is


def versions_apart(
    centres: Centres, model: Chain, done: Pass, starts: np.ndarray
) -> list[int]:
    """Index of each version far from the median of its level's other versions.

    ``starts`` are the indexes of the first version of every level but the first one.
    """
    weight = model.weight + done.evidence
    weight = np.exp(weight - weight.max())
    error = np.sqrt((weight[:, None] * model.error**2).sum(axis=0) / weight.sum())
    mean = centres.mean[centres.likely]
    limit = t_above(_OFF / 2 / mean.size, _FREEDOM)
    apart = []
    for level in np.split(np.arange(mean.size), starts):
        for at in level:
            others = np.delete(mean[level], at - level[0])
            if others.size >= _LEAST_OTHERS:
                distance = abs(mean[at] - np.median(others)) / error[at]
                if distance > limit:
                    apart.append(int(at))
    return apart


ALPHA = 0.05
_LEAST = 4  # runs that can tell a step from noise
_PLACED = 0.35  # least probability of a reported boundary itself
_LIKELY = 0.5  # and that something changed nearby


class VersionShifts:
    """Changes of level between the versions of a series.

    The runs of a version stand together, in the order of versions. Positive series are
    taken as logarithms, others on a linear scale in units of their own noise. Missing
    values (NaN, None) are left out.

    ``changes_`` holds a ``Shift`` per reported change, ``outliers_`` the index of the
    first point of each version that stands apart from its regime without starting one;
    ``starts_`` the index of the first point of each version, ``chances_`` the posterior
    chance of a change at each boundary between them, empty where too little was measured.
    A series is cut only if no change anywhere has p <= alpha, calibrated by simulation
    so that at most that share of series without a change is cut. Further cuts have to
    be more likely than not; their own p may exceed alpha.
    """

    def __init__(self) -> None:
        self.changes_: list[Shift] = []
        self.outliers_: list[int] = []
        self._size: int | None = None
        self.starts_ = np.zeros(0, dtype=int)
        self.chances_ = np.zeros(0)
        self._centres: Centres | None = None
        self._model: tuple[Chain, Pass] | None = None

    def fit(
        self,
        signal: ArrayLike,
        groups: Sequence[int] | None = None,
        floor_sd: float = 0.0,
    ) -> "VersionShifts":
        """Weigh every boundary between versions.

        ``groups[i]`` is the index of the version that point i repeats; None: every point
        is a version. ``floor_sd`` is the known stddev (of logs) of what a build and a
        load add to all runs of a version, 0 if unknown.
        """
        y, versions = _checked(signal, groups)
        present = np.flatnonzero(np.isfinite(y))
        self._size, self._centres, self._model = y.size, None, None
        self.starts_, self.chances_ = np.zeros(0, dtype=int), np.zeros(0)
        self.changes_, self.outliers_ = [], []
        if present.size == 0 or np.ptp(near_one(y[present])) == 0:
            return self
        _, versions = np.unique(versions[present], return_inverse=True)
        self.starts_ = present[np.flatnonzero(np.diff(versions, prepend=-1))]
        if present.size < _LEAST or self.starts_.size < 2:
            return self
        self._centres = centres(_scaled(y[present]), versions)
        model = chain(self._centres, floor_sd)
        done = forward(model)
        self._model, self.chances_ = (model, done), change_chances(model, done)
        self.changes_ = self._cut(ALPHA)
        self.outliers_ = self.outliers_between(s.position for s in self.changes_)
        return self

    def chances_with(self, hazard: ArrayLike) -> np.ndarray:
        """``chances_`` if a change had these chances beforehand, one per boundary.

        A hazard of 1 takes the change for granted.
        """
        if self._model is None:
            return self.chances_
        model = replace(self._model[0], hazard=np.asarray(hazard, dtype=float))
        return change_chances(model, forward(model))

    def p_at(self, boundary: int) -> float:
        """p of a change at this boundary, whatever the others are."""
        return self._p_of(1 - float(self.chances_[boundary]))

    def outliers_between(self, positions: Iterable[int]) -> list[int]:
        """``outliers_`` if levels began at these positions."""
        if self._model is None or self._centres is None:
            return []
        starts = np.searchsorted(self.starts_, sorted(positions))
        apart = versions_apart(self._centres, *self._model, starts)
        return [int(self.starts_[at]) for at in apart]

    def predict(self, alpha: float = ALPHA, n_bkps: int | None = None) -> list[int]:
        """End index of each segment; the last one is the length of the series.

        With ``n_bkps`` the most probable boundaries, that many.
        """
        if self._size is None:
            raise ValueError("fit the estimator before predict")
        if n_bkps is not None:
            best = np.argsort(-self.chances_, kind="stable")[:n_bkps]
            return [*(int(self.starts_[at + 1]) for at in sorted(best)), self._size]
        return [*(shift.position for shift in self._cut(alpha)), self._size]

    def fit_predict(
        self,
        signal: ArrayLike,
        groups: Sequence[int] | None = None,
        floor_sd: float = 0.0,
        alpha: float = ALPHA,
        n_bkps: int | None = None,
    ) -> list[int]:
        """Fit and predict in one call."""
        return self.fit(signal, groups, floor_sd).predict(alpha, n_bkps)

    def _cut(self, alpha: float) -> list[Shift]:
        """The boundaries to report, each with the p of the stretch that it stands for."""
        if self._model is None:
            return []
        whole = np.ones(self.chances_.size, dtype=bool)
        none = [none_within(*self._model, whole)]
        if self._p_of(none[0]) > alpha:
            return []
        boundaries = np.flatnonzero(self.chances_ > _PLACED).tolist()
        boundaries = boundaries or [int(self.chances_.argmax())]
        while len(boundaries) > 1:
            stretches = _stretches(boundaries, self.chances_.size)
            none = [none_within(*self._model, stretch) for stretch in stretches]
            if max(none) < 1 - _LIKELY:
                break
            del boundaries[int(np.argmax(none))]
            none = [none_within(*self._model, whole)]
        return [
            Shift(int(self.starts_[at + 1]), self._p_of(chance))
            for at, chance in zip(boundaries, none, strict=True)
        ]

    def _p_of(self, none: float) -> float:
        """p of a stretch without a change, from the posterior probability of none.

        Fitted to the share of simulated series without a change that reach it. With
        repeats, series of few boundaries reach it more seldom, long ones more often.
        """
        if none >= 1:
            return 1.0
        size = self.chances_.size
        odds = none / (1 - none)
        if self._centres is not None and self._centres.repeated:
            odds *= min(size / 5, 1.0) * max(math.sqrt(size / 14), 1.0)
        return min(1.0, 0.125 * odds**0.85)


def _checked(
    signal: ArrayLike, groups: Sequence[int] | None
) -> tuple[np.ndarray, np.ndarray]:
    y = one_list(signal)
    versions = np.arange(y.size) if groups is None else np.asarray(groups)
    if versions.shape != y.shape:
        raise ValueError("groups has one index per point")
    if (np.diff(versions) < 0).any():
        raise ValueError("the runs of a version stand together: groups never decreases")
    return y, versions


def _scaled(y: np.ndarray) -> np.ndarray:
    """Logarithms; with values of 0 and below 1% stands for a typical difference."""
    if (y > 0).all():
        logs = np.log(y)
        return logs - np.median(logs)
    y = near_one(y)
    steps = np.abs(np.diff(y))
    typical = float(np.median(steps)) or float(steps.mean())
    return 0.01 * (y - np.median(y)) / typical


def _stretches(boundaries: list[int], size: int) -> list[np.ndarray]:
    """The boundaries nearer to each found one than to the others."""
    middle = [(a + b) // 2 + 1 for a, b in pairwise(boundaries)]
    nearest = np.searchsorted(middle, np.arange(size), side="right")
    return [nearest == i for i in range(len(boundaries))]
