"""What others took of the CPUs while arms took turns, and the rounds that it disturbed.

A round, or a session's step, is left out by what others did to the machine, never by what
the arms did in it.
"""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind
from benchmath.ratios.cells import codes

QUIET = Kind("quiet", ("share", "others", "steal", "rounds", "left_out"))
QuietFrame = Annotated[pd.DataFrame, QUIET]
_ROUND = ["session", "step", "round"]
_TURN = ["run_id", "step", "round"]
AROUND = 9  # rounds
LEAST_QUIET = 3  # sessions of a step that tell what sessions differ by
_TICK_NS = 10_000_000  # of the clock by which a system counts CPU time
_NS = ("machine_cpu_ns", "steal_ns", "others_ns")


def disturbed(turns: pd.DataFrame) -> pd.Series:
    """Whether the round of each row is left out: a boolean for each row of ``turns``.

    ``turns`` is the view of that name. Left out is a round in which others and the
    hypervisor took more of the busy CPU time than ``quiet`` thousandths. What the
    hypervisor takes is a part of what is used and is known in ticks of 10 ms: two of
    them are a lot of a round that uses little, so each round has the share of the
    ``AROUND`` rounds around it. Where loud rounds are the most of a step's, in a
    session, the step is not quiet as a whole, and all of its rounds stay.
    """
    if "quiet" not in turns.columns or not (turns["quiet"] > 0).any():
        return pd.Series(False, index=turns.index)
    rounds = _rounds(turns)
    step = codes(rounds, ["session", "step"])
    shares = rounds["others"] + _around(rounds, step)
    loud = (shares > rounds["limit"]).to_numpy()
    most = np.bincount(step, loud)[step] > np.bincount(step)[step] / 2
    left_out = (loud & ~most)[codes(turns, _ROUND)]
    return pd.Series(left_out, index=turns.index)


def loudness(turns: pd.DataFrame) -> QuietFrame:
    """What others took in the rounds that count, by session and step.

    Columns session, step; share: of the busy CPU time, others and steal together, each
    of which stands beside it; rounds; left_out: those that were disturbed and do not
    count. Empty where the counters of other processes were not recorded.
    """
    names = ["session", "step", *QUIET.columns]
    if "others_ns" not in turns.columns or turns["others_ns"].isna().all():
        return QUIET.of(pd.DataFrame(columns=names), ["session", "step"])
    rounds = _rounds(turns)
    left = turns.assign(left_out=disturbed(turns)).drop_duplicates(_ROUND)
    rounds = rounds.merge(left[[*_ROUND, "left_out"]], on=_ROUND)
    by = ["session", "step"]
    sums = rounds[~rounds["left_out"]].groupby(by, sort=False)[list(_NS)].sum()
    counts = rounds.groupby(by, sort=False)["left_out"].agg(["size", "sum"])
    busy = (sums["machine_cpu_ns"] + sums["steal_ns"]).replace(0, np.nan)
    table = pd.DataFrame({
        "share": (sums["others_ns"] + sums["steal_ns"]) / busy,
        "others": sums["others_ns"] / busy, "steal": sums["steal_ns"] / busy,
        "rounds": counts["size"], "left_out": counts["sum"],
    })  # fmt: skip
    return QUIET.of(table.reset_index(), by)


def too_loud(turns: pd.DataFrame, cells: Mapping[str, str], limit: float) -> QuietFrame:
    """The steps of single sessions that need not count: others took more than ``limit``.

    ``cells`` says by run_id of which cell a run is. Rows and columns are those of
    ``loudness``. A step of a session is among them if each of its arms has
    ``LEAST_QUIET`` other sessions of the step or more in which others took less.
    """
    seen = loudness(turns)
    seen = seen.assign(loud=seen["share"] > limit)
    arms = turns[["session", "step", "run_id"]].drop_duplicates()
    arms = arms.assign(cell=arms["run_id"].map(cells)).merge(seen, on=["session", "step"])
    quiet = (~arms["loud"]).groupby([arms["cell"], arms["step"]]).transform("sum")
    enough = (quiet >= LEAST_QUIET).groupby([arms["session"], arms["step"]])
    left_out = arms[arms["loud"] & enough.transform("all")]
    left_out = left_out.drop_duplicates(["session", "step"])
    return QUIET.of(left_out[[*seen.columns.drop("loud")]], ["session", "step"])


def _rounds(turns: pd.DataFrame) -> pd.DataFrame:
    """A row per session, step and round, in order: sums over its turns, others, limit."""
    each = turns[~turns.duplicated(_TURN)]  # lines of several ops are one turn
    number = codes(each, _ROUND)
    rounds = each.loc[~pd.Series(number, each.index).duplicated(), _ROUND]
    taken = {name: np.bincount(number, each[name].fillna(0)) for name in _NS}
    limit = np.zeros(len(rounds))
    np.maximum.at(limit, number, each["quiet"].fillna(0).to_numpy(dtype=float))
    busy = taken["machine_cpu_ns"] + taken["steal_ns"]
    others = np.full(busy.size, np.nan)
    np.divide(taken["others_ns"], busy, out=others, where=busy > 0)
    limit = np.where(limit > 0, limit / 1000, np.nan)
    rounds = rounds.assign(**taken, busy=busy, others=others, limit=limit)
    return rounds.reset_index(drop=True)


def _around(rounds: pd.DataFrame, step: np.ndarray) -> pd.Series:
    """The share of the hypervisor, of each round with those around it, at the least.

    A tick may be anybody's: of what hardly runs, one alone is no share.
    """
    sums = rounds[["steal_ns", "busy"]].groupby(step, sort=False)
    sums = sums.rolling(AROUND, center=True, min_periods=1).sum()
    sums = sums.droplevel(0).sort_index()
    return (sums["steal_ns"] - _TICK_NS).clip(lower=0) / sums["busy"]
