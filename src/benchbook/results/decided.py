"""What is decided of a study whose sessions go on until its comparisons are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchbook.analysis.frames import label
from benchbook.analysis.hazards.premises import CLEANUP
from benchbook.analysis.turns.looks import looks_at
from benchbook.analysis.turns.stopping import UNDECIDED, decisions, time_to_decision
from benchbook.measure.progress import duration
from benchbook.prose import counted
from benchbook.study.study import Study

_LONGEST_S = 100 * 3600.0  # a forecast of more says nothing
_NAMED = 4  # open comparisons that a sentence lists


@dataclass(frozen=True)
class Spending:
    """Wall time of a machine's sessions: by trial, in all, and of the shortest one."""

    by_trial: Mapping[int, float]  # until all sessions of the trial had ended
    used_s: float
    shortest_s: float

    def is_spent(self, budget_s: float | None, used_s: float | None = None) -> bool:
        """Does no further session fit into the budget?"""
        used = self.used_s if used_s is None else used_s
        return budget_s is not None and used + self.shortest_s > budget_s

    def shares(self, study: Study) -> dict[int, float]:
        """The share of what the study may use at most, after each trial: 1 at its end."""
        budget = study.budget_s
        return {
            trial: 1.0 if self.is_spent(budget, used)
            else max(trial / study.trials, used / budget if budget else 0.0)
            for trial, used in self.by_trial.items()
        }  # fmt: skip


def session_times(runs: pd.DataFrame, turns: pd.DataFrame) -> pd.DataFrame:
    """session, trial and seconds (wall) of the session of each run, by run_id.

    A session takes from when its first arm began to when its last one had ended. A run
    without turns is a session of its own.
    """
    names = turns.drop_duplicates("run_id").set_index("run_id")["session"]
    session = runs["run_id"].map(names).fillna(runs["run_id"])
    ended = runs["started"] + pd.to_timedelta(runs["elapsed_s"], unit="s")
    of = runs.assign(ended=ended).groupby(session)
    took = of["ended"].transform("max") - of["started"].transform("min")
    times = {"session": session, "trial": of["trial"].transform("min")}
    times |= {"seconds": took.dt.total_seconds(), "run_id": runs["run_id"]}
    return pd.DataFrame(times).set_index("run_id")


def spending(times: pd.DataFrame) -> Spending:
    """The time of the sessions of one machine; ``times`` is of ``session_times``."""
    each = times.drop_duplicates("session")
    so_far = each.groupby("trial")["seconds"].sum().sort_index().cumsum()
    return Spending(
        by_trial={int(str(t)): float(s) for t, s in so_far.items()},
        used_s=float(each["seconds"].sum()),
        shortest_s=float(each["seconds"].min()) if len(each) else 0.0,
    )


def decided_comparisons(
    study: Study, runs: pd.DataFrame, turns: pd.DataFrame, steps: pd.DataFrame,
    dimensions: tuple[str, ...],
) -> pd.DataFrame:  # fmt: skip
    """One row per comparison that has been looked at: each arm, and step's main op.

    The frame of ``decisions`` at the study's margin, by machine, and me; rounds are the
    loads of the look that decided, or of the last; further_s, the forecast of what would
    decide what is open; stopped, a sentence.
    """
    tables = [
        _of_machine(study, own, turns, steps, dimensions) for own in _by_machine(runs)
    ]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _by_machine(runs: pd.DataFrame) -> Iterator[pd.DataFrame]:
    for _, own in runs.groupby(["machine", "machine_id"], sort=False):
        yield own.reset_index(drop=True)


def _of_machine(
    study: Study, runs: pd.DataFrame, turns: pd.DataFrame, steps: pd.DataFrame,
    dimensions: tuple[str, ...],
) -> pd.DataFrame:  # fmt: skip
    turns = turns[turns["run_id"].isin(runs["run_id"]) & (turns["step"] != CLEANUP)]
    has_base = all(v in set(runs.get(k, ())) for k, v in study.base.items())
    if turns.empty or not has_base:  # each run of the base failed
        return pd.DataFrame()
    times = session_times(runs, turns)
    spent = spending(times)
    looks = looks_at(turns, runs, study.base, spent.shares(study), dimensions)
    mains = steps.loc[steps["main"].astype(bool), ["step", "op"]].drop_duplicates()
    looks = looks.merge(mains, on=["step", "op"])
    if looks.empty:
        return pd.DataFrame()
    keys = [c for c in looks.columns if c in (*dimensions, *study.base, "step", "op")]
    table = decisions(looks, keys, study.margin)
    table = table[table["looks"] > 0]  # else it has no ratio, and no load gives it one
    arms = [k for k in keys if k not in ("step", "op")]
    load = runs.assign(seconds=runs["run_id"].map(times["seconds"]))
    load = load.groupby(arms, dropna=False)["seconds"].mean().reset_index()
    table = table.merge(load, on=arms, how="left")
    so_far = table.assign(
        sessions=table["rounds"], seconds=table["seconds"] * table["rounds"]
    )
    ahead = time_to_decision(so_far, study.margin)["further_seconds"]
    table = table.assign(further_s=ahead, me=label(table, [*study.base]))
    said = [_stopped(row, study, spent) for row in table.to_dict("records")]
    return table.assign(stopped=np.array(said, dtype=object))


def _stopped(row: Mapping, study: Study, spent: Spending) -> str:
    loads = counted(int(row["rounds"]), "load")
    if row["verdict"] != UNDECIDED:
        return f"stopped when decided, after {loads}"
    return f"undecided after {loads}, {_used(study, spent)}: {further(row['further_s'])}"


def _used(study: Study, spent: Spending) -> str:
    if study.budget_s is None:
        return f"of {study.trials} at most"
    return f"{duration(spent.used_s)} of {duration(study.budget_s)} used"


def further(seconds: float) -> str:
    """What would decide a comparison, as far as its ratio so far tells."""
    if not seconds < _LONGEST_S:
        return "its ratio is at the margin, no time decides it"
    return f"about {duration(seconds)} more would decide it"


def sentence(table: pd.DataFrame, study: Study, spent: Spending) -> str:
    """What of a machine's comparisons is decided, what is open and for how long."""
    if table.empty:
        return "nothing is decided yet: a comparison needs 3 loads"
    is_open = table["verdict"] == UNDECIDED
    loads = table.loc[~is_open, "rounds"].astype(int)
    after = f"{loads.min()} to {loads.max()} loads" if len(loads) else ""
    after = counted(loads.min(), "load") if len(set(loads)) == 1 else after
    text = f"{len(loads)} of {counted(len(table), 'comparison')} decided"
    text += f", after {after}" if after else ""
    text += f" ({_used(study, spent)})" if study.budget_s else ""
    if not is_open.any():
        return text
    rows = table[is_open].sort_values("further_s")
    named = [
        f"{row['step']} of {row['me']} ({further(row['further_s'])})"
        for row in rows.head(_NAMED).to_dict("records")
    ]
    rest = len(rows) - len(named)
    more = [f"and {rest} more"] if rest else []
    return f"{text}; open: {', '.join([*named, *more])}"
