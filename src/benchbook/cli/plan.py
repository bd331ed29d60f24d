"""`benchbook plan`: cells, runs, time and what they can see, or the commands to paste."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence

import click

from benchbook.cli.options import effect_of, study_at
from benchbook.cli.plan_detect import detection_text, smallest_text
from benchbook.engines.install_trees import install_line
from benchbook.measure.by_hand import build_line, run_command, session_command
from benchbook.measure.guess import run_seconds
from benchbook.measure.plan import Plan, make_plan
from benchbook.measure.progress import duration
from benchbook.measure.trials import StepNoise, noise_on_record
from benchbook.project import Project
from benchbook.results.judge import standing
from benchbook.runs.inventory import OnDisk
from benchbook.store.query import expand_dims, query
from benchbook.study.cell import Step
from benchbook.study.derived import companions, has_base, is_base, with_companions
from benchbook.study.study import Study
from benchbook.vectors import vectors_line
from benchmath.prose import aligned

MOST_STEPS = 12  # that a line shows; the longest insert benchmark has fewer


@click.command()
@click.argument("study")
@click.option("--commands", is_flag=True, help="One line per run, to paste in a shell.")
@click.option(
    "--detect",
    "effect",
    callback=lambda c, p, v: effect_of(v),
    metavar="3%",
    help="Trials that find a change of this size with 80% power.",
)
def plan(study: str, commands: bool, effect: float | None) -> None:
    """Show cells, runs to make, time, and the smallest effect that can be seen."""
    if commands:
        click.echo(commands_text(study_at(study), Project.find()))
    else:
        click.echo(plan_text(study_at(study), Project.find(), effect))


def plan_text(study: Study, project: Project, effect: float | None = None) -> str:
    """`benchbook plan`: what would be measured, how long it takes, what it can see.

    With ``effect`` also the trials that find a change of that size, step by step.
    """
    if not study.cells:
        return f"{study.title}\nstudy {study.slug} reads tables: there is nothing to run"
    on_disk = OnDisk(project)
    plan = make_plan(study, project, on_disk)
    cells = [("cell", "steps", "each")]
    for cell in study.cells:
        length = duration(run_seconds(cell, study.driver))
        cells.append((cell.label(), steps_text(cell.steps), length))
    lines = [
        f"{study.title}",
        f"study {study.slug}{f' (preset {study.preset})' if study.preset else ''}, "
        f"machine {plan.machine.name} ({plan.machine.machine_id}), driver "
        f"{study.driver.name}, order {study.order}, seed {study.seed}",
        "",
        aligned(cells),
        "",
        *(f"computed: {text}" for text in plan.computed),
        _amount(plan),
        *_to_get(plan),
        *(f"to build: {checkout.label}" for checkout in plan.checkouts),
        f"to build: {len(plan.builds)} programs{' and the above' * bool(plan.installs)}, "
        f"about {duration(plan.preparing)}; "
        f"to measure: about {duration(plan.seconds - plan.preparing)}",
    ]
    if study.until:
        lines.append(f"until decided: {_decided(plan, project)}")
    lines += [_companion_line(make_plan(o, project, on_disk)) for o in companions(study)]
    return "\n".join([*lines, *_findable(study, _noise(plan, project), effect)])


def steps_text(steps: Sequence[Step]) -> str:
    """The steps with their sizes; of dozens the first, the last and how many."""
    words = [str(step) for step in steps]
    if len(words) > MOST_STEPS:
        words = [*words[:3], f"... {len(words) - 4} more ...", words[-1]]
    return " ".join(words)


def _amount(plan: Plan) -> str:
    """Cells and trials as runs; how many `until: decided` makes of them nobody knows."""
    study, todo = plan.study, len(plan.todo)
    if not study.until:
        return (
            f"{len(study.cells)} cells x {study.trials} trials = {plan.runs} runs: "
            f"{plan.done} done, {len(plan.failed)} failed, {todo} to make"
        )
    budget = f" or {duration(study.budget_s)}" if study.budget_s else ""
    return (
        f"{len(study.cells)} cells x {study.trials} trials{budget} at most: "
        f"{plan.done} done, {len(plan.failed)} failed, up to {todo} to make"
    )


def _decided(plan: Plan, project: Project) -> str:
    """What is decided by the runs on record, and when the rest will be."""
    if plan.standing:
        return plan.standing.text
    if not project.store.exists():
        return "no turns on record yet, so nobody knows how long it takes"
    return standing(plan.study, project, plan.machine).text


def _companion_line(plan: Plan) -> str:
    study = plan.study
    return (
        f"and {study.slug}: {len(study.cells)} cells x {study.trials} trials, "
        f"{len(plan.todo)} to make, about {duration(plan.seconds)}"
    )


def _to_get(plan: Plan) -> list[str]:
    """Engines that `run` gets before it measures, variables that it asks for."""
    lines = [f"to build from source: {t}" for t in plan.installs if t.is_built]
    fetched = [t for t in plan.installs if not t.is_built]
    if fetched:
        names = ", ".join(map(str, fetched))
        lines.append(f"to install: {names}; {sum(t.mb for t in fetched)} MB")
    variables = dict.fromkeys(t.prepared.build.variable for t in plan.todo)
    unset = [name for name in variables if name and not os.environ.get(name)]
    if unset:
        lines.append(f"to be set before `run`: {', '.join(unset)}")
    return lines


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
                f"`benchbook run {study.slug} --trials 2` tells it"
            )
        return lines
    lines = [smallest_text(study, noise)]
    return lines if effect is None else [*lines, "", detection_text(study, noise, effect)]


def _noise(plan: Plan, project: Project) -> dict[str, StepNoise]:
    """The noise of the steps that ran on this machine; none without a store."""
    if not project.store.exists():
        return {}
    study, machine = plan.study, plan.machine
    record = query(
        "noise_on_record", project=project, driver=study.driver.name,
        machine=machine.name, machine_id=machine.machine_id,
    )  # fmt: skip
    return noise_on_record(expand_dims(record), study.slug, _builds_differ(plan))


def _builds_differ(plan: Plan) -> bool:
    """Whether some cell is another program than the base; a base elsewhere may be."""
    bases = {p.build.digest for p in plan.cells if is_base(p.cell, plan.study)}
    other = any(p.build.digest not in bases for p in plan.cells)
    return other or not has_base(plan.study)


def commands_text(study: Study, project: Project) -> str:
    """`benchbook plan --commands`: lines that build and run what is missing."""
    on_disk = OnDisk(project)
    plans = [make_plan(one, project, on_disk) for one in with_companions(study)]
    lines = ['cd "${BENCHBOOK_ROOT:-.}"']  # in the folder of any checkout
    installs = {t.path: t for plan in plans for t in plan.installs}
    if installs:
        lines += [install_line(tree) for tree in installs.values()]
        return "\n".join([*lines, "# then `benchbook plan --commands` again: a run's id "
                          "covers the programs of its engine"])  # fmt: skip
    todo = [run.prepared.build for plan in plans for run in plan.todo]
    builds = {build.folder: build for build in todo}
    names = {folder: f"built{number}" for number, folder in enumerate(builds, 1)}
    lines += [build_line(build, names[folder]) for folder, build in builds.items()]
    lines += [vectors_line(study.vectors)] if study.vectors and todo else []
    for plan in plans:
        for _, together in itertools.groupby(plan.todo, lambda t: t.session or t):
            runs = list(together)
            calls = [
                run_command(run, plan, project, names[run.prepared.build.folder])
                for run in runs
            ]
            lines += [session_command(calls, runs, plan.study)] if calls[1:] else calls
    return "\n".join(lines)
