"""Starting `benchbook run`: by `--detach`, and by a notebook that lacks a run."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

from benchbook.machine.facts import Machine, local_machine
from benchbook.measure.decided import is_finished
from benchbook.measure.plan import make_plan
from benchbook.measure.run import check_writable
from benchbook.measure.spec import declared_cells
from benchbook.project import Project
from benchbook.runs.inventory import OnDisk
from benchbook.study.derived import with_companions
from benchbook.study.study import Study
from benchmath.errors import UserError


def measure_missing(study: Study, project: Project) -> None:
    """Start `benchbook run` where a run is missing, and wait for it.

    The process is a session of its own: it outlives this kernel.  Its progress goes
    to the file that BENCHBOOK_PROGRESS names (a terminal), else to data/status/.
    """
    if not wants_measuring(study, project):
        return
    log = Path(os.environ.get("BENCHBOOK_PROGRESS", _log(study, project)))
    code = _start(["run", str(study.path), "--wait"], project, log).wait()
    if code > 1:
        lines = log.read_text().splitlines() if log.is_file() else []
        last = lines[-1].removeprefix("benchbook: ") if lines else "see above"
        raise UserError(f"measuring {study.slug} stopped: {last}")


def detach(arguments: list[str], study: Study, project: Project) -> str:
    """Start the same call again as a process of its own, with a log beside the status."""
    check_writable(project)
    log = _log(study, project)
    process = _start([a for a in arguments if a != "--detach"], project, log)
    return (
        f"measuring {study.slug} in process {process.pid}; "
        f"`benchbook status` tells how far it is, {log} what it said"
    )


def _log(study: Study, project: Project) -> Path:
    project.status.mkdir(parents=True, exist_ok=True)
    return project.status / f"{study.slug}.log"


def _start(words: list[str], project: Project, log: Path) -> subprocess.Popen[bytes]:
    """A call of the command in a session of its own, which outlives who started it."""
    with log.open("ab", buffering=0) as out:
        return subprocess.Popen(
            [sys.executable, "-m", "benchbook", *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env=os.environ | {"BENCHBOOK_ROOT": str(project.root)},
        )


def wants_measuring(
    study: Study, project: Project, on_disk: OnDisk | None = None
) -> bool:
    """Is there a run to make here?

    Not where the study names other machines, and not where a checkout holds the whole
    study from another machine and nothing of it from this one.
    """
    here = local_machine(project)
    if study.machines and here.name not in study.machines:
        return False
    on_disk = on_disk or OnDisk(project)
    if _is_whole_elsewhere(study, here, on_disk):
        return False
    return any(make_plan(one, project, on_disk).todo for one in with_companions(study))


def _is_whole_elsewhere(study: Study, here: Machine, on_disk: OnDisk) -> bool:
    """Has another machine all of the study's runs, or all that decide it, and this none?

    Of runs that were made for it: a run is (declared_id, trial).
    """
    own = on_disk.named(study.slug)
    made: dict[Machine, set[tuple[str, int]]] = {}
    for run in own:
        machine = Machine(run.spec["machine"], run.spec["machine_id"])
        have = made.setdefault(machine, set())
        if run.status == "ok" and not run.spec.get("overridden"):
            have.add((run.spec["declared_id"], int(run.spec["trial"])))
    if here in made:
        return False
    trials = range(1, study.trials + 1)
    declared = set(itertools.product(declared_cells(study), trials))
    return any(declared <= have for have in made.values()) or any(
        is_finished(study, machine, own, on_disk.project) for machine in made
    )


def require_measured(study: Study, project: Project) -> None:
    """Refuse, naming the command, where this machine should have runs and has not."""
    on_disk = OnDisk(project)
    try:
        plan = make_plan(study, project, on_disk)
    except UserError:
        return  # no compiler here: show what was brought from elsewhere
    if plan.todo and wants_measuring(study, project, on_disk):
        raise UserError(
            f"{len(plan.todo)} of {plan.runs} runs of {study.slug} are missing: "
            f"measure them with `benchbook run {study.slug}`, then run this cell again"
        )
