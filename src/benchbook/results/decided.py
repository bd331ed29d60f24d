"""What is decided of a study whose sessions go on until its comparisons are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from benchbook.measure.progress import duration
from benchbook.results.further import Further, OpenSteps, further_loads, open_steps
from benchbook.study.study import Study
from benchmath.frames import label
from benchmath.hazards.premises import UNRATED
from benchmath.prose import counted
from benchmath.turns.looks import looks_at
from benchmath.turns.stopping import UNDECIDED, decisions, time_to_decision

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
    dimensions: tuple[str, ...], tests: int,
) -> pd.DataFrame:  # fmt: skip
    """One row per comparison that has been looked at: each arm, and step's main op.

    ``tests`` is how many the report compares. The frame of ``decisions`` at the study's
    margin, by machine, and me; rounds are the loads of the look that decided, or of the
    last; further_s, the forecast of what would decide what is open; stopped, a sentence
    without it, as the gate and the verdicts have forecasts of their own.
    """
    tables = [
        decided_on_machine(study, own, turns, steps, dimensions, tests).comparisons
        for own in _by_machine(runs)
    ]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _by_machine(runs: pd.DataFrame) -> Iterator[pd.DataFrame]:
    for _, own in runs.groupby(["machine", "machine_id"], sort=False):
        yield own.reset_index(drop=True)


@dataclass(frozen=True)
class Decided:
    """What the runs of a study on one machine decide.

    ``comparisons`` as of ``decided_comparisons``; ``open`` are the steps by cell that
    further loads are for, ``further`` these loads.
    """

    comparisons: pd.DataFrame
    spent: Spending
    open: OpenSteps
    further: tuple[Further, ...]


def decided_on_machine(
    study: Study, runs: pd.DataFrame, turns: pd.DataFrame, steps: pd.DataFrame,
    dimensions: tuple[str, ...], tests: int,
) -> Decided:  # fmt: skip
    """What the runs decide that are all of one machine.

    Whether a further session fits into the budget depends on the steps that it needs: on
    verdicts, which in turn may use up what is left where none fits. So the looks are
    judged as if there were more of them first.
    """
    turns = turns[turns["run_id"].isin(runs["run_id"])]
    times = session_times(runs, turns)
    spent = spending(times)
    looks = _looks(study, runs, turns, steps, dimensions, spent)
    keys = [c for c in looks.columns if c in (*dimensions, *study.base, "step", "op")]
    table = _judged(looks, keys, study, replace(spent, shortest_s=0.0), tests)
    is_open = open_steps(study, runs, steps, table)
    further = further_loads(study, times, turns, is_open, runs)
    spent = replace(
        spent, shortest_s=min([spent.shortest_s, *(one.seconds for one in further)])
    )
    table = _judged(looks, keys, study, spent, tests)
    is_open = open_steps(study, runs, steps, table)
    further = further_loads(study, times, turns, is_open, runs)
    if len(table):
        table = _with_words(table, runs, times, study, spent, further)
    return Decided(table, spent, is_open, tuple(further))


def is_compared(steps: pd.Series, study: Study) -> pd.Series:
    """Has the rate of each step a verdict on the page? Loading of a workload has none."""
    if study.workload is None:
        return ~steps.isin(UNRATED)
    return steps.isin(study.workload.compared)


def _looks(
    study: Study, runs: pd.DataFrame, turns: pd.DataFrame, steps: pd.DataFrame,
    dimensions: tuple[str, ...], spent: Spending,
) -> pd.DataFrame:  # fmt: skip
    """Looks at each step's main op; none where each run of the base failed."""
    turns = turns[is_compared(turns["step"], study)]
    has_base = all(v in set(runs.get(k, ())) for k, v in study.base.items())
    if turns.empty or not has_base:
        return pd.DataFrame()
    looks = looks_at(turns, runs, study.base, spent.shares(study), dimensions)
    mains = steps.loc[steps["main"].astype(bool), ["step", "op"]].drop_duplicates()
    return looks.merge(mains, on=["step", "op"])


def _judged(
    looks: pd.DataFrame, keys: list[str], study: Study, spent: Spending, tests: int
) -> pd.DataFrame:
    if looks.empty:
        return pd.DataFrame()
    looks = looks.assign(share=looks["trial"].map(spent.shares(study)))
    table = decisions(looks, keys, study.margin, tests=tests)
    return table[table["looks"] > 0]  # else it has no ratio, and no load gives it one


def _with_words(
    table: pd.DataFrame, runs: pd.DataFrame, times: pd.DataFrame, study: Study,
    spent: Spending, further: Iterable[Further],
) -> pd.DataFrame:  # fmt: skip
    """With me, further_s and stopped; a forecast takes loads such as the next ones."""
    seconds = runs["run_id"].map(times["seconds"])
    for one in further:
        seconds = seconds.mask(runs["declared_id"].isin(one.arms), one.seconds)
    arms = [c for c in table.columns if c in runs.columns]
    load = runs.assign(seconds=seconds)
    load = load.groupby(arms, dropna=False)["seconds"].mean().reset_index()
    table = table.merge(load, on=arms, how="left")
    ahead = further_seconds(table, study.margin)
    table = table.assign(further_s=ahead, me=label(table, [*study.base]))
    said = [_stopped(row, study, spent) for row in table.to_dict("records")]
    return table.assign(stopped=np.array(said, dtype=object))


def further_seconds(table: pd.DataFrame, margin: float) -> pd.Series:
    """The forecast for each comparison, whose ``seconds`` are those of a load.

    What is open takes a load at least: bounds of looks are wider than Student's, by
    which the forecast goes.
    """
    so_far = table.assign(
        sessions=table["rounds"], seconds=table["seconds"] * table["rounds"]
    )
    ahead = time_to_decision(so_far, margin)["further_seconds"]
    is_open = table["verdict"] == UNDECIDED
    return ahead.mask(is_open, np.maximum(ahead, table["seconds"]))


def _stopped(row: Mapping, study: Study, spent: Spending) -> str:
    loads = counted(int(row["rounds"]), "load")
    if row["verdict"] != UNDECIDED:
        return f"stopped when decided, after {loads}"
    return f"undecided after {loads}, {_used(study, spent)}"


def _used(study: Study, spent: Spending) -> str:
    if study.budget_s is None:
        return f"of {study.trials} at most"
    return f"{duration(spent.used_s)} of {duration(study.budget_s)} used"


def further(seconds: float) -> str:
    """What would decide a comparison, as far as its ratio so far tells."""
    if not seconds < _LONGEST_S:
        return "its ratio is at the margin, no time decides it"
    return f"about {duration(seconds)} more would decide it"


def sentence(
    table: pd.DataFrame, study: Study, spent: Spending, ahead: Collection[Further] = ()
) -> str:
    """What of a machine's comparisons is decided, what is open and for how long.

    And how many steps the loads ``ahead`` leave out, which nothing open needs.
    """
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
    return f"{text}; open: {', '.join([*named, *more])}{_left_out(ahead)}"


def _left_out(ahead: Collection[Further]) -> str:
    counts = sorted({len(one.left_out) for one in ahead})
    if not counts or not counts[-1]:
        return ""
    some = f"{counts[0]} to {counts[-1]}" if counts[1:] else f"{counts[0]}"
    every = max(one.steps for one in ahead)
    return f"; further loads leave out {some} of {counted(every, 'step')}"
