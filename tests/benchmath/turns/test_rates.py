"""The ratio of two rates counted in the same rounds."""

import numpy as np
import pytest

from benchmath.turns.rates import Counted, log_ratio, rate_ratio

pytestmark = pytest.mark.unit


def counted(ops, time=1.0):
    return Counted(np.array(ops, dtype=float), np.full(len(ops), time))


def test_ratio_is_that_of_sums():
    """40 in 2 s over 20 in 2 s is 2, whatever the rounds' own ratios are."""
    assert pytest.approx(np.log(2)) == log_ratio(counted([10, 30]), counted([10, 10]))


def test_turns_without_an_operation_are_no_obstacle():
    """Operations longer than a turn: 1 0 0 ... against 1 0 0 ..., of equal rates."""
    once_in_three = counted([1, 0, 0] * 30)
    ratio = rate_ratio(once_in_three, counted([0, 1, 0] * 30))

    assert 0 == ratio.log
    assert ratio.var > 0


def test_what_slows_both_cancels():
    """Both sides at half speed in the same rounds differ by nothing but their ratio."""
    common = np.tile([100.0, 50.0, 80.0], 10)
    ratio = rate_ratio(counted(0.9 * common), counted(common))

    assert pytest.approx(np.log(0.9)) == ratio.log
    assert pytest.approx(0, abs=1e-20) == ratio.var


def test_what_slows_one_does_not_cancel():
    """Noise of one side alone is in the variance: of 10% in 1,000 turns about .3%."""
    noisy = 100 + 10 * np.random.default_rng(1).standard_normal(1000)
    ratio = rate_ratio(counted(noisy), counted(np.full(1000, 100.0)))

    assert 0.002 < np.sqrt(ratio.var) < 0.005


def test_few_operations_have_a_ratio_without_an_interval():
    """One operation on each side, as where an index is made."""
    ratio = rate_ratio(counted([0] * 19 + [1]), counted([0] * 18 + [1, 0]))

    assert 0 == ratio.log
    assert np.isnan(ratio.var)


def test_side_without_operations_has_no_ratio():
    """Nothing done is no rate to compare with."""
    assert np.isnan(log_ratio(counted([1, 1]), counted([0, 0])))


def test_step_that_ends_by_rows_is_compared_as_a_whole():
    """Twice as fast through the same slowing step: ratio 2, of 40 rounds beside 80."""
    fall = np.linspace(100, 50, 80)
    fast = np.concatenate([2 * fall.reshape(40, 2).mean(axis=1), np.zeros(40)])
    time = np.concatenate([np.ones(40), np.zeros(40)])
    ratio = rate_ratio(Counted(fast, time), counted(fall))

    assert pytest.approx(np.log(2)) == ratio.log
    assert np.sqrt(ratio.var) < 1e-4
