"""Does a rate go up and down? Period and depth of a cycle in the seconds of a run.

The periodogram of the rate without its linear trend is divided by the spectrum that
AR(1) noise of the same variance and lag-1 correlation has on average: without any cycle a
slow second follows a slow one, or a quick one that did its work before. The largest
quotient is compared with those of simulated AR(1) series that were treated alike: M.
Schulz and M. Mudelsee, REDFIT, Computers & Geosciences 28 (2002); S. Vaughan, Astronomy &
Astrophysics 431 (2005).
"""

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import signal

from benchmath.frames import require
from benchmath.intervals import logs, mean_interval
from benchmath.ratios.verdicts import benjamini_hochberg

ALPHA = 0.05
LEAST = 30  # seconds
CYCLES = 3  # of them at least in a run: fewer are a wave, no cycle
DRAWS = 999
_SLOW = 0.5  # of the median: a slow second
_HARMONICS = 4
_FINE = 81  # frequencies around the peak
_PHASES = 400
_UNEVEN = 1 / 3  # of a period: a rise that is shorter is fast
RUN_COLUMNS = ("case", "step", "op", "run_id", "seconds", "mean", "p", "period_s",
               "depth", "rise", "slow_s")  # fmt: skip
CASE_COLUMNS = ("case", "step", "op", "n", "seconds", "p", "q", "found", "period_s",
                "period_low", "period_high", "depth", "depth_low", "depth_high", "rise",
                "rise_low", "rise_high", "shape", "findable", "note")  # fmt: skip
_CASE = ["case", "step", "op"]
SAWTOOTH, REVERSED, EVEN, UNTOLD = (
    "fast rise, slow fall", "slow rise, fast fall", "even", "not told",
)  # fmt: skip


class Cycle(NamedTuple):
    """A cycle as it is fitted: period in points, depth over the mean, share rising."""

    period: float
    depth: float
    rise: float


class Peak(NamedTuple):
    """What stands out most: its period in points, its p, the quotient of p = 5%."""

    period: float
    p: float
    critical: float


def peak(rates: np.ndarray, seed: int = 1, draws: int = DRAWS) -> Peak:
    """The period that stands out most from AR(1) noise, of more than two points.

    ``rates`` is one run, or a row per run of the same length, whose quotients are
    averaged: what they have in common stands out. A cycle of less than two points looks
    like a longer one (aliasing): which of them it is no sampling at this distance tells.
    """
    flat = _without_trend(np.atleast_2d(rates))
    n = flat.shape[1]
    allowed = _allowed(n)
    mean = _quotients(flat).mean(axis=0)
    best = allowed[int(np.argmax(mean[allowed]))]
    null = np.zeros((draws, n // 2 + 1))
    for i, phi in enumerate(_lag_one(flat)):
        noise = _ar1_noise(float(phi), n, draws, seed + i)
        null += _quotients(_without_trend(noise)) / len(flat)
    largest = null[:, allowed].max(axis=1)
    p = (1 + int((largest >= mean[best]).sum())) / (1 + draws)
    return Peak(n / best, p, float(np.quantile(largest, 1 - ALPHA)))


def findable_depth(rates: np.ndarray, critical: float) -> float:
    """The depth of a sine, over the mean, whose quotient would be critical about.

    At the middle of the allowed frequencies, in noise of the power that the runs have.
    """
    flat = _without_trend(np.atleast_2d(rates))
    n = flat.shape[1]
    allowed = _allowed(n)
    power = np.median((_ar1_spectra(flat))[:, allowed])
    return float(2 * 2 * math.sqrt(power * max(critical - 1, 0.0)) / n / rates.mean())


def fitted_cycle(rate: np.ndarray, period: float) -> Cycle:
    """The cycle near a period: its frequency, and up to four harmonics by BIC.

    depth: from trough to peak, over the mean rate. rise: the share of the period from
    the trough to the peak, missing where so few points a period hold a sine alone.
    """
    at = np.arange(rate.size, dtype=float)
    flat = _without_trend(rate[np.newaxis, :])[0]
    most = max(1, min(_HARMONICS, math.ceil(period / 2) - 1))
    width = 1 / rate.size
    fastest = min(1 / period + width, 1 / 2 - width / 8)
    grid = np.linspace(1 / period - width, fastest, _FINE)
    two = min(2, most)
    fits = [_fit(at, flat, f, two)[1] for f in grid]
    frequency = float(grid[int(np.argmin(fits))])
    n = rate.size
    waves, _ = min(
        (_fit(at, flat, frequency, h) for h in range(1, most + 1)),
        key=lambda fit: n * math.log(max(fit[1], 1e-300) / n) + fit[0].size * math.log(n),
    )
    phase = np.arange(_PHASES) / _PHASES
    curve = _waves(phase, 1.0, waves.size // 2) @ waves
    trough, top = int(np.argmin(curve)), int(np.argmax(curve))
    rise = ((top - trough) % _PHASES) / _PHASES if most > 1 else math.nan
    depth = float(curve[top] - curve[trough]) / float(rate.mean())
    return Cycle(1 / frequency, depth, rise)


def cycle_of(rate: np.ndarray, period: float) -> np.ndarray:
    """The cycle at each second, as far as four harmonics describe it; its mean is 0."""
    at = np.arange(rate.size, dtype=float)
    flat = _without_trend(rate[np.newaxis, :])[0]
    most = max(1, min(_HARMONICS, math.ceil(period / 2) - 1))
    waves, _ = _fit(at, flat, 1 / period, most)
    return _waves(at, 1 / period, most) @ waves


class Oscillations(NamedTuple):
    """``runs`` has a row per run, ``cases`` one for all runs of a case together."""

    runs: pd.DataFrame
    cases: pd.DataFrame


def oscillations(rates: pd.DataFrame) -> Oscillations:
    """Whether the rate of each case and step has a cycle, how long and how deep.

    ``rates`` is the frame of that name with a column case. Columns of both: p of the peak
    against AR(1) noise, of the run alone or of all together; period_s, depth (trough to
    peak over the mean) and rise (share of the period), missing unless found. Of runs
    slow_s: seconds under half the median. Of cases q (p by Benjamini-Hochberg over the
    cases), found (q at most 5%), geometric means with Student's interval over the runs,
    shape: the rise takes less than a third of the period, more than two thirds, or
    neither, where the whole interval says so; findable: the depth of a sine that would be
    found about every second time; note: why nothing was tested.
    """
    require(rates, (*_CASE, "run_id", "interval_ns", "rate"))
    groups = dict(list(rates.groupby(_CASE, sort=False)))
    tests = {key: _together(part) for key, part in groups.items()}
    told = [key for key, test in tests.items() if not test["note"]]
    ps = np.array([tests[key]["p"] for key in told], dtype=float)
    q_of = dict(zip(told, benjamini_hochberg(ps) if told else ps, strict=True))
    runs, cases = [], []
    for key, part in groups.items():
        q = q_of.get(key, math.nan)
        names, near = dict(zip(_CASE, key, strict=True)), tests[key].get("near")
        of_runs = [
            names | _of_run(str(run_id), run, near if q <= ALPHA else None)
            for run_id, run in part.groupby("run_id", sort=False)
        ]
        row = names | tests[key] | {"n": len(of_runs), "q": q, "found": q <= ALPHA}
        table = pd.DataFrame(of_runs)
        row["seconds"] = float(table["seconds"].median())
        for name in ("period_s", "depth", "rise"):
            row |= _mean(table[name].dropna(), name.removesuffix("_s"), name)
        cases.append(row | {"shape": _shape(row["rise_low"], row["rise_high"])})
        runs += of_runs
    return Oscillations(
        pd.DataFrame(runs, columns=[*RUN_COLUMNS]),
        pd.DataFrame(cases, columns=[*CASE_COLUMNS]),
    )


def _together(part: pd.DataFrame) -> dict[str, Any]:
    """The test of all runs of a case, as far as the shortest of them goes."""
    rows = [run["rate"].to_numpy(dtype=float) for _, run in part.groupby("run_id")]
    n = min(map(len, rows))
    if n < LEAST:
        return {"p": math.nan, "note": f"{n} samples: too few for a period"}
    rates = np.array([row[:n] for row in rows])
    if not np.ptp(rates, axis=1).all():
        return {"p": math.nan, "note": "the rate of a run is the same in all seconds"}
    most = peak(rates)
    return {
        "p": most.p, "near": most.period, "note": "",
        "findable": findable_depth(rates, most.critical),
    }  # fmt: skip


def _of_run(run_id: str, run: pd.DataFrame, near: float | None) -> dict[str, Any]:
    rate = run["rate"].to_numpy(dtype=float)
    length = float(run["interval_ns"].median()) / 1e9
    slow = rate < _SLOW * np.median(rate)
    long = rate.size >= LEAST and np.ptp(rate) > 0
    row = {
        "run_id": run_id, "seconds": rate.size * length, "mean": float(rate.mean()),
        "slow_s": float(run["interval_ns"].to_numpy()[slow].sum()) / 1e9,
        "p": peak(rate).p if long else math.nan,
        "period_s": math.nan, "depth": math.nan, "rise": math.nan,
    }  # fmt: skip
    if near is not None:
        cycle = fitted_cycle(rate, near)
        row |= {"period_s": cycle.period * length, "depth": cycle.depth}
        row["rise"] = cycle.rise
    return row


def _mean(values: pd.Series, stem: str, name: str) -> dict[str, float]:
    if values.empty:
        return {name: math.nan, f"{stem}_low": math.nan, f"{stem}_high": math.nan}
    mean = mean_interval(logs(values.clip(lower=1e-9)))
    ends = (float(mean.estimate), float(mean.low), float(mean.high))
    return dict(zip((name, f"{stem}_low", f"{stem}_high"), ends, strict=True))


def _shape(low: float, high: float) -> str:
    if math.isnan(low):
        return UNTOLD
    if high < _UNEVEN:
        return SAWTOOTH
    if low > 1 - _UNEVEN:
        return REVERSED
    return EVEN if low > _UNEVEN and high < 1 - _UNEVEN else UNTOLD


def _without_trend(rows: np.ndarray) -> np.ndarray:
    return signal.detrend(rows, axis=1, type="linear")


def _allowed(n: int) -> np.ndarray:
    """Frequencies, in cycles of n points: from 3 in all to less than one in 2 points.

    At one in 2 points what is seen of a wave depends on its phase.
    """
    return np.arange(CYCLES, (n - 1) // 2 + 1)


def _lag_one(rows: np.ndarray) -> np.ndarray:
    """Lag-1 autocorrelations of detrended rows, the bias of n points added."""
    power = (rows**2).sum(axis=1)
    r = (rows[:, 1:] * rows[:, :-1]).sum(axis=1) / np.where(power > 0, power, 1.0)
    return np.clip(r + (2 + 4 * r) / rows.shape[1], -0.99, 0.99)


def _quotients(rows: np.ndarray) -> np.ndarray:
    """Periodograms over the spectra of AR(1) noise of the same power and correlation."""
    return np.abs(np.fft.rfft(rows, axis=1)) ** 2 / _ar1_spectra(rows)


def _ar1_spectra(rows: np.ndarray) -> np.ndarray:
    n = rows.shape[1]
    phi = _lag_one(rows)[:, np.newaxis]
    red = 1 / (1 + phi**2 - 2 * phi * np.cos(2 * np.pi * np.arange(n // 2 + 1) / n))
    power = (np.abs(np.fft.rfft(rows, axis=1)) ** 2)[:, 1:].sum(axis=1, keepdims=True)
    return red * power / red[:, 1:].sum(axis=1, keepdims=True)


def _ar1_noise(phi: float, n: int, draws: int, seed: int) -> np.ndarray:
    """Stationary AR(1) series of variance 1 / (1 - phi^2)."""
    noise = np.random.default_rng(seed).normal(size=(draws, n))
    noise[:, 0] /= math.sqrt(1 - phi**2)
    return signal.lfilter([1.0], [1.0, -phi], noise, axis=1)


def _waves(at: np.ndarray, frequency: float, harmonics: int) -> np.ndarray:
    angles = 2 * np.pi * frequency * np.outer(at, np.arange(1, harmonics + 1))
    return np.hstack([np.cos(angles), np.sin(angles)])


def _fit(
    at: np.ndarray, flat: np.ndarray, frequency: float, harmonics: int
) -> tuple[np.ndarray, float]:
    """Least squares of so many harmonics: their amplitudes, and what is left."""
    design = _waves(at, frequency, harmonics)
    waves, *_ = np.linalg.lstsq(design, flat, rcond=None)
    return waves, float(((flat - design @ waves) ** 2).sum())
