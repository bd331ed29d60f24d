"""Distribution functions are scipy.stats' own, without its import."""

import numpy as np
import pytest
from scipy import stats

from benchmath import intervals as ours

pytestmark = pytest.mark.unit
DF = np.array([0.7, 1, 3, 29.5, 1e5, np.inf])
FINITE = DF[:5]


@pytest.mark.parametrize("share", [1e-6, 0.025, 0.5, 0.975, 1 - 1e-9])
def test_quantiles(share):
    assert np.array_equal(stats.t.ppf(share, DF), ours.t_quantile(share, DF))
    assert np.array_equal(stats.t.isf(share, DF), ours.t_above(share, DF))
    assert np.array_equal(
        stats.chi2.ppf(share, FINITE), ours.chi2_quantile(share, FINITE)
    )
    assert np.array_equal(
        stats.f.ppf(share, 2, FINITE), ours.f_quantile(share, 2, FINITE)
    )


@pytest.mark.parametrize("value", [-3.0, 0.0, 0.5, 2.2, 40.0])
def test_shares(value):
    assert np.array_equal(stats.t.sf(value, DF), ours.t_tail(value, DF))
    assert stats.norm.sf(value) == ours.normal_tail(value)
    assert stats.norm.pdf(value) == pytest.approx(ours.normal_density(value), rel=1e-15)
    square = value**2
    assert np.array_equal(stats.chi2.cdf(square, FINITE), ours.chi2_share(square, FINITE))
    assert np.array_equal(stats.f.sf(square, 3, FINITE), ours.f_tail(square, 3, FINITE))
