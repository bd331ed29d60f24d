"""A study over numbers of clients: its scalability laws, its rates and efficiencies."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from benchbook.results.drift import mapping_of
from benchbook.results.results import Results
from benchbook.views.workloads import step_groups
from benchmath.hazards.premises import UNRATED
from benchmath.ratios.relative import relative, summary
from benchmath.ratios.suite import SUITE_RATIOS, SuiteFrame, suite
from benchmath.scaling import EfficiencyFrame, ScalingFrame, efficiency, scaling

ONE = {"dop": "1"}


def scaling_laws(results: Results) -> ScalingFrame:
    """``scaling`` of all steps but cleanup, with the CPUs of each run."""
    return scaling(_rates(results), cpus_of(results.runs))


def efficiency_by_clients(results: Results) -> EfficiencyFrame:
    """``efficiency`` of the study; of rates alone without one client."""
    rows = _rates(results)
    rates = summary(rows)
    if not (rows["dop"].astype(str) == ONE["dop"]).any():
        return efficiency(rates.assign(relative=float("nan")), rates)
    same = {k: str(v) for k, v in results.base.items()} == ONE
    turns = results.turn_ratios if same else None
    return efficiency(relative(rows, ONE, floor=results.floor(), turns=turns), rates)


def more_cpus(results: Results) -> SuiteFrame:
    """What more CPUs bring each number of clients: over the placement that has fewest.

    The frame of ``suite`` with a row per step, placement and dop, and one of the
    geometric mean of the steps; with columns cpus and cpus_base. Empty where the runs
    have one placement or do not say their CPUs.
    """
    rows, counts = _rates(results), cpus_of(results.runs)
    cpus = rows["run_id"].astype(str).map(counts).groupby(rows["placement"]).agg(_same)
    if len(cpus) < 2 or cpus.isna().any() or cpus.nunique() < 2:
        return pd.DataFrame(columns=[*SUITE_RATIOS.columns, "cpus", "cpus_base"])
    base = str(cpus.idxmin())
    single = {step: step for step in dict.fromkeys(rows["step"])}
    table = suite(rows, {"placement": base}, single, floor=results.floor())
    table = table[table["placement"] != base].reset_index(drop=True)
    return table.assign(cpus=table["placement"].map(cpus), cpus_base=cpus[base])


def cpus_of(runs: pd.DataFrame) -> dict[str, int]:
    """How many CPUs client and server of each run might use together, by run_id."""
    counts = {}
    for run in runs.to_dict("records"):
        spec, env = mapping_of(_read(run.get("spec"))), mapping_of(run.get("env"))
        placed = [str(spec.get(key) or "") for key in ("cpus", "server_cpus")]
        cpus = set().union(*map(listed_cpus, placed))
        count = len(cpus or listed_cpus(str(env.get("cpus_allowed") or "")))
        if count:
            counts[str(run["run_id"])] = count
    return counts


def listed_cpus(text: str) -> set[int]:
    """`0,2-3` as numbers."""
    ends = [part.split("-") for part in text.split(",") if part]
    return {cpu for end in ends for cpu in range(int(end[0]), int(end[-1]) + 1)}


def _read(spec: Any) -> Any:
    return json.loads(spec) if isinstance(spec, str) else spec


def _same(counts: pd.Series) -> float:
    """What all runs have; NaN where they differ or do not say."""
    values = set(counts)
    return float(values.pop()) if len(values) == 1 else float("nan")


def _rates(results: Results) -> pd.DataFrame:
    """Of the steps whose rate is a result: of a workload's not what loads or cleans."""
    rows = results.metric[~results.metric["step"].isin(UNRATED)]
    if results.study.workload is None:
        return rows
    return rows[rows["step"].isin(list(step_groups(results)))].reset_index(drop=True)
