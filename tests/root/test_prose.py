"""Words of sentences: intervals, what is not sure, values joined."""

import math

import pytest

from benchmath.prose import interval, joined, ratio_format, span, unsure, with_interval

pytestmark = pytest.mark.unit


def test_an_interval_in_a_sentence_stands_in_brackets():
    """Two digits, or as they are asked for; nothing without bounds."""
    assert "[0.98, 1.02]" == interval(0.984, 1.016)
    assert "[1.0%, 2.5%]" == interval(0.01, 0.025, "{:.1%}".format)
    assert "" == interval(math.nan, 1)


def test_a_figure_without_interval_stands_alone():
    """The interval behind its figure, if there is one."""
    assert "1.00 [0.98, 1.02]" == with_interval("1.00", 0.98, 1.02)
    assert "1.00" == with_interval("1.00", math.nan, math.nan)


def test_span_without_upper_bound():
    """In a table an interval has "to"; an infinite bound is said in words."""
    assert "0.94 to 0.98" == span(0.941, 0.979)
    assert "0.10 to no bound" == span(0.1, math.inf)
    assert "" == span(math.nan, 1)


def test_a_tilde_says_that_nothing_was_detected():
    """What is sure stands as it is."""
    assert ("~ 1.01", "1.10") == (unsure("1.01", False), unsure("1.10", True))


def test_joined_values_are_different_ones_in_their_order():
    """Each value once, as text."""
    assert "8, 5.7" == joined([8, "5.7", 8])
    assert "higher/lower" == joined(["higher", "lower", "higher"], "/")


def test_a_narrow_interval_has_three_decimals():
    """1.01 to 1.01 would say nothing."""
    show = ratio_format(1.007, 1.013)

    assert "1.007 to 1.013" == span(1.007, 1.013, show)


def test_a_wide_interval_has_two_decimals():
    """More would say what nobody knows."""
    assert "1.02" == ratio_format(0.95, 1.1)(1.0213)
