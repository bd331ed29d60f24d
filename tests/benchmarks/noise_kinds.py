"""Seeded noise and series with known changes: what the benchmarks are judged on.

All noise is of the logarithms. ``cov`` is the stddev of one run; of the kinds ``spikes``,
``drift`` and ``louder`` only that of the quiet part, to which the disturbance is added.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

Random = np.random.Generator
Shape = tuple[int, ...]

CORRELATION = 0.3  # lag-1 autocorrelation of the kind "correlated"
_SKEW = 0.55  # sigma of a lognormal with the skewness of an exponential, about 2
_MODES_APART = 3.0  # in stddevs of one mode
_REDRAWN = 0.6  # probability that a run draws its mode anew instead of keeping it


def normal(random: Random, shape: Shape) -> np.ndarray:
    """Independent normal noise."""
    return random.standard_normal(shape)


def skewed(random: Random, shape: Shape) -> np.ndarray:
    """A lognormal tail towards slow runs, skewness about -2."""
    raw = random.lognormal(0, _SKEW, shape)
    mean = np.exp(_SKEW**2 / 2)
    return (mean - raw) / (mean * np.sqrt(np.expm1(_SKEW**2)))


def heavy(random: Random, shape: Shape) -> np.ndarray:
    """Student's t with 4 degrees of freedom, at stddev 1."""
    return random.standard_t(4, shape) / np.sqrt(2)


def correlated(random: Random, shape: Shape) -> np.ndarray:
    """AR(1) along the last axis, of stddev 1 everywhere."""
    noise = random.standard_normal(shape)
    fresh = np.sqrt(1 - CORRELATION**2)
    for i in range(1, shape[-1]):
        noise[..., i] = CORRELATION * noise[..., i - 1] + fresh * noise[..., i]
    return noise


def spikes(random: Random, shape: Shape) -> np.ndarray:
    """Normal noise in which 3% of the runs are 5 to 25 stddevs too slow."""
    hit = random.random(shape) < 0.03
    return random.standard_normal(shape) - hit * random.uniform(5, 25, shape)


def bimodal(random: Random, shape: Shape) -> np.ndarray:
    """Two modes that last a few runs each, at stddev 1."""
    redrawn = random.random(shape) < _REDRAWN
    drawn = np.where(random.random(shape) < 0.5, -0.5, 0.5)
    redrawn[..., 0] = True
    last = np.maximum.accumulate(np.where(redrawn, np.arange(shape[-1]), 0), axis=-1)
    mode = np.take_along_axis(drawn, last, axis=-1)
    raw = random.standard_normal(shape) + _MODES_APART * mode
    return raw / np.sqrt(1 + _MODES_APART**2 / 4)


def drift(random: Random, shape: Shape) -> np.ndarray:
    """Normal noise on a slow wave: 0.5 to 1 stddevs, half a period to one and a half."""
    ends = (*shape[:-1], 1)
    periods, phase = random.uniform(0.5, 1.5, ends), random.uniform(0, 1, ends)
    wave = np.cos(2 * np.pi * (np.linspace(0, 1, shape[-1]) * periods + phase))
    return random.standard_normal(shape) + random.uniform(0.5, 1, ends) * wave


def rounded(random: Random, shape: Shape) -> np.ndarray:
    """Normal noise; the series is rounded to steps of one stddev: many equal values."""
    return random.standard_normal(shape)


def louder(random: Random, shape: Shape) -> np.ndarray:
    """Normal noise that is three times as loud from the middle on."""
    loud = np.arange(shape[-1]) >= shape[-1] // 2
    return random.standard_normal(shape) * np.where(loud, 3.0, 1.0)


KINDS: dict[str, Callable[[Random, Shape], np.ndarray]] = {
    f.__name__: f
    for f in (normal, skewed, heavy, correlated, spikes, bimodal, drift, rounded, louder)
}
# How much more a mean varies than that of independent runs of the same stddev.
_OF_MODES = _MODES_APART**2 / (4 + _MODES_APART**2)  # their share of the variance
INFLATION = {
    "correlated": np.sqrt((1 + CORRELATION) / (1 - CORRELATION)),
    "bimodal": np.sqrt(1 + 2 * _OF_MODES * (1 - _REDRAWN) / _REDRAWN),
    "louder": np.sqrt(5),
}


@dataclass(frozen=True)
class Series:
    """An ordered series with the changes that were put into it.

    ``changes`` are first indexes of new levels, ``ratios`` those of each new level to the
    one before, ``z`` the changes in standard errors of the difference of the two levels'
    means (noise known). ``groups`` gives the version of each point, None for a series of
    commits.
    """

    kind: str
    values: np.ndarray
    changes: tuple[int, ...]
    ratios: tuple[float, ...]
    z: tuple[float, ...]
    groups: np.ndarray | None


def commits(random: Random, kind: str, changing: bool = True) -> Series:
    """100 to 1,000 points, a change for every 200 or so, levels of 10 points or more."""
    n, cov = int(log_uniform(random, 100, 1000)), log_uniform(random, 0.004, 0.04)
    count = 1 + int(random.poisson(n / 250)) if changing else 0
    changes = apart(random, n, count, least=10)
    level, steps = levels(random, n, changes)
    logs = _read(kind, level + cov * KINDS[kind](random, (n,)), cov)
    error = cov * INFLATION.get(kind, 1.0)
    z = standard_errors(n, changes, steps, error)
    return Series(kind, 1000 * np.exp(logs), tuple(changes), ratios(steps), z, None)


def versions(
    random: Random, kind: str, changing: bool = True, repeats: int | None = None
) -> Series:
    """6 to 14 versions of 3 to 6 repeats (or as asked), and up to three changes.

    Half of the series have an effect of the build that a version's repeats share, of
    the size of the noise of one run or half of it.
    """
    count = int(random.integers(6, 15))
    runs = repeats or int(random.integers(3, 7))
    cov = log_uniform(random, 0.003, 0.04)
    build_sd = cov * float(random.choice([0, 0, 0.5, 1]))
    number = int(random.integers(1, 4)) if changing else 0
    cuts = apart(random, count, number, least=1)
    level, steps = levels(random, count, cuts)
    level = level + random.normal(0, build_sd, count)
    noise = cov * KINDS[kind](random, (count * runs,))
    logs = _read(kind, np.repeat(level, runs) + noise, cov)
    error = np.hypot(cov * INFLATION.get(kind, 1.0) / np.sqrt(runs), build_sd)
    z = standard_errors(count, cuts, steps, float(error))
    changes = tuple(cut * runs for cut in cuts)
    groups = np.repeat(np.arange(count), runs)
    return Series(kind, 1000 * np.exp(logs), changes, ratios(steps), z, groups)


def each_kind(
    make: Callable[..., Series],
    seed: int,
    count: int,
    changing: bool = True,
    kinds: Sequence[str] = tuple(KINDS),
) -> Iterator[Series]:
    """``count`` series in all, the kinds in turn; each with a generator of its own."""
    for i in range(count):
        random = np.random.default_rng([seed, i, changing])
        yield make(random, kinds[i % len(kinds)], changing)


def _read(kind: str, logs: np.ndarray, cov: float) -> np.ndarray:
    """What a tool prints of the logarithms."""
    return np.round(logs / cov) * cov if kind == "rounded" else logs


def log_uniform(random: Random, low: float, high: float) -> float:
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def apart(random: Random, n: int, count: int, least: int) -> list[int]:
    """Up to ``count`` sorted cuts of n points that leave ``least`` points between."""
    cuts: list[int] = []
    for _ in range(50):
        cut = int(random.integers(least, n - least + 1))
        if len(cuts) < count and all(abs(cut - c) >= least for c in cuts):
            cuts.append(cut)
    return sorted(cuts)


def levels(random: Random, n: int, cuts: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The logarithm of each point's level, and the steps: 1% to 20%, up or down."""
    sizes = np.array([log_uniform(random, 0.01, 0.2) for _ in cuts])
    steps = np.log1p(sizes * random.choice([-1, 1], len(cuts)))
    level = np.zeros(n)
    for cut, step in zip(cuts, steps, strict=True):
        level[cut:] += step
    return level, steps


def ratios(steps: np.ndarray) -> tuple[float, ...]:
    return tuple(float(ratio) for ratio in np.exp(steps))


def standard_errors(
    n: int, cuts: list[int], steps: np.ndarray, sigma: float
) -> tuple[float, ...]:
    lengths = np.diff([0, *cuts, n])
    errors = sigma * np.sqrt(1 / lengths[:-1] + 1 / lengths[1:])
    return tuple(float(z) for z in np.abs(steps) / errors)
