"""Which comparisons are decided while turns go on, and when the others will be."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.intervals import (
    LEVEL,
    normal_density,
    normal_tail,
    student_p,
    t_above,
    t_quantile,
)
from benchmath.ratios.power import ALPHA
from benchmath.ratios.verdicts import CHANGES, benjamini_hochberg, decide

UNDECIDED = "undecided"


def decisions(
    looks: pd.DataFrame,
    keys: Sequence[str],
    margin: float,
    level: float = LEVEL,
    tests: int | None = None,
) -> pd.DataFrame:
    """One row per comparison: the verdict of the first look that decides it.

    ``looks`` has a row per look and comparison: ``keys``, trial (when it was, for all
    comparisons alike), share (of the budget that was used by then; 1 ends it), rounds,
    and relative, se, df as ``turn_ratios`` gives them. Looks without an interval spend
    nothing.

    The interval of a look is as wide as ``bounds`` says, as Student's t: the bound is
    that of the same tail with the look's degrees of freedom (C. Jennison and B. W.
    Turnbull, Group Sequential Methods, 2000, 11.5). All intervals of a comparison hold
    the truth with ``level``, so a verdict is as safe as one of a single look, however
    many looks there were. Verdicts are those of reports: equivalent, if the interval is
    within 1 +- ``margin``; improved or regressed, if it excludes 1, the ratio is beyond
    the margin (``decide``), and q of Benjamini-Hochberg over all ``tests`` comparisons of
    the report (default: those that were looked at) is 5% or less.

    While loads are added p of what is open is taken for 1, so what is decided stays so
    (Y. Benjamini and Y. Hochberg, JRSS B 57, 1995): k changes with p up to .05 k / tests
    are flagged whatever becomes of the others. Where the budget is used every p is final.

    Columns: keys, verdict (undecided while it is open), looks (how many until then),
    share, rounds, relative, low, high, se, df, p: of the deciding look, else of the last;
    alpha: how small p must be for one more change to be flagged. low, high and p are what
    to report: the usual interval of a look that stopped because of what it saw is too
    short.
    """
    require(looks, (*keys, "trial", "share", "rounds", "relative", "se", "df"))
    every = looks[list(keys)].drop_duplicates()
    usable = looks[np.isfinite(looks["se"]) & np.isfinite(looks["df"])]
    judged = _judged(usable, keys, margin, level)
    place, decided, alpha = _ends(judged, len(every) if tests is None else tests)
    taken = judged.iloc[place].assign(alpha=alpha)
    taken["verdict"] = taken["verdict"].where(decided, UNDECIDED)
    table = every.merge(taken[[*keys, *_TAKEN]], on=list(keys), how="left")
    return table.assign(
        verdict=table["verdict"].fillna(UNDECIDED),
        looks=table["looks"].fillna(0).astype(int),
    )


_TAKEN = ("verdict", "looks", "share", "rounds", "relative", "low", "high", "se", "df",
          "p", "alpha")  # fmt: skip


def _judged(
    looks: pd.DataFrame, keys: Sequence[str], margin: float, level: float
) -> pd.DataFrame:
    """Looks with low, high, p, the verdict of each alone, and comparison, a number.

    p is that of the usual interval as wide: below 1 - level where the look's excludes 1.
    """
    numbers = looks.groupby(list(keys), dropna=False, sort=False).ngroup()
    rows = looks.assign(comparison=numbers, direction="higher")
    rows = rows.sort_values(["comparison", "rounds"], ignore_index=True)
    limits = [
        bounds(of["share"].tolist(), of["rounds"].tolist(), level)
        for _, of in rows.groupby("comparison")
    ]
    ratio, error, df = (rows[c].to_numpy(dtype=float) for c in ("relative", "se", "df"))
    half = t_above(normal_tail(np.concatenate([*limits, []])), df) * error
    rows = rows.assign(
        low=ratio * np.exp(-half),
        high=ratio * np.exp(half),
        p=student_p(ratio, half / t_quantile((1 + level) / 2, df), df),
        looks=rows.groupby("comparison").cumcount() + 1,
    )
    return rows.assign(verdict=decide(rows, margin))


def _ends(looks: pd.DataFrame, tests: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Of each comparison the place of the look that counts, and whether it decides."""
    comparison = looks["comparison"].to_numpy()
    place = np.full(int(comparison.max(initial=-1)) + 1, -1)
    decided = np.zeros(place.size, dtype=bool)
    p, verdict = looks["p"].to_numpy(), looks["verdict"].to_numpy()
    change = np.isin(verdict, CHANGES)
    flagged = decided
    for trial in np.unique(looks["trial"]):
        now = np.flatnonzero(looks["trial"] == trial)
        now = now[~decided[comparison[now]]]
        place[comparison[now]] = now
        seen = place >= 0
        decided |= seen & (verdict[place] == "equivalent")
        flagged = _flagged(np.where(seen & (decided | change[place]), p[place], 1), tests)
        decided |= seen & change[place] & flagged
    if (looks["share"] >= 1).any():
        flagged = _flagged(p[place], tests)
        decided |= change[place] & flagged
    return place, decided, ALPHA * min(flagged.sum() + 1, tests) / tests


def _flagged(p: np.ndarray, tests: int) -> np.ndarray:
    """Which differ from 1 by Benjamini-Hochberg, if p of all further tests is 1."""
    others = np.ones(max(tests - p.size, 0))
    return benjamini_hochberg(np.concatenate([p, others]))[: p.size] <= ALPHA


def time_to_decision(
    estimates: pd.DataFrame, margin: float, level: float = LEVEL
) -> pd.DataFrame:
    """How much more of the same would decide each comparison, if its ratio stays.

    ``estimates`` has relative, se, df and sessions (``turn_ratios``) and may have seconds
    (measured so far) and alpha (that p of a change must not exceed, of ``decisions``).
    The half-width must come below the distance to 1 where the ratio is beyond the margin,
    else below that to the margin. Errors fall with the root of the time, degrees of
    freedom rise with it. Added columns:

    * needed: the half-width that would decide (of the logarithm);
    * times: how many times the present time that takes, 1 where it is decided already,
      very many just within the margin, NaN without an interval;
    * further_sessions, and further_seconds where seconds are given.

    This is a forecast from the difference observed, to lay out the time that is left; it
    takes no part in a verdict.
    """
    require(estimates, ("relative", "se", "df", "sessions"))
    log = np.log(estimates["relative"].to_numpy(dtype=float))
    low, high = np.log1p(-margin), np.log1p(margin)
    beyond = (log > high) | (log < low)
    needed = np.where(beyond, np.abs(log), np.minimum(high - log, log - low))
    alpha = estimates["alpha"] if "alpha" in estimates.columns else 1 - level
    times = _times(estimates, needed, np.where(beyond, 1 - alpha, level))
    sessions = np.ceil(estimates["sessions"] * (times - 1) - 1e-9)
    planned = estimates.assign(needed=needed, times=times, further_sessions=sessions)
    if "seconds" in estimates.columns:
        planned["further_seconds"] = estimates["seconds"] * (times - 1)
    return planned


def _times(estimates: pd.DataFrame, needed: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Time over the present one at which Student's half-width is the needed one."""
    se, df = (estimates[c].to_numpy(dtype=float) for c in ("se", "df"))
    times = np.ones(len(estimates))
    for _ in range(50):  # t falls slowly with the degrees of freedom: this converges
        quantile = t_quantile((1 + level) / 2, df * times)
        with np.errstate(divide="ignore", invalid="ignore"):
            times = np.maximum(1, (quantile * se / needed) ** 2)
    return times


POWER = 1.5
_NODES = 151
_LEAST = 1e-9  # of error to spend at a look; a bound beyond 6 standard errors


def spent(shares: np.ndarray, alpha: float) -> np.ndarray:
    """The error that may be spent by the time a share of the budget is used.

    K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the
    type I error spending rate function", Biometrika 74 (1987): alpha share^1.5. Lower
    powers (Pocock's bounds are near 1) find large differences sooner and small ones, or
    that there is none, later; O'Brien and Fleming's are near 3.
    """
    return alpha * np.clip(shares, 0, 1) ** POWER


def bounds(
    shares: Sequence[float], information: Sequence[float], level: float = LEVEL
) -> np.ndarray:
    """How many standard errors an estimate must be off at each look, on either side.

    K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials",
    Biometrika 70 (1983): all looks together err with chance 1 - ``level`` at most, and
    neither their number nor their times need be known before. ``shares`` of the budget
    say what may be spent (Lan and DeMets, Statistics in Medicine 8, 1989: calendar time),
    ``information`` how much of the data of a look the earlier ones had (any unit).
    Intervals as wide as these bounds hold the truth at all looks together: C. Jennison
    and B. W. Turnbull, "Interim analyses: the repeated confidence interval approach",
    JRSS B 51 (1989).

    Both rise from look to look; ValueError if not. One look at the whole budget is the
    usual interval: 1.96.
    """
    times, amounts = (np.asarray(v, dtype=float) for v in (shares, information))
    if (np.diff(times) < 0).any() or (np.diff(amounts) <= 0).any():
        raise ValueError("looks: share and information must rise from look to look")
    return np.array(_bounds(tuple(times), tuple(amounts / amounts[:1]), 1 - level))


@lru_cache(maxsize=4096)
def _bounds(
    shares: tuple[float, ...], information: tuple[float, ...], alpha: float
) -> tuple[float, ...]:
    """The recursion of P. Armitage, C. K. McPherson and B. C. Rowe, JRSS A 132 (1969).

    The score (estimate times information) adds independent normal steps. Its density
    where no look has stopped yet is kept at Gauss-Legendre nodes between the bounds.
    """
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    score, mass = np.zeros(1), np.ones(1)
    before, so_far, found = 0.0, 0.0, []
    for amount, target in zip(information, spent(np.array(shares), alpha), strict=True):
        step = float(np.sqrt(amount - before))
        may_spend = max(float(target) - so_far, _LEAST)
        bound = _bound(score, mass, step, may_spend)
        found.append(bound / float(np.sqrt(amount)))
        at = bound * nodes
        density = normal_density((at[:, None] - score) / step) / step
        score, mass = at, (density @ mass) * weights * bound
        before, so_far = amount, so_far + may_spend
    return tuple(found)


def _bound(score: np.ndarray, mass: np.ndarray, step: float, chance: float) -> float:
    """The bound of the score that a further normal step passes with this chance."""

    def excess(bound: float) -> float:
        above = normal_tail((bound - score) / step)
        below = normal_tail((bound + score) / step)
        return float(mass @ (above + below)) - chance

    from scipy import optimize  # slow to import, and seldom asked for

    return float(optimize.brentq(excess, 0, np.abs(score).max() + 10 * step))
