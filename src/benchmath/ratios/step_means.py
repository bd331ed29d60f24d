"""Means over the steps of a run: a metric frame whose steps are groups of steps."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmath.frames import MEASUREMENT, measurement_of
from benchmath.ratios.cells import codes, logs
from benchmath.ratios.standard_errors import MATCHED

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
