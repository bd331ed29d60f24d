"""Bounds of repeated looks: what they spend, and that they spend no more."""

import numpy as np
import pytest
from scipy import stats

from benchmath.turns.stopping import bounds, spent

pytestmark = pytest.mark.unit


def test_quarter_of_the_budget_spends_an_eighth():
    """.25^1.5 = .125; the whole budget spends everything, and no more."""
    assert [0.00625, 0.05, 0.05] == spent(np.array([0.25, 1.0, 1.2]), 0.05).tolist()


def test_one_look_is_the_usual_interval():
    """1.96 at the whole budget, in any unit of information."""
    assert pytest.approx([1.959964]) == bounds([1.0], [7.0])


def test_two_looks_err_in_five_percent_together():
    """Half the budget: .05 * .5^1.5; both by the bivariate normal of correlation .707."""
    first, second = bounds([0.5, 1.0], [1.0, 2.0])

    assert pytest.approx(stats.norm.isf(0.025 * 0.5**1.5)) == first
    both = stats.multivariate_normal(cov=[[1, 0.5**0.5], [0.5**0.5, 1]])
    upper, corners = np.array([first, second]), [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    inside = sum(np.prod(c) * both.cdf(upper * c) for c in corners)
    assert pytest.approx(0.95, abs=1e-5) == inside


def test_looks_that_see_little_new_cost_little():
    """A second look at nearly the same data is nearly the same look."""
    apart = bounds([0.5, 1.0], [1.0, 2.0])[1]
    together = bounds([0.5, 1.0], [1.0, 1.01])[1]

    assert together < apart


def test_looks_that_go_back_are_refused():
    """Share and information rise."""
    with pytest.raises(ValueError, match="must rise"):
        bounds([0.5, 0.4], [1.0, 2.0])
