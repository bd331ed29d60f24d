"""Index scans of a database larger than memory."""

from __future__ import annotations

import pandas as pd
import pytest

from benchbook.templates.io_bound.scans import TOGETHER, scan_costs

pytestmark = pytest.mark.unit
SECONDS = {"scan.q1": 10.0, "scan.q2": 1.0, "scan.q3": 2.0, "scan.q4": 5.0}


def frames(scans: list[str], run: str = "a") -> tuple[pd.DataFrame, pd.DataFrame]:
    """2,000,000 rows a scan; 2 GiB read, a microsecond of CPU a row."""
    used = {"server_rkb_o": 2.0 * 2**20, "cpu_o": 2e6}
    metric = [
        {"run_id": run, "step": step, "op": "scan", "main": True, "engine": "myrocks",
         "metric": name, "value": value}
        for step in scans
        for name, value in (used | {"elapsed_s": SECONDS[step]}).items()
    ]  # fmt: skip
    steps = [
        {"run_id": run, "step": step, "op": "scan", "ops": 1, "rows": 2_000_000}
        for step in scans
    ]
    return pd.DataFrame(metric), pd.DataFrame(steps)


def test_a_scan_by_the_row_and_by_the_second():
    """2 GB in 10 s of 2,000,000 rows."""
    (row,) = scan_costs(*frames(["scan.q1"])).to_dict("records")

    assert (10, 2, 1) == (row["seconds"], row["read"], row["n"])
    assert pytest.approx(204.8) == row["read speed"]
    assert pytest.approx(2 * 2**20 / 2e6) == row["read per row"]
    assert pytest.approx(1.0) == row["cpu per row"]


def test_scans_of_secondary_indexes_are_added_up():
    """8 seconds, 6 GB; what a row costs is that of all their rows."""
    table = scan_costs(*frames(["scan.q2", "scan.q3", "scan.q4"]))
    row = table.set_index("step").loc[TOGETHER]

    assert (8, 6) == (row["seconds"], row["read"])
    assert pytest.approx(6 * 1024 / 8) == row["read speed"]
    assert pytest.approx(1.0) == row["cpu per row"]


def test_a_run_without_one_of_them_has_no_sum():
    """It would be the time of two."""
    assert TOGETHER not in set(scan_costs(*frames(["scan.q2", "scan.q3"]))["step"])


def test_no_scan_is_no_row():
    """A study that only inserts."""
    metric, steps = frames(["scan.q1"])
    metric = metric.assign(op="insert")

    assert scan_costs(metric, steps.assign(op="insert")).empty
