"""Benjamini-Hochberg, and what a family of comparisons says."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmath.ratios.verdicts import Family, benjamini_hochberg, family

pytestmark = pytest.mark.unit


def test_adjusted_p_is_p_times_tests_over_rank():
    """.01, .02, .03 of 4 tests with .5: .04, .04, .04, .5."""
    actual = benjamini_hochberg([0.01, 0.02, 0.03, 0.5])

    assert np.allclose([0.04, 0.04, 0.04, 0.5], actual)


def test_order_of_tests_does_not_matter():
    """Each q stays with its p: .005 * 4, .04 * 4 / 2, .2 * 4 / 3, .9."""
    actual = benjamini_hochberg([0.9, 0.04, 0.005, 0.2])

    assert np.allclose([0.9, 0.08, 0.02, 0.8 / 3], actual)


def test_larger_p_never_gets_the_smaller_q():
    """.03 * 3 / 1 = .09 is more than .04 * 3 / 2 = .06, so both are .045."""
    actual = benjamini_hochberg([0.03, 0.04, 0.045])

    assert np.allclose([0.045, 0.045, 0.045], actual)


def test_ties_share_their_q():
    """Two tests of p .02 among four: .02 * 4 / 2."""
    assert np.allclose([0.04, 0.04, 1, 1], benjamini_hochberg([0.02, 0.02, 1, 1]))


def test_nan_is_no_test():
    """Two tests and a NaN: .02 * 2 and .5, and the NaN stays."""
    actual = benjamini_hochberg([0.02, math.nan, 0.5])

    assert np.allclose([0.04, math.nan, 0.5], actual, equal_nan=True)


@pytest.mark.parametrize("p", [[], [math.nan]])
def test_nothing_tested(p):
    """No tests, no q."""
    assert not np.isfinite(benjamini_hochberg(p)).any()


@pytest.mark.parametrize("p", [[-0.1], [1.1]])
def test_p_is_a_probability(p):
    """Anything else is a mistake of the caller."""
    with pytest.raises(ValueError, match="not between 0 and 1"):
        benjamini_hochberg(p)


def test_family_counts_tests_and_flagged():
    """Five rows, one without interval; q of .05 is flagged at .05: 2 * .05 = .1."""
    frame = pd.DataFrame({"q": [0.001, 0.05, 0.051, 0.9, math.nan]})

    assert Family(tests=4, flagged=2, expected_false=0.1, alpha=0.05) == family(frame)


def test_family_at_another_rate():
    """At 10% three of the four are flagged."""
    found = family(pd.DataFrame({"q": [0.001, 0.05, 0.051, 0.9]}), alpha=0.1)

    assert 3 == found.flagged
    assert math.isclose(0.3, found.expected_false)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            Family(42, 9, 0.45, 0.05),
            "Of 42 comparisons 9 differ from 1 by Benjamini-Hochberg at 5%: at most 0.45 "
            "of these are expected to be false.",
        ),
        (
            Family(42, 1, 0.05, 0.05),
            "Of 42 comparisons 1 differs from 1 by Benjamini-Hochberg at 5%: at most "
            "0.05 of these are expected to be false.",
        ),
        (
            Family(1, 0, 0.0, 0.05),
            "Of 1 comparison none differs from 1 by Benjamini-Hochberg at 5%.",
        ),
        (Family(0, 0, 0.0, 0.05), "No comparison has an interval: nothing was tested."),
    ],
)
def test_family_in_words(found, text):
    """One sentence with its numbers."""
    assert text == found.text
