"""The detectors of ruptures, on the same footing as ours.

They see logarithms divided by a noise estimate that steps do not inflate, and of
repeated versions the medians. Their penalties cut at most 5% of flat normal series of 12
and more values (6 to 8 values: KernelCPD 5%, Pelt 8%); heavy tails and autocorrelation,
for which they make no allowance, are cut more often.
"""

import math

import numpy as np
from ruptures import KernelCPD, Pelt

from benchmath.changes.levels import version_medians

_MIN_SIZE = 2
_GAMMA = 0.2  # of the rbf kernel, in units of the squared noise: outliers saturate
_PELT_GRID = 250  # Pelt is pure Python: more positions take minutes
_OUTLYING = 3.5  # in robust stddevs of the differences
_MAD_TO_SIGMA = 1.4826
_LEAST_NOISE = 1e-4  # 0.01%: equal values do not make all of a series a step


def kernelcpd(logs: np.ndarray, versions: np.ndarray | None = None) -> list[int]:
    """First points of new levels by ruptures' KernelCPD with an rbf kernel.

    The penalty is 1.5 + ln(n) / 10.
    """
    scaled, first = _scaled(logs, versions)
    if scaled.size < 2 * _MIN_SIZE:
        return []
    search = KernelCPD(kernel="rbf", min_size=_MIN_SIZE, params={"gamma": _GAMMA})
    ends = search.fit(scaled.reshape(-1, 1)).predict(pen=1.5 + math.log(scaled.size) / 10)
    return [int(first[end]) for end in ends[:-1]]


def pelt(logs: np.ndarray, versions: np.ndarray | None = None) -> list[int]:
    """First points of new levels by ruptures' Pelt with squared loss.

    The penalty is 3 ln(n) + 5: BIC's form. A series of more than 250 positions is
    searched on a grid of so many, then each cut is moved to the best place between its
    neighbours.
    """
    scaled, first = _scaled(logs, versions)
    if scaled.size < 2 * _MIN_SIZE:
        return []
    jump = math.ceil(scaled.size / _PELT_GRID)
    search = Pelt(model="l2", min_size=_MIN_SIZE, jump=jump).fit(scaled.reshape(-1, 1))
    ends = search.predict(pen=3 * math.log(scaled.size) + 5)
    if jump > 1:
        ends = _moved(scaled, ends)
    return [int(first[end]) for end in ends[:-1]]


def _scaled(
    logs: np.ndarray, versions: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """One value per position in units of the noise, and the index of its first point."""
    first = np.arange(logs.size)
    if versions is not None:
        first, logs = version_medians(logs, versions)
    if logs.size < 3:
        return logs, first
    return logs / max(_noise(logs), _LEAST_NOISE), first


def _noise(logs: np.ndarray) -> float:
    """Stddev of one value, from the differences of neighbours without the largest.

    The median absolute deviation decides which differences are too large to be noise
    (steps and outliers); the others are averaged, which is steadier than the median.
    """
    differences = np.diff(logs)
    distance = np.abs(differences - np.median(differences))
    usual = differences[distance <= _OUTLYING * _MAD_TO_SIGMA * np.median(distance)]
    return float(np.sqrt((usual**2).mean() / 2))


def _moved(scaled: np.ndarray, ends: list[int]) -> list[int]:
    """Each end where two means fit best between the ends beside it."""
    edges = [0, *ends]
    for i in range(1, len(edges) - 1):
        part = scaled[edges[i - 1] : edges[i + 1]]
        n = np.arange(_MIN_SIZE, part.size - _MIN_SIZE + 1)
        left, total = np.cumsum(part)[n - 1], part.sum()
        explained = left**2 / n + (total - left) ** 2 / (part.size - n)
        edges[i] = edges[i - 1] + int(n[explained.argmax()])
    return edges[1:]
