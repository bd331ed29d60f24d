"""What `benchbook plan` prints: cells, runs, time, or the commands to paste."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

from benchbook.builds import make_words
from benchbook.errors import UserError
from benchbook.execute import Workdir, available_cpus, run_line
from benchbook.plan import BUILD_S, Plan, make_plan, run_seconds
from benchbook.progress import duration
from benchbook.project import Project
from benchbook.specs import cpu_list, spec
from benchbook.study import Study
from benchbook.texts import aligned

if TYPE_CHECKING:
    from benchbook.detect import StepNoise


def effect_of(text: str | None) -> float | None:
    """The change that `--detect` names: 3%, 3 and .03 are the same."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+) ?(%?)", text.strip())
    if not found:
        raise UserError(f"--detect {text!r}: write the change to find as 3%, 3 or .03")
    effect = float(found[1])
    if found[2] or effect >= 1:
        effect /= 100
    if not 0 < effect < 1:
        raise UserError(f"--detect {text!r}: a change lies between 0% and 100%")
    return effect


def plan_text(study: Study, project: Project, effect: float | None = None) -> str:
    """`benchbook plan`: what would be measured, how long it takes, what it can see.

    With ``effect`` also the trials that find a change of that size, step by step.
    """
    if not study.cells:
        return f"{study.title}\nstudy {study.slug} reads tables: there is nothing to run"
    plan = make_plan(study, project)
    cells = [("cell", "steps", "each")]
    for cell in study.cells:
        steps = " ".join(map(str, cell.steps))
        cells.append((cell.label(), steps, duration(run_seconds(cell, study.driver))))
    builds = BUILD_S * len(plan.builds)
    lines = [
        f"{study.title}",
        f"study {study.slug}{f' (preset {study.preset})' if study.preset else ''}, "
        f"machine {plan.machine.name} ({plan.machine.machine_id}), driver "
        f"{study.driver.name}, order {study.order}, seed {study.seed}",
        "",
        aligned(cells),
        "",
        f"{len(study.cells)} cells x {study.trials} trials = {plan.runs} runs: "
        f"{plan.done} done, {len(plan.failed)} failed, {len(plan.todo)} to make",
        f"to build: {len(plan.builds)} programs, about {duration(builds)}; "
        f"to measure: about {duration(plan.seconds - builds)}",
    ]
    return "\n".join([*lines, *_findable(study, _noise(plan, project), effect)])


def _findable(
    study: Study, noise: Mapping[str, StepNoise], effect: float | None
) -> list[str]:
    """What the present trials can see, and which trials would see ``effect``."""
    if not noise:
        lines = [
            "smallest effect: unknown, no noise on record for this machine and driver "
            "(two trials of any study of it are enough)"
        ]
        if effect is not None:
            lines.append(
                f"to detect {100 * effect:g}%: nothing is known of this machine's noise; "
                f"`benchbook run {study.slug} --trials 2` and `benchbook load` tell it"
            )
        return lines
    from benchbook.detecttext import detection_text, smallest_text

    lines = [smallest_text(study, noise)]
    return lines if effect is None else [*lines, "", detection_text(study, noise, effect)]


def _noise(plan: Plan, project: Project) -> dict[str, StepNoise]:
    """The noise of the steps that ran on this machine; none without a store."""
    if not project.store.exists():
        return {}
    from benchbook.detect import noise_on_record
    from benchbook.query import expand_dims, query

    study, machine = plan.study, plan.machine
    record = query(
        "noise_on_record", project=project, driver=study.driver.name,
        machine=machine.name, machine_id=machine.machine_id,
    )  # fmt: skip
    return noise_on_record(expand_dims(record), study.slug, _builds_differ(plan))


def _builds_differ(plan: Plan) -> bool:
    """Whether some cell is another program than the base; a base elsewhere may be."""
    from benchbook.detect import is_base

    bases = {p.build.digest for p in plan.cells if is_base(p.cell, plan.study)}
    return not bases or any(p.build.digest not in bases for p in plan.cells)


def commands_text(study: Study, project: Project) -> str:
    """`benchbook plan --commands`: lines that build and run what is missing."""
    plan = make_plan(study, project)
    lines = [f"cd {shlex.quote(str(project.root))}"]
    builds = {t.prepared.build.folder: t.prepared.build for t in plan.todo}
    for build in builds.values():
        words = [f"OUT={build.folder}", *make_words(build)]
        fetch = ""
        if build.is_fetched:
            fetch = f"src=$(bench/fetch.sh {build.engine} {build.version}) && "
        goals = dict.fromkeys((build.driver.target, "now", "probe"))
        make = shlex.join(["make", "-C", "bench", *words, *goals])
        source = ' SRC="$src"' if fetch else ""
        copy = ""
        if build.driver.tool:
            copy = (
                f" && cp bench/{build.driver.program} {shlex.quote(str(build.folder))}/"
            )
        lines.append(f"{fetch}{make}{source}{copy}")
    cpus = available_cpus()
    for run in plan.todo:
        prepared = run.prepared
        described = spec(
            prepared, study, plan.machine, trial=run.trial, attempt=run.attempt,
            position=run.position, cpus=cpu_list(prepared.cell.placement, cpus),
        )  # fmt: skip
        workdir = Workdir(
            project, prepared.build.folder, prepared.config.file,
            prepared.build.library, probe=study.driver.writes,
        )  # fmt: skip
        text = json.dumps(described, separators=(",", ":"))
        lines.append(shlex.join(run_line(described, workdir, text)))
    return "\n".join(lines)
