"""What taking turns does to servers, and which of them could not be frozen."""

import pandas as pd

from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.hazards.engines import SERVERS, connected
from benchmath.prose import listed

_LITTLE = 1.5  # times as often: what a neighbouring session does in as many turns


def hazards_of_turns(turns: pd.DataFrame, runs: pd.DataFrame) -> list[Hazard]:
    """Servers that ran on while others were active, by their clock or altogether.

    ``turns`` is the view of that name, of one op per step (``main_turns``); ``runs`` has
    run_id, engine and env. Empty without turns.
    """
    if turns.empty:
        return []
    require(turns, ("run_id", "session", "step", "begin_ns", "active_ns"))
    mine = runs[runs["run_id"].isin(turns["run_id"])]
    elsewhere = connected(mine)
    return [
        *_not_frozen(mine[elsewhere]),
        *_by_the_clock(turns, mine[mine["engine"].isin(SERVERS) & ~elsewhere]),
    ]


def _not_frozen(runs: pd.DataFrame) -> list[Hazard]:
    engines = list(dict.fromkeys(runs["engine"].astype(str)))
    text = "its server runs elsewhere: while others were active only its client rested"
    return [Hazard("not frozen", text, {"engine": engine}) for engine in engines]


def _by_the_clock(turns: pd.DataFrame, runs: pd.DataFrame) -> list[Hazard]:
    """How much faster the machine's clock went than that of the arms, in the mean."""
    servers = turns[turns["run_id"].isin(runs["run_id"])]
    if servers.empty:
        return []
    turns = turns.assign(end_ns=turns["begin_ns"] + turns["active_ns"])
    spans = turns.groupby(["session", "step"]).agg(
        begin=("begin_ns", "min"), end=("end_ns", "max")
    )
    active = servers.groupby(["session", "step", "run_id"])["active_ns"].sum()
    passed = (spans["end"] - spans["begin"]).reindex(active.index.droplevel("run_id"))
    times = float((passed.to_numpy() / active.to_numpy()).mean())
    if times < _LITTLE:
        return []
    names = list(dict.fromkeys(runs["engine"].astype(str)))
    do = "do" if len(names) > 1 else "does"
    text = (
        f"what {listed(names)} {do} by the clock (checkpoints, purges, statistics) came "
        f"{times:.1f} times as often per active second: arms took turns"
    )
    return [Hazard("by the clock", text)]
