"""Ratios of the adjacent levels of a series, with 95% intervals.

Everything is on logarithms, NaN where a value is missing or an outlier. ``starts`` are
the indexes of the first point of every level but the first one.

The intervals are about the levels as they were found: a small change that was missed is
part of a level, and a change just large enough to be found looks a little larger than
it is.
"""

import numpy as np

from benchmath.intervals import LEVEL, Interval, Logs, ratio_interval
from benchmath.special import special

# Degrees of freedom that the spread of runs within versions is worth, at most, when it
# stands in for the spread of versions, and how much larger the variance of these usually
# is. By simulation: 2 to 14 versions, build effects of none to one stddev of a run.
_WITHIN_DF = 3.0
_BUILDS = 2.5
# A cut is put where it makes its levels look most alike within. Half a degree makes the
# intervals at positions that were found hold the truth as often as at given ones.
_CHOICE_DF = 0.5


def version_ratios(
    logs: np.ndarray, versions: np.ndarray, starts: np.ndarray, floor_sd: float = 0.0
) -> Interval:
    """Each level over the one before it; the units are the versions, not the runs.

    Runs of one version share its build, so ten of them are one replicate of a level: a
    version counts with the median of its runs. The variance of a version about its
    level is pooled over the series, and moderated (G. K. Smyth 2004) by what the spread
    of runs lets expect of it, which counts as up to three degrees of freedom; half a one
    less for each position chosen. ``floor_sd``, the stddev of builds and loads on
    record, is its least. One run per version and as many levels as versions leave
    nothing to estimate it from: NaN bounds.
    """
    first, units, counts, within = _units(logs, versions)
    expected, worth = _expected(counts, within, floor_sd)
    level = np.searchsorted(starts, first, side="right")
    members = np.bincount(level, minlength=starts.size + 1).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.bincount(level, units, minlength=members.size) / members
        between = float(((units - means[level]) ** 2).sum())
        freedom = float(units.size - np.count_nonzero(members))
        freedom = max(freedom - _CHOICE_DF * starts.size, 0.0)
        freedom += worth
        variance = (between + worth * expected) / freedom if freedom else np.nan
        variance = max(variance, floor_sd**2)
        error = np.sqrt(variance * (1 / members[1:] + 1 / members[:-1]))
    half = special.stdtrit(freedom, (1 + LEVEL) / 2) * error
    change = np.diff(means)
    return Interval(np.exp(change), np.exp(change - half), np.exp(change + half))


def commit_ratios(logs: np.ndarray, starts: np.ndarray) -> Interval:
    """Each level over the one before it, Welch's interval on autocorrelated values.

    n values that resemble their neighbours are worth n / tau independent ones, tau being
    the autocorrelation time of the whole series about its levels.
    """
    level = np.searchsorted(starts, np.arange(logs.size), side="right")
    parts = [part[~np.isnan(part)] for part in np.split(logs, starts)]
    n = np.array([part.size for part in parts], dtype=float)
    mean = np.array([part.mean() if part.size else np.nan for part in parts])
    var = np.array([part.var(ddof=1) if part.size > 1 else np.nan for part in parts])
    worth = np.maximum(n / _autocorrelation_time(logs - mean[level], level), 2)
    worth = np.where(n < 2, n, worth)
    cells = Logs(worth, mean, var)
    return ratio_interval(
        Logs(*(column[1:] for column in cells)), Logs(*(column[:-1] for column in cells))
    )


def version_medians(
    values: np.ndarray, versions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of each version the index of its first value, and the median of its values."""
    _, first = np.unique(versions, return_index=True)
    return first, np.array([np.median(part) for part in np.split(values, first[1:])])


def _units(
    logs: np.ndarray, versions: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Of each version its first index, median and count; the variance within versions."""
    present = np.flatnonzero(~np.isnan(logs))
    first, medians = version_medians(logs[present], versions[present])
    runs = np.split(logs[present], first[1:])
    counts = np.array([part.size for part in runs], dtype=float)
    squares = sum(float(((part - part.mean()) ** 2).sum()) for part in runs)
    freedom = float((counts - 1).sum())
    return present[first], medians, counts, squares / freedom if freedom else 0.0


def _expected(counts: np.ndarray, within: float, floor_sd: float) -> tuple[float, float]:
    """The variance to expect of a version by its runs, and the degrees this is worth."""
    of_runs = within * float((1 / counts).mean())
    repeats = float((counts - 1).sum())
    if floor_sd > 0:
        return of_runs + floor_sd**2, min(max(repeats, 1.0), _WITHIN_DF)
    return _BUILDS * of_runs, min(repeats, _WITHIN_DF)


def _autocorrelation_time(residuals: np.ndarray, level: np.ndarray) -> float:
    """1 + 2 * the sum of the autocorrelations, at least 1.

    Summed over pairs of lags while a pair is positive: C. J. Geyer, "Practical Markov
    Chain Monte Carlo", Statistical Science 7 (1992). Pairs of points across a change of
    level do not count; a mean taken out of m points lowers each autocorrelation by 1/m.
    """
    present = ~np.isnan(residuals)
    values = np.where(present, residuals, 0.0)
    variance = float((values**2).sum()) / max(int(present.sum()), 1)
    if variance == 0:
        return 1.0
    length = residuals.size / (level[-1] + 1)

    def correlation(lag: int) -> float:
        end = values.size - lag
        pairs = present[lag:] & present[:end] & (level[lag:] == level[:end])
        products = (values[lag:] * values[:end])[pairs]
        return float(products.mean()) / variance if products.size else 0.0

    time = -1.0
    for lag in range(0, int(length / 2), 2):
        pair = correlation(lag) + correlation(lag + 1) + 2 / length
        if pair <= 0:
            break
        time += 2 * pair
    return max(time, 1.0)
