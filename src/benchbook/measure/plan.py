"""What a study will do on this machine: cells, runs to make, hours."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchbook.commands.revisions import Checkout
from benchbook.engines.builds import Build, plan_build
from benchbook.engines.install_trees import Tree
from benchbook.files import says_full
from benchbook.machine.facts import Machine, local_machine
from benchbook.measure.decided import Standing, standing_on_record
from benchbook.measure.guess import run_seconds
from benchbook.measure.memory import USABLE, available_bytes, need, parts
from benchbook.measure.spec import Prepared, prepare
from benchbook.measure.tried import try_cells
from benchbook.project import Project
from benchbook.runs.inventory import Filed, OnDisk, attempts, made_all
from benchbook.study.cell import Cell
from benchbook.study.check import check_steps
from benchbook.study.derived import is_base, with_companions
from benchbook.study.leave_out import made_steps, steps_left_out
from benchbook.study.order import TURNS, groups, schedule
from benchbook.study.study import Study

BUILD_S = 4.0
TREE_S = 10.0  # to fetch an engine
# To build one on two CPUs.
BUILT_TREE_S = {"postgres": 180.0, "sqlite": 20.0, "rocksdb": 400.0, "mariadb": 600.0}
MAX_ATTEMPTS = 2


@dataclass(frozen=True)
class Todo:
    """A run to make: a cell, its trial, its place in the order, which attempt."""

    prepared: Prepared
    trial: int
    position: int
    attempt: int
    session: str = ""  # those of one name take turns; none: alone
    left_out: tuple[str, ...] = ()  # steps that nothing open needs any more

    @property
    def partners(self) -> str:
        """A name for the runs that it is made with, itself alone included."""
        return self.session or f"{self.prepared.id} {self.trial}"

    @property
    def cell(self) -> Cell:
        """The cell with the steps that the run makes."""
        cell = self.prepared.cell
        return replace(cell, steps=made_steps(cell.steps, self.left_out))


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
    installs: tuple[Tree, ...]  # engines to be got before that
    seconds: float
    standing: Standing | None = None  # what its runs decide, if that is on record
    computed: tuple[str, ...] = ()  # what the driver makes of what nobody said
    checkouts: tuple[Checkout, ...] = ()  # of revisions, to be got and built first

    @property
    def preparing(self) -> float:
        """Seconds of ``seconds`` that go before the first run."""
        trees = sum(
            BUILT_TREE_S.get(t.engine, TREE_S) if t.is_built else TREE_S
            for t in self.installs
        )
        return BUILD_S * (len(self.builds) + len(self.checkouts)) + trees

    @property
    def runs(self) -> int:
        return self.done + len(self.failed) + len(self.todo)


def make_plan(
    study: Study, project: Project, on_disk: OnDisk | None = None, *, retry: bool = True
) -> Plan:
    """Compare the study's schedule with what lies in data/raw (``on_disk``).

    A cell counts as there when this machine has an ok run of the same cell_id; a failed
    one is tried once more, and as often as the disk was full.  With `until: decided` a
    session whose cells are all decided is not wanted, no step that nothing open needs,
    and nothing when the budget is used up; without it a run that left steps out is none.
    Needs the compilers and install trees, builds nothing.
    Errors: what `run` would refuse later, an engine or a step that the driver has not.
    """
    for one in with_companions(study):  # before the first run, not after the last
        for cell in one.cells:
            check_steps(cell, one.driver, one.path, one.ran)
    machine = local_machine(project)
    cells = tuple(prepare_cell(c, study, project) for c in study.cells)
    runs = (on_disk or OnDisk(project)).that_serve(study)
    filed = attempts(runs if study.until else filter(made_all, runs))
    standing = standing_on_record(study, machine, runs, project, cells)
    limit = MAX_ATTEMPTS if retry else 1
    todo: list[Todo] = []
    failed: list[Filed] = []
    done = 0
    for session in _sessions(study, cells):
        tries = [
            filed.get((machine.name, machine.machine_id, run.prepared.id, run.trial), [])
            for run in session
        ]
        there = [any(t.status == "ok" for t in one) for one in tries]
        gave_up = [
            not ok and sum(not says_full(run.reason) for run in t) >= limit
            for t, ok in zip(tries, there, strict=True)
        ]  # fmt: skip
        failed += [t[-1] for t, hopeless in zip(tries, gave_up, strict=True) if hopeless]
        if all(map(operator.or_, there, gave_up)):
            done += sum(there)
            continue
        if standing and standing.ends(run.prepared.declared for run in session):
            done += sum(there)
            continue
        again = [
            replace(run, attempt=len(t) + 1)
            for run, t, hopeless in zip(session, tries, gave_up, strict=True)
            if not hopeless
        ]
        todo += with_open_steps(again, standing, study) if standing else again
    builds = {t.prepared.build.folder: t.prepared.build for t in todo}
    missing = tuple(b for b in builds.values() if not b.program.exists())
    wanted = {t.prepared.id: t.prepared for t in todo}.values()
    computed = try_cells(wanted, study, project)
    seconds = sum(run_seconds(t.cell, study.driver) for t in todo)
    if study.budget_s is not None:
        used_s = standing.used_s if standing else 0.0
        seconds = min(seconds, max(0.0, study.budget_s - used_s))
    plan = Plan(
        study=study, machine=machine, cells=cells, todo=tuple(todo), done=done,
        failed=tuple(failed), builds=missing, installs=missing_trees(todo, cells),
        seconds=seconds, standing=standing, computed=tuple(computed),
        checkouts=missing_checkouts(t.prepared for t in todo),
    )  # fmt: skip
    return replace(plan, seconds=seconds + plan.preparing)


def with_open_steps(
    session: Sequence[Todo],
    standing: Standing,
    study: Study,
    without: Collection[str] = (),
) -> list[Todo]:
    """The runs of a session without the steps that nothing open needs.

    ``without`` are the declared ids of cells for which no step is made. A run that takes
    no turns makes all of its steps.
    """
    if len(session) < 2:
        return list(session)
    cells = [run.prepared.cell for run in session]
    asking = [run for run in session if run.prepared.declared not in without]
    wanted = frozenset[str]().union(
        *(standing.open_steps(run.prepared.declared, run.prepared.cell) for run in asking)
    )
    left_out = steps_left_out(cells, wanted, study)
    return [replace(run, left_out=left_out) for run in session]


def _sessions(study: Study, cells: tuple[Prepared, ...]) -> Iterator[list[Todo]]:
    """The runs in their order, each with those that it takes turns with.

    Where a run of a session is missing all are made again: what was measured at another
    time is no partner for it.
    """
    order = schedule(len(cells), study.trials, study.order, study.seed)
    runs = [
        Todo(cells[index], trial, position, attempt=1)
        for position, (index, trial) in enumerate(order, start=1)
    ]
    if study.order != TURNS:
        yield from ([run] for run in runs)
        return
    together = groups([cell.dimensions() for cell in study.cells], study.base)
    room = int(USABLE * available_bytes())
    split = [
        (number, part, arms)
        for number, group in enumerate(together, start=1)
        for part, arms in enumerate(
            parts(group, lambda i: is_base(study.cells[i], study),
                  lambda i: need(cells[i]), room)
        )
    ]  # fmt: skip
    for trial in range(study.trials):
        for number, part, arms in split:
            name = f"{number}.{part}.t{trial + 1}" if len(arms) > 1 else ""
            session = [replace(runs[trial * len(cells) + i], session=name) for i in arms]
            yield [_again(run, part, study) for run in session]


def _again(run: Todo, part: int, study: Study) -> Todo:
    """The base of a further part of a group is a further trial of it."""
    if part and is_base(run.prepared.cell, study):
        return replace(run, trial=run.trial + part * study.trials)
    return run


def missing_trees(todo: Iterable[Todo], cells: Sequence[Prepared]) -> tuple[Tree, ...]:
    """The install trees that runs need and that are not there, each once.

    In the order of the study's cells, whichever run comes first.
    """
    needed = {t.prepared.id for t in todo}
    trees = (cell.build.tree for cell in cells if cell.id in needed)
    return tuple({t.path: t for t in trees if t and not t.installed}.values())


def missing_checkouts(cells: Iterable[Prepared]) -> tuple[Checkout, ...]:
    """The revisions that runs of these cells need and that are not built, each once."""
    wanted = (cell.build.checkout for cell in cells)
    return tuple({c.root: c for c in wanted if c and not c.is_there}.values())


def prepare_cell(cell: Cell, study: Study, project: Project) -> Prepared:
    """Look up build and config of a cell; the engine's version as far as it is declared.

    Where study.yml gives no version the cell's identity does not need one: the build
    digest covers the library the engine comes from.
    """
    build = plan_build(cell, study.driver, project, study.commands, study.options)
    return prepare(cell, study, project, build, cell.version)
