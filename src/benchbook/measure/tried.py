"""Asking a driver, before anything is measured, whether it would make the runs of a plan.

A driver that runs a tool knows only from the tool itself which flags it has and what they
may be. Its --dry-run refuses what a run would refuse, and tells what it computed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable

from benchbook.measure.spec import Prepared, command, cpu_list
from benchbook.project import Project
from benchbook.study.study import Study
from benchmath.errors import UserError

COMPUTED = "computed"


def try_cells(cells: Iterable[Prepared], study: Study, project: Project) -> list[str]:
    """What the driver computed for cells, each text once.

    Errors: the driver would refuse one.
    """
    if not study.driver.tried:
        return []
    texts = [_tried(prepared, study, project) for prepared in cells]
    return list(dict.fromkeys(text for text in texts if text))


def _tried(prepared: Prepared, study: Study, project: Project) -> str:
    scratch = project.data / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    words = [w.replace("{target}", str(scratch)) for w in command(prepared, study)]
    words = [str(project.bench / words[0]), *words[1:], "--dry-run"]
    tree = prepared.build.tree
    if tree and not tree.installed:
        words.append("--no-tool")
    cpus = cpu_list(prepared.cell.placement, sorted(os.sched_getaffinity(0)))
    words = ["taskset", "-c", cpus, *words] if cpus else words
    env = dict(os.environ)
    if prepared.build.library:
        env["LD_LIBRARY_PATH"] = prepared.build.library
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        said = said.removeprefix(f"{study.driver.program}: ").removesuffix("; see --help")
        raise UserError(f"{study.path}: {prepared.cell.label()}: {said}")
    told = (line.partition("\t") for line in done.stdout.splitlines())
    return next((text for name, _, text in told if name == COMPUTED), "")
