"""Studies until all is decided, simulated: no verdict is taken back, few are wrong."""

import sys

import numpy as np
import pytest
from places import ROOT

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import until_decided

pytestmark = pytest.mark.unit


@pytest.mark.slow
@pytest.mark.parametrize("same", [1.0, 0.5])
def test_no_test_ends_stopped_and_not_significant(same):
    """Of 40 studies of 12 tests; false discoveries keep 5%, and chance of 40 studies."""
    row = until_decided.scores(1, 480, 12, same, 0.01)

    assert 0 == row["stopped, then not significant"]
    assert row["of ratio 1 called changed"] < 1
    assert row["wrong"] <= 2


@pytest.mark.slow
def test_a_verdict_of_its_own_interval_is_taken_back():
    """What the rule is there for: by itself each test errs in 5%."""
    row = until_decided.scores(1, 480, 12, 1.0, 0.02, alone=True)

    assert row["stopped, then not significant"] > 0


def test_looks_are_at_all_loads_from_the_third():
    """Six looks at each of two tests, the last at the end."""
    looks, truth = until_decided.study(np.random.default_rng(1), 2, 1.0, 0.01)

    assert [1, 1] == truth.tolist()
    assert [3, 4, 5, 6, 7, 8] == looks.loc[looks["test"] == 1, "trial"].tolist()
    assert 1 == looks["share"].max()
