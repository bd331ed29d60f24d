"""The judge that `benchbook run` asks between sessions: what the runs so far decide."""

from __future__ import annotations

from benchbook.analysis.turns.stopping import UNDECIDED
from benchbook.machine.facts import Machine
from benchbook.measure.decided import Standing
from benchbook.project import Project
from benchbook.results.collect import read_results
from benchbook.results.decided import (
    decided_comparisons,
    sentence,
    session_times,
    spending,
)
from benchbook.store.load import load
from benchbook.study.study import Study
from benchbook.study.until import FEWEST_LOADS


def judge(study: Study, project: Project, machine: Machine) -> Standing:
    """What the runs of a study on this machine decide, read into the store first."""
    load(project)
    return standing(study, project, machine)


def standing(study: Study, project: Project, machine: Machine) -> Standing:
    """What the runs of a study that the store holds decide."""
    results = read_results(study, project)
    here = results.runs["machine"] == machine.name
    here &= results.runs["machine_id"] == machine.machine_id
    runs = results.runs[here & (results.runs["study"] == study.slug)]
    turns = results.turns[results.turns["run_id"].isin(runs["run_id"])]
    dims = results.dimensions
    table = decided_comparisons(study, runs, turns, results.steps, dims)
    loads = runs.groupby("declared_id")["trial"].nunique()
    closed = set(loads.index[loads >= FEWEST_LOADS])
    if len(table):
        still = table.loc[table["verdict"] == UNDECIDED, [*dims]].drop_duplicates()
        closed -= set(runs.merge(still, on=[*dims])["declared_id"])
    spent = spending(session_times(runs, turns))
    return Standing(
        closed=frozenset(closed),
        used_s=spent.used_s,
        spent=len(runs) > 0 and spent.is_spent(study.budget_s),
        text=sentence(table, study, spent),
    )
