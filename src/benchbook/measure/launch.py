"""From a notebook to the measuring process: is a run missing, and who makes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from benchbook.digests import declared_id
from benchbook.errors import UserError
from benchbook.machine.facts import Machine, local_machine
from benchbook.measure.plan import make_plan
from benchbook.measure.spec import declaration
from benchbook.project import Project
from benchbook.runs.inventory import filed_runs
from benchbook.study.derived import with_companions
from benchbook.study.study import Study


def measure_missing(study: Study, project: Project) -> None:
    """Start `benchbook run` where a run is missing, and wait for it.

    The process is a session of its own: it outlives this kernel.  Its progress goes
    to the file that BENCHBOOK_PROGRESS names (a terminal), else to data/status/.
    """
    if not wants_measuring(study, project):
        return
    project.status.mkdir(parents=True, exist_ok=True)
    log = Path(os.environ.get("BENCHBOOK_PROGRESS", project.status / f"{study.slug}.log"))
    with log.open("ab", buffering=0) as out:
        done = subprocess.run(
            [sys.executable, "-m", "benchbook", "run", str(study.path), "--wait"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE if not log.is_file() else out,
            start_new_session=True,
            check=False,
            env=os.environ | {"BENCHBOOK_ROOT": str(project.root)},
        )
    if done.returncode > 1:
        said = log.read_text().splitlines() if log.is_file() else []
        last = said[-1].removeprefix("benchbook: ") if said else f"see {log}"
        raise UserError(f"measuring {study.slug} stopped: {last}")


def wants_measuring(study: Study, project: Project) -> bool:
    """Is there a run to make here?

    Not where the study names other machines, and not where a checkout holds the whole
    study from another machine and nothing of it from this one.
    """
    here = local_machine(project)
    if study.machines and here.name not in study.machines:
        return False
    runs = _runs_by_machine(study, project)
    if here not in runs and any(_wanted(study) <= have for have in runs.values()):
        return False
    return any(make_plan(one, project).todo for one in with_companions(study))


def _wanted(study: Study) -> set[tuple[str, int]]:
    trials = range(1, study.trials + 1)
    return {(declared_id(declaration(c, study)), t) for c in study.cells for t in trials}


def _runs_by_machine(
    study: Study, project: Project
) -> dict[Machine, set[tuple[str, int]]]:
    """Which (declared_id, trial) each machine has, from the study's own finished runs."""
    there: dict[Machine, set[tuple[str, int]]] = {}
    for run in filed_runs(project, study.slug):
        machine = Machine(run.spec["machine"], run.spec["machine_id"])
        have = there.setdefault(machine, set())
        if run.status == "ok" and not run.spec.get("overridden"):
            have.add((run.spec["declared_id"], int(run.spec["trial"])))
    return there


def require_measured(study: Study, project: Project) -> None:
    """Refuse, naming the command, where this machine should have runs and has not."""
    try:
        plan = make_plan(study, project)
    except UserError:
        return  # no compiler here: show what was brought from elsewhere
    if plan.todo and wants_measuring(study, project):
        raise UserError(
            f"{len(plan.todo)} of {plan.runs} runs of {study.slug} are missing: "
            f"measure them with `benchbook run {study.slug}`, then run this cell again"
        )
