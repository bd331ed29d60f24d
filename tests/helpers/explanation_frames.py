"""Metric frames of one step of an engine, with figures known beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

# Of 100 us per insert 60 + 20 are the server's, 8 + 2 the client's, 4 interrupts, 6 left.
SERVER = {
    "machine_cpu_o": 100.0, "server_user_o": 60.0, "server_system_o": 20.0,
    "client_user_o": 8.0, "client_system_o": 2.0, "irq_o": 4.0, "cpu_o": 80.0,
    "client_cpu_o": 10.0,
}  # fmt: skip
EMBEDDED = {
    "machine_cpu_o": 50.0, "client_user_o": 36.0, "client_system_o": 9.0, "irq_o": 1.0,
    "cpu_o": 45.0,
}  # fmt: skip
UNITS = {"cs_o": "switches", "r_o": "reads", "iowait_pct": "%", "steal_pct": "%"}
RATES, COSTS = (0.99, 1.0, 1.01), (1.0, 1.01, 0.99)  # noise of three trials


def version(
    name: str,
    rate: float = 1000.0,
    costs: Mapping[str, float] = SERVER,
    trials: int = 3,
    seconds: float = 60.0,
    **labels: Any,
) -> list[dict[str, Any]]:
    """The rows of some trials of one step of one version."""
    rows = []
    for trial in range(trials):
        values = {"ips": rate * RATES[trial], "elapsed_s": seconds}
        values |= {metric: cost * COSTS[trial] for metric, cost in costs.items()}
        for metric, value in values.items():
            main = metric == "ips"
            rows.append(
                {
                    "machine": "m", "engine": "postgres", "version": name,
                    "build": "gcc -O2", "config": "x", "dop": 1, "step": "l.i1",
                    "op": "insert", "clock": "", "metric": metric, "main": main,
                    "unit": "rows/s" if main else UNITS.get(metric, "us"),
                    "direction": "higher" if main else "lower", "value": value,
                    "trial": trial + 1,
                } | labels
            )  # fmt: skip
            row = rows[-1]
            row["run_id"] = f"{row['engine']}.{name}.{row['dop']}.{trial}"
    return rows


def frame(*versions: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([row for rows in versions for row in rows])


def scaled(costs: Mapping[str, float], **factors: float) -> dict[str, float]:
    """The same costs with some of them multiplied."""
    return {name: cost * factors.get(name, 1.0) for name, cost in costs.items()}


def runs_of(metric: pd.DataFrame, **settings: Mapping[str, Any]) -> pd.DataFrame:
    """The runs of a metric frame with the settings of each version, `v1` for 1."""
    runs = metric.drop_duplicates("run_id")[["run_id", "engine", "version", "machine"]]
    told = [dict(settings.get(f"v{v}", {})) for v in runs["version"]]
    return runs.assign(settings=told).reset_index(drop=True)
