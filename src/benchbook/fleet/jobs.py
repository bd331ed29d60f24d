"""A study as jobs for hosts: what is missing, session by session, as scripts of bash."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchbook.digests import short_digest
from benchbook.engines.install_trees import install_line
from benchbook.fleet.hosts import Fleet
from benchbook.measure.by_hand import build_line, run_command, session_command
from benchbook.measure.plan import Plan, Todo, make_plan
from benchbook.project import Project
from benchbook.runs.inventory import Filed, OnDisk, made_all
from benchbook.study.premises import Quiet
from benchbook.study.study import Study
from benchbook.vectors import vectors_line
from benchmath.errors import UserError


@dataclass(frozen=True)
class Job:
    """Runs that are made together on one host.

    name: the same for whoever plans the study again. group: the name of the jobs that
    belong on one host, trial after trial. hosts: the names of those that may run it.
    cells: the declared ids of its runs' cells.
    """

    name: str
    label: str
    script: str
    group: str
    hosts: tuple[str, ...]
    runs: int
    trial: int = 1
    cells: frozenset[str] = frozenset()

    @property
    def runs_of(self) -> set[tuple[str, int]]:
        """Its cells and trials, as of ``made_by``."""
        return {(cell, self.trial) for cell in self.cells}


def jobs_of(
    study: Study, project: Project, fleet: Fleet, anywhere: bool = False
) -> tuple[list[Job], list[Job]]:
    """The jobs that are missing, in the study's order, and those whose runs are there.

    A run is there when a host of the fleet made it, or ``anywhere``. UserError for cells
    that no host may run.
    """
    # Where it was measured is no question of the plan: none of its runs is here.
    plan = make_plan(study, project, OnDisk(project, {"*": [], study.slug: []}))
    names = None if anywhere else {host.name for host in fleet.hosts}
    there = made_by(filter(made_all, OnDisk(project).that_serve(study)), names)
    missing: list[Job] = []
    made: list[Job] = []
    for _, together in itertools.groupby(plan.todo, lambda t: t.session or t):
        runs = [replace(run, attempt=1) for run in together]
        job = _job(runs, plan, project, fleet)
        (made if job.runs_of <= there else missing).append(job)
    return missing, made


def made_by(runs: Iterable[Filed], names: set[str] | None) -> set[tuple[str, int]]:
    """The cells and trials that hosts of these names made; None: any host."""
    return {
        (run.spec["declared_id"], int(run.spec["trial"]))
        for run in runs
        if run.status == "ok"
        and (names is None or run.spec["machine"] in names)
        and not run.spec.get("overridden")
    }


def homes_of(jobs: Iterable[Job], runs: Iterable[Filed], fleet: Fleet) -> dict[str, str]:
    """Of each group that one host of the fleet has runs of, that host."""
    made: dict[str, set[str]] = {}
    for run in filter(made_all, runs):
        made.setdefault(run.spec["declared_id"], set()).add(run.spec["machine"])
    names = {host.name for host in fleet.hosts}
    homes = {}
    for job in jobs:
        on = set().union(*(made.get(cell, ()) for cell in job.cells)) & names
        if len(on) == 1 and on <= set(job.hosts):
            homes[job.group] = on.pop()
    return homes


def _job(runs: Sequence[Todo], plan: Plan, project: Project, fleet: Fleet) -> Job:
    study = plan.study
    cells = [run.prepared.cell for run in runs]
    hosts = tuple(h.name for h in fleet.hosts if all(map(h.may_run, cells)))
    label = cells[0].label() + (f" and {len(cells) - 1} in turns" if cells[1:] else "")
    if not hosts:
        raise UserError(f"{study.slug}: no host of the fleet may run {label}")
    group = short_digest("\n".join(run.prepared.declared for run in runs))
    script = _script(runs, plan, project)
    return Job(
        f"{study.slug}.{group}.t{runs[0].trial}", f"{label}, trial {runs[0].trial}",
        script, group, hosts, len(runs), runs[0].trial,
        frozenset(run.prepared.declared for run in runs),
    )  # fmt: skip


def _script(runs: Sequence[Todo], plan: Plan, project: Project) -> str:
    """Engines and programs are made where they are missing, then, in quiet, the runs."""
    trees = {run.prepared.build.tree for run in runs if run.prepared.build.tree}
    builds = {run.prepared.build.folder: run.prepared.build for run in runs}
    names = {folder: f"built{number}" for number, folder in enumerate(builds, 1)}
    calls = [
        run_command(run, plan, project, names[run.prepared.build.folder]) for run in runs
    ]
    last = session_command(calls, runs, plan.study) if calls[1:] else calls[0]
    installs = [f"{install_line(tree)} >/dev/null" for tree in trees if tree.engine]
    made = [build_line(build, names[folder]) for folder, build in builds.items()]
    made += [vectors_line(plan.study.vectors)] if plan.study.vectors else []
    made += _quiet_line(next(iter(names.values())), plan.study.quiet)
    return "\n".join(["set -euo pipefail", *sorted(installs), *made, last, ""])


def _quiet_line(variable: str, quiet: Quiet) -> list[str]:
    """The call that waits there until nobody else is busy; none where nobody looks."""
    if not quiet.limit:
        return []
    return [f'bench/quiet.sh "${variable}/quiet" {quiet.permille} {quiet.patience_s:.0f}']
