"""Geometric means of relative throughput over the steps of a group or a whole suite.

Only steps that every compared cell has count. Steps of one run share its luck, so their
errors do not average out: where the runs hold all steps, the mean of the logarithms over
the steps of a run is taken as the measurement, and what ``relative`` does for a step is
done for it. Groups are not moderated over each other: they are made of the same runs.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

import numpy as np
import pandas as pd

from benchmath.frames import (
    MEASUREMENT,
    MetricFrame,
    cells_of,
    check_base,
    dimensions_of,
    measurement_of,
    select,
    tied_labels,
)
from benchmath.intervals import LEVEL
from benchmath.ratios.cells import codes, logs
from benchmath.ratios.differences import DIFFERENCES
from benchmath.ratios.relative import RATIOS, judged, relative
from benchmath.ratios.shared import shared_by_steps
from benchmath.ratios.standard_errors import MATCHED

SUITE = "suite"
SUITE_RATIOS = RATIOS.extended("suite", "steps", "missing", "group")
SuiteFrame = Annotated[pd.DataFrame, SUITE_RATIOS]
_WEAKEST_FIRST = ("", "assumed", "calibrated", "own", "pooled", "turns")
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
    loads: pd.DataFrame | None = None,
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

    With ``turns``, the frame of ``turn_ratios``, they are added too, and so is what the
    steps of a load share (``shared_by_steps``), estimated from ``loads``, the frame of
    ``session_ratios``: the variance of the mean over steps from load to load is the whole
    where it is above the sum, with the degrees of freedom of its loads. Below it chance
    made it so, and the sum stands. Without three loads of all steps, as independent.

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
            if loads is not None and not lacking:
                table = _with_shared(table, loads, mine[common], dims)
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


def _with_shared(
    table: pd.DataFrame, loads: pd.DataFrame, rows: pd.DataFrame, dims: Sequence[str]
) -> pd.DataFrame:
    """The sums over steps, and what the steps of a load share."""
    steps = rows[["step", "op"]].drop_duplicates()
    shared = shared_by_steps(loads.merge(steps, on=["step", "op"]), dims)
    in_turns = table["noise"] == "turns"
    if shared is None:
        return table
    sums, whole = table["se"] ** 2, shared.of_mean / shared.loads
    var = sums + shared.beyond / shared.loads
    more = in_turns & (var > sums)
    df = np.minimum(shared.df * (var / whole) ** 2, table["df"])
    said = f"what steps share is that of {shared.loads} loads"
    return table.assign(
        se=np.sqrt(var.where(more, sums)),
        df=df.where(more, table["df"]),
        note=table["note"].where(
            ~in_turns, table["note"].str.replace(_STEPS_APART, said, regex=False)
        ),
    )


_REPEATED = ("set", "origin", "machine_id", "trial", "build_no", "load_no")
_UNITS = (("run_id",), ("trial", "build_no", "load_no"))


def in_common(
    rows: pd.DataFrame, dims: Sequence[str], apart: Sequence[str]
) -> np.ndarray:
    """True for the rows of measurements that every cell they are compared with has.

    ``dims`` tell cells apart, those equal in ``apart`` are compared. A measurement with a
    run of 0 has no ratio and is not common.
    """
    numbers = pd.DataFrame(
        {
            "part": codes(rows, apart),
            "item": codes(rows, [*apart, *measurement_of(rows)]),
            "cell": codes(rows, dims),
        }
    )
    cells = numbers.groupby("part")["cell"].nunique().to_numpy()
    have = numbers.groupby("item")["cell"].nunique().to_numpy()
    zeros = np.bincount(numbers["item"], rows["value"].to_numpy(dtype=float) <= 0)
    everywhere = have[numbers["item"]] == cells[numbers["part"]]
    return everywhere & (zeros[numbers["item"]] == 0)


class StepMeans(NamedTuple):
    """A metric frame of means over steps, and how many runs were left out of it."""

    frame: pd.DataFrame
    left_out: int


def step_means(
    rows: pd.DataFrame, name: str, metric: str, dims: Sequence[str]
) -> StepMeans | None:
    """One value per run over all its steps: the geometric mean.

    Where runs hold one step each but the trials all steps, one value per trial. Runs or
    trials that lack a step are left out; None if a cell has no others. The frame has
    ``name`` as step, empty op and clock, and the unit and direction that all rows have.
    """
    item, cell = codes(rows, measurement_of(rows)), codes(rows, dims)
    numbers = pd.DataFrame({"cell": cell, "item": item})
    items = numbers.groupby("cell")["item"].nunique().to_numpy()[cell]
    for columns in _UNITS:
        keys = [c for c in columns if c in rows.columns]
        if rows.empty or columns[0] not in keys:
            continue
        unit = codes(rows, [*dims, *keys])
        twice = numbers.assign(unit=unit).duplicated().any()
        whole = np.bincount(unit)[unit] == items
        if not twice and np.unique(cell[whole]).size == np.unique(cell).size:
            fixed = {"step": name, "op": "", "clock": "", "metric": metric, "main": True}
            means = _means(rows[whole], unit[whole], dims)
            left_out = np.unique(unit).size - len(means)
            return StepMeans(means.assign(**fixed, **one_unit(rows)), left_out)
    return None


def one_unit(rows: pd.DataFrame) -> dict[str, str]:
    """The unit and the direction that all rows have: "" and none where they differ."""
    values = {c: rows[c].unique() for c in ("unit", "direction")}
    unknown = {"unit": "", "direction": "none"}
    return {c: v[0] if len(v) == 1 else unknown[c] for c, v in values.items()}


def oriented(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows, where higher is better in some and lower in others, as ``better``.

    A mean over both would cancel: there the inverse of what is better lower is taken, so
    that a ratio above 1 is better in every row.
    """
    directions = rows["direction"]
    if set(directions) != {"higher", "lower"}:
        return rows
    inverse = 1 / rows["value"].where(rows["value"] > 0)
    value = rows["value"].where(directions == "higher", inverse.fillna(0.0))
    return rows.assign(value=value, unit="", direction="higher")


def floor_of_means(floor: pd.DataFrame, name: str, rows: pd.DataFrame) -> pd.DataFrame:
    """The noise floor of the mean over these steps, as if they were independent.

    ``rows`` are those of the steps; a floor that lacks one of them says nothing. The
    result has ``name`` as step. Degrees of freedom are Satterthwaite's.
    """
    on = [c for c in MEASUREMENT if c in floor.columns and c in rows.columns]
    measurements = rows[on].drop_duplicates()
    keys = [c for c in MATCHED if c in floor.columns and c not in MEASUREMENT]
    floors = floor.merge(measurements, on=on)
    records = [
        dict(zip(keys, labels, strict=True)) | _mean_floor(steps)
        for labels, steps in floors.groupby(keys, sort=False, dropna=False)
        if len(steps) == len(measurements)
    ]
    return pd.DataFrame.from_records(
        records, columns=[*keys, *_mean_floor(floors)]
    ).assign(step=name)


def _means(rows: pd.DataFrame, unit: np.ndarray, dims: Sequence[str]) -> pd.DataFrame:
    grouped = rows.assign(unit_no=unit, log=logs(rows)).groupby("unit_no", sort=False)
    labels = [c for c in (*dims, *_REPEATED) if c in rows.columns]
    first = np.flatnonzero(~pd.Series(unit).duplicated().to_numpy())
    means = rows.iloc[first][labels].reset_index(drop=True)
    if "position" in rows.columns:
        means["position"] = grouped["position"].min().to_numpy()
    return means.assign(value=np.exp(grouped["log"].mean().to_numpy()))


def _mean_floor(steps: pd.DataFrame) -> dict[str, float]:
    mean = {}
    for source in ("run", "build", "load"):
        if f"{source}_sd" in steps.columns:
            var = steps[f"{source}_sd"].to_numpy(dtype=float) ** 2
            total = var.sum()
            with np.errstate(divide="ignore", invalid="ignore"):
                df = total**2 / (var**2 / steps[f"{source}_df"].to_numpy(float)).sum()
            mean[f"{source}_sd"] = np.sqrt(total) / max(len(steps), 1)
            mean[f"{source}_df"] = df
    return mean
