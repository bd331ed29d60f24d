"""What a study's trials can see, and the trials that a change of some size needs."""

from __future__ import annotations

import math
import shlex
import statistics
from collections.abc import Mapping

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
from benchbook.study.study import Study
from benchmath.prose import aligned, counted, listed


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
    spreads = [noise[step].sd for step in effects if step in noise]
    on_record = "no step of it on record, noise of other steps assumed"
    if spreads:
        on_record = (
            f"run-to-run CoV {percent(statistics.median(spreads))} and "
            f"{percent(max(spreads))} of {counted(len(spreads), 'step')} on record"
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
    smallest = smallest_effects(study, noise)
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
            percent(smallest[s.step]) if s.step in smallest else "",
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
    if unmeasured := [s.step for s in compared if s.noise.unmeasured]:
        lines.append(
            f"build effect not measured for {listed(unmeasured)}: if builds of one "
            f"source differ, no run averages it out "
            f"(`benchbook calibrate {study.slug}` tells)"
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
