"""Geometric means of relative throughput over the steps of a group or a whole suite.

Only steps that every compared cell has count. Steps of one run share its luck, so their
errors do not average out: where the runs hold all steps, the mean of the logarithms over
the steps of a run is taken as the measurement, and what ``relative`` does for a step is
done for it. Groups are not moderated over each other: they are made of the same runs.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import (
    MetricFrame,
    cells_of,
    check_base,
    dimensions_of,
    measurement_of,
    select,
    tied_labels,
)
from benchmath.intervals import LEVEL
from benchmath.ratios.differences import DIFFERENCES
from benchmath.ratios.relative import RATIOS, judged, relative
from benchmath.ratios.step_means import (
    floor_of_means,
    in_common,
    one_unit,
    oriented,
    step_means,
)

SUITE = "suite"
SUITE_RATIOS = RATIOS.extended("suite", "steps", "missing", "group")
SuiteFrame = Annotated[pd.DataFrame, SUITE_RATIOS]
_WEAKEST_FIRST = ("", "assumed", "calibrated", "own", "pooled")
_STEPS_APART = "steps added as independent"
_NONE_COMPLETE = f"{_STEPS_APART}: no run or trial has them all"
_FLOOR_APART = "noise floor of the steps added as independent"


def suite(
    frame: MetricFrame,
    base: Mapping[str, str],
    groups: Mapping[str, str | None] | None = None,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
    floor: pd.DataFrame | None = None,
    turns: pd.DataFrame | None = None,
) -> SuiteFrame:
    """Relative throughput of groups of steps and of all of them, with intervals.

    ``groups`` maps every step to its group, or to None to leave it out; without it there
    is only the whole suite. Columns are those of ``relative``, with the group's name as
    step and with empty op and clock (where higher is better in some of its steps and
    lower in others, of inverses of the latter: above 1 is better), and

    * group: the name, ``suite`` for all steps, which comes last;
    * steps: how many the geometric mean is over; missing: those that not every compared
      cell has (or has a run of 0 in), by name. Without a common step there is no ratio.

    The steps of a run are averaged or, where runs hold one step each, those of a trial;
    runs and trials that lack some are left out, and ``note`` counts them. If a cell has
    none that is complete, the variances of the steps' ratios are added as those of
    independent ones and ``note`` says so: right for steps that were run apart, far too
    short for runs that are good or bad in all their steps (correlation .5, 42 steps, 7
    versions x 3 runs: 33% instead of 95% cover; averaged over runs 94%; seed 16).

    So they are with ``turns``, the frame of ``turn_ratios``: each step took its own.

    A row of ``floor`` for the group's name as step is taken as it is; else the variances
    of its steps are added as independent, where it has them all, and ``note`` says so.
    """
    dims = list(dimensions_of(frame) if dimensions is None else dimensions)
    dims += [d for d in base if d not in dims and d in frame.columns]
    rows = select(frame, metric)
    cells_of(rows, dims)
    check_base(rows, base)
    tied = tied_labels(rows, base, dims)
    apart = [d for d in dims if d not in base and d not in tied]
    tables = []
    for name, steps in _named(rows, groups).items():
        mine = oriented(rows[rows["step"].isin(steps)])
        common = in_common(mine, dims, apart)
        means = step_means(mine[common], name, metric, dims)
        counts = _counts(mine, common, apart)
        lacking = means is None or (counts["steps"] == 0).any()
        if means is None or lacking or turns is not None:
            taken = turns if turns is None else _of_no_step(turns)
            of_steps = relative(mine, base, metric, dims, level, floor, taken)
            why = _NONE_COMPLETE if lacking else _STEPS_APART
            table = _added(of_steps, mine[common], dims, apart, why)
            table = judged(table.assign(step=name, metric=metric), level)
        else:
            own_floor, note = _floor(floor, name, mine[common])
            table = relative(means.frame, base, metric, dims, level, own_floor)
            table["note"] = _noted(table, note, means.left_out)
        tables.append(table.merge(counts.assign(step=name), on=[*apart, "step"]))
        tables[-1]["group"] = name
    return pd.concat(tables, ignore_index=True)


def _of_no_step(turns: pd.DataFrame) -> pd.DataFrame:
    """Without how the looks at each step ended: nobody looked at a group."""
    return turns.assign(stopped="")


def _named(
    rows: pd.DataFrame, groups: Mapping[str, str | None] | None
) -> dict[str, list[str]]:
    """The steps of each group in the order of ``groups``, then those of the suite."""
    steps = list(dict.fromkeys(rows["step"]))
    of = dict.fromkeys(steps, SUITE) if groups is None else groups
    unknown = [s for s in steps if s not in of]
    if unknown:
        raise ValueError(f"no group is given for step {', '.join(map(str, unknown))}")
    named: dict[str, list[str]] = {}
    for step, name in of.items():
        if name is not None and step in steps:
            named.setdefault(name, []).append(step)
    everything = [s for s in steps if of[s] is not None]
    return {n: s for n, s in named.items() if n != SUITE} | {SUITE: everything}


def _counts(rows: pd.DataFrame, common: np.ndarray, apart: Sequence[str]) -> pd.DataFrame:
    """Per part of the frame: the measurements that count, the steps that do not."""
    items = rows[[*apart, *measurement_of(rows)]].assign(common=common)
    items = items.drop_duplicates().assign(all="")
    records = []
    for _, part in items.groupby([*apart, "all"], sort=False, dropna=False):
        missing = dict.fromkeys(part.loc[~part["common"], "step"])
        count = {"steps": int(part["common"].sum()), "missing": ", ".join(missing)}
        records.append(part.iloc[0][list(apart)].to_dict() | count)
    return pd.DataFrame.from_records(records, columns=[*apart, "steps", "missing"])


def _floor(
    floor: pd.DataFrame | None, name: str, rows: pd.DataFrame
) -> tuple[pd.DataFrame | None, str]:
    """The floor of a group, its own or that of its steps, and what to say of it."""
    if floor is None or (floor["step"] == name).any():
        return floor, ""
    return floor_of_means(floor, name, rows), _FLOOR_APART


def _noted(table: pd.DataFrame, of_floor: str, left_out: int) -> list[str]:
    """The notes, and what to say of the floor where it is in the interval."""
    in_use = (table["noise"] == "calibrated") | (table["floor_sd"] > 0)
    lacking = f"{left_out} run{'s' * (left_out != 1)} without all steps left out"
    return [
        "; ".join(p for p in (note, of_floor * used, lacking * (left_out > 0)) if p)
        for note, used in zip(table["note"], in_use, strict=True)
    ]


def _added(
    of_steps: pd.DataFrame,
    rows: pd.DataFrame,
    dims: Sequence[str],
    apart: Sequence[str],
    why: str,
) -> pd.DataFrame:
    """A row per me from those of its steps, whose errors are taken as independent."""
    on = [*apart, *measurement_of(rows)]
    common = rows[on].drop_duplicates().assign(common=True)
    marked = of_steps.merge(common, on=on, how="left")
    records = [
        steps.iloc[0].to_dict() | _sum(steps[steps["common"].eq(True)], why)
        for _, steps in marked.groupby(list(dims), sort=False, dropna=False)
    ]
    return pd.DataFrame.from_records(records, columns=of_steps.columns)


def _sum(steps: pd.DataFrame, why: str) -> dict[str, object]:
    if steps.empty:
        nothing = ("relative", "value", "value_base", "se", "df", "run_sd", *DIFFERENCES)
        return dict.fromkeys(nothing, np.nan) | {
            "op": "", "clock": "", "noise": "", "floor_sd": 0.0, "paired": False,
            "note": "no step in common",
        }  # fmt: skip
    k = len(steps)
    means = ("relative", "value", "value_base")
    noises = set(steps["noise"])
    notes = [part for note in steps["note"] for part in note.split("; ") if part]
    subjects = [s for s in ("binary", "version") if s in set(steps["subject"])]
    return {
        **one_unit(steps),
        **{c: np.exp(np.log(steps[c].to_numpy(dtype=float)).mean()) for c in means},
        **{c: np.sqrt((steps[c] ** 2).mean() / k) for c in ("run_sd", "floor_sd")},
        "op": "",
        "clock": "",
        "se": np.sqrt((steps["se"].to_numpy(dtype=float) ** 2).sum()) / k,
        "df": steps["df"].min(),  # no more: moderated steps have theirs in common
        **dict.fromkeys(DIFFERENCES, np.nan),
        "n": int(steps["n"].min()),
        "n_base": int(steps["n_base"].min()),
        "noise": next((w for w in _WEAKEST_FIRST if w in noises), ""),
        "paired": bool(steps["paired"].all()),
        "subject": subjects[0] if subjects else "",
        "note": "; ".join([why, *dict.fromkeys(notes)]),
    }
