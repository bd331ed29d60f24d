"""Spread within a run, spread between runs, and drift along the order of runs.

The two spreads answer different questions and are kept apart. Seconds of one run
follow each other: a slow second is followed by a slow one, so n seconds say less than
n independent values would. ``n_effective`` is what they are worth.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind, MetricFrame, cells_of, require, row_per_group, select
from benchmath.intervals import LEVEL, slope_interval
from benchmath.variation.cov import coefficient_of_variation

SPREAD = Kind("spread", (
    "unit", "n", "between", "between_low", "between_high", "within", "seconds",
    "n_effective", "expected_between", "note",
))  # fmt: skip
SpreadFrame = Annotated[pd.DataFrame, SPREAD]
DEVIATIONS = Kind("deviations", ("run_id", "position", "deviation_pct", "log_deviation"))
DeviationFrame = Annotated[pd.DataFrame, DEVIATIONS]
ROW_OPS = ("insert", "delete", "index", "scan")
_WHOLE = 0.95  # a sample shorter than this share of the usual one is a partial second


def rates(samples: pd.DataFrame) -> pd.DataFrame:
    """Per-second rates of the samples, without a partial first and last second.

    Needs run_id, step, op, t_ns, interval_ns, ops, rows. Adds rate and unit: rows/s
    for insert, delete, index and scan, queries/s for query, ops/s otherwise.
    """
    keys = ["run_id", "step", "op"]
    require(samples, (*keys, "t_ns", "interval_ns", "ops", "rows"))
    ordered = samples.sort_values("t_ns", kind="stable")
    grouped = ordered.groupby(keys, sort=False)
    usual = grouped["interval_ns"].transform("median")
    at_end = (grouped.cumcount() == 0) | (grouped.cumcount(ascending=False) == 0)
    whole = ordered[~(at_end & (ordered["interval_ns"] < _WHOLE * usual))]
    counts_rows = whole["op"].isin(ROW_OPS)
    amount = whole["rows"].where(counts_rows, whole["ops"]).to_numpy(dtype=float)
    units = np.where(whole["op"] == "query", "queries/s", "ops/s")
    return whole.assign(
        rate=amount / (whole["interval_ns"].to_numpy(dtype=float) / 1e9),
        unit=np.where(counts_rows, "rows/s", units),
    )


def within_runs(samples: pd.DataFrame) -> pd.DataFrame:
    """CoV (n-1) of the per-second rates of each run, step and op.

    Columns: run_id, step, op, unit, n (seconds), mean, cov, autocorrelation (of
    neighbouring seconds), n_effective, note. Two seconds are the least; the
    autocorrelation needs four.
    """
    columns = ["n", "mean", "cov", "autocorrelation", "n_effective", "note"]
    by = ["run_id", "step", "op", "unit"]
    return row_per_group(rates(samples), by, _within, columns)


def spread(
    samples: pd.DataFrame,
    frame: MetricFrame,
    dimensions: Sequence[str] | None = None,
) -> SpreadFrame:
    """Within-run and between-run spread of throughput side by side, per cell.

    Columns: the dimensions, step, op, clock, metric, unit, n (runs), between,
    between_low, between_high (CoV over runs with interval), within (median over the
    runs of the CoV of seconds), seconds and n_effective (medians), expected_between
    (the CoV over runs if the seconds' noise were all: within / sqrt(n_effective)),
    note.
    """
    rows = select(frame)
    require(rows, ("run_id", "op"))
    between = coefficient_of_variation(rows, dimensions=dimensions)
    keys = cells_of(rows, dimensions)
    inside = rows.merge(
        within_runs(samples).drop(columns="unit"), on=["run_id", "step", "op"]
    )
    medians = inside.groupby(keys, dropna=False, sort=False).agg(
        within=("cov", "median"),
        seconds=("n", "median"),
        n_effective=("n_effective", "median"),
    )
    names = {"cov": "between", "low": "between_low", "high": "between_high"}
    table = between.rename(columns=names).merge(
        medians.reset_index(), on=keys, how="left"
    )
    table = table.astype({"within": float, "n_effective": float})
    table["expected_between"] = table["within"] / np.sqrt(table["n_effective"])
    table["note"] = np.where(table["seconds"].isna(), "no samples", "")
    return SPREAD.of(table, keys)


def deviations(
    frame: MetricFrame,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
) -> DeviationFrame:
    """Each run's value over its cell's geometric mean, with the run's position.

    Columns: the dimensions, step, op, clock, metric, run_id, position, deviation_pct
    and log_deviation. Cells with one run, or with a run of 0, have no deviation
    and are left out.
    """
    rows = select(frame, metric)
    require(rows, ("run_id", "position"))
    keys = cells_of(rows, dimensions)
    grouped = rows.groupby(keys, dropna=False, sort=False)["value"]
    rows = rows[(grouped.transform("size") > 1) & (grouped.transform("min") > 0)]
    rows = rows.assign(log=np.log(rows["value"].to_numpy(dtype=float)))
    means = rows.groupby(keys, dropna=False, sort=False)["log"].transform("mean")
    rows = rows.assign(log_deviation=rows["log"] - means)
    rows = rows.assign(deviation_pct=100 * np.expm1(rows["log_deviation"]))
    return DEVIATIONS.of(rows, keys)


def drift(
    frame: pd.DataFrame,
    metric: str = "throughput",
    dimensions: Sequence[str] | None = None,
    by: Sequence[str] = ("machine", "step"),
    level: float = LEVEL,
) -> pd.DataFrame:
    """Trend of a metric over the position of the run, per machine and step.

    Cells keep their own level (their mean is taken out), so cells of one step add up
    to one slope. Columns: ``by``, n (runs), cells, slope_pct, low, high (% per
    position), positions (distance from first to last run), change_pct (slope over that
    distance), detected (interval without 0), note.
    """
    moved = deviations(frame, metric, dimensions)
    keys = DEVIATIONS.keys(moved)
    columns = ["n", "cells", "slope_pct", "low", "high", "positions", "change_pct"]
    columns += ["detected", "note"]
    table = row_per_group(moved, by, lambda runs: _trend(runs, keys, level), columns)
    return table.astype({"detected": "boolean"})


def _within(run: pd.DataFrame) -> dict[str, object]:
    values = run["rate"].to_numpy(dtype=float)
    n, mean = values.size, values.mean()
    cov = values.std(ddof=1) / mean if n > 1 and mean > 0 else np.nan
    centred = values - mean
    power = float(centred @ centred)
    correlation = np.nan
    if n >= 4 and power > 0:
        correlation = float(centred[1:] @ centred[:-1]) / power
    rho = max(correlation, 0.0) if np.isfinite(correlation) else 0.0
    effective = max(1.0, n * (1 - rho) / (1 + rho))
    note = ""
    if n < 4:
        note = f"{n} second{'s' * (n != 1)}: too few to judge"
    elif effective < n / 2:
        note = f"autocorrelated: {n} seconds are worth {effective:.0f}"
    return {
        "n": n,
        "mean": mean,
        "cov": cov,
        "autocorrelation": correlation,
        "n_effective": effective,
        "note": note,
    }


def _trend(runs: pd.DataFrame, keys: list[str], level: float) -> dict[str, object]:
    cells = runs.groupby(keys, dropna=False, sort=False)
    positions = runs["position"] - cells["position"].transform("mean")
    slope = slope_interval(positions, runs["log_deviation"], cells.ngroups, level)
    distance = int(runs["position"].max() - runs["position"].min())
    low, high = float(slope.low), float(slope.high)
    has_interval = np.isfinite(low)
    return {
        "n": len(runs),
        "cells": cells.ngroups,
        "slope_pct": 100 * np.expm1(float(slope.estimate)),
        "low": 100 * np.expm1(low),
        "high": 100 * np.expm1(high),
        "positions": distance,
        "change_pct": 100 * np.expm1(float(slope.estimate) * distance),
        "detected": bool(low > 0 or high < 0) if has_interval else pd.NA,
        "note": "" if has_interval else f"{len(runs)} runs: no interval",
    }
