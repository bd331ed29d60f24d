"""Why a step's throughput changed: everything that its runs say of it, side by side.

CPU (see ``PARTS``), what else an operation costs, the settings that differ and
the frames of profiles that took more time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.compatible import published_ratio
from benchmath.costs.causes import changed_settings
from benchmath.costs.cpu import RATE, SPLIT, cpu_parts, per_run, split
from benchmath.costs.io import has_metric, main_op
from benchmath.costs.means import mean_differences
from benchmath.frames import (
    Kind,
    MetricFrame,
    dimensions_of,
    measurement_of,
    ordered,
)
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.relative import relative

# In the order of a table: waiting and switching, the device, the log, size, counters.
COSTS = (
    "cs_o", "context_switches_o", "migrations_o", "r_o", "rkb_o", "w_o", "wkb_o",
    "flushes_o", "server_rkb_o", "server_wkb_o", "d_o", "dkb_o", "log_bytes_o",
    "log_r_o", "log_rkb_o", "log_w_o", "log_wkb_o",
    "size_bytes", "minor_faults_o", "major_faults_o", "page_faults_o", "iowait_pct",
    "steal_pct", "instructions_o", "cycles_o", "ipc", "branches_o", "branch_misses_o",
    "cache_misses_o", "dtlb_misses_o", "itlb_misses_o",
)  # fmt: skip
COST_CHANGES = Kind("costs", (
    "unit", "direction", "me", "base", "n", "n_base", "mean", "mean_base", "diff",
    "diff_low", "diff_high", "diff_detected", "relative", "low", "high", "detected",
    "note", "field",
))  # fmt: skip
CostFrame = Annotated[pd.DataFrame, COST_CHANGES]
INSTRUCTIONS = "instructions"  # arm of runs under callgrind
_RATIO = ("relative", "low", "high")
_BY_CALLGRIND = "counted by callgrind in a short run of the step"


@dataclass(frozen=True)
class Explanation:
    """What the machine's side says of each step and compared value.

    split: ``split``. parts: ``cpu_parts``. costs:
    ``costs``. settings: ``changed_settings``. frames: ``explained``,
    the functions that explain the difference; empty without profiles.
    """

    split: pd.DataFrame
    parts: pd.DataFrame
    costs: pd.DataFrame
    settings: pd.DataFrame
    frames: pd.DataFrame = field(default_factory=pd.DataFrame)


def explanation(
    metric: pd.DataFrame,
    runs: pd.DataFrame,
    base: Mapping[str, str],
    frames: pd.DataFrame | None = None,
    aa: pd.DataFrame | None = None,
    counted: pd.DataFrame | None = None,
) -> Explanation:
    """Each compared value against the base, step by step.

    ``metric`` is the long view and ``runs`` has `settings`, as ``collect`` gives both;
    ``frames`` are the frame of ``explained``, ``aa`` and ``counted`` the metric frames of
    A/A runs and of runs whose instructions callgrind counted.
    """
    each = per_run(metric)
    return Explanation(
        split(each, base, aa),
        cpu_parts(each, base),
        costs(metric, base, aa, counted),
        changed_settings(runs, base),
        pd.DataFrame() if frames is None else frames,
    )


def costs(
    metric: MetricFrame,
    base: Mapping[str, str],
    aa: MetricFrame | None = None,
    counted: MetricFrame | None = None,
    names: Sequence[str] = COSTS,
) -> CostFrame:
    """What an operation costs besides CPU, per step and me, as far as it was recorded.

    Columns: the dimensions, step, op, clock, metric, unit, direction, me, base, n,
    n_base; mean, mean_base, diff, diff_low, diff_high, diff_detected (arithmetic means,
    Welch's interval, see ``mean_differences``); relative, low, high, detected (geometric
    means, see ``relative``; NaN where a run of 0 leaves none); field: the ratio of the
    means as the field's relative tables print it, with 2 decimals, `1` where both are 0
    and `inf` where only the base is; note.

    A difference of something that is 0 on one side has an interval, a ratio has not. The
    interval of a difference is that of the trials alone, that of a ratio has in it what
    another build adds, where A/A runs (``aa``) tell. ``counted`` are the runs under
    callgrind, arm `instructions`: their figures stand beside those of counters.
    """
    rows = main_op(metric)
    if counted is not None and len(counted):
        rows = pd.concat([rows, counted], ignore_index=True)
    there = [name for name in names if has_metric(rows, name)]
    if not there:
        return pd.DataFrame(columns=["step", "op", "metric", *COST_CHANGES.columns])
    means = mean_differences(rows[rows["metric"].isin(there)], base)
    short = {"low": "diff_low", "high": "diff_high", "detected": "diff_detected"}
    means = means.rename(columns=short)
    ratios = pd.concat([_ratios(rows, name, base, aa) for name in there])
    keys = [c for c in ratios.columns if c in means.columns]
    table = means.merge(ratios, on=keys, how="left")
    pairs = zip(table["mean"], table["mean_base"], strict=True)
    texts = [published_ratio(m, b) if pd.notna(b) else "" for m, b in pairs]
    table = table.assign(field=np.array(texts, dtype=object), note=_notes(table))
    table = COST_CHANGES.of(table, COST_CHANGES.keys(means))
    return _in_order(table, list(dict.fromkeys(rows["step"])), there)


def of_step(table: pd.DataFrame, step: str, me: str) -> pd.DataFrame:
    """The rows of one step and compared value; all where a table lacks the columns."""
    chosen = pd.Series(True, index=table.index)
    for column, value in (("step", step), ("me", me)):
        if column in table.columns:
            chosen &= table[column].astype(str) == str(value)
    return table[chosen]


def slower(reasons: Explanation, judged: pd.DataFrame | None = None) -> pd.DataFrame:
    """The rows of the split's throughput that regressed.

    By the verdicts of ``judged`` (the frame of ``verdicts``) where it is given, and with
    its ratios, which are those of a page's tables; else where the interval lies below 1.
    """
    rates = reasons.split[reasons.split["part"] == RATE]
    if judged is None:
        below = rates["detected"].fillna(False).astype(bool) & (rates["relative"] < 1)
        return rates[below]
    worse = judged[judged["verdict"] == "regressed"]
    keys = [*SPLIT.keys(rates), "me", "base"]
    keys = [c for c in keys if c in worse.columns]
    worse = worse.drop_duplicates(keys)[[*keys, *_RATIO]]
    return rates.drop(columns=[*_RATIO]).merge(worse, on=keys, how="inner")


def _ratios(
    rows: pd.DataFrame, name: str, base: Mapping[str, str], aa: pd.DataFrame | None
) -> pd.DataFrame:
    """Ratios of one metric with what says which cell they are of."""
    mine = rows[rows["metric"] == name]
    ratios = relative(mine, base, name, floor=_floor(aa, name))
    keys = [*dimensions_of(mine), *measurement_of(mine), "me"]
    return ratios[[*keys, "relative", "low", "high", "detected", "note"]]


def _notes(table: pd.DataFrame) -> pd.Series:
    """What limits a row; instructions under callgrind are those of a short run."""
    note = table["note"].fillna("")
    if "arm" not in table.columns:
        return note
    return note.mask(table["arm"] == INSTRUCTIONS, _BY_CALLGRIND)


def _in_order(table: pd.DataFrame, steps: list[str], names: list[str]) -> pd.DataFrame:
    """Step by step, what is compared, then the metrics as they are listed."""
    orders = {"step": steps, "me": table["me"], "metric": names}
    return ordered(table, orders).reset_index(drop=True)


def _floor(aa: pd.DataFrame | None, name: str) -> pd.DataFrame | None:
    if aa is None or aa.empty or not has_metric(aa, name):
        return None
    return noise_floor(main_op(aa), name)
