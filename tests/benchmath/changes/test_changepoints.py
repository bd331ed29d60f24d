"""Changepoints: both shapes, missing values, groups, ratios, ruptures' detectors."""

import numpy as np
import pytest

from benchmath.changes.changepoints import (
    METHODS,
    Changepoint,
    changepoints,
    shifts,
)

pytestmark = pytest.mark.unit

STEP = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100]
STEP += [90, 91, 89, 90, 92, 88, 90, 91, 89, 90]


def noise(n, seed=1, sigma=0.01):
    return np.exp(np.random.default_rng(seed).normal(0, sigma, n))


def stepped(n, at, ratio, seed=1):
    series = noise(n, seed)
    series[at:] *= ratio
    return series


def positions(series, groups=None, method="benchbook"):
    return [shift.position for shift in shifts(series, groups, method)]


@pytest.mark.parametrize("method", METHODS)
def test_one_step_is_found_at_its_index(method):
    """Twenty numbers, the first of the new level has index 10."""
    assert [10] == positions(STEP, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_step_between_repeated_versions(method):
    """Three runs of each of eight versions, the fifth 10% slower: found at its first."""
    series = stepped(24, 12, 0.9)

    assert [12] == positions(series, [i // 3 for i in range(24)], method)


@pytest.mark.parametrize("method", METHODS)
def test_step_of_a_long_series(method):
    """300 commits, 5% slower from index 150 on in 1% of noise."""
    found = positions(stepped(300, 150, 0.95), method=method)

    assert 1 == len(found)
    assert abs(found[0] - 150) <= 2


@pytest.mark.parametrize("method", METHODS)
def test_flat_series_have_no_changepoint(method):
    """Equal values have none, as versions and as commits."""
    assert [] == positions([5.0] * 20, method=method)
    assert [] == positions([5.0] * 200, method=method)


@pytest.mark.parametrize("series", [[], [1.0], [None, None], [None, 2.0]])
@pytest.mark.parametrize("method", METHODS)
def test_too_few_values_have_none(series, method):
    """A series of no or one known value is answered, not refused."""
    assert [] == positions(series, method=method)


def test_ratio_and_interval_of_a_step():
    """The level falls to 0.90, and the interval is around it and below 1."""
    change = changepoints(STEP)[0]

    assert 0.90 == round(change.ratio, 3)
    assert 0.88 < change.low < change.ratio < change.high < 0.92
    assert (10, 10) == (change.n_before, change.n_after)
    assert 0 <= change.p <= 0.05


def test_ruptures_gives_no_p():
    """The methods of ruptures find positions without a probability."""
    change = changepoints(STEP, method="kernelcpd")[0]

    assert np.isnan(change.p)
    assert 0.90 == round(change.ratio, 3)


def test_missing_values_keep_their_places():
    """None and NaN are skipped; the position counts them."""
    series = [*map(float, STEP)]
    series[3] = None
    series[15] = float("nan")

    change = changepoints(series)[0]

    assert 10 == change.position
    assert (9, 9) == (change.n_before, change.n_after)


def test_level_of_commits_begins_at_a_known_value():
    """Where the first values of a new level are missing, it begins at the next one."""
    series = list(stepped(200, 100, 0.8))
    series[100] = series[101] = None

    assert [102] == positions(series)


def test_level_of_versions_begins_at_the_version():
    """A version begins at its first run, whether that has a value or not."""
    series = list(stepped(24, 12, 0.8))
    series[12] = None

    assert [12] == positions(series, [i // 3 for i in range(24)])


def test_many_versions_are_commits():
    """120 nights of three runs: found at the first run of the night, in nights."""
    series = stepped(360, 180, 0.8)

    change = changepoints(series, [i // 3 for i in range(360)])[0]

    assert (180, 60, 60) == (change.position, change.n_before, change.n_after)
    assert 0.8 == pytest.approx(change.ratio, rel=0.02)


def test_scale_does_not_matter():
    """The same series in other units has the same changepoints."""
    assert positions(STEP) == positions([v * 1e6 for v in STEP])


def test_groups_may_have_any_names():
    """What counts is which points share a group, not what it is called."""
    series = stepped(24, 12, 0.9)
    numbers, names = [i // 3 for i in range(24)], [f"8.0.{i // 3}" for i in range(24)]

    assert positions(series, numbers) == positions(series, names)


def test_series_with_a_zero_has_positions_and_no_ratio():
    """A level of errors per second may be 0: it changes, but by no ratio."""
    series = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    series += [90.0, 91.0, 90.0, 91.0, 90.0, 91.0, 90.0, 91.0, 90.0, 91.0]

    change = changepoints(series)[0]

    assert 10 == change.position
    assert all(np.isnan([change.ratio, change.low, change.high]))


@pytest.mark.parametrize(
    ("series", "groups", "message"),
    [
        ([[1.0, 2.0], [3.0, 4.0]], None, "one list of numbers"),
        (["fast", "slow"], None, "one list of numbers"),
        ([1.0, float("inf")], None, "value 1 is infinite"),
        ([1.0, 2.0], [0], "2 values, but 1 groups"),
        ([1.0, 2.0, 3.0], [0, 1, 0], "group 0 do not stand together"),
    ],
)
def test_what_is_no_series_raises(series, groups, message):
    """ValueError says what is wrong with values or groups."""
    with pytest.raises(ValueError, match=message):
        changepoints(series, groups)


def test_unknown_method_raises_with_the_names():
    """A misspelt method is refused, with those there are."""
    with pytest.raises(ValueError, match="available: benchbook, kernelcpd, pelt"):
        changepoints(STEP, method="plet")


def test_shifts_are_the_changepoints_without_ratios():
    """Both functions tell the same positions and p."""
    series = noise(60)
    series[20:40] *= 0.9

    expected = [(c.position, c.p) for c in changepoints(series)]
    assert expected == [(s.position, s.p) for s in shifts(series)]
    assert [20, 40] == [position for position, _ in expected]


def test_changepoint_is_a_value():
    """Two changepoints with equal fields are equal."""
    one = Changepoint(10, 0.9, 0.88, 0.92, 0.01, 10, 10)

    assert one == Changepoint(10, 0.9, 0.88, 0.92, 0.01, 10, 10)
