"""Ratios of several loads as one."""

import numpy as np
import pytest

from benchmath.turns.loads import over_loads

pytestmark = pytest.mark.unit


def over(logs, var, df=10.0):
    count = len(logs)
    return over_loads(np.array(logs), np.array(var), np.full(count, df))


def test_one_load_speaks_of_itself():
    """Its interval is that of its rounds."""
    assert (0.02, 0.0004, 10.0, "this load") == over([0.02], [0.0004])


def test_two_loads_have_the_variance_of_their_rounds():
    """(1 + 1) / 4 of one variance, with 10 + 10 degrees of freedom."""
    result = over([0.01, 0.03], [0.0004, 0.0004])

    assert "these loads" == result.covers
    assert pytest.approx((0.02, 0.0002, 20.0)) == result[:3]


def test_three_loads_have_the_spread_between_them():
    """.01 .02 .03 have the variance .0001, so their mean has a third, with 2 df."""
    result = over([0.01, 0.02, 0.03], [0.00001] * 3)

    assert "loads" == result.covers
    assert pytest.approx((0.02, 0.0001 / 3, 2.0)) == result[:3]


def test_two_loads_whose_rounds_tell_nothing_have_their_spread():
    """An index made once in each load."""
    result = over([0.01, 0.03], [np.nan, np.nan])

    assert "loads" == result.covers
    assert pytest.approx((0.02, 0.0001, 1.0)) == result[:3]


def test_a_load_with_noisy_rounds_counts_as_much():
    """What made them noisy may be the engine's own work."""
    result = over([0.02, 0.02, -0.01], [0.0001, 0.0001, 1.0])

    assert pytest.approx(0.01) == result.log
