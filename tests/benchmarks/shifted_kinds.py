"""Seeded noise of kinds, and of sizes, that our detectors were not tuned on.

As noise_kinds.py, but relative noise, as a tool's timer sees it, on a level that moves by
1% to 20%: heavier and lopsided tails, more modes and uneven ones, stronger correlation,
waves, many or clustered outliers, spreads that jump or feed on themselves, steps of the
printed figure, very quiet and very loud series. ``cov`` is the stddev of one run, or that
of the quiet part, to which the disturbance is added.
"""

from collections.abc import Callable

import numpy as np
from noise_kinds import (
    Random,
    Series,
    apart,
    levels,
    log_uniform,
    ratios,
    standard_errors,
)

Noise = Callable[[Random, int], np.ndarray]

_LEAST_SHARE = 0.02  # of a level, that a value falls to at most
_QUIET, _USUAL, _LOUD = (0.0005, 0.003), (0.004, 0.05), (0.05, 0.12)


def tails(random: Random, n: int) -> np.ndarray:
    """Student's t with 2 degrees of freedom, which has no variance."""
    return random.standard_t(2, n) / 2


def lopsided(random: Random, n: int) -> np.ndarray:
    """A lognormal tail to either side, skewness 2 to 6."""
    sigma = random.uniform(0.5, 0.95)
    raw = (random.lognormal(0, sigma, n) - np.exp(sigma**2 / 2)) / (
        np.exp(sigma**2 / 2) * np.sqrt(np.expm1(sigma**2))
    )
    return raw * random.choice([-1, -1, 1])


def uniform(random: Random, n: int) -> np.ndarray:
    """Anything between two bounds is equally likely."""
    return random.uniform(-1, 1, n) * np.sqrt(3)


def three_modes(random: Random, n: int) -> np.ndarray:
    """Three modes, kept for a while or not."""
    stay = random.choice([0.0, 0.5, 0.8])
    return _modal(random, n, np.ones(3) / 3, random.uniform(3, 8), stay)


def uneven_modes(random: Random, n: int) -> np.ndarray:
    """Two modes, one of which has a tenth to a third of the runs."""
    rare = random.uniform(0.1, 0.35)
    shares = random.permutation([rare, 1 - rare])
    return _modal(random, n, shares, random.uniform(3, 8), random.uniform(0, 0.85))


def sticky(random: Random, n: int) -> np.ndarray:
    """A strong autocorrelation: .6 to .85."""
    return _autoregression(random.standard_normal(n), random.uniform(0.6, 0.85))


def sticky_tails(random: Random, n: int) -> np.ndarray:
    """An autocorrelation of .3 to .6 of what has heavy tails."""
    fresh = random.standard_t(3, n) / np.sqrt(3)
    return _autoregression(fresh, random.uniform(0.3, 0.6))


def wave(random: Random, n: int) -> np.ndarray:
    """Normal noise on a wave of .5 to 1.5 stddevs, as of times of the day."""
    periods = max(n / log_uniform(random, 20, 200), 0.5)
    turns = np.linspace(0, periods, n) + random.uniform(0, 1)
    return random.standard_normal(n) + random.uniform(0.5, 1.5) * np.sin(
        2 * np.pi * turns
    )


def walk(random: Random, n: int) -> np.ndarray:
    """Normal noise on a random walk that covers 2 to 5 stddevs."""
    steps = np.cumsum(random.standard_normal(n))
    wide = random.uniform(2, 5) / max(float(np.ptp(steps)), 1e-9)
    return random.standard_normal(n) + wide * steps


def many_spikes(random: Random, n: int) -> np.ndarray:
    """5% to 12% of the runs are 4 to 20 stddevs off, most of them slow."""
    hit = random.random(n) < random.uniform(0.05, 0.12)
    sign = np.where(random.random(n) < 0.7, -1, 1)
    return random.standard_normal(n) + hit * sign * random.uniform(4, 20, n)


def bursts(random: Random, n: int) -> np.ndarray:
    """Every hundred runs or so 3 to 6 in a row are 4 to 10 stddevs slow."""
    noise = random.standard_normal(n)
    for start in np.flatnonzero(random.random(n) < 0.01):
        noise[start : start + random.integers(3, 7)] -= random.uniform(4, 10)
    return noise


def restless(random: Random, n: int) -> np.ndarray:
    """The spread jumps between 1 and 2 to 4, and stays for 30 points or so."""
    jumps = np.cumsum(random.random(n) < 1 / 30) % 2
    return random.standard_normal(n) * np.where(jumps, random.uniform(2, 4), 1)


def feeding(random: Random, n: int) -> np.ndarray:
    """A spread that grows with the last values: GARCH of .15 and .75."""
    fresh, noise, variance = random.standard_normal(n), np.empty(n), 1.0
    for i in range(n):
        noise[i] = np.sqrt(variance) * fresh[i]
        variance = 0.1 + 0.15 * noise[i] ** 2 + 0.75 * variance
    return noise


def stepped(random: Random, n: int) -> np.ndarray:
    """Normal noise; the series is printed in steps of .5 to 3 stddevs."""
    return random.standard_normal(n)


def quiet(random: Random, n: int) -> np.ndarray:
    """Normal noise of .05% to .3%."""
    return random.standard_normal(n)


def loud(random: Random, n: int) -> np.ndarray:
    """Normal noise of 5% to 12%."""
    return random.standard_normal(n)


def first_runs(random: Random, n: int) -> np.ndarray:
    """Normal noise; of versions the first two runs are 2 to 6 and 1 to 3 stddevs off."""
    return random.standard_normal(n)


def builds(random: Random, n: int) -> np.ndarray:
    """Normal noise; of versions the runs share an effect of 1.5 to 3 stddevs."""
    return random.standard_normal(n)


def uneven_versions(random: Random, n: int) -> np.ndarray:
    """Normal noise; each version has a spread of its own, log stddev .7."""
    return random.standard_normal(n)


_BOTH = (
    tails, lopsided, uniform, three_modes, uneven_modes, many_spikes, stepped, quiet,
    loud,
)  # fmt: skip
_COMMITS = (
    sticky, sticky_tails, wave, walk, bursts, restless, feeding,
)  # fmt: skip
_VERSIONS = (sticky_tails, walk, first_runs, builds, uneven_versions)
COMMIT_KINDS: dict[str, Noise] = {f.__name__: f for f in (*_BOTH, *_COMMITS)}
VERSION_KINDS: dict[str, Noise] = {f.__name__: f for f in (*_BOTH, *_VERSIONS)}


def commits(random: Random, kind: str, changing: bool = True) -> Series:
    """100 to 1,000 points, 1 + Poisson(n / 200) changes, levels of 8 points or more."""
    n, cov = int(log_uniform(random, 100, 1000)), _cov(random, kind)
    count = 1 + int(random.poisson(n / 200)) if changing else 0
    cuts = apart(random, n, count, least=8)
    level, steps = levels(random, n, cuts)
    values = _printed(random, kind, level, cov * COMMIT_KINDS[kind](random, n), cov)
    z = standard_errors(n, cuts, steps, cov)
    return Series(kind, values, tuple(cuts), ratios(steps), z, None)


def versions(random: Random, kind: str, changing: bool = True) -> Series:
    """6 to 12 versions of 3 to 5 repeats, up to three changes, and effects of builds."""
    count, runs = int(random.integers(6, 13)), int(random.integers(3, 6))
    cov = _cov(random, kind)
    build = float(random.choice([0, 0.5, 1], p=[0.5, 0.25, 0.25]))
    if kind == "builds":
        build = random.uniform(1.5, 3)
    number = int(random.choice([1, 2, 3], p=[0.55, 0.3, 0.15])) if changing else 0
    cuts = apart(random, count, number, least=1)
    level, steps = levels(random, count, cuts)
    noise = _by_version(random, kind, VERSION_KINDS[kind](random, count * runs), runs)
    noise = cov * (noise + np.repeat(random.normal(0, build, count), runs))
    values = _printed(random, kind, np.repeat(level, runs), noise, cov)
    z = standard_errors(count, cuts, steps, cov * float(np.hypot(runs**-0.5, build)))
    groups = np.repeat(np.arange(count), runs)
    changes = tuple(cut * runs for cut in cuts)
    return Series(kind, values, changes, ratios(steps), z, groups)


def _cov(random: Random, kind: str) -> float:
    return log_uniform(random, *{"quiet": _QUIET, "loud": _LOUD}.get(kind, _USUAL))


def _modal(
    random: Random, n: int, shares: np.ndarray, distance: float, stay: float
) -> np.ndarray:
    """Modes so many of their stddevs apart, at stddev 1; a run keeps the last one's."""
    drawn = random.choice(shares.size, n, p=shares)
    fresh = random.random(n) >= stay
    fresh[0] = True
    mode = drawn[np.maximum.accumulate(np.where(fresh, np.arange(n), 0))]
    at = np.arange(shares.size)
    middle = shares @ at
    spread = np.sqrt(1 + distance**2 * (shares @ (at - middle) ** 2))
    return (random.standard_normal(n) + distance * (mode - middle)) / spread


def _autoregression(fresh: np.ndarray, correlation: float) -> np.ndarray:
    noise = fresh.copy()
    for i in range(1, fresh.size):
        noise[i] = correlation * noise[i - 1] + np.sqrt(1 - correlation**2) * fresh[i]
    return noise


def _by_version(random: Random, kind: str, noise: np.ndarray, runs: int) -> np.ndarray:
    """What is a matter of a run's place within its version."""
    table = noise.reshape(-1, runs)
    if kind == "uneven_versions":
        table = table * random.lognormal(0, 0.7, (len(table), 1))
    if kind == "first_runs":
        table[:, 0] -= random.uniform(2, 6)
        table[:, 1] -= random.uniform(1, 3)
    return table.ravel()


def _printed(
    random: Random, kind: str, logs: np.ndarray, noise: np.ndarray, cov: float
) -> np.ndarray:
    """Seven digits, or the steps of the kind, of a rate between 50 and a million."""
    values = np.exp(logs) * np.maximum(1 + noise, _LEAST_SHARE)
    if kind == "stepped":
        step = cov * random.uniform(0.5, 3)
        values = np.maximum(np.round(values / step), 1) * step
    values = values * log_uniform(random, 50, 1e6)
    digits = 6 - np.floor(np.log10(values)).astype(int)
    return np.array([round(v, d) for v, d in zip(values, digits.tolist(), strict=True)])
