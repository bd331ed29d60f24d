"""Runs needed, smallest effects, and how trials are shared out over base and others."""

import math

import numpy as np
import pytest

from benchmath.ratios.power import (
    further_runs,
    power_of,
    runs_needed,
    smallest_effect,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("difference", "expected"), [(3, 4), (2, 6), (1, 17), (0.5, 64), (0.2, 394)]
)
def test_runs_are_those_of_the_textbook(difference, expected):
    """Cohen's table 2.4.1: differences in stddevs, 80% power, two-sided 5%."""
    actual = runs_needed(1.0, math.expm1(difference))

    assert expected == actual


def test_power_is_that_of_the_noncentral_t():
    """Ten a side, one stddev apart, both tails: .5620066 (R's power.t.test, strict)."""
    actual = power_of(math.expm1(1), 1.0, 10, 10)

    assert math.isclose(0.5620066, actual, abs_tol=5e-8)


def test_known_noise_needs_the_runs_of_the_normal_test():
    """Known sd 1%, effect of 2% in logs: 2 (1.95996 + .84162)^2 / 4 = 3.92, so 4."""
    actual = runs_needed(0.01, math.expm1(0.02), df=math.inf)

    assert 4 == actual


def test_one_run_can_do_where_noise_is_on_record():
    """Noise of .1% known from elsewhere: 1 run shows 5%, without it 2 are the least."""
    assert 1 == runs_needed(0.001, 0.05, df=30)
    assert 2 == runs_needed(0.001, 0.05)


def test_a_decrease_is_farther_in_logs_than_the_same_increase():
    """log(.75) = -.288, log(1.25) = .223: fewer runs find -25%."""
    assert runs_needed(0.2, -0.25) < runs_needed(0.2, 0.25)


def test_no_number_of_runs_gets_below_the_floor():
    """A floor of sd .5% a side: at best power is Phi(.0198 / .00707 - 1.96) = .799."""
    assert runs_needed(0.0001, 0.02, floor_sd=0.005) is None
    assert runs_needed(0.0001, 0.02, floor_sd=0.0049) is not None


def test_a_floor_costs_runs():
    """Half of what the floor leaves of the variance: more runs than without one."""
    assert runs_needed(0.01, 0.02) < runs_needed(0.01, 0.02, floor_sd=0.003)


def test_runs_without_noise_are_the_least():
    """Runs that never differ find every effect with the least number of runs."""
    assert 2 == runs_needed(0.0, 0.001)


def test_more_base_runs_save_runs_of_the_others():
    """17 a side become 13 against 26: 1/13 + 1/26 is less than 2/17."""
    assert 13 == runs_needed(1.0, math.expm1(1), ratio=2.0)


@pytest.mark.parametrize(
    ("sd", "effect"), [(0.01, 0.0), (0.01, -1.0), (math.nan, 0.1), (-0.01, 0.1)]
)
def test_nonsense_is_refused(sd, effect):
    """No effect, the loss of everything, and noise that is no stddev are errors."""
    with pytest.raises(ValueError, match=r"cannot be looked for|says nothing"):
        runs_needed(sd, effect)


def test_smallest_effect_is_found_with_the_power_asked_for():
    """Power at the smallest effect of 3 against 5 runs is 90%."""
    effect = smallest_effect(0.01, 3, 5, power=0.9)

    assert math.isclose(0.9, power_of(effect, 0.01, 3, 5), abs_tol=1e-8)


def test_smallest_effect_with_known_noise_is_the_normal_one():
    """(1.959964 + .841621) * 1% * sqrt(2/3) = .0228749, but for the other tail."""
    actual = math.log1p(smallest_effect(0.01, 3, 3, df=math.inf))

    assert math.isclose(0.0228749, actual, abs_tol=2e-6)


def test_floor_bounds_the_smallest_effect():
    """With 1e9 runs a side what is left is 2.801585 * sqrt(2) * .5% = .0198102."""
    actual = math.log1p(smallest_effect(0.01, 10**9, 10**9, floor_sd=0.005))

    assert math.isclose(0.0198102, actual, abs_tol=2e-6)


def test_single_runs_see_nothing_without_noise_on_record():
    """One run a side has no degrees of freedom: NaN, unless noise is known."""
    assert math.isnan(smallest_effect(0.01, 1, 1))
    assert 0.03 < smallest_effect(0.01, 1, 1, df=20) < 0.05


def test_power_without_degrees_of_freedom_is_unknown():
    """One run a side and no noise on record: no test, so no power."""
    assert math.isnan(power_of(0.1, 0.01, 1, 1))


def test_power_agrees_with_simulated_tests():
    """4,000 simulated comparisons of 3 with 3 runs: within 3 standard errors."""
    rng = np.random.default_rng(7)
    me, base = rng.normal(0.04, 0.01, (4000, 3)), rng.normal(0, 0.01, (4000, 3))
    error = np.sqrt((me.var(axis=1, ddof=1) + base.var(axis=1, ddof=1)) / 3)
    found = np.abs(me.mean(axis=1) - base.mean(axis=1)) / error > 2.7764451

    expected = power_of(math.expm1(0.04), 0.01, 3, 3)

    assert abs(expected - found.mean()) < 3 * math.sqrt(expected * (1 - expected) / 4000)


def test_further_runs_are_those_needed_less_those_there():
    """1% noise and an effect of 2% need 6 a side: from 3 that is 3, from 9 none."""
    actual = [further_runs(0.01, 0.02, n, n) for n in (3, 9)]

    assert 6 == runs_needed(0.01, 0.02)
    assert [3, 0] == actual


def test_further_runs_are_added_to_unequal_sides():
    """2 and 18 runs become 3 and 19; a little less distance makes that 4 and 20."""
    distance = 2.8016 * math.sqrt(1 / 3 + 1 / 19)
    nearer, needed = math.expm1(0.99 * distance), math.expm1(distance)

    assert 1 == further_runs(1.0, needed, 2, 18, df=math.inf)
    assert 2 == further_runs(1.0, nearer, 2, 18, df=math.inf)


def test_runs_do_not_make_a_floor_better_known():
    """With 3 degrees of freedom t is 3.18 for ever: 2% is out of reach, not at 30."""
    few = further_runs(0.01, 0.02, 3, 3, floor_sd=0.004, df=3)

    assert few is None
    assert 5 < further_runs(0.01, 0.02, 3, 3, floor_sd=0.004, df=30) < 40


def test_further_runs_stop_at_the_floor():
    """Where the floor hides the effect, no number of runs helps."""
    assert further_runs(0.01, 0.02, 3, 3, floor_sd=0.01) is None
