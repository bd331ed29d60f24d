"""The tree over time, as its LOG's jobs change it."""

import pandas as pd
import pytest
from lsm_frames import compaction, job, jobs

from benchmath.lsm.activity import activity, beside_rate
from benchmath.lsm.shape import (
    arrivals,
    compaction_places,
    sizes_over_time,
    states_checked,
)

pytestmark = pytest.mark.unit
# A flush, a move to L6, one to L5 on top of it, and its compaction into L6.
GROWN = jobs(
    job("flush", 0, 1, lsm_state=[1, 0, 0, 0, 0, 0, 0]),
    job("move", 6, 2),
    job("flush", 0, 3, lsm_state=[1, 0, 0, 0, 0, 0, 1]),
    job("move", 5, 4),
    compaction(5, 6, 5, lsm_state=[0, 0, 0, 0, 0, 0, 2]),
)


def test_each_level_has_its_first_file_at_the_end_of_a_job():
    """L0 by the flush, L6 by the first move, L5 by the second."""
    table = arrivals(GROWN).set_index("level")["first_s"]

    assert {0: 1.0, 6: 2.0, 5: 4.0} == table.to_dict()


def test_place_of_a_compaction_is_counted_from_the_top_level():
    """L5 had files when it began: L6 is the second level."""
    place = compaction_places(GROWN).iloc[0]

    assert (5, 6, 2, "LZ4") == tuple(place[["top", "level", "place", "compression"]])


def test_sizes_follow_from_the_jobs():
    """At the end two files of 1 MB, both in L6."""
    last = sizes_over_time(GROWN, points=5).query("second == 5").set_index("level")

    assert {0: 0.0, 5: 0.0, 6: 2.0} == last["size_mb"].to_dict()
    assert 2 == last["files"][6]


def test_reckoned_files_are_checked_against_the_states_of_the_log():
    """Three states are told; one that a job less would give is not hit."""
    assert [(3, 3)] == list(states_checked(GROWN)[["states", "equal"]].itertuples(False))
    lost = GROWN[GROWN["second"] != 2]
    assert 3 > states_checked(lost)["equal"].iloc[0]


def test_compaction_that_the_close_stopped_changes_nothing():
    """Its state is that before it."""
    stopped = compaction(6, 5, 6, lsm_state=[0, 0, 0, 0, 0, 0, 2])
    checked = states_checked(pd.concat([GROWN, jobs(stopped)], ignore_index=True))

    assert [(4, 4)] == list(checked[["states", "equal"]].itertuples(index=False))


def test_run_whose_compaction_read_two_levels_has_no_sizes():
    """Nobody says how much of each."""
    two = compaction(0, 1, 6) | {"input_levels": [0, 1]}

    assert sizes_over_time(pd.concat([GROWN, jobs(two)], ignore_index=True)).empty


def test_nothing_is_said_of_no_jobs():
    """Every frame stays empty."""
    for frame in (arrivals, compaction_places, sizes_over_time, states_checked):
        assert frame(pd.DataFrame()).empty


def seconds(values, run_id="r1"):
    return pd.DataFrame({
        "case": "a", "run_id": run_id, "step": "fillseq", "op": "insert",
        "second": [float(n) for n in range(1, len(values) + 1)], "interval_ns": 10**9,
        "rate": [float(v) for v in values],
    })  # fmt: skip


def test_seconds_have_the_files_of_l0_and_its_compactions():
    """Two files in the second second and for half of the third, while they are compacted.

    Before the first job nobody knows.
    """
    told = jobs(
        job("flush", 0, 1, lsm_state=[2, 0]),
        compaction(0, 1, 1.5, seconds=1.0, lsm_state=[0, 2]),
    )
    table = activity(seconds([5, 5, 5]), told)

    assert [2.0, 1.0] == list(table["l0_files"])[1:]
    assert table["l0_files"].isna()[0]
    assert [0.0, 0.5, 0.5] == list(table["compacting"])


def test_rate_beside_compactions_is_a_ratio_and_a_correlation_of_ranks():
    """Half as fast while L0 is compacted, and the more files the slower."""
    busy = [1.0, 0.0] * 10
    part = seconds([50 if b else 100 for b in busy]).assign(compacting=busy)
    runs = [part.assign(run_id=r, l0_files=[4 * b for b in busy]) for r in ("r1", "r2")]
    row = beside_rate(pd.concat(runs)).iloc[0]

    assert 0.5 == pytest.approx(row["ratio"])
    assert -0.99 > row["correlation"]
    assert 2 == row["n"]
