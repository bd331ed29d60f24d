"""What kind of noise a series has, and the order statistics that tell it."""

from dataclasses import replace

import numpy as np
import pytest

from benchmath.changes.commits.model import _running_medians, fitted, middle
from benchmath.changes.commits.noise import Model

pytestmark = pytest.mark.unit


def normal(n, seed=1):
    return np.random.default_rng(seed).normal(0, 1, n)


def correlated(n, coefficient, seed=1):
    """Each value keeps a share of the one before."""
    noise = normal(n, seed)
    for i in range(1, n):
        noise[i] += coefficient * noise[i - 1]
    return noise


@pytest.mark.parametrize(
    "values",
    [
        normal(101),
        normal(100),
        np.round(normal(100)),
        np.append(normal(50), [1e20, -1e20]),
        10.0 ** np.arange(-200, 200),
        np.array([3.0]),
        np.array([2.0, 2.0, 1.0]),
    ],
    ids=["odd", "even", "ties", "far", "all sizes", "one", "three"],
)
def test_middle_is_the_upper_median(values):
    """Halving and counting finds what sorting would."""
    assert np.sort(values)[values.size // 2] == middle(values)


@pytest.mark.slow
def test_running_medians_are_those_of_each_window():
    """Five points around each; at the ends the series is mirrored."""
    values = np.array([1.0, 9.0, 2.0, 8.0, 3.0, 7.0])

    assert [2.0, 8.0, 3.0, 7.0, 3.0, 7.0] == _running_medians(values, 2).tolist()


def test_correlated_noise_is_given_a_memory():
    """Half of each value is carried over to the next."""
    assert abs(fitted(correlated(600, 0.5)).noise.memory[0] - 0.5) < 0.15


def test_strong_memory_is_not_taken_for_levels():
    """Levels that follow the noise hide a third of a coefficient of .8 at first."""
    memory = fitted(correlated(600, 0.8)).noise.memory

    assert 0.65 < sum(memory) < 0.9


def test_independent_noise_is_rarely_given_one():
    """Twenty seeds of 300 points: chance correlations do not pay."""
    found = [fitted(normal(300, seed)).noise.memory for seed in range(20)]

    assert found.count(()) >= 18


def test_densities_of_all_classes_of_spread_add_up():
    """A wider or narrower density is still one, but for what it has far out."""
    even = fitted(normal(300))
    noise = replace(even.noise, scales=(0.5, 1.0, 2.0))
    sums = Model(even.series, noise).tables.first.sum(axis=2)[0]

    assert np.abs(sums - sums[1]).max() < 0.03
