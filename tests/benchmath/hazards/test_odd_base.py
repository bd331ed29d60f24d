"""One base run on which many verdicts hang."""

import math

import pandas as pd
import pytest

from benchmath.errors import UserError
from benchmath.hazards.odd_base import odd_base_run

pytestmark = pytest.mark.unit

WOBBLE = (-0.0005, 0.0, 0.0005)  # of three trials, in logs
ODD = "base run of trial 2 alone decides 10 of 10 verdicts of change: "


def runs(version, levels, machine="m1", steps=10):
    """Runs of one version: each has its level, in logs, in all steps."""
    return [
        {
            "machine": machine, "version": version, "step": f"s{step}", "op": "insert",
            "metric": "ips", "unit": "rows/s", "direction": "higher", "main": True,
            "trial": trial, "run_id": f"{machine} {version} t{trial}",
            "value": 1000 * math.exp(level + WOBBLE[(step + trial) % 3]),
        }
        for trial, level in enumerate(levels, 1)
        for step in range(steps)
    ]  # fmt: skip


def found(*cells, base="1"):
    """Hazards of a frame whose margin is 2%, which is -.0202 in logs."""
    frame = pd.DataFrame([row for rows in cells for row in rows])
    return odd_base_run(frame, {"version": base}, 0.02)


def test_even_base_runs_decide_nothing():
    """A true regression of 10% in all steps hangs on no single run."""
    assert [] == found(runs("1", [0, 0, 0]), runs("2", [-0.1, -0.1, -0.1]))


def test_run_that_makes_the_verdicts_is_named():
    """-.019 - .009 / 3 = -.022 is regressed; without trial 2 it is -.019: undecided."""
    hazard = found(runs("1", [0, 0.009, 0]), runs("2", [-0.019] * 3))[0]

    assert "odd base run" == hazard.code
    assert ODD + "without it these are 10 undecided" == hazard.text
    assert {} == hazard.where


def test_two_verdicts_are_too_few():
    """Three verdicts at least must hang on the run."""
    base, me = [0, 0.009, 0], [-0.019] * 3

    assert [] == found(runs("1", base, steps=2), runs("2", me, steps=2))
    assert 1 == len(found(runs("1", base, steps=3), runs("2", me, steps=3)))


def test_a_few_of_many_verdicts_are_no_reason():
    """3 of 18 verdicts hang on trial 2: less than a fifth."""
    odd, even, me = [0, 0.009, 0], [0, 0, 0], [-0.019] * 3
    many = [{**r, "step": f"t{r['step']}"} for r in runs("1", even, steps=15)]
    worse = [{**r, "step": f"t{r['step']}"} for r in runs("2", [-0.1] * 3, steps=15)]

    few = [runs("1", odd, steps=3), runs("2", me, steps=3)]

    assert 1 == len(found(*few))
    assert [] == found(*few, many, worse)


def test_run_must_stand_out_from_the_others():
    """-.015 - .006 is regressed, without trial 2 or trial 3 it is not: which is odd?"""
    assert [] == found(runs("1", [0, 0.009, 0.009]), runs("2", [-0.015] * 3))


def test_each_machine_has_its_own_base_runs():
    """Only the second machine's base has an odd run; the hazard is about that machine."""
    hazards = found(
        runs("1", [0, 0, 0]),
        runs("2", [-0.1] * 3),
        runs("1", [0, 0.009, 0], machine="m2"),
        runs("2", [-0.019] * 3, machine="m2"),
    )

    assert [{"machine": "m2"}] == [h.where for h in hazards]
    assert "base run of trial 2 of m2 alone decides 10 of 10" in hazards[0].text


def test_single_base_run_cannot_be_left_out():
    """With one base run nothing can be said about it."""
    assert [] == found(runs("1", [0]), runs("2", [-0.1] * 3))


def test_unknown_base_is_refused():
    """The message of every comparison."""
    with pytest.raises(UserError, match="no run has version '9'"):
        found(runs("1", [0, 0]), base="9")
