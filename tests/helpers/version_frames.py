"""Metric frames of several versions, as small literals."""

import numpy as np
import pandas as pd

ROW = {
    "machine": "m1", "engine": "mysql", "version": "1", "build": "", "config": "c",
    "dop": "1", "step": "scan", "op": "query", "main": True, "clock": "",
    "metric": "qps", "unit": "queries/s", "direction": "higher",
}  # fmt: skip
# Eight runs or versions without trend: what 1% of noise looks like.
WOBBLE = (1.004, 0.996, 1.007, 0.994, 1.002, 0.991, 1.009, 0.998)


def versions(levels, runs=3, **changed):
    """Rows of one test: a version per level, with so many wobbling runs."""
    wobble = np.resize(WOBBLE, len(levels) * runs).reshape(len(levels), runs)
    rows = [
        {"version": str(i + 1), "value": float(level * w), "trial": t + 1}
        for i, level in enumerate(levels)
        for t, w in enumerate(wobble[i])
    ]
    name = " ".join(map(str, changed.values()))
    return [
        ROW | row | changed | {"run_id": f"{name} v{row['version']} t{row['trial']}"}
        for row in rows
    ]


def frame(*tests):
    return pd.DataFrame([row for rows in tests for row in rows])
