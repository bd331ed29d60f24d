"""Frames of made-up engines, as `collect` gives them, with figures known beforehand.

A cell is a dict of engine, version, build, ... and `rate`: its share of each step's rate.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

# step, op of its throughput, rate per second, seconds
STEPS = (
    ("l.i0", "insert", 40_000.0, 12), ("l.x", "index", 200_000.0, 12),
    ("l.i1", "insert", 8_000.0, 12), ("qr100.L1", "query", 5_000.0, 12),
    ("qp100.L2", "query", 6_000.0, 4),
)  # fmt: skip
NOISE = (0.99, 1.0, 1.01)  # of the trials
TARGET = 100.0
METRIC = {
    "insert": "ips",
    "delete": "dps",
    "index": "ips",
    "query": "qps",
    "bytes": "mbps",
}
UNIT = {"query": "queries/s"}
USES = {  # metric: (unit, value for each operation)
    "cpu_o": ("us", 20.0), "client_cpu_o": ("us", 2.0), "machine_cpu_o": ("us", 25.0),
    "cs_o": ("switches", 1.5), "r_o": ("reads", 0.001), "rkb_o": ("KB", 0.01),
    "w_o": ("writes", 0.5), "wkb_o": ("KB", 0.47), "log_bytes_o": ("bytes", 188.0),
}  # fmt: skip
Cell = Mapping[str, Any]
Frames = dict[str, pd.DataFrame]


def cell(version: str, rate: float = 1.0, **more: Any) -> dict[str, Any]:
    """A Postgres of the jars; `more` replaces or adds columns."""
    jar = {"engine": "postgres", "version": version, "build": "gcc 7.5 -Os"}
    jar |= {"build_source": "jar", "build_series": "zonky", "config": "x10a_1g"}
    return jar | {"placement": "same", "rate": rate} | more


def frames(
    cells: Sequence[Cell],
    study: str = "s",
    steps: Sequence[tuple[str, str, float, int]] = STEPS,
    writers: float = TARGET,
    uses: Mapping[str, tuple[str, float]] = USES,
) -> Frames:
    """runs, steps, metric, samples and hists of three trials of each cell.

    ``writers``: the rate that the background writers reach, of 100 a second.
    """
    lists: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("runs", "steps", "metric", "samples", "hists")
    }
    for trial, noise in enumerate(NOISE, 1):
        for number, one in enumerate(cells):
            run = _run(one, study, trial, number, len(cells))
            lists["runs"].append(run | _facts(one))
            for seq, step in enumerate(steps, 1):
                _add_step(lists, run, seq, step, noise * one["rate"], writers, uses)
    made = {name: pd.DataFrame(rows) for name, rows in lists.items()}
    made["instructions"] = _none("run_id", "function", "mnemonic_class", "count")
    made["missing"] = _none("machine", "cell", "trial")
    made["failed"] = _none("machine", "tag", "trial", "reason")
    made["aa"] = pd.DataFrame()
    return made


def _run(one: Cell, study: str, trial: int, number: int, count: int) -> dict[str, Any]:
    facts = ("rate", "build_source", "build_series", "server", "settings")
    dims = {k: v for k, v in one.items() if k not in facts}
    run_id = f"{number}.{trial}"
    return dims | {
        "run_id": run_id, "study": study, "machine": "m", "machine_id": "m0",
        "driver": "ingest", "arm": "main", "dop": 1, "trial": trial,
        "position": (trial - 1) * count + number + 1, "cell_id": f"c{number}",
        "tag": f"{one['engine']}{one['version']}",
    }  # fmt: skip


def _facts(one: Cell) -> dict[str, Any]:
    """What only the frame of runs has."""
    env = {"kernel": "6.1", "cpus": 2, "before": {"load1": 0.1, "steal_ticks": 0}}
    return {
        "build_source": one["build_source"], "build_series": one["build_series"],
        "server": one["engine"] != "sqlite", "compiler_line": "", "flags_used": "",
        "declared_id": "d", "build_no": 1, "load_no": 1, "attempt": 1, "status": "ok",
        "reason": "", "overridden": False, "started": pd.Timestamp("2026-11-22"),
        "elapsed_s": 60.0, "folder": "f", "env": env,
        "settings": dict(one.get("settings", {"fsync": "on"})),
        "spec": json.dumps({"command": ["ingest", "--target", "{server}"]}),
    }  # fmt: skip


def _add_step(
    lists: dict[str, list[dict[str, Any]]],
    run: Mapping[str, Any],
    seq: int,
    step: tuple[str, str, float, int],
    factor: float,
    writers: float,
    uses: Mapping[str, tuple[str, float]],
) -> None:
    name, op, usual, seconds = step
    ops = [(op, usual * factor, 0.0)]
    if op == "query":
        ops += [("insert", writers, TARGET), ("delete", writers, TARGET)]
    if name in ("l.i1", "l.i2"):
        ops += [("delete", usual * factor, 0.0)]
    for place, (one, rate, target) in enumerate(ops):
        at = {"step": name, "seq": seq, "op": one}
        ns = seconds * 10**9
        lists["steps"].append(
            dict(run) | at | {
                "main": place == 0, "ops": int(rate * seconds), "elapsed_ns": ns,
                "rows": int(rate * seconds), "start_ns": seq * ns,
            }
        )  # fmt: skip
        values = {METRIC[one]: (UNIT.get(one, "rows/s"), rate, "higher")}
        if target:
            kind = "target_dps" if one == "delete" else "target_ips"
            values[kind] = ("rows/s", target, "none")
            values["sla"] = ("ratio", rate / target, "higher")
        if place == 0:
            values |= {m: (u, v / factor, "lower") for m, (u, v) in uses.items()}
            values["size_bytes"] = ("bytes", 64.0 * 2**20, "lower")
            values["folder_bytes"] = ("bytes", 128.0 * 2**20, "lower")
        for metric, (unit, value, direction) in values.items():
            measured = {"metric": metric, "clock": "", "value": value, "unit": unit}
            measured |= {"direction": direction, "main": metric == METRIC[one]}
            measured["main"] = measured["main"] and place == 0
            row = {k: v for k, v in run.items() if k not in ("study", "driver")}
            row |= {"set": run["study"], "origin": "derived", "source": "f"}
            lists["metric"].append(row | at | measured)
        identity = ("study", "tag", "trial", "machine", "engine", "version", "build")
        known = {k: v for k, v in run.items() if k in identity or k in _DIMS}
        sampled = {"run_id": run["run_id"], "step": name, "op": one}
        for second in range(1, seconds + 1):
            lists["samples"].append(
                sampled | known | {
                    "t_ns": seq * ns + second * 10**9, "interval_ns": 10**9,
                    "second": float(second), "ops": int(rate), "rows": int(rate),
                    "max_ns": 10**6, "clients": [int(rate)],
                }
            )  # fmt: skip
        clocks = ("actual", "intended") if target else ("actual",)
        for clock in clocks:
            for bucket, count in ((1200, 90), (1700, 9), (2200, 1)):
                hist = {"clock": clock, "unit": "ns", "sub_bits": 7, "bucket": bucket}
                lists["hists"].append(sampled | known | hist | {"count": count})


_DIMS = ("config", "arm", "dop", "placement", "memory", "compiler", "flags", "prepare")


def _none(*columns: str) -> pd.DataFrame:
    return pd.DataFrame(columns=list(columns))
