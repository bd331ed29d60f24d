"""Runs that stalled are named: when, how long, and why."""

import pandas as pd
import pytest

from benchmath.hazards.stalls import stalled_runs, stalls_of_steps

pytestmark = pytest.mark.unit
SECOND = 10**9


def seconds(rates, run_id="r1"):
    return pd.DataFrame({
        "run_id": run_id, "step": "overwrite", "rate": [float(r) for r in rates],
        "second": [float(n) for n in range(1, len(rates) + 1)], "interval_ns": SECOND,
    })  # fmt: skip


def causes(pct=40.0, run_id="r1", **counts):
    return pd.DataFrame([
        {"run_id": run_id, "step": "overwrite", "cause": cause, "count": n,
         "stall_s": 1.0, "stall_pct": pct}
        for cause, n in counts.items()
    ])  # fmt: skip


def texts(rates, stalls=None):
    frame = stalls_of_steps(rates, pd.DataFrame() if stalls is None else stalls)
    return [hazard.text for hazard in stalled_runs(frame)]


def test_seconds_under_a_tenth_of_the_median_are_told_with_their_place():
    """Seconds 4 and 5 of 8, and 7: two on end, which began after the third."""
    rates = seconds([100, 100, 100, 5, 0, 100, 9, 100])

    assert [
        "overwrite stalled in 1 of 1 run, at worst 3 of 8 s under a tenth of its median "
        "rate, 2 s on end from second 3"
    ] == texts(rates)


def test_cause_is_that_counted_most_and_no_part_of_another():
    """Delays of L0 with a compaction going on are among the delays of L0."""
    told = causes(l0_delays=30, memtable_limit_stops=10,
                  l0_delays_with_ongoing_compaction=30)  # fmt: skip

    assert [
        "overwrite stalled in 1 of 1 run, at worst writers delayed or stopped for 40.0% "
        "of it, 30 of 40 times by l0 delays"
    ] == texts(seconds([100] * 8), told)


def test_run_that_stood_still_longest_is_told():
    """Of three runs two stalled, the second for four seconds."""
    runs = [[100] * 8, [100] * 5 + [0] * 3, [100] * 7 + [1]]
    frame = pd.concat([seconds(r, f"r{i}") for i, r in enumerate(runs)])

    (text,) = texts(frame)
    assert text.startswith("overwrite stalled in 2 of 3 runs, at worst 3 of 8 s")


def test_even_runs_and_short_stalls_are_no_hazard():
    """A step of which 2% was stalled, and a rate of half the median."""
    assert [] == texts(seconds([100] * 7 + [50]), causes(pct=2.0, l0_delays=3))


def test_few_seconds_have_no_median():
    """Of three seconds nobody knows which is the usual one; the engine still says."""
    assert [] == texts(seconds([100, 100, 0]))
    assert 1 == len(texts(seconds([100, 100, 0]), causes(l0_delays=3)))


def test_step_that_did_nothing_in_most_seconds_stood_still():
    """The median is 0: seconds without an operation are still stalls."""
    assert "6 of 8 s" in texts(seconds([100, 100] + [0] * 6))[0]
