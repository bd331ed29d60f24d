"""Is a cycle found in the seconds of a run that has none, and how well one that is there?

Noise: white, AR(1), of heavy tails, with a level shift, with stalls. Cycles: sawteeth (a
tenth of the period up, the rest down) and sines on AR(1) noise, and sawteeth whose
periods differ by a tenth. Scored are how often a period is found, how far it is off in
the median, the depth found, and the share of the period that rises.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from script import arguments, show

from benchmath.variation.oscillation import ALPHA, fitted_cycle, peak

Noise = Callable[[np.random.Generator, int], np.ndarray]
RISE = 0.1


def red(phi: float) -> Noise:
    """AR(1) noise of variance 1."""

    def noise(random: np.random.Generator, n: int) -> np.ndarray:
        shocks = random.normal(size=n) * np.sqrt(1 - phi**2)
        shocks[0] = random.normal()
        values = np.empty(n)
        values[0] = shocks[0]
        for i in range(1, n):
            values[i] = phi * values[i - 1] + shocks[i]
        return values

    return noise


def heavy(random: np.random.Generator, n: int) -> np.ndarray:
    """Student's t with 3 degrees of freedom, variance 1."""
    return random.standard_t(3, size=n) / np.sqrt(3)


def shifted(random: np.random.Generator, n: int) -> np.ndarray:
    """White noise whose level falls by 3 stddev at a place of its own."""
    at = int(random.uniform(0.2, 0.8) * n)
    return random.normal(size=n) - 3 * (np.arange(n) >= at)


def stalling(random: np.random.Generator, n: int) -> np.ndarray:
    """White noise and three stalls of 1 to 6 seconds, 8 stddev deep, anywhere."""
    values = random.normal(size=n)
    for start in random.integers(0, n, size=3):
        values[start : start + random.integers(1, 7)] = -8
    return values


NOISES: dict[str, Noise] = {
    "white": red(0.0), "AR(1) -.6": red(-0.6), "AR(1) .3": red(0.3),
    "AR(1) .6": red(0.6), "AR(1) .9": red(0.9),
    "heavy tails": heavy, "a level shift": shifted, "three stalls": stalling,
}  # fmt: skip


def sawtooth(phase: np.ndarray) -> np.ndarray:
    """From 0 up to 1 in a tenth of a period, and down in the rest."""
    part = phase % 1
    return np.where(part < RISE, part / RISE, (1 - part) / (1 - RISE))


def sine(phase: np.ndarray) -> np.ndarray:
    return (1 + np.sin(2 * np.pi * phase)) / 2


def uneven(random: np.random.Generator, n: int, period: float) -> np.ndarray:
    """The phase of a cycle whose periods differ by a tenth (stddev)."""
    lengths = period * np.exp(0.1 * random.normal(size=int(3 * n / period) + 5))
    edges = np.concatenate([[0.0], np.cumsum(lengths)]) - random.uniform(0, period)
    return np.interp(np.arange(n), edges, np.arange(edges.size))


CYCLES = [
    (shape, period, depth, n, runs)
    for shape in ("sawtooth", "sine", "uneven")
    for period, depth, n, runs in (
        (2.4, 0.3, 120, 1), (6, 0.3, 120, 1), (15, 0.3, 120, 1), (30, 0.3, 120, 1),
        (15, 0.8, 120, 1), (15, 0.1, 120, 3), (15, 0.3, 120, 3), (30, 0.3, 120, 3),
    )
]  # fmt: skip


def false_alarms(series: int, seed: int) -> pd.DataFrame:
    rows = []
    for name, noise in NOISES.items():
        row: dict[str, object] = {"noise": name}
        for runs, n in ((1, 60), (1, 120), (3, 120), (1, 600)):
            random = np.random.default_rng([seed, n, runs, len(rows)])
            hits = [
                peak(
                    np.array([100 + 10 * noise(random, n) for _ in range(runs)]), seed=i
                ).p
                <= ALPHA
                for i in range(series)
            ]
            row[f"% of {runs} x {n} s"] = 100 * float(np.mean(hits))
        rows.append(row)
    return pd.DataFrame(rows)


def drawn(
    random: np.random.Generator, shape: str, period: float, depth: float, n: int
) -> np.ndarray:
    """The rate of one run with a cycle that begins anywhere."""
    wave = sine if shape == "sine" else sawtooth
    phase = np.arange(n) / period + random.uniform(0, 1)
    if shape == "uneven":
        phase = uneven(random, n, period)
    return 100 * (1 + depth * (wave(phase) - 0.5)) + 10 * red(0.3)(random, n)


def power(series: int, seed: int) -> pd.DataFrame:
    rows = []
    for shape, period, depth, n, runs in CYCLES:
        random = np.random.default_rng([seed, len(rows)])
        hits, cycles = [], []
        for i in range(series):
            rates = np.array(
                [drawn(random, shape, period, depth, n) for _ in range(runs)]
            )
            most = peak(rates, seed=i)
            hits.append(most.p <= ALPHA)
            if hits[-1]:
                cycles.append(fitted_cycle(rates[0], most.period))
        row = {
            "cycle": shape, "period s": period, "depth %": 100 * depth,
            "runs": f"{runs} x {n} s", "found %": 100 * float(np.mean(hits)),
        }  # fmt: skip
        if cycles:
            off = [abs(c.period / period - 1) for c in cycles]
            row |= {
                "period off %": 100 * float(np.median(off)),
                "depth found %": 100 * float(np.median([c.depth for c in cycles])),
                "rise %": 100 * float(np.median([c.rise for c in cycles])),
            }
        rows.append(row)
    return pd.DataFrame(rows)


if __name__ == "__main__":
    asked = arguments(__doc__, 300)
    show(
        f"False alarms at {ALPHA:.0%}, {asked.series} series a row, seed {asked.seed}",
        false_alarms(asked.series, asked.seed),
    )
    show(
        "Cycles on AR(1) noise of 10% with correlation .3",
        power(asked.series, asked.seed),
    )
