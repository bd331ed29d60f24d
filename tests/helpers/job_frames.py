"""Runs of db_bench by background jobs and clients, as rows of the view `metric`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

BASE = {"max_background_jobs": "2"}
JOBS, CLIENTS = "max_background_jobs", "dop"


def runs(
    gains: Mapping[str, float],
    dops: Sequence[int] = (1, 2, 4, 8),
    noise: float = 0.003,
    trials: int = 3,
    step: str = "overwrite",
    without: Sequence[tuple[str, int]] = (),
) -> pd.DataFrame:
    """Seeded rates in rounds: ``gains`` by number of jobs, times the root of the clients.

    ``without`` names (jobs, clients) that nobody has run.
    """
    random = np.random.default_rng(1)
    op = "insert" if step == "overwrite" else "query"
    rows, position = [], 0
    for trial in range(1, trials + 1):
        for dop in dops:
            for jobs, gain in gains.items():
                position += 1
                rate = 1000 * np.sqrt(dop) * gain * np.exp(noise * random.normal())
                rows.append({
                    "set": "s", "machine": "m", "machine_id": "i", "engine": "rocksdb",
                    "version": "9.10.0", "dop": dop, JOBS: jobs, "step": step, "op": op,
                    "main": True, "clock": "", "metric": "ips", "unit": "rows/s",
                    "direction": "higher", "value": rate, "trial": trial,
                    "run_id": f"{jobs} {dop} {trial}", "position": position,
                })  # fmt: skip
    frame = pd.DataFrame(rows)
    for jobs, dop in without:
        frame = frame[(frame[JOBS] != jobs) | (frame["dop"] != dop)]
    return frame.reset_index(drop=True)
