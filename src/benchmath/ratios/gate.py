"""The gate of a change: is any test worse by more than the margin, and is that known?

Three answers per test. *failed*: its verdict is a regression that Holm's procedure over
all tests of the gate leaves standing. *fine*: its interval ends before the margin on the
bad side. *undecided*: neither. A gate lets pass what is fine in every test, so passing
needs no correction (a test of the union: R. L. Berger, Technometrics 24, 1982); it stops
if one test fails, so failing does.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from benchmath.errors import UserError
from benchmath.frames import require
from benchmath.intervals import LEVEL, t_quantile
from benchmath.ratios.differences import differences_of, limit
from benchmath.ratios.power import ALPHA, further_runs
from benchmath.ratios.verdicts import CHANGES, VerdictFrame

FINE, FAILED, UNDECIDED = "fine", "failed", "undecided"
REGRESSED, CHANGED = "regressed", "changed"
TIMES_AT_MOST = 100.0  # a forecast of more says nothing
_NEEDED = ("direction", "relative", "low", "high", "p", "df", "se", "n", "n_base",
           "run_sd", "floor_sd", "verdict", "margin")  # fmt: skip


@dataclass(frozen=True)
class More:
    """What would decide a test: further runs of each side, or None and why not."""

    runs: int | None
    why: str = ""


def gated(judged: VerdictFrame, fail_on: str = REGRESSED) -> pd.DataFrame:
    """The frame of ``verdicts`` with what a gate makes of each row.

    Added columns: holm (p of being worse, one-sided, adjusted over all rows; two-sided
    with ``fail_on`` changed), outcome (fine, failed, undecided), further (runs or loads
    to add on each side; NA where no number is known to do it), why (the reason then).

    UserError for a metric without a direction, which nothing can be worse in.
    """
    require(judged, _NEEDED)
    directions = set(judged["direction"])
    if fail_on == REGRESSED and not directions <= {"higher", "lower"}:
        raise UserError(
            "this metric has no better direction, so nothing regresses in it: "
            "--fail-on changed asks whether it stayed"
        )
    p = one_sided(judged) if fail_on == REGRESSED else judged["p"].to_numpy(dtype=float)
    table = judged.assign(holm=holm(p))
    table["outcome"] = _outcome(table, fail_on)
    tests = int(np.isfinite(p).sum())
    more = [_more(row, tests, fail_on) for row in table.to_dict("records")]
    return table.assign(
        further=pd.array([one.runs for one in more], dtype="Int64"),
        why=np.array([one.why for one in more], dtype=object),
    )


def holm(p: ArrayLike) -> np.ndarray:
    """Adjusted p-values: the smallest chance of any false one at which each is flagged.

    S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
    Journal of Statistics 6 (1979): p times the tests not yet rejected, from the smallest
    up, for tests that depend on one another in any way. NaN stays NaN and is no test.
    """
    values = np.asarray(p, dtype=float)
    tested = np.flatnonzero(~np.isnan(values))
    rising = tested[np.argsort(values[tested], kind="stable")]
    left = np.arange(tested.size, 0, -1)
    adjusted = np.full(values.shape, np.nan)
    adjusted[rising] = np.minimum(1, np.maximum.accumulate(values[rising] * left))
    return adjusted


def one_sided(judged: pd.DataFrame) -> np.ndarray:
    """p of a test against being worse: half of the two-sided one, on that side."""
    p, worse = judged["p"].to_numpy(dtype=float), _badness(judged) > 0
    return np.where(worse, p / 2, 1 - p / 2)


def _badness(judged: pd.DataFrame) -> np.ndarray:
    """The logarithm of each ratio, or its difference: above 0 where it is worse."""
    log = np.log(judged["relative"].to_numpy(dtype=float))
    apart = np.where(np.isnan(log), differences_of(judged)[0], log)
    return np.where(judged["direction"] == "lower", apart, -apart)


def _outcome(table: pd.DataFrame, fail_on: str) -> np.ndarray:
    low, high, margin = (
        table[c].to_numpy(dtype=float) for c in ("low", "high", "margin")
    )
    _, least, most = differences_of(table)
    minded = limit(table, margin)
    above = (low >= 1 - margin) | (least >= -minded)
    below = (high <= 1 + margin) | (most <= minded)
    flagged = table["holm"].to_numpy(dtype=float) <= ALPHA
    if fail_on == CHANGED:
        failed, fine = table["verdict"].isin(CHANGES), above & below
    else:
        failed = table["verdict"] == REGRESSED
        fine = np.where(table["direction"] == "lower", below, above)
    outcome = np.where(failed & flagged, FAILED, np.where(fine, FINE, UNDECIDED))
    return outcome.astype(object)


def _more(row: Mapping, tests: int, fail_on: str) -> More:
    if row["outcome"] != UNDECIDED:
        return More(None)
    if not math.isfinite(row["relative"]):
        runs = max(0, 2 - min(row["n"], row["n_base"]))
        why = "too few runs for an interval" if runs else "it has runs of 0: no forecast"
        return More(runs or None, why)
    if not math.isfinite(row["se"]):
        runs = max(0, 2 - min(row["n"], row["n_base"]))
        return More(runs or None, "too few runs for an interval")
    if not math.isfinite(row["run_sd"]):
        return _forecast(row, tests, fail_on)
    floor = row["floor_sd"] if math.isfinite(row["floor_sd"]) else 0.0
    runs = further_runs(
        row["run_sd"], -row["margin"], row["n"], row["n_base"],
        alpha=_alpha(tests, fail_on), floor_sd=floor, df=row["df"],
    )  # fmt: skip
    if runs is None:
        return More(
            None,
            f"builds or loads differ by {100 * floor:.2g}%, which no "
            "number of runs averages out: a wider margin, or more builds",
        )
    return More(runs) if runs else _forecast(row, tests, fail_on)


def _forecast(row: Mapping, tests: int, fail_on: str) -> More:
    """Runs at which the interval decides, if the ratio and its noise stay as they are."""
    times = _times(row, tests, fail_on)
    if times > TIMES_AT_MOST:
        return More(None, "its ratio is at the margin: no time decides it")
    return More(max(1, math.ceil(row["n"] * (times - 1) - 1e-9)))


def _alpha(tests: int, fail_on: str) -> float:
    """The two-sided p at which one of so many tests fails, were it the smallest."""
    return min(ALPHA, (1 if fail_on == CHANGED else 2) * ALPHA / tests)


def _times(row: Mapping, tests: int, fail_on: str) -> float:
    """How many times the present runs make the half-width of an interval small enough.

    To fail, p has to stand Holm's procedure as the smallest of the ``tests``.
    """
    log, margin = math.log(row["relative"]), row["margin"]
    lower = row["direction"] == "lower"
    worse = log if lower else -log
    bad = math.log1p(margin) if lower else -math.log1p(-margin)
    worse = abs(log) if fail_on == CHANGED else worse
    fails = worse > bad
    needed = worse if fails else bad - worse
    level = 1 - _alpha(tests, fail_on) / 2 if fails else (1 + LEVEL) / 2
    times = 1.0
    for _ in range(50):  # t falls slowly with the degrees of freedom: this converges
        half = t_quantile(level, row["df"] * times) * row["se"]
        times = max(1.0, (half / needed) ** 2) if needed > 0 else math.inf
        if times > TIMES_AT_MOST:
            return math.inf
    return times
