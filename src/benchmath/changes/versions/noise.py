"""Where each version of a series stands, for every spread its runs may have."""

from dataclasses import dataclass

import numpy as np

_LEAST_NOISE = 1e-6  # 1 ppm: below it differences are of arithmetic
_RUN_TAILS = 4.0  # degrees of freedom of Student's t for one run around its version
_TYPICAL_SPREAD = 0.012  # of one run, in logs: between .2% and 6% in 95% of series
_NOISE_UNIT = 0.01  # what the noise of a series of single runs is taken for
_SPREAD_FACTOR = 0.8  # stddev of the logarithm of the spread
_NODES = np.linspace(-1.0, 1.0, 41)
_MAD_TO_SIGMA = 1.4826


@dataclass(frozen=True)
class Centres:
    """Estimates of V versions under each of S spreads of a single run.

    ``spread`` (S,) is the stddev of a run, ``evidence`` (S,) the log probability of the
    runs around centres of their own plus the prior of the spread, ``mean`` and ``var``
    (S, V) the posterior of each version's centre, ``count`` (V,) its runs.

    All are logs times ``unit``. It is 1 where repeats show the noise. Single runs only
    say how steps and noise compare, so their unit makes the noise a typical one: else
    noise of 10% would look like steps of 10%, which are common.
    """

    unit: float
    spread: np.ndarray
    evidence: np.ndarray
    mean: np.ndarray
    var: np.ndarray
    count: np.ndarray

    @property
    def repeated(self) -> bool:
        """Whether runs of one version show the spread."""
        return _repeated(self.count)

    @property
    def likely(self) -> int:
        """Index of the spread to lay out the levels by."""
        return int(np.argmax(self.evidence)) if self.repeated else self.spread.size // 2


def centres(x: np.ndarray, versions: np.ndarray) -> Centres:
    """Centres of versions 0..V-1 from the logarithms of their runs, in order."""
    table = _table(x, versions)
    digit = float(np.diff(np.unique(x)).min()) / np.sqrt(12)
    table[:, 0] -= _first_run_effect(table)
    count = np.isfinite(table).sum(axis=1)
    repeated = _repeated(count)
    noise, factors = _repeat_noise(table) if repeated else _step_noise(table)
    noise = max(noise, digit, _LEAST_NOISE)
    unit = 1.0 if repeated else _NOISE_UNIT / noise
    spread = unit * noise * factors
    mean, var, evidence = _locate(table * unit, count, spread)
    prior = -0.5 * (np.log(spread / _TYPICAL_SPREAD) / _SPREAD_FACTOR) ** 2
    return Centres(unit, spread, evidence.sum(axis=1) + prior, mean, var, count)


def _repeated(count: np.ndarray) -> bool:
    return int((count - 1).sum()) >= 2


def _table(x: np.ndarray, versions: np.ndarray) -> np.ndarray:
    """(V, R) runs by version, NaN where a version has fewer."""
    count = np.bincount(versions)
    first = np.cumsum(count) - count
    table = np.full((count.size, count.max()), np.nan)
    table[versions, np.arange(x.size) - first[versions]] = x
    return table


def _first_run_effect(table: np.ndarray) -> float:
    """What the first run of every version differs by, shrunk to 0 unless it is clear."""
    rows = table[np.isfinite(table).sum(axis=1) >= 3]
    if rows.shape[0] < 4:
        return 0.0
    apart = rows[:, 0] - np.nanmedian(rows[:, 1:], axis=1)
    distance = np.abs(apart - np.median(apart))
    usual = apart[distance <= 3 * _MAD_TO_SIGMA * np.median(distance)]
    effect = float(usual.mean())
    if usual.size < 4 or effect == 0:
        return 0.0
    noise = float(usual.var(ddof=1)) / usual.size
    return effect * max(0.0, 1 - 4 * noise / effect**2)


def _repeat_noise(table: np.ndarray) -> tuple[float, np.ndarray]:
    """Stddev of a run among the runs of its version, and the factors it may be off by."""
    repeats = table[np.isfinite(table).sum(axis=1) >= 2]
    apart = np.abs(repeats - np.nanmedian(repeats, axis=1, keepdims=True))
    apart = apart[np.isfinite(apart)]
    freedom = apart.size - len(repeats)
    tamed = np.minimum(apart, 4 * np.median(apart))
    width = 1.6 / np.sqrt(freedom) + 0.25
    return float(np.sqrt((tamed**2).sum() / freedom)), _factors(width, 5)


def _step_noise(table: np.ndarray) -> tuple[float, np.ndarray]:
    """The same from the differences between neighbouring versions."""
    steps = np.abs(np.diff(np.nanmean(table, axis=1)))
    width = 1.6 / np.sqrt(steps.size / 2) + 0.3
    return 1.2 * float(np.median(steps)), _factors(width, 10)


def _factors(width: float, size: int) -> np.ndarray:
    return np.exp(np.linspace(-1.3 * width, 0.9 * width, size))


def _locate(
    table: np.ndarray, count: np.ndarray, spread: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Posterior mean, variance and log evidence (S, V) of centres under Student noise."""
    middle = np.nanmedian(table, axis=1)
    half = np.nanmax(np.abs(table - middle[:, None]), axis=1)
    s = spread[:, None]
    reach = half + s * np.minimum(2, 1 + 4 / np.sqrt(count))
    nodes = middle[:, None] + reach[:, :, None] * _NODES
    squares = ((table[None, :, None, :] - nodes[..., None]) / s[:, :, None, None]) ** 2
    logs = -(_RUN_TAILS + 1) / 2 * np.log1p(squares / _RUN_TAILS)
    density = np.nansum(logs, axis=-1)
    top = density.max(axis=-1, keepdims=True)
    weight = np.exp(density - top)
    total = weight.sum(axis=-1)
    gap = reach * (_NODES[1] - _NODES[0])
    mean = (weight * nodes).sum(axis=-1) / total
    var = (weight * (nodes - mean[..., None]) ** 2).sum(axis=-1) / total + 1e-3 * gap**2
    evidence = np.log(total * gap) + top[..., 0] - count * np.log(s)
    single = count == 1
    mean[:, single], var[:, single] = middle[single], s**2
    evidence[:, single] = 0.0
    return mean, var, evidence
