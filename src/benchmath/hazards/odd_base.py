"""A base run that alone makes many verdicts: all ratios of a report share the base."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.frames import (
    check_base,
    dimensions_of,
    measurement_of,
    name_of,
    require,
    select,
    tied_labels,
)
from benchmath.hazard import Hazard
from benchmath.intervals import LEVEL
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import CHANGES, decide, verdicts

LEAST = 3  # verdicts that must hang on the run
SHARE = 0.2  # and their share of the verdicts of change
STANDS_OUT = 2  # times as many as hang on any other run of the same base


def odd_base_run(
    frame: pd.DataFrame,
    base: Mapping[str, str],
    margin: float,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
    floor: pd.DataFrame | None = None,
) -> list[Hazard]:
    """The run of each base cell without which many verdicts of change would fall.

    Each run of the base is left out in turn. The ratio becomes that to the mean of the
    other runs and its interval moves along but keeps its width, so that a verdict falls
    because the run was odd and not because one run less is there. Reported is the run
    with which most of the verdicts improved, regressed and changed fall: at least three
    and a fifth of them, and twice as many as with any other run of that base. Of two
    base runs nobody can tell which is odd; named is the one that the verdicts hang on.

    ``frame`` needs run_id and trial; the other arguments are those of ``relative`` and
    ``verdicts``. At most one hazard for each base cell (a machine, a dop); it names the
    dimensions that tell base cells apart.
    """
    judged = verdicts(relative(frame, base, metric, dimensions, level, floor), margin)
    rows = select(frame, metric)
    require(rows, ("run_id", "trial"))
    runs = rows[check_base(rows, base)]
    dims = [d for d in dimensions_of(rows) if d in judged.columns]
    tied = tied_labels(rows, base, dims)
    shared = [d for d in dims if d not in base and d not in tied]
    without = _left_out(judged, runs, shared, margin)
    several = [d for d in shared if runs[d].nunique(dropna=False) > 1]
    if not several:
        return _odd(without, {})
    hazards = []
    for key, part in without.groupby(several, dropna=False, sort=False):
        hazards += _odd(part, dict(zip(several, map(str, key), strict=True)))
    return hazards


def _left_out(
    judged: pd.DataFrame, runs: pd.DataFrame, shared: list[str], margin: float
) -> pd.DataFrame:
    """Each verdict of change once per run of its base: verdict ``without`` that run.

    ``runs`` are those of the base, ``shared`` the dimensions in which me and base match.
    """
    on = [*shared, *measurement_of(runs)]
    with np.errstate(divide="ignore"):
        log = np.log(runs["value"].to_numpy(dtype=float))
    runs = runs.assign(log=log)
    cells = runs.groupby(on, dropna=False)["log"]
    mean, n = cells.transform("mean"), cells.transform("size")
    several = runs[n > 1].assign(moved=np.exp((runs["log"] - mean) / (n - 1)))
    changes = judged[judged["verdict"].isin(CHANGES)]
    both = changes.assign(verdict_no=np.arange(len(changes))).merge(
        several[[*on, "run_id", "trial", "moved"]], on=on
    )
    bounds = {c: both[c] * both["moved"] for c in ("relative", "low", "high")}
    return both.assign(without=decide(both.assign(**bounds), margin))


def _odd(part: pd.DataFrame, where: Mapping[str, str]) -> list[Hazard]:
    """The hazard of one base cell, if one run stands out."""
    fallen = part[part["without"] != part["verdict"]]
    counts = fallen["run_id"].value_counts()
    if counts.empty:
        return []
    most, second = counts.iloc[0], counts.iloc[1] if len(counts) > 1 else 0
    total = part["verdict_no"].nunique()
    if most < max(LEAST, SHARE * total, STANDS_OUT * second):
        return []
    mine = fallen[fallen["run_id"] == counts.index[0]]
    become = ", ".join(f"{n} {v}" for v, n in mine["without"].value_counts().items())
    run = f"base run of trial {mine['trial'].iloc[0]}"
    if where:
        run += f" of {name_of(where)}"
    text = f"{run} alone decides {most} of {total} verdicts of change: without it "
    return [Hazard("odd base run", f"{text}these are {become}", where)]
