"""What all arms of a session share is no noise of each."""

import pandas as pd
import pytest

from benchmath.turns.centred import without_sessions

ROWS = [("a1", "old", 100.0), ("b1", "new", 200.0), ("a2", "old", 400.0),
        ("b2", "new", 800.0)]  # fmt: skip
SESSIONS = pd.Series({"a1": "s1", "b1": "s1", "a2": "s2", "b2": "s2"})


def frame(rows=ROWS):
    return pd.DataFrame(
        [
            {"run_id": run, "version": version, "step": "q", "op": "query",
             "clock": "actual", "main": True, "metric": "throughput", "unit": "ops/s",
             "direction": "higher", "value": value}
            for run, version, value in rows
        ]
    )  # fmt: skip


def test_a_session_twice_as_fast_leaves_nothing():
    # geometric means: of session 1 sqrt(100 * 200), of both sqrt(that * 4 * that)
    values = without_sessions(frame(), SESSIONS)["value"].tolist()
    assert pytest.approx([200, 400, 200, 400]) == values


def test_a_session_that_lacks_an_arm_leaves_values_as_they_are():
    values = without_sessions(frame(ROWS[:3]), SESSIONS)["value"].tolist()
    assert [100, 200, 400] == values


def test_runs_that_took_no_turns_stay_as_they_are():
    values = without_sessions(frame(), pd.Series(dtype=object))["value"].tolist()
    assert [100, 200, 400, 800] == values
