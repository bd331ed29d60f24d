"""Where a study with `until: decided` stands, and the record of it beside its runs.

What is decided follows from the runs alone, but to derive it takes the store and some
seconds. So `run`, which derives it while it measures, leaves a file beside the runs that
it is about: it travels with them and is deleted with them, `plan`, `post` and `collect`
need no statistics to know whether a run is missing, and it is believed only where the
study asks the same and exactly the same runs are there. Else `run` derives it anew before
it measures anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.digests import canonical, short_digest
from benchbook.files import replace_text
from benchbook.machine.facts import Machine
from benchbook.measure.spec import Prepared, declared_cells
from benchbook.project import Project
from benchbook.runs.inventory import Filed
from benchbook.study.cell import Cell
from benchbook.study.study import Study

FILE = "decided.json"


@dataclass(frozen=True)
class Standing:
    """What the runs of a study on one machine decide.

    ``closed`` are the declared ids of cells that have loads enough and no comparison that
    is open, ``steps`` the steps of each cell with loads enough whose comparison is open.
    ``used_s`` is the wall time of all sessions, ``spent`` says that no further one fits
    into the budget. ``text`` says it in words.
    """

    closed: frozenset[str]
    used_s: float
    spent: bool
    text: str
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def ends(self, declared: Iterable[str]) -> bool:
        """Is no further session of these cells wanted?"""
        return self.spent or self.closed.issuperset(declared)

    def open_steps(self, declared: str, cell: Cell) -> frozenset[str]:
        """Steps of a cell that further loads are for: all where it lacks loads."""
        everything = () if declared in self.closed else [s.step for s in cell.steps]
        return frozenset(self.steps.get(declared, everything))


Judge = Callable[[Study, Project, Machine], Standing]


def record_file(study: Study, machine: Machine, project: Project) -> Path:
    return project.raw / study.slug / machine.name / FILE


def keep_standing(
    standing: Standing,
    study: Study,
    machine: Machine,
    cells: Iterable[Prepared],
    runs: Iterable[Filed],
    project: Project,
) -> None:
    """Write the record; ``runs`` are those on which it was judged."""
    record = {
        "schema": 1,
        "asked": _asked(study, machine),
        "runs": _runs_digest(study, machine, runs),
        "cells": sorted(cell.id for cell in cells),
        "closed": sorted(standing.closed),
        "open": {cell: list(steps) for cell, steps in sorted(standing.steps.items())},
        "used_s": standing.used_s,
        "spent": standing.spent,
        "text": standing.text,
    }
    file = record_file(study, machine, project)
    replace_text(file, json.dumps(record, indent=1) + "\n")


def standing_on_record(
    study: Study,
    machine: Machine,
    runs: Iterable[Filed],
    project: Project,
    cells: Iterable[Prepared] | None = None,
) -> Standing | None:
    """The record, if it is of these runs and of this study as it is now.

    ``cells`` are those of this machine as they would be measured now: a new build has no
    runs yet. Without them the record is of the cells that were measured.
    """
    if not study.until:
        return None
    record = _read(record_file(study, machine, project))
    expected: dict[str, Any] = {
        "schema": 1,
        "asked": _asked(study, machine),
        "runs": _runs_digest(study, machine, runs),
    }
    if cells is not None:
        expected["cells"] = sorted(cell.id for cell in cells)
    if any(record.get(key) != value for key, value in expected.items()):
        return None
    return Standing(
        frozenset(record["closed"]), record["used_s"], record["spent"], record["text"],
        {cell: tuple(steps) for cell, steps in record.get("open", {}).items()},
    )  # fmt: skip


def is_finished(
    study: Study, machine: Machine, runs: Iterable[Filed], project: Project
) -> bool:
    """Does the record say that no session of the study is wanted any more?"""
    standing = standing_on_record(study, machine, runs, project)
    return standing is not None and standing.ends(declared_cells(study))


def _read(file: Path) -> dict[str, Any]:
    """Nothing where the record is not there, or is not one."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _asked(study: Study, machine: Machine) -> str:
    """What a verdict follows from besides the runs."""
    base, cells = sorted(study.base.items()), sorted(declared_cells(study))
    said = (machine.machine_id, study.margin, study.budget_s, study.trials, base, cells)
    return short_digest(canonical(said))


def _runs_digest(study: Study, machine: Machine, runs: Iterable[Filed]) -> str:
    declared = declared_cells(study)
    folders = sorted(
        run.folder.as_posix().rsplit("/", 4)[1:]
        for run in runs
        if run.status == "ok"
        and not run.spec.get("overridden")
        and run.spec.get("declared_id") in declared
        and (run.spec["machine"], run.spec["machine_id"])
        == (machine.name, machine.machine_id)
    )
    return short_digest(canonical(folders))
