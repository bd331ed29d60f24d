"""Changepoints: exact positions, nothing in noise, no level of one."""

import numpy as np
import pytest
import ruptures

from benchbook.analysis.changepoints import LevelShifts, changepoints

pytestmark = pytest.mark.unit

STEP = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100]
STEP += [90, 91, 89, 90, 92, 88, 90, 91, 89, 90]


def noise(n, seed=1, sigma=0.01):
    return np.exp(np.random.default_rng(seed).normal(0, sigma, n))


def positions(series):
    return [change.position for change in changepoints(series)]


def test_one_step_is_found_at_its_index():
    """Twenty numbers, the first of the new level has index 10."""
    assert [10] == positions(STEP)


def test_ratio_and_interval_of_a_step():
    """The level falls to 0.90, and the interval is below 1."""
    change = changepoints(STEP)[0]

    assert 0.90 == round(change.ratio, 3)
    assert 0.88 < change.low < change.ratio < change.high < 0.92
    assert (10, 10) == (change.n_before, change.n_after)


def test_seeded_step_in_noise():
    """5% lower from index 30 of 60, noise 1%: found there and nowhere else."""
    series = noise(60)
    series[30:] *= 0.95

    assert [30] == positions(series)


def test_two_steps():
    """Down 10% at 20, up again at 40."""
    series = noise(60)
    series[20:40] *= 0.9

    assert [20, 40] == positions(series)


def test_flat_noise_has_no_changepoint():
    """A flat noisy series gives []."""
    assert [] == positions(noise(50))


@pytest.mark.parametrize("n", [8, 20, 50])
def test_few_flat_series_are_alarmed(n):
    """Flat normal series are cut in 5% of cases at most; 1,000 may by chance show 6%."""
    series = np.exp(np.random.default_rng(n).normal(0, 0.01, (1000, n)))
    alarmed = sum(bool(positions(one)) for one in series)

    assert alarmed <= 60


@pytest.mark.parametrize("index", [0, 1, 25, 48, 49])
@pytest.mark.parametrize("factor", [0.5, 2])
def test_single_outlier_is_no_level(index, factor):
    """One value at half or twice the level is not a level, wherever it stands."""
    series = noise(50)
    series[index] *= factor

    assert [] == positions(series)


def test_outlier_does_not_move_a_step_or_its_ratio():
    """A step is found at its index, and its ratio, with an outlier beside it."""
    series = noise(60)
    series[30:] *= 0.95
    series[27] *= 0.5

    changes = changepoints(series)

    assert [30] == [c.position for c in changes]
    assert abs(changes[0].ratio - 0.95) < 0.01
    assert 29 == changes[0].n_before


def test_scale_does_not_matter():
    """The same series in other units has the same changepoints."""
    assert positions(STEP) == positions([v * 1e6 for v in STEP])


def test_noiseless_step():
    """Ten equal values, then ten others: one step, and no step in equal values."""
    assert [10] == positions([5.0] * 10 + [4.0] * 10)
    assert [] == positions([5.0] * 20)


def test_short_series_has_none():
    """Fewer than two levels' worth of values cannot show a change."""
    assert [] == positions([1, 2, 3, 4, 5])


@pytest.mark.parametrize("bad", [[1.0, np.nan, 2.0], [1.0, 0.0], [1.0, -1.0]])
def test_missing_and_nonpositive_values_raise(bad):
    """NaN, 0 and negative values are refused, not filled in."""
    with pytest.raises(ValueError, match="positive numbers only"):
        changepoints(bad)


def test_interface_is_that_of_ruptures():
    """fit returns the estimator, predict the end indexes with the length last."""
    detector = LevelShifts()

    assert isinstance(detector, ruptures.base.BaseEstimator)
    assert [10, 20] == detector.fit(np.array(STEP)).predict()
    assert [10, 20] == detector.fit_predict(np.array(STEP).reshape(-1, 1))


def test_number_of_changes_can_be_given():
    """n_bkps asks for exactly so many changes, pen for a penalty, not for both."""
    series = noise(60)
    series[20:40] *= 0.9
    detector = LevelShifts().fit(series)

    assert [20, 40, 60] == detector.predict(n_bkps=2)
    assert 2 == len(detector.predict(n_bkps=1))
    assert [60] == detector.predict(pen=1e9)
    with pytest.raises(ValueError, match="pen or n_bkps"):
        detector.predict(pen=1.0, n_bkps=1)


def test_piecewise_constant_signal_of_ruptures():
    """ruptures' own generator: its breakpoints are found exactly."""
    signal, ends = ruptures.pw_constant(200, 1, 3, noise_std=0.05, delta=(1, 2), seed=4)

    assert ends == LevelShifts().fit_predict(np.exp(signal / 10))
