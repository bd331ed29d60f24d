"""What a study will do on this machine: cells, runs to make, hours."""

from __future__ import annotations

from dataclasses import dataclass

from benchbook.builds import Build, plan_build
from benchbook.drivers import Driver
from benchbook.inventory import Filed, attempts, filed_runs
from benchbook.machine import local_machine
from benchbook.order import schedule
from benchbook.project import Project
from benchbook.specs import Machine, Prepared, prepare
from benchbook.study import Cell, Study

RUN_OVERHEAD_S = 0.35  # process start, facts, fsync: measured with the null engine
BUILD_S = 4.0
ASSUMED_ROWS_PER_S = 40_000  # until the first run of a cell tells better
MAX_ATTEMPTS = 2


@dataclass(frozen=True)
class Todo:
    """A run to make: a cell, its trial, its place in the order, which attempt."""

    prepared: Prepared
    trial: int
    position: int
    attempt: int


@dataclass(frozen=True)
class Plan:
    """A study on one machine: the cells, what is there, what is left."""

    study: Study
    machine: Machine
    cells: tuple[Prepared, ...]
    todo: tuple[Todo, ...]
    done: int
    failed: tuple[Filed, ...]  # gave up: failed as often as they are tried
    builds: tuple[Build, ...]  # to be compiled first
    seconds: float

    @property
    def runs(self) -> int:
        return self.done + len(self.failed) + len(self.todo)


def make_plan(study: Study, project: Project, *, retry: bool = True) -> Plan:
    """Compare the study's schedule with what lies in data/raw.

    A cell counts as there when this machine has an ok run of the same cell_id; a failed
    one is tried once more.  Needs the compilers and install trees, builds nothing.
    """
    machine = local_machine(project)
    cells = tuple(prepare_cell(c, study, project) for c in study.cells)
    filed = attempts(filed_runs(project, None if study.reuse else study.slug))
    limit = MAX_ATTEMPTS if retry else 1
    todo: list[Todo] = []
    failed: list[Filed] = []
    done = 0
    order = schedule(len(cells), study.trials, study.order, study.seed)
    for position, (index, trial) in enumerate(order, start=1):
        key = (machine.name, machine.machine_id, cells[index].id, trial)
        tries = filed.get(key, [])
        if any(t.status == "ok" for t in tries):
            done += 1
        elif len(tries) >= limit:
            failed.append(tries[-1])
        else:
            todo.append(Todo(cells[index], trial, position, len(tries) + 1))
    builds = {t.prepared.build.folder: t.prepared.build for t in todo}
    missing = tuple(b for b in builds.values() if not b.program.exists())
    seconds = sum(run_seconds(t.prepared.cell, study.driver) for t in todo)
    return Plan(
        study=study, machine=machine, cells=cells, todo=tuple(todo), done=done,
        failed=tuple(failed), builds=missing, seconds=seconds + BUILD_S * len(missing),
    )  # fmt: skip


def prepare_cell(cell: Cell, study: Study, project: Project) -> Prepared:
    """Look up build and config of a cell; the engine's version as far as it is declared.

    Where study.yml gives no version the cell's identity does not need one: the build
    digest covers the library the engine comes from.
    """
    build = plan_build(cell, study.driver, project)
    return prepare(cell, study, project, build, cell.version)


def run_seconds(cell: Cell, driver: Driver) -> float:
    """A guess of one run's length from its steps' sizes."""
    probe = 0.5 if driver.writes else 0.0
    return (
        RUN_OVERHEAD_S + probe + sum(_step_seconds(s.size, s.amount) for s in cell.steps)
    )


def _step_seconds(size: str, amount: str) -> float:
    if size == "seconds":
        return float(amount)
    if size == "rows":
        return float(amount) / ASSUMED_ROWS_PER_S
    return 1.0
