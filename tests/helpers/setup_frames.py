"""Setups of runs with a CoV known beforehand."""

from __future__ import annotations

import pandas as pd

from benchbook.findings.setups import steadiest_finding
from benchmath.variation.cov import coefficient_of_variation
from benchmath.variation.setups import (
    kept_limits,
    pooled_setups,
    runs_of_setups,
    setup_cov,
)


def runs(machine, percent, step="fillseq", workload="byrx", dop="1", **columns):
    """Three runs with a CoV (n - 1) of so many percent."""
    row = {
        "machine": machine, "workload": workload, "dop": dop, "step": step, "op": "query",
        "engine": "rocksdb", "metric": "ops_sec", "main": True, "unit": "ops/s",
        "direction": "higher",
    } | columns  # fmt: skip
    values = [100 - percent, 100.0, 100 + percent]
    return pd.DataFrame(
        [row | {"trial": i + 1, "value": v} for i, v in enumerate(values)]
    )


def cov_of(*parts):
    return coefficient_of_variation(pd.concat(parts, ignore_index=True))


def published(*rows):
    columns = ["workload", "machine", "dop", "metric", "value"]
    return pd.DataFrame(rows, columns=columns)


TWO = cov_of(
    runs("m", 1), runs("m", 4, "readrandom"), runs("m", 2, workload="iobuf"),
    runs("m", 2, "readrandom", "iobuf"),
)  # fmt: skip


def pairs():
    """ht1 has twice, then eight times the CoV of ht0; c has no partner."""
    return cov_of(
        runs("a.ht0", 1), runs("a.ht1", 2), runs("b.ht0", 1), runs("b.ht1", 8),
        runs("c.ht1", 9), runs("b.ht1", 9, dop="2"),
    )  # fmt: skip


def of_machine():
    """Cached with one client 1%, with two 4%; one step twice as steady as the other."""
    parts = [
        runs("m", percent / half, step, dop=dop)
        for dop, percent in (("1", 1), ("2", 4))
        for step, half in (("fillseq", 2), ("readrandom", 1))
    ]
    return pd.concat(parts, ignore_index=True)


def steadiest(limit=0.03):
    """The sentences on these setups, and their frames."""
    frame = of_machine()
    cov = coefficient_of_variation(frame, limit=limit)
    setups = kept_limits(setup_cov(cov), limit)
    pooled = pooled_setups(frame, limit, by=["workload", "dop"])
    return steadiest_finding(setups, pooled, runs_of_setups(frame), 0.05), setups
