"""Pooled and moderated variances, versions left out of the pool, neighbours."""

import math

import numpy as np
import pytest
from scipy import special

from benchmath.ratios.pooling import (
    Runs,
    moderate,
    neighbour_variance,
    pool_runs,
    trigamma_inverse,
)

pytestmark = pytest.mark.unit


def variances(*values):
    return np.array(values, dtype=float)


def one_group(*cells, paired=False):
    """Runs of the cells of one group; the i-th run of each cell is in trial i."""
    return Runs(
        log=np.concatenate([np.array(c, dtype=float) for c in cells]),
        cell=np.repeat(np.arange(len(cells)), [len(c) for c in cells]),
        block=np.concatenate([np.arange(len(c)) for c in cells]),
        group=np.zeros(len(cells), dtype=int),
        paired=np.array([paired]),
    )


@pytest.mark.parametrize("y", [0.01, 0.5, 1.0, 7.3, 400.0])
def test_inverse_of_trigamma(y):
    """The inverse gives back the argument of trigamma."""
    assert y == pytest.approx(trigamma_inverse(float(special.polygamma(1, y))))


@pytest.mark.parametrize(("x", "y"), [(1e-8, 1e8), (1e8, 1e-4)])
def test_inverse_of_extreme_trigamma(x, y):
    """trigamma(y) is 1/y for large y and 1/y^2 for small y."""
    assert y == pytest.approx(trigamma_inverse(x))


def test_two_variances_make_no_prior():
    """With fewer than three variances there is nothing to learn from: all stay."""
    found = moderate(variances(1, 4), variances(2, 3))

    assert [1, 4] == list(found.var)
    assert [2, 3] == list(found.df)
    assert 0 == found.prior_df


def test_like_variances_become_one():
    """Variances as alike as 2 df allow: their mean by df, with all their df."""
    found = moderate(variances(1, 2, 3), variances(2, 2, 4))

    assert math.inf == found.prior_df
    assert [2.25] * 3 == pytest.approx(found.var)
    assert [8] * 3 == pytest.approx(found.df)


def test_prior_has_the_moments_of_the_logs():
    """e^-4, 1, e^4 with 2 df: variance of the logs 16, mean 0, digamma(1) = -gamma.

    Smyth's moments: trigamma(d0/2) = 16 - trigamma(1), and
    log s0^2 = gamma + digamma(d0/2) - log(d0/2).
    """
    found = moderate(variances(math.exp(-4), 1, math.exp(4)), variances(2, 2, 2))

    half = found.prior_df / 2
    assert 16 - math.pi**2 / 6 == pytest.approx(float(special.polygamma(1, half)))
    log_prior = np.euler_gamma + float(special.digamma(half)) - math.log(half)
    assert log_prior == pytest.approx(math.log(found.prior_var))


def test_posterior_weighs_by_degrees_of_freedom():
    """(df var + d0 s0^2) / (df + d0), and df of 1 / (1 / (df + d0) + 1 / all)."""
    found = moderate(variances(math.exp(-4), 1, math.exp(4)), variances(2, 2, 2))

    d0, s0 = found.prior_df, found.prior_var
    assert (2 * 1 + d0 * s0) / (2 + d0) == pytest.approx(found.var[1])
    assert [1 / (1 / (2 + d0) + 1 / 6)] * 3 == pytest.approx(found.df)


def test_zero_takes_no_part_in_the_prior():
    """Equal readings (variance 0) leave the prior as it is, but are moved to it."""
    without = moderate(variances(1, 2, 3), variances(2, 2, 4))
    found = moderate(variances(1, 2, 3, 0), variances(2, 2, 4, 2))

    assert without.prior_df == found.prior_df
    assert without.prior_var == found.prior_var
    assert found.prior_var == pytest.approx(found.var[3])


def test_variance_without_freedom_stays_unknown():
    """A NaN with 0 df does not spoil the others and is not filled in."""
    found = moderate(variances(1, 2, 3, math.nan), variances(2, 2, 4, 0))

    assert [2.25] * 3 == pytest.approx(found.var[:3])
    assert math.isnan(found.var[3])
    assert 0 == found.df[3]


def test_far_variance_keeps_its_own():
    """100 among fifteen variances of 1 with 4 df: it stays, the others do not see it."""
    found = moderate(variances(*[1] * 15, 100), variances(*[4] * 16))

    assert 100 == found.var[15]
    assert 4 == found.df[15]
    assert [1] * 15 == pytest.approx(found.var[:15])
    assert [60] * 15 == pytest.approx(found.df[:15])


def test_prior_is_found_again():
    """Variances drawn with 8 prior df around 2 (seed 1): the fit comes back to them."""
    rng = np.random.default_rng(1)
    true = 2 * 8 / rng.chisquare(8, 4000)
    found = moderate(true * rng.chisquare(4, 4000) / 4, np.full(4000, 4.0))

    assert 8 == pytest.approx(found.prior_df, rel=0.1)
    assert 2 == pytest.approx(found.prior_var, rel=0.03)


def test_pool_is_the_mean_variance_by_degrees_of_freedom():
    """Residuals -1 1, -1 0 1 and a single run: sum of squares 4 over 3 df."""
    pool = pool_runs(one_group([4, 6], [1, 2, 3], [9]))

    assert [4 / 3] == pytest.approx(pool.var)
    assert [3] == list(pool.df)
    assert not pool.odd.any()


def test_single_runs_have_no_pool():
    """One run per cell: no variance, no degrees of freedom."""
    pool = pool_runs(one_group([4], [1]))

    assert np.isnan(pool.var).all()
    assert [0] == list(pool.df)


def test_pairs_take_out_what_a_trial_shares():
    """Trials of 0, 10, 20 are no noise: the differences 1, 1, 4 have variance 3."""
    pool = pool_runs(one_group([0, 10, 20], [1, 11, 24], paired=True))

    assert [1.5] == pytest.approx(pool.var)
    assert [2] == pytest.approx(pool.df)


def test_trials_of_equal_differences_have_no_noise():
    """Arithmetic leaves 1e-16 of a residual that is 0; the pool has exactly 0."""
    pool = pool_runs(one_group([0.1, 0.7, 0.3], [0.4, 1.0, 0.6], paired=True))

    assert [0] == list(pool.var)


def test_odd_version_is_left_out():
    """Spread 100 times that of the others: out, and the pool is that of the others."""
    quiet = [-1, 0, 1, 0]

    pool = pool_runs(one_group(quiet, [-100, 0, 100, 0], quiet, quiet))

    assert [False, True, False, False] == list(pool.odd)
    assert [2 / 3] == pytest.approx(pool.var)
    assert [9] == list(pool.df)


def test_quiet_version_is_odd_too():
    """The test is two-sided: a spread of a hundredth leaves the pool as well."""
    noisy = [-100, 0, 100, 0]

    pool = pool_runs(one_group(noisy, noisy, [-1, 0, 1, 0], noisy))

    assert [False, False, True, False] == list(pool.odd)


def test_two_odd_versions_do_not_hide_each_other():
    """The oddest leaves first and the others are looked at again."""
    quiet = [-1, 0, 1, 0, 0]
    cells = [quiet] * 6 + [[-1000, 0, 1000, 0, 0], [-50, 0, 50, 0, 0]]

    pool = pool_runs(one_group(*cells))

    assert [6, 7] == list(np.flatnonzero(pool.odd))


def test_two_versions_of_unlike_spread_have_no_pool():
    """Of two cells each is as odd as the other: both are left out."""
    pool = pool_runs(one_group([-1, 0, 1, 0, 0], [-100, 0, 100, 0, 0]))

    assert [True, True] == list(pool.odd)
    assert [0] == list(pool.df)


def test_odd_version_among_pairs():
    """With the trials taken out, what is left of the third version is no pool's."""
    trials = np.array([0.0, 50, 20, 70, 10, 40])
    noise = np.array([1.0, -1, 1, -1, 1, -1])
    cells = [trials + noise, trials - noise, trials + 100 * noise[::-1], trials]

    pool = pool_runs(one_group(*cells, paired=True))

    assert [False, False, True, False] == list(pool.odd)
    assert [10] == pytest.approx(pool.df)


def test_equal_readings_are_not_odd():
    """Rounding makes equal readings of a small spread: they stay in the pool."""
    pool = pool_runs(one_group([5, 5, 5, 5], [-1, 0, 1, 0], [-1, 0, 1, 0]))

    assert not pool.odd.any()
    assert [4 / 9] == pytest.approx(pool.var)


def test_run_of_zero_keeps_its_cell_out():
    """Minus infinity is no noise: the cell counts for nothing, and is not called odd."""
    pool = pool_runs(one_group([-math.inf, 1], [-1, 1], [-1, 1]))

    assert [2] == pytest.approx(pool.var)
    assert [2] == list(pool.df)
    assert not pool.odd.any()


def test_few_alike_versions_are_left_out():
    """Of 2000 groups of 7 equally noisy versions (seed 2) about one in 100 loses one."""
    log = np.random.default_rng(2).normal(size=2000 * 7 * 5)
    cell = np.repeat(np.arange(2000 * 7), 5)
    group = np.repeat(np.arange(2000), 7)
    block = np.tile(np.arange(5), 2000 * 7) + 5 * group[cell]

    pool = pool_runs(Runs(log, cell, block, group, np.zeros(2000, dtype=bool)))

    assert 20 == pytest.approx(pool.odd.sum(), abs=14)


def test_neighbours_make_do_for_repeats():
    """Steps 1, 2, 30: half the median square over 0.4549 + 1.1/3, with 0.4 + 0.9 df."""
    var, df = neighbour_variance(np.array([0.0, 1, 3, 33]))

    assert 2 / (0.4549 + 1.1 / 3) == pytest.approx(var)
    assert 1.3 == pytest.approx(df)


@pytest.mark.parametrize("values", [[1], [1, 2], [1, 1, 1, 5], [1, math.nan, 2]])
def test_too_few_neighbours_say_nothing(values):
    """Fewer than two steps, or mostly equal values: no variance."""
    var, df = neighbour_variance(np.array(values, dtype=float))

    assert math.isnan(var)
    assert 0 == df
