"""Changepoints: positions in an ordered series where its level changes.

``LevelShifts`` has the interface of the detectors of ruptures (fit, predict, end
indexes), so that theirs and ours can be exchanged; inside it runs ruptures' KernelCPD
on the logarithms, scaled by a noise estimate that the steps themselves do not inflate.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from ruptures import KernelCPD
from ruptures.base import BaseEstimator

from benchbook.analysis.intervals import LEVEL, logs, ratio_interval

LEAST_NOISE = 1e-4  # 0.01%: keeps a series of equal values from making all of it a step
_SPIKE = 4.0  # in units of the noise, against the median of five neighbours
_OUTLYING = 3.5  # in robust stddevs of the differences
_MAD_TO_SIGMA = 1.4826


@dataclass(frozen=True)
class Changepoint:
    """A change of level; ``position`` is the index of the new level's first member.

    ``ratio`` is the new level over the old one, geometric means of the two levels'
    values without its outliers, with Welch's interval. The position was chosen from
    the same data, so the interval is a little too narrow.
    """

    position: int
    ratio: float
    low: float
    high: float
    n_before: int
    n_after: int


class LevelShifts(BaseEstimator):
    """Level shifts of a positive series, on the log scale.

    A level has at least ``min_size`` members (3 by default), so a single outlier is
    none. ``pen`` of ``predict`` is in units of the squared noise; its default is
    3 ln(n) + 5.
    """

    def __init__(self, min_size: int = 3) -> None:
        self.min_size = min_size
        self.scaled: np.ndarray | None = None
        self.spikes = np.zeros(0, dtype=bool)

    def fit(self, signal: ArrayLike) -> "LevelShifts":
        """Take the logarithms, divide by the noise, pull spikes to their neighbours."""
        logarithms = _logarithms(signal)
        scaled = logarithms / max(_noise(logarithms), LEAST_NOISE)
        medians = _neighbour_medians(scaled)
        self.spikes = np.abs(scaled - medians) > _SPIKE
        self.scaled = np.where(self.spikes, medians, scaled)
        return self

    def predict(self, pen: float | None = None, n_bkps: int | None = None) -> list[int]:
        """End index of each segment; the last one is the length of the series."""
        if self.scaled is None:
            raise ValueError("fit the estimator before predict")
        if pen is not None and n_bkps is not None:
            raise ValueError("give pen or n_bkps, not both")
        n = self.scaled.size
        if n < 2 * self.min_size:
            return [n]
        search = KernelCPD(kernel="linear", min_size=self.min_size)
        search.fit(self.scaled.reshape(-1, 1))
        if n_bkps is not None:
            return _ends(search.predict(n_bkps=n_bkps))
        return _ends(search.predict(pen=default_penalty(n) if pen is None else pen))

    def fit_predict(
        self, signal: ArrayLike, pen: float | None = None, n_bkps: int | None = None
    ) -> list[int]:
        """Fit and predict in one call."""
        return self.fit(signal).predict(pen=pen, n_bkps=n_bkps)


def changepoints(series: Sequence[float] | np.ndarray) -> list[Changepoint]:
    """The changepoints of an ordered series of positive values, first to last."""
    values = np.asarray(series, dtype=float)
    shifts = LevelShifts().fit(values)
    ends = shifts.predict()
    regular = np.where(shifts.spikes, np.nan, values)
    levels = [part[~np.isnan(part)] for part in np.split(regular, ends[:-1])]
    return [
        _changepoint(end, before, after)
        for end, before, after in zip(ends[:-1], levels[:-1], levels[1:], strict=True)
    ]


def default_penalty(n: int) -> float:
    """The cost of one more level, in squared noise units: 3 ln(n) + 5.

    It cuts at most 5% of flat normal series (8,000 each of 6 to 50 values).
    """
    return 3 * float(np.log(n)) + 5


def _changepoint(position: int, before: np.ndarray, after: np.ndarray) -> Changepoint:
    ratio = ratio_interval(logs(after), logs(before), LEVEL)
    return Changepoint(
        position=position,
        ratio=float(ratio.estimate),
        low=float(ratio.low),
        high=float(ratio.high),
        n_before=before.size,
        n_after=after.size,
    )


def _logarithms(signal: ArrayLike) -> np.ndarray:
    values = np.asarray(signal, dtype=float)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError("a series is one list of numbers")
    if not np.isfinite(values).all() or (values <= 0).any():
        raise ValueError("a series holds positive numbers only: no NaN, no 0")
    return np.log(values)


def _noise(logarithms: np.ndarray) -> float:
    """Stddev of one value, from the differences of neighbours without the largest.

    The median absolute deviation decides which differences are too large to be noise
    (steps and outliers); the others are averaged, which is steadier than the median.
    """
    if logarithms.size < 3:
        return 0.0
    differences = np.diff(logarithms)
    distance = np.abs(differences - np.median(differences))
    usual = differences[distance <= _OUTLYING * _MAD_TO_SIGMA * np.median(distance)]
    return float(np.sqrt((usual**2).mean() / 2))


def _neighbour_medians(scaled: np.ndarray) -> np.ndarray:
    """The median of the five values around each; a shorter series is left as it is."""
    n = scaled.size
    if n < 5:
        return scaled
    first = np.clip(np.arange(n) - 2, 0, n - 5)
    return np.median(scaled[first[:, None] + np.arange(5)], axis=1)


def _ends(ends: list[int]) -> list[int]:
    return [int(end) for end in ends]
