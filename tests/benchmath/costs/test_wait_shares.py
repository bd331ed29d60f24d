"""Sessions by what they wait for, on average over the looks of a step."""

import pandas as pd
import pytest

from benchmath.costs.waits import wait_shares

pytestmark = pytest.mark.unit
RUNS = pd.DataFrame({"run_id": ["a"], "engine": ["postgres"]})


def looks(*rows):
    return pd.DataFrame(
        [("a", "l.i1", t, state, n) for t, state, n in rows],
        columns=["run_id", "step", "t_ns", "state", "sessions"],
    )


def test_a_state_that_a_look_does_not_name_counts_zero():
    """Two sessions run at both looks, one waits at one of them: 2 and .5 on average."""
    waits = looks((1, "running", 2), (1, "LWLock:WALWrite", 1), (2, "running", 2))

    found = wait_shares(waits, RUNS, "engine")

    assert [("running", 2.0, 80.0, 2), ("LWLock:WALWrite", 0.5, 20.0, 2)] == list(
        found[["state", "sessions", "share", "looks"]].itertuples(index=False, name=None)
    )


def test_without_looks_there_is_an_empty_frame():
    """A study that did not ask keeps its table."""
    assert wait_shares(pd.DataFrame(), RUNS, "engine").empty
