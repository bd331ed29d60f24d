"""Threads against CPUs, and means with their lowest and highest trial."""

import pandas as pd
import pytest
from job_frames import BASE, CLIENTS, JOBS, runs

from benchmath.costs.busy import busy_threads, ratios_beside_threads
from benchmath.costs.ranges import ranges, stall_causes, that_occur
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit


def sampled(frame, us=500.0):
    """The same runs with user and system time per operation."""
    costs = [
        frame.assign(metric=name, value=us, unit="us", main=False)
        for name in ("client_user_o", "client_system_o")
    ]
    return pd.concat([frame, *costs], ignore_index=True)


def busy(frame, cpus=4):
    return busy_threads(frame, dict.fromkeys(frame["run_id"], cpus), CLIENTS, JOBS)


def test_threads_are_clients_and_jobs_together():
    """1 client and 2 jobs are within 4 CPUs, 4 clients and 2 jobs are not."""
    table = busy(runs({"2": 1.0}, dops=[1, 4], noise=0.0))

    assert [3, 6] == list(table["threads"])
    assert [True, False] == list(table["within"])


def test_cpus_used_are_the_rate_times_the_cpu_per_operation():
    """1,000 operations a second of 500 µs user and 500 µs system are one CPU."""
    (row,) = busy(sampled(runs({"2": 1.0}, dops=[1], noise=0.0))).to_dict("records")

    assert (1.0, 1.0, 1.0, 3) == (
        row["used"], row["used_min"], row["used_max"], row["n"]
    )  # fmt: skip


def test_what_was_not_sampled_is_not_guessed():
    """No CPUs used, and no row of runs whose CPUs nobody recorded."""
    frame = runs({"2": 1.0}, dops=[1])

    assert busy(frame)["used"].isna().all()
    assert busy_threads(frame, {}, CLIENTS, JOBS).empty


def test_only_more_jobs_beyond_the_cpus_test_the_rule():
    """On 9 CPUs 8 jobs with 2 clients are beyond, with 1 client not; 4 jobs never."""
    frame = runs({"2": 1.0, "4": 1.0, "8": 1.2}, dops=[1, 2])
    judged = verdicts(relative(frame, BASE))
    table = ratios_beside_threads(judged, busy(frame, cpus=9), CLIENTS, JOBS)

    assert [(8, 2, 2, 10)] == list(
        table[[JOBS, CLIENTS, "fewer", "threads"]].itertuples(index=False, name=None)
    )


def counted(name, values):
    """Rows of a metric of one cell, one per trial."""
    frame = runs({"2": 1.0}, dops=[1], trials=len(values))
    rows = frame.assign(metric=name, main=False, value=values, unit="count")
    return pd.concat([frame, rows], ignore_index=True)


def test_range_is_that_of_the_trials():
    """0, 0 and 6 stalls are 2 in the mean."""
    table = ranges(counted("stall_x", [0, 0, 6]), ["stall_x"], [CLIENTS, JOBS])
    (row,) = table.to_dict("records")

    assert (3, 2.0, 0.0, 6.0) == (row["n"], row["mean"], row["min"], row["max"])


def test_causes_count_each_stall_once():
    """Not the time, not the sums, not those while a compaction goes on."""
    names = ["stall_s", "stall_pct", "stall_total_stops", "stall_memtable_limit_stops",
             "stall_level0_slowdown_with_compaction", "ips"]  # fmt: skip

    frame = pd.DataFrame({"metric": names})
    assert ["stall_memtable_limit_stops"] == stall_causes(frame)


def test_what_never_was_is_left_out_unless_it_is_asked_for():
    """0 in every run."""
    table = ranges(counted("stall_x", [0, 0, 0]), ["stall_x"], [CLIENTS, JOBS])

    assert that_occur(table).empty
    assert 1 == len(that_occur(table, ["stall_x"]))
