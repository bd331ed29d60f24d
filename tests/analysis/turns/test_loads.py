"""Ratios of several loads as one."""

import numpy as np
import pytest

from benchbook.analysis.turns.loads import between_loads, over_loads

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


def test_load_with_noisy_rounds_weighs_less():
    """A load of 0 that may be off by 1 moves the mean of two of .02 hardly."""
    result = over([0.02, 0.02, 0.0], [0.0001, 0.0001, 1.0])

    assert pytest.approx(0.02, abs=1e-4) == result.log


def test_between_loads_is_what_rounds_do_not_explain():
    """Spread .0001, of which rounds explain .00004."""
    between = between_loads(np.array([0.01, 0.02, 0.03]), np.full(3, 0.00004))

    assert pytest.approx(0.00006) == between


def test_between_loads_is_0_where_rounds_explain_it():
    """Spread .0001 of loads that are each known to a variance of .001."""
    assert 0 == between_loads(np.array([0.01, 0.02, 0.03]), np.full(3, 0.001))
