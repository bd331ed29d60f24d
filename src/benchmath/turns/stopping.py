"""Which comparisons are decided while turns go on, and when the others will be."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.distributions import normal_tail, t_above, t_quantile
from benchmath.frames import require
from benchmath.intervals import LEVEL
from benchmath.ratios.verdicts import decide
from benchmath.turns.bounds import bounds

UNDECIDED = "undecided"


def decisions(
    looks: pd.DataFrame, keys: Sequence[str], margin: float, level: float = LEVEL
) -> pd.DataFrame:
    """One row per comparison: the verdict of the first look that decides it.

    ``looks`` has a row per look and comparison: ``keys``, share (of the budget that was
    used by then; 1 ends it), rounds, and relative, se, df as ``turn_ratios`` gives them.
    Looks without an interval spend nothing.

    The interval of a look is as wide as ``bounds`` says, as Student's t: the bound is
    that of the same tail with the look's degrees of freedom (C. Jennison and B. W.
    Turnbull, Group Sequential Methods, 2000, 11.5). All intervals of a comparison hold
    the truth with ``level``, so a verdict is as safe as one of a single look, however
    many looks there were. Verdicts are those of reports (``decide``): equivalent, if the
    interval is within 1 +- ``margin``; improved or regressed, if it excludes 1 and the
    ratio is beyond the margin.

    Columns: keys, verdict (undecided while it is open), looks (how many until then),
    share, rounds, relative, low, high, se, df: of the deciding look, else of the last.
    low and high are what to report: the usual interval of a look that stopped because of
    what it saw is too short.
    """
    require(looks, (*keys, "share", "rounds", "relative", "se", "df"))
    usable = looks[np.isfinite(looks["se"]) & np.isfinite(looks["df"])]
    records = [
        dict(zip(keys, values, strict=True)) | _decided(rows, margin, level)
        for values, rows in usable.groupby(list(keys), sort=False, dropna=False)
    ]
    columns = [*keys, "verdict", "looks", *_TAKEN]
    decided = pd.DataFrame.from_records(records, columns=columns)
    every = looks[list(keys)].drop_duplicates()
    table = every.merge(decided, on=list(keys), how="left")
    return table.assign(
        verdict=table["verdict"].fillna(UNDECIDED),
        looks=table["looks"].fillna(0).astype(int),
    )


_TAKEN = ("share", "rounds", "relative", "low", "high", "se", "df")


def _decided(rows: pd.DataFrame, margin: float, level: float) -> dict[str, object]:
    rows = rows.sort_values("rounds")
    error, df = rows["se"].to_numpy(dtype=float), rows["df"].to_numpy(dtype=float)
    limits = bounds(rows["share"].tolist(), rows["rounds"].tolist(), level)
    half = t_above(normal_tail(limits), df) * error
    ratio = rows["relative"].to_numpy(dtype=float)
    judged = rows.assign(
        low=ratio * np.exp(-half), high=ratio * np.exp(half), direction="higher"
    )
    verdicts = decide(judged, margin)
    stops = np.flatnonzero(verdicts != UNDECIDED)
    at = int(stops[0]) if stops.size else len(rows) - 1
    values = {c: judged[c].iloc[at] for c in _TAKEN}
    return {"verdict": verdicts[at], "looks": at + 1} | values


def time_to_decision(
    estimates: pd.DataFrame, margin: float, level: float = LEVEL
) -> pd.DataFrame:
    """How much more of the same would decide each comparison, if its ratio stays.

    ``estimates`` has relative, se, df and sessions (``turn_ratios``) and may have seconds
    (measured so far). The half-width must come below the distance to 1 where the ratio is
    beyond the margin, else below that to the margin. Errors fall with the root of the
    time, degrees of freedom rise with it. Added columns:

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
    times = _times(estimates, needed, level)
    sessions = np.ceil(estimates["sessions"] * (times - 1) - 1e-9)
    planned = estimates.assign(needed=needed, times=times, further_sessions=sessions)
    if "seconds" in estimates.columns:
        planned["further_seconds"] = estimates["seconds"] * (times - 1)
    return planned


def _times(estimates: pd.DataFrame, needed: np.ndarray, level: float) -> np.ndarray:
    """Time over the present one at which Student's half-width is the needed one."""
    se, df = (estimates[c].to_numpy(dtype=float) for c in ("se", "df"))
    times = np.ones(len(estimates))
    for _ in range(50):  # t falls slowly with the degrees of freedom: this converges
        quantile = t_quantile((1 + level) / 2, df * times)
        with np.errstate(divide="ignore", invalid="ignore"):
            times = np.maximum(1, (quantile * se / needed) ** 2)
    return times
