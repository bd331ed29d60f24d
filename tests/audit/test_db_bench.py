"""Runs and ratios of a driver that has workloads and a clock of its own."""

import pandas as pd
import pytest

from benchbook.audit.bookkeeping import run_contradictions
from benchbook.audit.ratios import ratio_contradictions

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("driver", "elapsed", "dop", "found"),
    [
        ("db_bench", 2_000_000_000, 1, 0),  # within what was timed around it
        ("db_bench", 3_050_000_000, 2, 0),  # seen 50 ms late to have begun
        ("db_bench", 4_000_000_000, 2, 2),
        ("ingest", 2_000_000_000, 2, 2),
        ("ingest", 3_000_000_000, 1, 2),  # a step has the clients of its run
    ],
)
def test_db_bench_has_its_own_clock_and_steps_of_one_client(driver, elapsed, dop, found):
    """Of 2 clients the load has one; all others are held to the whole step."""
    key = {"run_id": "r", "step": "s", "seq": 1, "op": "query"}
    runs = pd.DataFrame([{
        "run_id": "r", "driver": driver, "dop": 2, "machine_id": "i", "machine": "m",
        "folder": "s/m/t/dop2.t1-x", "trial": 1, "env": "", "started": "2026-11-21",
        "status": "ok",
    }])  # fmt: skip
    steps = pd.DataFrame([key | {
        "dop": dop, "driver": driver, "ops": 6, "rows": 0, "bytes": 0,
        "elapsed_ns": elapsed, "start_ns": 0, "end_ns": 3_000_000_000,
    }])  # fmt: skip
    rate = 6e9 / elapsed
    metric = pd.DataFrame(
        [key | {"metric": "qps", "value": rate, "origin": "derived", "dop": dop}]
    )
    frames = {"runs": runs, "steps": steps, "metric": metric}

    assert bool(found) == bool(run_contradictions(frames))


def test_a_ratio_of_one_workload_is_held_to_its_own_runs():
    """Their mean is 20; that of both workloads would be 10."""
    row = {"step": "s", "metric": "qps", "workload": "a", "value": 20.0, "main": True}
    metric = pd.DataFrame([row, row | {"workload": "b", "value": 5.0}])
    judged = pd.DataFrame([row | {"value_base": 10.0, "relative": 2.0, "low": 1.9,
                                  "high": 2.1}])  # fmt: skip

    assert [] == ratio_contradictions("x", judged, metric)
    assert ratio_contradictions("x", judged.assign(value=10.0, relative=1.0), metric)
