"""Whether the seconds of a run are of one kind: warm-up, trend, stalls."""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.ndimage import median_filter

from benchmath.intervals import LEVEL, t_quantile
from benchmath.variation.spread import rates

TOLERANCE = 0.01  # share of the mean rate below which nothing is worth a flag
_SMOOTH = 5  # seconds of the running median that keeps single spikes from MSER
_SURE = 3.5  # standard errors of a warm-up; not 2, as MSER has chosen its length


class Seconds(NamedTuple):
    """Middle, length and rate of each second, in s and per s."""

    at: np.ndarray
    length: np.ndarray
    rate: np.ndarray


class Line(NamedTuple):
    """A line through seconds, and what its residuals say about its errors."""

    slope: float
    middle: float  # mean time
    level: float  # the rate there
    leverage: float  # sum of squares of the times around their middle
    n: int
    n_effective: float
    sd: float  # of the residuals
    explained: float  # share of the variance that is the slope's


def line_through(at: np.ndarray, rate: np.ndarray) -> Line:
    """Least squares through rates at some times, three of them at least."""
    times = at - at.mean()
    leverage, level, n = float(times @ times), float(rate.mean()), at.size
    slope = float(times @ rate) / leverage
    residual = rate - level - slope * times
    power = float(residual @ residual)
    r = 0.0
    if power > n * (1e-9 * level) ** 2:
        r = float(residual[1:] @ residual[:-1]) / power
        r = min(max(r + (2 + 4 * r) / n, 0.0), 0.99)
    effective = max(1.0, n * (1 - r) / (1 + r))
    sd = math.sqrt(power / (n - 2))
    whole = power + slope**2 * leverage
    explained = 1 - power / whole if whole > 0 else 0.0
    middle = float(at.mean())
    return Line(slope, middle, level, leverage, n, effective, sd, explained)


def warmup(seconds: Seconds) -> int:
    """How many seconds at the start differ from the rest; 0 if that may be chance."""
    smooth = median_filter(seconds.rate, _SMOOTH, mode="nearest")
    cut = _mser(seconds.at, smooth)
    rest = line_through(seconds.at[cut:], seconds.rate[cut:])

    def off(rate: np.ndarray) -> np.ndarray:
        return rate - rest.level - rest.slope * (seconds.at[: rate.size] - rest.middle)

    visible = np.flatnonzero(np.abs(off(smooth[:cut])) > 2 * rest.sd)
    if not visible.size:
        return 0
    warm = int(visible[-1]) + 1
    early = (warm + 1) // 2  # MSER may have cut too much: its first half must differ
    effect = float(np.median(off(seconds.rate[:early])))
    error = _error(rest, float(seconds.at[:early].mean()), early)
    sure = abs(effect) > max(_SURE * error, TOLERANCE * rest.level)
    return warm if sure and not _goes_on(effect, rest, seconds.at[-1]) else 0


def trend(line: Line, start: float, end: float) -> tuple[float, float, float]:
    """Change of the line from start to end in % of its start, with 95% interval.

    In % of the mean rate where the line starts at or below 0. The bounds are NaN where
    the residuals are worth fewer than three seconds.
    """
    freedom = line.n_effective - 2
    half = math.nan
    if freedom >= 1:
        sd = line.sd * math.sqrt((line.n - 2) / freedom)
        half = t_quantile((1 + LEVEL) / 2, freedom) * sd / math.sqrt(line.leverage)
    begin = line.level + line.slope * (start - line.middle)
    percent = 100 * (end - start) / (begin if begin > 0 else line.level)
    change = percent * line.slope
    return change, change - percent * half, change + percent * half


def _goes_on(effect: float, rest: Line, end: float) -> bool:
    """A start that is higher is part of a fall that goes on and is larger: no warm-up."""
    change = rest.slope * 2 * (end - rest.middle)
    return effect * change < 0 and abs(effect) < abs(change)


def _mser(at: np.ndarray, rate: np.ndarray) -> int:
    """The first cut, up to half of the values, whose MSER is as good as the least.

    As good: within one standard error of the least residual sum of squares.
    """
    n = at.size
    left = n - np.arange(n // 2 + 1.0)

    def sums(values: np.ndarray) -> np.ndarray:
        return np.cumsum(values[::-1])[::-1][: left.size]

    t, v = at - at.mean(), rate - rate.mean()
    tt = sums(t * t) - sums(t) ** 2 / left
    tv = sums(t * v) - sums(t) * sums(v) / left
    vv = sums(v * v) - sums(v) ** 2 / left
    mser = np.maximum(vv - tv**2 / tt, 0) / left**2
    return int(np.argmax(mser <= mser.min() * (1 + math.sqrt(2 / n))))


def _error(rest: Line, at: float, n: int) -> float:
    """Standard error of the median of n seconds around ``at`` less the line there."""
    share = rest.n_effective / rest.n
    median = math.pi / 2 / max(1.0, n * share)
    line = 1 / rest.n_effective + (at - rest.middle) ** 2 / (rest.leverage * share)
    return rest.sd * math.sqrt(median + line)


LEAST = 25  # seconds: with fewer, correlated noise looks like a trend
_STALL = 0.5  # a second below this share of the median rate is a stall
_EXPLAINED = 0.8  # by a trend; more than of any jump, where it is 3/4 at most
_WANDERS = 10  # effective seconds below which a mean rests on very few ups and downs
_TREND = ("trend_pct", "trend_low", "trend_high")
_COLUMNS = ["run_id", "step", "op", "seconds", "warmup_s", *_TREND, "stalls", "stalled_s"]
_COLUMNS += ["longest_stall_s", "n_effective", "steady", "note"]


def steady_state(samples: pd.DataFrame) -> pd.DataFrame:
    """How the rate of each run, step and op went over its seconds.

    Needs the columns of ``rates``. Columns: run_id, step, op, seconds, and

    - warmup_s: seconds at the start that differ from the rest.
    - trend_pct, trend_low, trend_high: how far the line goes from the end of the
      warm-up to the end of the step, in % of where it begins, with 95% interval.
    - stalls, stalled_s, longest_stall_s: times below half the median rate, their
      seconds in all and at most. Slow seconds at the very start are warm-up.
    - n_effective: what the seconds after the warm-up are worth for their mean, the
      trend taken out.
    - steady, note.

    ``steady`` is False for a warm-up or trend of at least 1% of the rate (a trend that
    is sure or explains most of the spread), for stalls, and where the rate wanders:
    under 10 effective seconds, whose mean is not known to 1%. It is NA, with a note,
    for steps of fewer than 25 seconds.
    """
    records = []
    for key, run in rates(samples).groupby(["run_id", "step", "op"], sort=False):
        length = run["interval_ns"].to_numpy(dtype=float) / 1e9
        end = run["t_ns"].to_numpy(dtype=float) / 1e9
        at = end - end[0] + length[0] - length / 2
        seconds = Seconds(at, length, run["rate"].to_numpy(dtype=float))
        names = zip(("run_id", "step", "op"), key, strict=True)
        records.append(dict(names) | _judged(seconds))
    table = pd.DataFrame.from_records(records, columns=_COLUMNS)
    numbers = dict.fromkeys(_COLUMNS[3:-2], float)
    return table.astype(numbers | {"stalls": "Int64", "steady": "boolean"})


def _judged(seconds: Seconds) -> dict[str, object]:
    n, total = seconds.rate.size, float(seconds.length.sum())
    median = float(np.median(seconds.rate))
    if n < LEAST:
        words = "second" if n == 1 else "seconds"
        return {"seconds": total, "note": f"{n} {words}: too few to judge"}
    if median == 0:
        return {"seconds": total, "note": "nothing done in most seconds"}
    stalled = _stalled(seconds.rate, median)
    going = Seconds(*(values[~stalled] for values in seconds))
    warm = warmup(going)
    line = line_through(going.at[warm:], going.rate[warm:])
    warmup_s = float(going.at[warm] - going.length[warm] / 2) if warm else 0.0
    end = float(going.at[-1] + going.length[-1] / 2)
    figures = {
        "seconds": total,
        "warmup_s": warmup_s,
        **dict(zip(_TREND, trend(line, warmup_s, end), strict=True)),
        **_stalls(stalled, seconds.length),
        "n_effective": line.n_effective,
    }
    notes = _notes(figures, line, at_limit=warm == going.rate.size // 2)
    return figures | {"steady": not notes, "note": "; ".join(notes)}


def _stalled(rate: np.ndarray, median: float) -> np.ndarray:
    """Seconds below half the median but for those at the start."""
    slow = rate < _STALL * median
    slow[: int(np.argmin(slow))] = False
    return slow


def _stalls(stalled: np.ndarray, length: np.ndarray) -> dict[str, float]:
    starts = np.flatnonzero(np.diff(stalled, prepend=False) & stalled)
    ends = np.flatnonzero(np.diff(stalled, append=False) & stalled) + 1
    long = [float(length[a:b].sum()) for a, b in zip(starts, ends, strict=True)]
    return {
        "stalls": len(long),
        "stalled_s": sum(long),
        "longest_stall_s": max(long, default=0.0),
    }


def _notes(figures: dict, line: Line, at_limit: bool) -> list[str]:
    """What keeps a step from being steady, in words."""
    notes = []
    if figures["warmup_s"]:
        notes.append(
            f"warm-up of {figures['warmup_s']:.0f} s{' or more' if at_limit else ''}"
        )
    trend = figures["trend_pct"]
    sure = figures["trend_low"] > 0 or figures["trend_high"] < 0
    clear = sure or line.explained > _EXPLAINED
    if clear and abs(trend) >= 100 * TOLERANCE:
        word = "rises" if trend > 0 else "falls"
        notes.append(f"{word} {abs(trend):.2g}% over the step")
    if figures["stalls"] == 1:
        notes.append(f"1 stall of {figures['longest_stall_s']:.0f} s")
    elif figures["stalls"]:
        longest = f"the longest {figures['longest_stall_s']:.0f} s"
        notes.append(f"{figures['stalls']} stalls, {longest}")
    error = line.sd / math.sqrt(line.n_effective)
    if not clear and line.n_effective < _WANDERS and error > TOLERANCE * line.level:
        notes.append(f"wanders: {line.n} seconds are worth {line.n_effective:.0f}")
    return notes
