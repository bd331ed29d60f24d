"""Changes of level in long series: positions, missing values, scale, no false cuts."""

import numpy as np
import pytest

from benchmath.changes.commits.detector import CommitShifts

pytestmark = pytest.mark.unit


def noisy(*levels, seed=1, sd=0.01):
    """(level, length) pairs as a series with relative normal noise."""
    flat = np.concatenate([np.full(length, float(level)) for level, length in levels])
    return flat * (1 + np.random.default_rng(seed).normal(0, sd, flat.size))


def two_modes(seed, n=150):
    """A point keeps the mode of the one before by .8, else it draws the far one by .3."""
    random = np.random.default_rng(seed)
    far = np.zeros(n, dtype=bool)
    for i in range(1, n):
        far[i] = far[i - 1] if random.random() < 0.8 else random.random() < 0.3
    return 100 * np.exp(0.01 * (random.standard_normal(n) + 6 * far))


def commit_shifts(series):
    """Indexes of the first points of new levels."""
    return CommitShifts().fit_predict(series)[:-1]


STEP = noisy((100, 60), (90, 60))


@pytest.mark.slow
def test_step_is_found_at_its_first_point():
    """A fall of ten noise stddevs after 60 points."""
    assert [60] == commit_shifts(STEP)


def test_two_steps_are_two_changes():
    """Down and up again."""
    assert [50, 120] == commit_shifts(noisy((100, 50), (90, 70), (100, 60)))


def test_excursion_of_eight_points_is_no_level():
    """A burst: the level before it is back after it. Where it is not, both are levels."""
    assert [] == commit_shifts(noisy((100, 60), (90, 8), (100, 60)))
    assert [60, 68] == commit_shifts(noisy((100, 60), (90, 8), (95, 60)))


def test_modes_that_last_are_no_levels():
    """A mode 6 stddevs away that is visited for some points at a time."""
    assert [] == commit_shifts(two_modes(seed=9))


def test_flat_noise_has_no_change():
    """Twenty seeds of 150 points without a change."""
    found = [commit_shifts(noisy((100, 150), seed=seed)) for seed in range(20)]

    assert [[]] * 20 == found


def test_equal_values_have_no_change():
    """A constant series has no noise to learn and nothing to report."""
    assert [] == commit_shifts([5.0] * 100)


def test_unit_does_not_matter():
    """Seconds and microseconds change at the same points."""
    assert commit_shifts(STEP) == commit_shifts(1e6 * STEP)


def test_values_at_the_ends_of_the_range():
    """Differences of which would overflow, or are hardly numbers any more."""
    signs = np.where(np.arange(60) < 30, -1.0, 1.0)
    noise = np.random.default_rng(1).uniform(0.5, 1.0, 60)

    assert [30] == commit_shifts(1.7e308 * signs * noise)
    assert [30] == commit_shifts(1e-310 * signs * noise)


def test_missing_values_keep_positions():
    """Positions are those of the series given, missing values counted."""
    given = np.insert(STEP, [10, 20, 30], np.nan)

    assert [63] == commit_shifts(given)


def test_values_of_zero_are_taken_as_they_are():
    """No logarithm of 0: the change of a series that falls to 0 is still found."""
    given = np.concatenate([noisy((100, 60)), noisy((50, 59)), [0.0]])

    assert 60 in commit_shifts(given)


def test_single_spikes_are_outliers():
    """One value far off is named as such and starts no level."""
    given = STEP.copy()
    given[30] = 50.0
    shifts = CommitShifts().fit(given)

    assert [60] == [s.position for s in shifts.changes_]
    assert [30] == shifts.outliers_


def test_estimator_returns_the_ends_of_segments():
    """The interface of ruptures: ends, the last one being the length."""
    assert [60, 120] == CommitShifts().fit_predict(STEP)


def test_as_many_changes_as_asked_for():
    """n_bkps takes the most probable positions whatever their p."""
    assert [60, 120] == CommitShifts().fit(STEP).predict(n_bkps=1)


def test_three_points_have_no_change_to_ask_for():
    """Fewer points than a change is looked for within."""
    assert [3] == CommitShifts().fit([1.0, 2.0, 3.0]).predict(n_bkps=2)


def test_two_columns_are_refused():
    """A series is one list."""
    with pytest.raises(ValueError, match="one list"):
        CommitShifts().fit(np.ones((20, 2)))
