"""The benchmark of loads that leave out what is decided: what they make, and take."""

import sys

import pytest
from places import ROOT

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import open_steps

pytestmark = pytest.mark.unit

KIND = open_steps.Steps(
    tuple(
        (name, ratio, 0.0001) for name, ratio in (("load", 0.9), ("r1", 1.1), ("r2", 1))
    )
)


def test_a_load_takes_what_its_steps_take():
    """10 s beside the steps, 20 s for each."""
    machine = open_steps.Machine(["r1"])

    assert 70 == machine.next_s(KIND, whole=True)
    assert 50 == machine.next_s(KIND, whole=False)


def test_a_study_ends_when_all_is_decided():
    """Three loads of what hardly varies, whatever the budget is."""
    machines, table = open_steps.measured(KIND, False, 1000.0, studies=2, seed=1)

    assert [(210.0, [], True)] * 2 == [(m.used_s, m.open, m.ended) for m in machines]
    assert ["regressed", "improved", "equivalent"] * 2 == list(table["verdict"])


def test_a_study_ends_with_its_budget():
    """Four loads of 70 s: for a fifth 20 s are left."""
    never = open_steps.Steps((*KIND.steps[:2], ("r2", 0.97, 0.5)))
    machines, table = open_steps.measured(never, True, 300.0, studies=1, seed=2)

    assert [(280.0, ["r2"], True)] == [(m.used_s, m.open, m.ended) for m in machines]
    assert 1.0 == table["share"].max()
