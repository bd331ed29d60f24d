"""Ratios of engines that took turns: by the clock and per CPU second."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind, dimensions_of, label, name_of
from benchmath.intervals import LEVEL, student_interval, student_p
from benchmath.prose import counted
from benchmath.ratios.cells import codes
from benchmath.ratios.pooling import moderate
from benchmath.turns.loads import LOADS, THESE_LOADS, is_odd, over_loads, spread_of_loads
from benchmath.turns.rounds import paired_rounds
from benchmath.turns.sessions import REST, TURN, places_of, session_ratios

TURN_RATIOS = Kind("turn_ratios", (
    "measure", "me", "base", "relative", "low", "high", "se", "df", "p", "sessions",
    "rounds", "autocorrelation", "covers", "head", "head_base", "whole", "rest", "part",
    "note", "stopped",
))  # fmt: skip
TurnRatioFrame = Annotated[pd.DataFrame, TURN_RATIOS]

_OF_HALF_WIDTH = 0.2  # a bias that costs a 95% interval 2% of its coverage
_OF_RATIO = 0.002
_MUCH_ALONE = 0.05
_MEANS = ("autocorrelation", "head", "head_base")


def turn_ratios(
    turns: pd.DataFrame,
    runs: pd.DataFrame,
    base: Mapping[str, str],
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
) -> TurnRatioFrame:
    """Each arm over the base arm of its sessions, whose rounds they shared.

    ``turns`` is the view of that name, ``runs`` has the dimensions of each run_id; a
    session is one load of each arm. A step's first round and an arm's last turn do not
    count. Estimated is the ratio of rates over the counted rounds (``rate_ratio``),
    averaged over the sessions (``over_loads``).

    One row per arm, step, op and measure (throughput: operations per second of active
    time; ops per CPU second: of client and server). Columns: the dimensions, step, op,

    * measure, me, base; relative, low, high; se (of the logarithm), df, p;
    * sessions, rounds (of all sessions), autocorrelation (lag 1, mean of the sessions);
    * covers: this load (one session), these loads (two): the interval is that of the
      rounds alone; loads: what loads differ by is in it;
    * head, head_base: by how many percent the first tenth of a turn, with cold caches,
      lowers the rate of the arm and of the base; whole and rest: the ratio from whole
      turns and without their first tenths; part: which of them ``relative`` is. The rest
      is taken where that moves the ratio by more than a fifth of its half-width, or by
      more than .2%;
    * note: what limits the row. CPU time is known of whole turns only, so the cold start
      is always in the ratio per CPU second;
    * stopped: '', or how the looks at it ended (``as_decided``).

    The spread between loads is that of all arms of a step (``spread_of_loads``),
    moderated over the steps of a machine (``moderate``), as that between runs is.
    """
    keys = keys_of(runs, base, dimensions)
    rounds = paired_rounds(turns, runs, base, keys[:-2])
    return ratios_of(session_ratios(rounds, keys), keys, base, level)


def keys_of(
    runs: pd.DataFrame, base: Mapping[str, str], dimensions: Sequence[str] | None = None
) -> list[str]:
    """The dimensions that tell arms apart, then step and op."""
    dims = list(dimensions_of(runs) if dimensions is None else dimensions)
    dims += [d for d in base if d not in dims and d in runs.columns]
    return [*dims, "step", "op"]


def ratios_of(
    sessions: pd.DataFrame,
    keys: Sequence[str],
    base: Mapping[str, str],
    level: float = LEVEL,
) -> TurnRatioFrame:
    """``turn_ratios`` of some of the sessions that ``session_ratios`` gives."""
    loads = _over_sessions(sessions, keys)
    spread = spread_of_loads(sessions, keys)
    loads = _moderated(loads, spread, ["machine"] if "machine" in keys else [])
    chosen = _part(loads, keys, level)
    interval = student_interval(np.exp(chosen["log"]), chosen["se"], chosen["df"], level)
    table = chosen.assign(
        me=label(chosen, list(base)),
        base=name_of(base),
        relative=interval.estimate,
        low=interval.low,
        high=interval.high,
        p=student_p(interval.estimate, chosen["se"], chosen["df"]),
        head=100 * chosen["head"],
        head_base=100 * chosen["head_base"],
    )
    notes = [_note(row) for row in table.to_dict("records")]
    table = table.assign(note=np.array(notes, dtype=object), stopped="")
    return TURN_RATIOS.of(table, keys)


def _over_sessions(sessions: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """One row per arm, step, op, measure and part of the turn, over its sessions."""
    by = [*keys, "measure", "part"]
    table = {str(name): sessions[name].to_numpy() for name in sessions.columns}
    records = []
    for places in places_of(sessions, by):
        logs, var, df = (table[c][places].astype(float) for c in ("log", "var", "df"))
        records.append(
            {name: table[name][places[0]] for name in (*by, "group")}
            | over_loads(logs, var, df)._asdict()
            | {name: int(table[name][places].sum()) for name in ("rounds", "alone")}
            | {name: _mean(table[name][places].astype(float)) for name in _MEANS}
            | {"sessions": len(places), "apart": _apart(logs, var)}
        )
    columns = [*by, "log", "var", "df", "covers", "group", "sessions", "rounds", "alone"]
    columns += ["apart", *_MEANS]
    return pd.DataFrame.from_records(records, columns=columns)


def _mean(values: np.ndarray) -> float:
    """Of those that are known; NaN if none is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else np.nan


def _apart(logs: np.ndarray, var: np.ndarray) -> float:
    """How far two loads are apart beyond what their rounds explain; 0 if they do."""
    far = float(np.ptp(logs))
    return far if logs.size == 2 and far > 3 * np.sqrt(var.sum()) else 0.0


def _moderated(
    loads: pd.DataFrame, spread: pd.DataFrame, machine: Sequence[str]
) -> pd.DataFrame:
    """The spread between loads, that of all arms of a step, moderated over steps; and se.

    An arm has its own where that is clearly larger, or where sessions lack arms.
    """
    of_arms = loads[["group", "measure", "part"]].merge(spread, how="left")
    var, df = (loads[c].to_numpy(dtype=float).copy() for c in ("var", "df"))
    count = loads["sessions"].to_numpy(dtype=float)
    pooled, freedom = (of_arms[c].to_numpy(dtype=float) for c in ("var", "df"))
    shared = np.isfinite(pooled) & ~is_odd(var * count, count, pooled, freedom)
    one = np.where(shared, pooled, var * count)
    own = np.where(shared, freedom, df)
    covered = (loads["covers"] == LOADS).to_numpy() & np.isfinite(var)
    families = codes(loads, [*machine, "measure", "part"])
    for family in np.unique(families[covered]):
        rows = np.flatnonzero(covered & (families == family))
        arms = np.where(shared[rows], -1, rows)  # each by itself, or all of a step
        pool = codes(loads.iloc[rows].assign(_arm=arms), ["group", "sessions", "_arm"])
        first = np.unique(pool, return_index=True)[1]
        posterior = moderate(one[rows][first], own[rows][first])
        var[rows], df[rows] = posterior.var[pool] / count[rows], posterior.df[pool]
    return loads.assign(se=np.sqrt(var), df=df)


def _part(loads: pd.DataFrame, keys: Sequence[str], level: float) -> pd.DataFrame:
    """Whole turns, or their rest where the heads would move the ratio too much."""
    by = [*keys, "measure"]
    whole = loads[loads["part"] == TURN].reset_index(drop=True)
    rest = whole[by].merge(loads[loads["part"] == REST], on=by, how="left")
    known = (rest["sessions"] == whole["sessions"]).to_numpy()
    interval = student_interval(np.exp(whole["log"]), whole["se"], whole["df"], level)
    half = np.log(interval.high / interval.estimate)
    tolerated = np.fmin(_OF_HALF_WIDTH * half, _OF_RATIO)
    moved = np.abs(rest["log"] - whole["log"]).to_numpy() > tolerated
    use_rest = pd.Series(moved & known)
    columns = ["log", "se", "df", "part", "autocorrelation"]
    chosen = {c: whole[c].where(~use_rest, rest[c]) for c in columns}
    of_step = whole.assign(cold=use_rest).groupby(list(keys), dropna=False)["cold"]
    chosen["cold"] = of_step.transform("any") & ~use_rest
    ratios = {"whole": np.exp(whole["log"]), "rest": np.exp(rest["log"].where(known))}
    return whole.assign(**chosen, **ratios)


def _note(row: Mapping) -> str:
    notes = []
    if not np.isfinite(row["relative"]):
        notes.append("no operations or no time on a side: no ratio")
    elif not np.isfinite(row["se"]):
        notes.append("few operations or rounds: no interval within a load")
    if row["covers"] == THESE_LOADS and row["apart"] > 0:
        notes.append(f"the two loads are {np.expm1(row['apart']):.1%} apart")
    if row["cold"]:
        notes.append("the cold start of turns is in it")
    if np.isfinite(row["se"]) and row["alone"] > _MUCH_ALONE * row["rounds"]:
        alone = counted(row["alone"], "turn has", "turns have")
        notes.append(f"{alone} no partner: the other side had ended")
    return "; ".join(notes)
