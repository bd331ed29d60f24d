"""What `benchbook plan` prints: cells, runs, time, or the commands to paste."""

from __future__ import annotations

import math
import os
import shlex
import statistics
from collections.abc import Mapping
from typing import TYPE_CHECKING

from benchbook.engines.install_trees import install_line
from benchbook.measure.by_hand import build_line, run_command
from benchbook.measure.plan import Plan, make_plan, run_seconds
from benchbook.measure.progress import duration
from benchbook.measure.trials import (
    StepNoise,
    StepTrials,
    builds_needed,
    cost,
    decisive,
    least_effect,
    smallest_effects,
    step_trials,
)
from benchbook.project import Project
from benchbook.prose import aligned, counted, listed
from benchbook.study.derived import companions, has_base, is_base, with_companions
from benchbook.study.study import Study


def smallest_text(study: Study, noise: Mapping[str, StepNoise]) -> str:
    """The smallest effect these trials can see, from the noise on record."""
    effects = smallest_effects(study, noise)
    if not effects:
        return "smallest effect: none, no step has both a base cell and another cell"
    if any(map(math.isnan, effects.values())):
        return (
            "smallest effect: unknown, one trial without A/A runs has no interval "
            f"(`benchbook calibrate {study.slug}` makes them)"
        )
    known = [noise[step].sd for step in effects if step in noise]
    on_record = "no step of it on record, noise of other steps assumed"
    if known:
        on_record = (
            f"run-to-run CoV {percent(statistics.median(known))} and "
            f"{percent(max(known))} of {counted(len(known), 'step')} on record"
        )
    return (
        f"smallest effect seen with 80% power at {study.trials} trials: "
        f"{percent(statistics.median(effects.values()))} on the median step, "
        f"{percent(max(effects.values()))} on the noisiest ({on_record})"
    )


def detection_text(study: Study, noise: Mapping[str, StepNoise], effect: float) -> str:
    """`benchbook plan --detect`: trials of each step, and what decides the study."""
    steps = step_trials(study, noise, effect)
    decider = decisive(steps)
    lines = [
        f"to detect {100 * effect:g}% with 80% power, two-sided 5%, in each comparison "
        "with the base:",
        aligned(_rows(study, steps, noise)),
        *(_decision(study, decider, steps) if decider else ()),
        *_warnings(study, steps, effect),
    ]
    return "\n".join(lines)


def _rows(
    study: Study, steps: list[StepTrials], noise: Mapping[str, StepNoise]
) -> list[tuple[str, ...]]:
    seen = smallest_effects(study, noise)
    head = ("step", "noise", "build, load", "noise from", "trials", "base + others")
    rows: list[tuple[str, ...]] = [(*head, f"seen by {counted(study.trials, 'trial')}")]
    for s in steps:
        rows.append((
            s.step,
            percent(s.noise.sd),
            _floor(s.noise),
            s.noise.source,
            str(s.trials or ("never" if s.others else "not compared")),
            f"{s.base} + {s.each}" if s.others > 1 and s.each else "",
            percent(seen[s.step]) if s.step in seen else "",
        ))  # fmt: skip
    return rows


def _decision(study: Study, decider: StepTrials, steps: list[StepTrials]) -> list[str]:
    """Trials, runs and time of the study: the same for all cells, or more of the base."""
    trials = decider.trials or study.trials
    runs, seconds = cost(study, trials, trials)
    lines = [
        f"{decider.step} decides: {trials} trials, {runs} runs, about {duration(seconds)}"
        f"{_advice(study, trials)}"
    ]
    base = max(s.base or 0 for s in steps)
    each = max(s.each or 0 for s in steps)
    uneven, seconds = cost(study, base, each)
    if decider.others > 1 and uneven < runs:
        lines.append(
            f"or {base} of each base cell and {each} of each other: {uneven} runs, about "
            f"{duration(seconds)} (`trials: {base}` in study.yml, then "
            f"`benchbook run {study.slug} --trials {each}` and the base alone with "
            f"`benchbook run {study.slug} {_only(study)}`)"
        )
    return lines


def _advice(study: Study, trials: int) -> str:
    if trials <= study.trials:
        return f": the {study.trials} planned are enough"
    return f" (`trials: {trials}` in study.yml, {study.trials} now)"


def _only(study: Study) -> str:
    chosen = {k: v for k, v in study.base.items() if k != "machine"}
    return " ".join(f"--only {shlex.quote(f'{k}={v}')}" for k, v in chosen.items())


def _warnings(study: Study, steps: list[StepTrials], effect: float) -> list[str]:
    """What no number of trials of these cells can do."""
    compared = [s for s in steps if s.others]
    lines = [_hopeless(s, effect) for s in compared if s.trials is None]
    if unknown := [s.step for s in compared if s.noise.unmeasured]:
        lines.append(
            f"build effect not measured for {listed(unknown)}: if builds of one source "
            f"differ, no run averages it out (`benchbook calibrate {study.slug}` tells)"
        )
    if alone := [s.step for s in steps if not s.others]:
        lines.append(f"not compared, as no base cell or no other has it: {listed(alone)}")
    return lines


def _hopeless(step: StepTrials, effect: float) -> str:
    builds = builds_needed(step, effect)
    return (
        f"{step.step}: no number of runs detects {100 * effect:g}%: builds or loads of "
        f"one source differ by {percent(step.noise.floor_sd)} (stddev) and no run "
        f"averages that out; repeat the builds, about {builds} a side with one run each, "
        f"or look for {percent(least_effect(step))} and more"
    )


def _floor(noise: StepNoise) -> str:
    if noise.floor_sd:
        return percent(noise.floor_sd)
    return "not measured" if noise.unmeasured else ""


def percent(share: float) -> str:
    """``0.35%``, ``1.2%``, ``15%``: two digits that count."""
    digits = 2 if share < 0.00995 else 1 if share < 0.0995 else 0
    return f"{100 * share:.{digits}f}%"


if TYPE_CHECKING:
    from benchbook.measure.trials import StepNoise


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
        *_to_get(plan),
        f"to build: {len(plan.builds)} programs{' and the above' * bool(plan.installs)}, "
        f"about {duration(plan.preparing)}; "
        f"to measure: about {duration(plan.seconds - plan.preparing)}",
    ]
    lines += [_companion_line(one, project) for one in companions(study)]
    return "\n".join([*lines, *_findable(study, _noise(plan, project), effect)])


def _companion_line(study: Study, project: Project) -> str:
    plan = make_plan(study, project)
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
                f"`benchbook run {study.slug} --trials 2` and `benchbook load` tell it"
            )
        return lines
    pass

    lines = [smallest_text(study, noise)]
    return lines if effect is None else [*lines, "", detection_text(study, noise, effect)]


def _noise(plan: Plan, project: Project) -> dict[str, StepNoise]:
    """The noise of the steps that ran on this machine; none without a store."""
    if not project.store.exists():
        return {}
    from benchbook.measure.trials import noise_on_record
    from benchbook.store.query import expand_dims, query

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
    plans = [make_plan(one, project) for one in with_companions(study)]
    lines = ['cd "${BENCHBOOK_ROOT:-.}"']  # in the folder of any checkout
    installs = {t.path: t for plan in plans for t in plan.installs}
    if installs:
        lines += [install_line(tree) for tree in installs.values()]
        return "\n".join([*lines, "# then `benchbook plan --commands` again: a run's id "
                          "covers the programs of its engine"])  # fmt: skip
    todo = [(run, plan) for plan in plans for run in plan.todo]
    builds = {run.prepared.build.folder: run.prepared.build for run, _ in todo}
    names = {folder: f"built{number}" for number, folder in enumerate(builds, 1)}
    lines += [build_line(build, names[folder]) for folder, build in builds.items()]
    for run, plan in todo:
        lines.append(run_command(run, plan, project, names[run.prepared.build.folder]))
    return "\n".join(lines)
