"""Rates of hosts that are instances of server types, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchbook.finding import Finding
from benchbook.templates.servers.analysis import instances_of_servers
from benchbook.templates.servers.finding import servers_finding

Types = Mapping[str, Mapping[str, Sequence[float]]]  # logarithms of rates by instance
NEAR: Types = {"bee": {"bee1": (7.0, 7.01), "bee2": (7.0, 7.02), "bee3": (7.01, 7.02)}}
FAR: Types = {"wasp": {"wasp1": (7.0, 7.01), "wasp2": (7.3, 7.31), "wasp3": (7.8, 7.82)}}
CASES: Mapping[str, Types] = {
    "one type": NEAR,
    "two types": NEAR | FAR,
    "two alike": NEAR | {"wasp": {"wasp1": (7.0, 7.02), "wasp2": (7.02, 7.04)}},
    "one instance each": {"bee": {"bee1": (7.0, 7.1)}, "wasp": {"wasp1": (7.0, 7.1)}},
}


def rows(types: Types, step: str = "l.i0") -> pd.DataFrame:
    """A metric frame of one step."""
    made = [
        {
            "server": server, "machine": host, "machine_id": host, "trial": trial,
            "run_id": f"{host}.{trial}", "engine": "sqlite", "step": step,
            "op": "insert", "clock": "", "metric": "ips", "value": np.exp(log),
            "unit": "rows/s", "direction": "higher", "main": True, "seq": 1,
        }
        for server, hosts in types.items()
        for host, logs in hosts.items()
        for trial, log in enumerate(logs, 1)
    ]  # fmt: skip
    return pd.DataFrame(made)


def finding(types: Types) -> Finding:
    return servers_finding(instances_of_servers(rows(types)))
