"""Runs of db_bench against what they recorded: its own time, and steps of one client."""

import pandas as pd
import pytest

from benchbook.audit.bookkeeping import run_contradictions

pytestmark = pytest.mark.unit

SECOND = 10**9
STEP = {"run_id": "r", "step": "fillseq", "op": "insert", "driver": "db_bench", "dop": 1,
        "main": True, "seq": 1, "ops": 10, "rows": 10, "start_ns": 0,
        "end_ns": 2 * SECOND}  # fmt: skip


def found(driver="db_bench", elapsed=2 * SECOND, dop=1, said=None):
    """The contradictions of a run of four clients with one step."""
    steps = pd.DataFrame([STEP | {"driver": driver, "elapsed_ns": elapsed, "dop": dop}])
    rate = {"metric": "ips", "value": said or 10 / (elapsed / 1e9), "main": True,
            "origin": "derived"}  # fmt: skip
    metric = steps[["run_id", "step", "seq", "op", "dop"]].assign(**rate)
    run = {"run_id": "r", "dop": 4, "driver": driver, "machine": "m", "machine_id": "i",
           "env": {}, "status": "ok", "trial": 1,
           "folder": "s/m/t/dop4.t1-20261123T191445.642Z",
           "started": "2026-11-23 19:14:45"}  # fmt: skip
    runs = pd.DataFrame([run])
    frames = {"runs": runs, "steps": steps, "metric": metric}
    return [str(one) for one in run_contradictions(frames)]


@pytest.mark.parametrize("elapsed", [SECOND, 2 * SECOND, 2 * SECOND + 5_000_000])
def test_db_bench_tells_its_own_time_within_its_step(elapsed):
    """It waits for compactions after it; a pipe delays the begin by milliseconds."""
    assert [] == found(elapsed=elapsed)


def test_more_time_than_the_step_took_is_a_contradiction():
    """Three seconds of its own in a step of two."""
    assert any("3000000000 ns" in one for one in found(elapsed=3 * SECOND))


def test_other_drivers_have_the_time_between_the_ends():
    """To the nanosecond."""
    assert any("ns" in one for one in found("ingest", elapsed=SECOND, dop=4))


def test_a_load_has_one_client_in_a_run_of_four():
    """Of db_bench, and never two; of `sql` as many as it has tables, and never five."""
    assert [] == found(dop=1)
    assert any("dop 2" in one for one in found(dop=2))
    assert [] == found("sql", dop=2)
    assert any("dop 5" in one for one in found("sql", dop=5))
    assert any("dop 1" in one for one in found("ingest", dop=1))


def test_a_rate_that_a_command_prints_is_its_own():
    """Of ten runs in two seconds it prints 230 a second; of a driver it must be five."""
    assert [] == found("command", dop=4, said=230.0)
    assert any("says 230" in one for one in found("ingest", dop=4, said=230.0))
