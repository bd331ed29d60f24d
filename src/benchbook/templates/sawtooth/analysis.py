"""A study of the seconds of steps that write: cycles, the tree beside them, stalls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchbook.results.results import Results
from benchbook.views.lsm import cases_of
from benchbook.views.machine import stalls_of
from benchmath.changes.changepoints import shifts
from benchmath.frames import Kind
from benchmath.lsm.activity import activity, beside_rate
from benchmath.variation.oscillation import (
    ALPHA,
    LEAST,
    cycle_of,
    oscillations,
)
from benchmath.variation.spread import rates

_CYCLES = Kind("cases of sawtooth", {
    "n": "runs", "seconds": "s", "p": "", "q": "", "period_s": "s", "period_low": "s",
    "period_high": "s", "depth": "of the mean", "depth_low": "of the mean",
    "depth_high": "of the mean", "rise": "of the period", "rise_low": "of the period",
    "rise_high": "of the period", "findable": "of the mean",
}, {
    "n": "runs", "period_s": "period", "period_low": "low", "period_high": "high",
    "depth_low": "low", "depth_high": "high", "rise_low": "low", "rise_high": "high",
    "findable": "would be found",
})  # fmt: skip
_RUNS = Kind("runs of sawtooth", {
    "seconds": "s", "mean": "rows/s", "p": "", "period_s": "s", "depth": "of the mean",
    "rise": "of the period", "slow_s": "s", "stalled_s": "s",
    "stall_pct": "% of the step", "level_shifts": "count",
}, {
    "period_s": "period", "slow_s": "under half the median",
    "stalled_s": "under a tenth", "stall_pct": "stalled, by RocksDB",
    "cause": "most often by", "level_shifts": "level shifts",
})  # fmt: skip
_BESIDE = Kind("beside_rate", {
    "n": "runs", "correlation": "ranks", "correlation_low": "ranks",
    "correlation_high": "ranks", "ratio": "", "ratio_low": "", "ratio_high": "",
}, {
    "n": "runs", "correlation_low": "low", "correlation_high": "high",
    "ratio": "rate while compacting", "ratio_low": "low", "ratio_high": "high",
})  # fmt: skip


@dataclass(frozen=True)
class Sawtooth:
    """The rates of a study's steps over time, and what goes with them.

    cases: a row per case and step, whether it goes up and down. runs: a row per run;
    shown: the same with trials in place of ids. files: cases of the number of files of
    L0, tested alike. beside: how the rate goes with these files and their compactions.
    stalls: per case. seconds: rate, files of L0
    and compactions of each second; rates: what is drawn.
    """

    cases: pd.DataFrame
    runs: pd.DataFrame
    shown: pd.DataFrame
    files: pd.DataFrame
    beside: pd.DataFrame
    stalls: pd.DataFrame
    seconds: pd.DataFrame
    rates: pd.DataFrame


def sawtooth(results: Results) -> Sawtooth:
    """Cycles of the main ops of all steps that write for 30 seconds or more."""
    series = _series(results)
    found = oscillations(series)
    seconds = activity(series, results.lsm_jobs)
    of_files = seconds.dropna(subset=["l0_files"])
    stalls = stalls_of(results).merge(
        series[["run_id", "step", "case"]].drop_duplicates(), on=["run_id", "step"]
    )
    runs = found.runs.merge(
        stalls[["run_id", "step", "stalled_s", "stall_pct", "cause"]],
        on=["run_id", "step"], how="left",
    )  # fmt: skip
    counts = _level_shifts(series, runs)
    runs["level_shifts"] = [
        counts[key] for key in zip(runs["run_id"], runs["step"], strict=True)
    ]
    return Sawtooth(
        cases=_CYCLES.shown(found.cases),
        runs=runs,
        shown=_RUNS.shown(_shown(runs, results)),
        files=oscillations(of_files.assign(rate=of_files["l0_files"])).cases,
        beside=_BESIDE.shown(beside_rate(of_files)),
        stalls=_stalls(stalls),
        seconds=seconds.assign(trial=seconds["run_id"].map(_panels(results))),
        rates=series,
    )


def _series(results: Results) -> pd.DataFrame:
    """Rates with case and panel, of the steps that write and are long enough."""
    steps = results.steps[results.steps["main"].astype(bool)]
    writes = steps.loc[steps["op"] == "insert", ["run_id", "step"]].drop_duplicates()
    seconds = rates(results.main_samples.merge(writes, on=["run_id", "step"]))
    long = seconds.groupby(["run_id", "step"])["t_ns"].transform("size") >= LEAST
    cases = cases_of(results)[["run_id", "case"]]
    series = cases.merge(seconds[long], on="run_id")  # in the order of the cases
    return series.assign(run=series["run_id"].map(_panels(results)))


def _shown(runs: pd.DataFrame, results: Results) -> pd.DataFrame:
    trials = results.runs.set_index("run_id")["trial"].astype(str)
    table = runs.assign(trial=runs["run_id"].map(trials))
    names = [
        c for c in table.columns if c not in ("run_id", "op", "trial", "case", "step")
    ]
    return table[["case", "step", "trial", *names]]


def _panels(results: Results) -> dict[str, str]:
    """`max_background_jobs=2, trial 1` by run_id."""
    cases = cases_of(results)
    names = cases["case"] + ", trial " + cases["trial"].astype(str)
    return dict(zip(cases["run_id"], names, strict=True))


def _level_shifts(series: pd.DataFrame, runs: pd.DataFrame) -> dict[tuple[str, str], int]:
    """How often the level of each run changes once its cycle is taken off."""
    period = runs.set_index(["run_id", "step"])["period_s"].to_dict()
    counts = {}
    for key, run in series.groupby(["run_id", "step"], sort=False):
        rate = run["rate"].to_numpy(dtype=float)
        length = float(run["interval_ns"].median()) / 1e9
        if not np.isnan(period.get(key, np.nan)):
            rate = rate - cycle_of(rate, period[key] / length)
        counts[key] = len([s for s in shifts(rate) if s.p <= ALPHA])
    return counts


def _stalls(stalls: pd.DataFrame) -> pd.DataFrame:
    """Per case and step: mean, least and most percent stalled, and the causes."""
    grouped = stalls.groupby(["case", "step"], sort=False)
    table = grouped.agg(
        n=("run_id", "size"), value=("stall_pct", "mean"), low=("stall_pct", "min"),
        high=("stall_pct", "max"), still_s=("stalled_s", "sum"),
        cause=("cause", lambda c: " or ".join(sorted({str(v) for v in c.dropna()}))),
    )  # fmt: skip
    return table.reset_index()
