"""Ratios of several loads as one: what the loads differ by is part of the interval."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmath.intervals import f_tail
from benchmath.turns.sessions import places_of

THIS_LOAD, THESE_LOADS, LOADS = "this load", "these loads", "loads"
FEWEST = 3  # loads that tell what loads differ by


class OverLoads(NamedTuple):
    """A mean of logarithms over loads; ``var`` is of the mean, NaN if unknown.

    ``covers`` says what the interval speaks of: this load or these loads (the turns'
    variance alone), or loads (the spread between them).
    """

    log: float
    var: float
    df: float
    covers: str


def over_loads(logs: np.ndarray, var: np.ndarray, df: np.ndarray) -> OverLoads:
    """The mean of the logarithms of ratios that different loads gave.

    ``var`` and ``df`` are those within each load, NaN where its turns give none.

    Three loads or more, or two without a variance of their own: the plain mean, and the
    spread of the loads around it, with loads - 1 degrees of freedom. Weights by what the
    rounds know would be narrower and wrong: a load in which an engine did work of its own
    in the background is slower and has noisier rounds, so it would count for less.

    One load or two: the variance within, with Satterthwaite's degrees of freedom; it
    says nothing of other loads.
    """
    k = logs.size
    within = bool(np.isfinite(var).all())
    if k < FEWEST and (within or k == 1):
        total = float(var.sum()) / k**2
        uncertain = float((var**2 / df).sum()) / k**4
        freedom = np.inf if total == 0 else total**2 / uncertain
        covers = THIS_LOAD if k == 1 else THESE_LOADS
        return OverLoads(float(logs.mean()), total, freedom, covers)
    return OverLoads(float(logs.mean()), float(logs.var(ddof=1)) / k, k - 1.0, LOADS)


ODD = 0.01  # chance of a spread that is called an arm's own


def spread_of_loads(sessions: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Variance of the logarithm of one load's ratio, by group, measure and part.

    ``sessions`` is the frame of ``session_ratios``. Arms of a session share its base, so
    their ratios are no independent sample of it. Rates are: in the table of sessions by
    arms, the base among them, what is left beside the effects of sessions and of arms is
    what a load does to one arm (a two-way layout without repetition, H. Scheffé, The
    Analysis of Variance, 1959, 4.2); a ratio has that of two. Its degrees of freedom are
    arms * (loads - 1), the base not counted, where the ratios of one arm alone have
    loads - 1. It supposes that loads do the same to all arms of a step.

    Columns: group, measure, part, var, df; a row where all arms have the same sessions,
    ``FEWEST`` or more, and all are finite.
    """
    arms = sessions.groupby(list(keys), dropna=False, sort=False).ngroup().to_numpy()
    loads = sessions.groupby("session").ngroup().to_numpy()
    values = sessions["log"].to_numpy(dtype=float)
    records = []
    by = ["group", "measure", "part"]
    table = {name: sessions[name].to_numpy() for name in by}
    for places in places_of(sessions, by):
        load, arm = (
            np.unique(of[places], return_inverse=True)[1] for of in (loads, arms)
        )
        logs = np.full((load.max() + 1, arm.max() + 1), np.nan)
        logs[load, arm] = values[places]
        if logs.shape[0] >= FEWEST and np.isfinite(logs).all():
            of_step = {name: column[places[0]] for name, column in table.items()}
            records.append(of_step | _residual(logs))
    return pd.DataFrame.from_records(records, columns=[*by, "var", "df"])


def _residual(logs: np.ndarray) -> dict[str, float]:
    loads, arms = logs.shape
    rates = np.column_stack([np.zeros(loads), logs])  # over that of the base
    rest = rates - rates.mean(0) - rates.mean(1, keepdims=True) + rates.mean()
    df = arms * (loads - 1)
    return {"var": 2 * float((rest**2).sum()) / df, "df": float(df)}


def is_odd(
    own: np.ndarray, loads: np.ndarray, pooled: np.ndarray, df: np.ndarray
) -> np.ndarray:
    """Is the variance of an arm's own ratios too large to be that of all?"""
    with np.errstate(divide="ignore", invalid="ignore"):
        return f_tail(own / pooled, loads - 1, df) < ODD
