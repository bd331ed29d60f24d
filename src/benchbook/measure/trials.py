"""What a study needs to find a change: trials per cell, from the noise on record.

Runs on record in, trials out; no file and no database. A step is planned as it will be
analysed: by a t-test on logarithms whose variance is pooled over the base and all the
cells that are compared with it.
"""

from __future__ import annotations

import math
import statistics
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchbook.measure.guess import run_seconds
from benchbook.study.derived import has_base, is_base
from benchbook.study.study import Study
from benchmath.prose import counted
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.power import POWER, power_of, runs_needed, smallest_effect
from benchmath.variation.cov import pooled_cov


@dataclass(frozen=True)
class StepNoise:
    """The noise of a step on one machine, as far as runs on record tell.

    ``sd`` is the CoV from run to run, ``df`` the degrees of freedom of A/A runs, from
    which a single run gets its interval. ``floor_sd`` is the stddev per side of what more
    runs do not average out, as far as it is known; ``unmeasured`` says that the two
    sides are different builds and that nobody knows what that alone does.
    """

    sd: float
    source: str
    df: float = 0.0
    floor_sd: float = 0.0
    unmeasured: bool = False


@dataclass(frozen=True)
class StepTrials:
    """How many trials of a step find an effect.

    ``others`` is how many cells are compared with one base cell, 0 where no base cell
    has the step. ``trials`` is for all cells alike; ``base`` and ``each`` give the base
    about sqrt(others) times the trials of each other cell. None: no number of trials.
    """

    step: str
    noise: StepNoise
    others: float
    trials: int | None
    base: int | None
    each: int | None


def noise_on_record(
    record: pd.DataFrame, slug: str, builds_differ: bool = False
) -> dict[str, StepNoise]:
    """The noise of every step that has a cell with two runs on record.

    ``record`` holds rows of the view ``metric`` from one machine and driver, the main
    metric of each step, with the map ``dims`` expanded and the columns build_no and
    load_no. Runs of the study ``slug`` and of its A/A runs (set ``<slug>.aa``) count
    where there are any, else those of all other studies. ``builds_differ`` says that the
    study compares builds: what a build does then belongs to the floor.
    """
    own = record["set"].isin((slug, f"{slug}.aa"))
    floors = _floors(record, f"{slug}.aa", builds_differ)
    return _noise(record[~own], "", floors) | _noise(record[own], "this study", floors)


def assumed_noise(noise: Mapping[str, StepNoise]) -> StepNoise:
    """For a step without runs on record: the median of the steps that have some."""
    sds = [n.sd for n in noise.values()]
    source = f"assumed: median of {counted(len(sds), 'step')}"
    unmeasured = any(n.unmeasured or n.floor_sd for n in noise.values())
    return StepNoise(statistics.median(sds), source, unmeasured=unmeasured)


def step_trials(
    study: Study, noise: Mapping[str, StepNoise], effect: float
) -> list[StepTrials]:
    """One entry per step of the study, in its order; ``noise`` must not be empty."""
    guess = assumed_noise(noise)
    return [_planned(study, s, noise.get(s, guess), effect) for s in _steps(study)]


def smallest_effects(study: Study, noise: Mapping[str, StepNoise]) -> dict[str, float]:
    """By step that is compared: the smallest change that the study's trials find.

    NaN for one trial of a step without A/A runs: it has no interval.
    """
    guess = assumed_noise(noise)
    compared = [s for s in _steps(study) if _others(study, s)]
    return {
        s: _smallest_effect(noise.get(s, guess), study.trials, _others(study, s))
        for s in compared
    }


def decisive(steps: list[StepTrials]) -> StepTrials | None:
    """The step that needs the most trials, of those that some number of them suits."""
    possible = [s for s in steps if s.others and s.trials]
    return max(possible, key=lambda s: (s.trials, s.noise.sd), default=None)


def builds_needed(step: StepTrials, effect: float) -> int | None:
    """Builds of each side, each run once, that find what no number of runs does."""
    return runs_needed(math.hypot(step.noise.sd, step.noise.floor_sd), effect)


def least_effect(step: StepTrials) -> float:
    """What is left to be found with any number of runs: the floor's own noise."""
    return smallest_effect(0.0, 1, 1, floor_sd=step.noise.floor_sd, df=math.inf)


def cost(study: Study, base: int, others: int) -> tuple[int, float]:
    """Runs and seconds of the study with these trials of base cells and of the others."""
    trials = [(c, base if is_base(c, study) else others) for c in study.cells]
    seconds = sum(n * run_seconds(cell, study.driver) for cell, n in trials)
    return sum(n for _, n in trials), seconds


def _noise(
    rows: pd.DataFrame, whose: str, floors: Mapping[str, float]
) -> dict[str, StepNoise]:
    if rows.empty:
        return {}
    noise = {}
    pooled = pooled_cov(rows, dimensions=("set", "cell_id"), by=("step",))
    for row in pooled.to_dict("records"):
        sets = rows.loc[rows["step"] == row["step"], "set"]
        floor = floors[row["step"]]
        noise[row["step"]] = StepNoise(
            sd=row["pooled"],
            source=f"{row['n']} runs of {whose or ', '.join(sorted(sets.unique()))}",
            df=row["pooled_df"] if sets.str.endswith(".aa").any() else 0.0,
            floor_sd=0.0 if math.isnan(floor) else floor,
            unmeasured=math.isnan(floor),
        )
    return noise


def _floors(record: pd.DataFrame, own: str, builds_differ: bool) -> dict[str, float]:
    """By step: the stddev per side from builds and loads, by A/A runs on record.

    Those of the set ``own``, if there are any. As ``relative`` has it, a load always
    counts and a build where builds are compared; NaN where they are and none was
    repeated.
    """
    floors = dict.fromkeys(record["step"], math.nan if builds_differ else 0.0)
    repeated = record[record["set"].str.endswith(".aa")]
    mine = repeated[repeated["set"] == own]
    if repeated.empty:
        return floors
    floor = noise_floor(mine if len(mine) else repeated)
    build = floor["build_sd"] if builds_differ else 0.0
    floor["sd"] = np.hypot(build, floor["load_sd"].fillna(0.0))
    return floors | floor.groupby("step")["sd"].max().to_dict()


def _planned(study: Study, step: str, noise: StepNoise, effect: float) -> StepTrials:
    others = _others(study, step)
    if not others:
        return StepTrials(step, noise, 0, None, None, None)
    ratio = max(1.0, math.sqrt(others))
    each = _least(noise, effect, others, ratio)
    return StepTrials(
        step=step,
        noise=noise,
        others=others,
        trials=_least(noise, effect, others, 1.0),
        base=math.ceil(ratio * each) if each else None,
        each=each,
    )


def _steps(study: Study) -> list[str]:
    return list(dict.fromkeys(s.step for cell in study.cells for s in cell.steps))


def _others(study: Study, step: str) -> float:
    """Cells with a step per base cell with it; 1 where the base is measured elsewhere."""
    if not has_base(study):
        return 1.0
    with_step = [c for c in study.cells if any(s.step == step for s in c.steps)]
    bases = sum(is_base(c, study) for c in with_step)
    return (len(with_step) - bases) / bases if bases else 0.0


def _least(noise: StepNoise, effect: float, others: float, ratio: float) -> int | None:
    """Trials of each other cell while the base gets ``ratio`` times as many."""
    alone = runs_needed(noise.sd, effect, ratio=ratio, floor_sd=noise.floor_sd)
    if alone is None:
        return None

    def enough(n: int) -> bool:
        base = math.ceil(ratio * n)
        freedom = (base - 1) + others * (n - 1)
        power = power_of(effect, noise.sd, n, base, floor_sd=noise.floor_sd, df=freedom)
        return power >= POWER

    fewer = range(2, alone)
    return fewer.start + bisect_left(fewer, True, key=enough)


def _smallest_effect(noise: StepNoise, trials: int, others: float) -> float:
    """The smallest effect of the present plan; NaN where it has no interval."""
    freedom = (others + 1) * (trials - 1) or noise.df
    return smallest_effect(noise.sd, trials, trials, floor_sd=noise.floor_sd, df=freedom)
