"""The judge that `benchbook run` asks between sessions: what the runs so far decide."""

from __future__ import annotations

from benchbook.machine.facts import Machine
from benchbook.measure.decided import Standing
from benchbook.project import Project
from benchbook.results.collect import read_results
from benchbook.results.decided import decided_on_machine, sentence
from benchbook.results.unusual import unusual
from benchbook.store.load import load
from benchbook.study.study import Study


def judge(study: Study, project: Project, machine: Machine) -> Standing:
    """What the runs of a study on this machine decide, read into the store first."""
    load(project)
    return standing(study, project, machine)


def doubts(study: Study, project: Project) -> list[str]:
    """What `run` says at its end of runs that can hardly be meant so."""
    load(project)
    return [hazard.text for hazard in unusual(read_results(study, project))]


def standing(study: Study, project: Project, machine: Machine) -> Standing:
    """What the runs of a study that the store holds decide."""
    results = read_results(study, project)
    here = results.runs["machine"] == machine.name
    here &= results.runs["machine_id"] == machine.machine_id
    runs = results.runs[here & (results.runs["study"] == study.slug)]
    turns = results.turns[results.turns["run_id"].isin(runs["run_id"])]
    decided = decided_on_machine(
        study, runs, turns, results.steps, results.dimensions, results.tests
    )
    spent = decided.spent
    over = len(runs) > 0 and spent.is_spent(study.budget_s)
    further = () if over else decided.further
    return Standing(
        closed=frozenset(name for name, steps in decided.open.items() if not steps),
        used_s=spent.used_s,
        spent=over,
        text=sentence(decided.comparisons, study, spent, further),
        steps=decided.open,
    )
