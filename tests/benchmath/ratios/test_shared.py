"""What the steps of a load share."""

import pandas as pd
import pytest

from benchmath.ratios.shared import shared_by_steps

pytestmark = pytest.mark.unit


def loads(**arms):
    """Of each arm its loads, each the logs of its steps; None where it lacks one."""
    fixed = {"op": "query", "measure": "throughput", "part": "turn"}
    return pd.DataFrame(
        [
            fixed | {"version": arm, "session": f"t{n}", "step": f"s{s}", "log": log}
            for arm, rows in arms.items()
            for n, row in enumerate(rows)
            for s, log in enumerate(row)
            if log is not None
        ]
    )


def test_steps_that_move_together_vary_as_their_mean_does():
    """Means 0, 1, 2: variance 1; each step's is 1, so independent ones explain a half."""
    shared = shared_by_steps(loads(new=[(0, 0), (1, 1), (2, 2)]), ["version"])

    assert (1.0, 0.5, 2.0, 3) == shared
    assert 0.5 == shared.beyond


def test_steps_that_move_apart_share_nothing():
    """Their mean never moves: less than independent ones would, which is chance."""
    shared = shared_by_steps(loads(new=[(0, 2), (1, 1), (2, 0)]), ["version"])

    assert 0.0 == shared.beyond


def test_loads_that_lack_a_step_do_not_count():
    """The fourth was for one step only."""
    shared = shared_by_steps(loads(new=[(0, 0), (1, 1), (2, 2), (9, None)]), ["version"])

    assert (1.0, 3) == (shared.of_mean, shared.loads)


def test_two_loads_tell_nothing():
    assert shared_by_steps(loads(new=[(0, 0), (1, 1)]), ["version"]) is None


def test_arms_are_pooled():
    """Variances 1 and 0; two arms of two degrees each, that share a base: 4 / 1.25."""
    both = loads(new=[(0, 0), (1, 1), (2, 2)], newer=[(5, 5)] * 3)
    shared = shared_by_steps(both, ["version"])

    assert (0.5, 3.2) == (shared.of_mean, shared.df)
