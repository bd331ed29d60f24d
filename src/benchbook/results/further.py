"""What further loads of a study with `until: decided` would make, and how long they take.

Which steps are open follows from verdicts, which steps a load needs for them from the
study, and how long those take from the turns of the loads before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from benchbook.measure.spec import declared_cells
from benchbook.study.leave_out import steps_left_out
from benchbook.study.study import Study
from benchbook.study.until import FEWEST_LOADS
from benchmath.turns.stopping import UNDECIDED

OpenSteps = Mapping[str, tuple[str, ...]]  # by declared id, of cells with loads enough


@dataclass(frozen=True)
class Further:
    """A further load of the arms of a session, by their declared ids."""

    arms: frozenset[str]
    left_out: tuple[str, ...]
    steps: int  # of which these are left out
    seconds: float


def open_steps(
    study: Study, runs: pd.DataFrame, steps: pd.DataFrame, decided: pd.DataFrame
) -> dict[str, tuple[str, ...]]:
    """The steps of each cell of one machine that further loads are for.

    Those with a comparison that is open, and those with too few loads to have any.
    ``decided`` is the frame of ``decisions``, by step and by the dimensions of ``runs``.
    """
    loads = runs.groupby("declared_id")["trial"].nunique()
    names = ["run_id", "declared_id", "trial"]
    made = steps[["run_id", "step"]].drop_duplicates().merge(runs[names], on="run_id")
    of_step = made.groupby(["declared_id", "step"])["trial"].nunique().to_dict()
    undecided = _undecided(runs, decided)
    return {
        name: tuple(
            s.step
            for s in cell.steps
            if of_step.get((name, s.step), 0) < FEWEST_LOADS
            or (name, s.step) in undecided
        )
        for name, cell in declared_cells(study).items()
        if loads.get(name, 0) >= FEWEST_LOADS
    }


def further_loads(
    study: Study, times: pd.DataFrame, turns: pd.DataFrame, is_open: OpenSteps,
    runs: pd.DataFrame,
) -> list[Further]:  # fmt: skip
    """One for each session that is wanted; ``times`` is of ``session_times``."""
    cells = declared_cells(study)
    took = _step_seconds(turns)
    arms = _arms(times, runs)
    further = []
    for name in _last_of_each(arms):
        mine = {d: cells[d] for d in arms[name] if d in cells}
        wanted = frozenset[str]().union(
            *(is_open.get(d, [s.step for s in c.steps]) for d, c in mine.items())
        )
        if not wanted:
            continue
        left_out = steps_left_out(list(mine.values()), wanted, study)
        names = {s.step for cell in mine.values() for s in cell.steps}
        seconds = _seconds(name, arms, took, times, names.difference(left_out))
        further.append(Further(arms[name], left_out, len(names), seconds))
    return further


def _undecided(runs: pd.DataFrame, decided: pd.DataFrame) -> set[tuple[str, str]]:
    """Cell and step of what is open."""
    if decided.empty:
        return set()
    dims = [c for c in decided.columns if c in runs.columns]
    still = decided.loc[decided["verdict"] == UNDECIDED, [*dims, "step"]]
    rows = runs[[*dims, "declared_id"]].drop_duplicates().merge(still, on=dims)
    return set(zip(rows["declared_id"], rows["step"], strict=True))


def _step_seconds(turns: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Seconds that all arms of a session took for each step, by session and step."""
    once = turns.drop_duplicates(["run_id", "step", "round"])
    sums = once.groupby(["session", "step"])["active_ns"].sum() / 1e9
    took: dict[str, dict[str, float]] = {}
    for (session, step), seconds in sums.items():
        took.setdefault(session, {})[step] = seconds
    return took


def _arms(times: pd.DataFrame, runs: pd.DataFrame) -> dict[str, frozenset[str]]:
    """The declared ids of each session, in order of trials."""
    cells = runs.set_index("run_id")["declared_id"]
    ordered = times.sort_values("trial", kind="stable")
    of = ordered.assign(cell=ordered.index.map(cells)).groupby("session", sort=False)
    return {str(session): frozenset(of_one) for session, of_one in of["cell"]}


def _last_of_each(arms: Mapping[str, frozenset[str]]) -> list[str]:
    """The last session of each set of arms, but of those that lacked some of another."""
    last = {of: session for session, of in arms.items()}
    return [name for of, name in last.items() if not any(of < other for other in last)]


def _seconds(
    name: str,
    arms: Mapping[str, frozenset[str]],
    took: Mapping[str, Mapping[str, float]],
    times: pd.DataFrame,
    steps: set[str],
) -> float:
    """Of a session like the one of this name, with these steps.

    A step takes as long as in the last session of the same arms that made it; what is
    beside the steps, such as starting servers, as long as in this one.
    """
    whole = float(times.loc[times["session"] == name, "seconds"].iloc[0])
    mine = took.get(name, {})
    latest: dict[str, float] = {}
    for session in arms:
        if arms[session] == arms[name]:
            latest |= took.get(session, {})
    beside = max(0.0, whole - sum(mine.values()))
    return beside + sum(latest.get(step, 0.0) for step in steps)
