"""Ratios of levels: units, pooling, autocorrelation, and what they cover."""

import math

import numpy as np
import pytest
from scipy import stats

from benchmath.changes.levels import commit_ratios, version_ratios

pytestmark = pytest.mark.unit


def versions(units, runs=1):
    """Logs and version numbers of some version means, each run so many times."""
    return np.repeat(np.array(units, dtype=float), runs), np.repeat(
        np.arange(len(units)), runs
    )


def test_ratio_of_versions_without_repeats():
    """Levels 0, 0.2 | 1, 1.2: ratio e, squares 0.04, 2 df less half a one for the cut."""
    logs, groups = versions([0.0, 0.2, 1.0, 1.2])

    ratio = version_ratios(logs, groups, np.array([2]))

    half = stats.t.ppf(0.975, 1.5) * math.sqrt(0.04 / 1.5 * (1 / 2 + 1 / 2))
    assert math.isclose(math.e, ratio.estimate[0])
    assert math.isclose(math.exp(1 - half), ratio.low[0])
    assert math.isclose(math.exp(1 + half), ratio.high[0])


def test_version_counts_with_the_median_of_its_runs():
    """Runs 0, 0, 9 are a version at 0: one stalled run does not move its level."""
    logs = np.array([0.0, 0.0, 9.0, 1.0, 1.0, 1.0])

    ratio = version_ratios(logs, np.array([0, 0, 0, 1, 1, 1]), np.array([3]))

    assert math.isclose(math.e, ratio.estimate[0])


def test_spread_within_versions_is_two_degrees_of_freedom():
    """Two versions, one a level: only the runs tell the noise, with 2 df.

    Runs -0.1, 0.1 and 0.9, 1.1: variance 0.02, of a version's mean 0.01, and two and a
    half times that is to be expected of versions, whose builds differ.
    """
    logs = np.array([-0.1, 0.1, 0.9, 1.1])

    ratio = version_ratios(logs, np.array([0, 0, 1, 1]), np.array([2]))

    half = stats.t.ppf(0.975, 2) * math.sqrt(0.025 * 2)
    assert math.isclose(math.exp(1 + half), ratio.high[0])


def test_one_run_per_version_and_level_has_no_interval():
    """Two versions with a run each: a ratio, and nothing to tell its noise from."""
    logs, groups = versions([0.0, 1.0])

    ratio = version_ratios(logs, groups, np.array([1]))

    assert math.isclose(math.e, ratio.estimate[0])
    assert np.isnan([ratio.low[0], ratio.high[0]]).all()


def test_noise_floor_is_the_least_variance():
    """Equal runs, builds known to differ by 1%: the interval is no narrower than that.

    Four degrees of six versions on two levels less half a one, three of their runs.
    """
    logs, groups = versions([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], runs=5)

    ratio = version_ratios(logs, groups, np.array([15]), floor_sd=0.01)

    half = stats.t.ppf(0.975, 6.5) * 0.01 * math.sqrt(2 / 3)
    assert math.isclose(half, math.log(ratio.high[0]) - 1)


def test_missing_runs_do_not_count():
    """A version whose runs are all missing is none of its level."""
    logs = np.array([0.0, 0.2, np.nan, 1.0, 1.2])

    ratio = version_ratios(logs, np.arange(5), np.array([3]))

    assert math.isclose(math.exp(1.0), ratio.estimate[0])


def test_two_changes_give_two_ratios():
    """Levels 0, 1, 3: each over the one before it."""
    logs, groups = versions([0.0, 0.1, 1.0, 1.1, 3.0, 3.1])

    ratio = version_ratios(logs, groups, np.array([2, 4]))

    assert [1.0, 2.0] == pytest.approx(np.log(ratio.estimate))


def test_independent_commits_have_welchs_interval():
    """Values that alternate have no positive autocorrelation: n counts fully."""
    logs = np.array([0.0, 0.2] * 10 + [1.0, 1.2] * 10)

    ratio = commit_ratios(logs, np.array([20]))

    error = math.sqrt(2 * np.var([0.0, 0.2] * 10, ddof=1) / 20)
    assert math.isclose(
        math.exp(1 + stats.t.ppf(0.975, 38) * error), ratio.high[0], rel_tol=1e-6
    )


def test_commits_that_follow_each_other_are_worth_less():
    """The same values sorted into runs of five have a wider interval."""
    apart = np.array([0.0, 0.2] * 20 + [1.0, 1.2] * 20)
    blocks = np.repeat([0.0, 0.2] * 4 + [1.0, 1.2] * 4, 5)

    wide = np.log(commit_ratios(blocks, np.array([40])).high[0])
    narrow = np.log(commit_ratios(apart, np.array([40])).high[0])

    assert wide - 1 > 1.5 * (narrow - 1)


def test_outliers_are_left_out_of_commits():
    """NaN stands for an outlier: it moves neither level nor interval."""
    logs = np.array([0.0, 0.2] * 10 + [1.0, 1.2] * 10)
    spiked = np.insert(logs, 7, np.nan)

    expected = commit_ratios(logs, np.array([20])).estimate[0]
    assert math.isclose(expected, commit_ratios(spiked, np.array([21])).estimate[0])


@pytest.mark.parametrize("phi", [0.0, 0.5])
def test_commits_cover_the_true_ratio(phi):
    """300 series of 200 points with and without autocorrelation: 95% hold the truth."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(300):
        noise = rng.normal(0, 0.01, 200)
        for i in range(1, 200):
            noise[i] += phi * noise[i - 1]
        noise[100:] += 0.05
        ratio = commit_ratios(noise, np.array([100]))
        held += bool(ratio.low[0] <= math.exp(0.05) <= ratio.high[0])

    assert 0.92 * 300 <= held


def test_versions_cover_the_true_ratio_with_a_build_effect():
    """300 series of 8 versions x 5 runs, builds as noisy as runs: 95% hold the truth."""
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(8), 5)
    held = 0
    for _ in range(300):
        builds = rng.normal(0, 0.01, 8) + np.where(np.arange(8) < 4, 0, 0.05)
        logs = np.repeat(builds, 5) + rng.normal(0, 0.01, 40)
        ratio = version_ratios(logs, groups, np.array([20]))
        held += bool(ratio.low[0] <= math.exp(0.05) <= ratio.high[0])

    assert 0.92 * 300 <= held
