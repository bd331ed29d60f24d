"""A study over numbers of clients: its scalability laws, its rates and efficiencies."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from benchbook.analysis.ratios.relative import relative, summary
from benchbook.analysis.scaling import EfficiencyFrame, ScalingFrame, efficiency, scaling
from benchbook.results.drift import mapping_of
from benchbook.results.engines import CLEANUP
from benchbook.results.results import Results

ONE = {"dop": "1"}


def scaling_laws(results: Results) -> ScalingFrame:
    """``analysis.scaling`` of all steps but cleanup, with the CPUs of each run."""
    return scaling(_rates(results), cpus_of(results.runs))


def efficiency_by_clients(results: Results) -> EfficiencyFrame:
    """``analysis.scaling.efficiency`` of the study; of rates alone without one client."""
    rows = _rates(results)
    rates = summary(rows)
    if not (rows["dop"].astype(str) == ONE["dop"]).any():
        return efficiency(rates.assign(relative=float("nan")), rates)
    same = {k: str(v) for k, v in results.base.items()} == ONE
    turns = results.turn_ratios if same else None
    return efficiency(relative(rows, ONE, floor=results.floor(), turns=turns), rates)


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


def _rates(results: Results) -> pd.DataFrame:
    return results.metric[results.metric["step"] != CLEANUP]
