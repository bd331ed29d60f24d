"""How fast the machine was, by a fixed piece of work."""

import math

import pandas as pd
import pytest

from benchmath.hazards.pace import pace_ms, probed, times_slower

pytestmark = pytest.mark.unit

ENDS = {"before": {"work_ns": 7}, "after": {"work_ns": None}}


def test_probes_of_turns_else_of_the_ends_of_a_run():
    """a took turns; b did not; c is older than the probe."""
    runs = pd.DataFrame(
        {"run_id": ["a", "b", "c"], "env": [ENDS, ENDS, {"before": {"load1": 1.0}}]}
    )
    turns = pd.DataFrame({
        "run_id": "a", "session": "s", "step": "q", "when": ["before", "after"],
        "work_ns": [5, 6],
    })  # fmt: skip

    found = probed(runs, turns)

    assert [
        ["a", "s q before", 5], ["a", "s q after", 6], ["b", "b before", 7]
    ] == found[["run_id", "probe", "work_ns"]].values.tolist()  # fmt: skip


def test_pace_is_a_median():
    assert 6.0 == pace_ms(pd.DataFrame({"work_ns": [5e6, 6e6, 99e6]}))


def test_nothing_probed():
    """Neither the runs nor turns tell."""
    found = probed(pd.DataFrame({"run_id": ["a"], "env": [None]}), pd.DataFrame())

    assert found.empty
    assert math.isnan(pace_ms(found))


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [(5.0, 6.0, 1.2), (6.0, 5.0, 1.2), (5.0, 5.4, 1.0), (5.0, math.nan, 1.0),
     (math.nan, 5.0, 1.0)],
)  # fmt: skip
def test_times_slower(one, other, times):
    assert times == pytest.approx(times_slower(one, other))
