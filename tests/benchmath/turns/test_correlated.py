"""Variance of the mean of a series: white, slow, short, constant."""

import numpy as np
import pytest

from benchmath.turns.rates import variance_of_mean

pytestmark = pytest.mark.unit


def test_slow_cosines_make_the_variance():
    """+1 -1 ... has 2/28/cos^2 at the odd waves, half a cosine 3.5 at wave 2: 0.0325."""
    at = np.arange(28)
    series = (-1.0) ** at + 0.5 * np.cos(2 * np.pi * (at + 0.5) / 28)
    result = variance_of_mean(series)

    assert 4 == result.df
    assert pytest.approx((0.071654 + 3.5 + 0.073491) / 4 / 28, rel=1e-4) == result.var


def test_correlated_series_has_a_larger_variance_than_independent_values():
    """A walk's mean is off by far more than its spread over the root of its length."""
    walk = np.cumsum(np.random.default_rng(1).standard_normal(100))
    result = variance_of_mean(walk)

    assert result.var > 10 * walk.var() / 100
    assert result.autocorrelation > 0.9


def test_eleven_values_have_no_variance():
    """Below twelve there is no telling what is correlated."""
    assert np.isnan(variance_of_mean(np.arange(11.0)).var)
    assert np.isnan(variance_of_mean(np.zeros(0)).var)


def test_equal_values_have_none_to_speak_of():
    """Their mean is known exactly."""
    assert (0.0, np.inf, 0.0) == variance_of_mean(np.ones(20))
