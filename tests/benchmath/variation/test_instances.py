"""Instances of server types: how far they lie apart, and runs on one of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import server_frames

from benchmath.ratios.power import runs_needed
from benchmath.variation.instances import (
    instance_variation,
    price_per_million,
    server_ratios,
)

pytestmark = pytest.mark.unit
# Means .01 and .11, within MS .0002 of 2 df, between MS .01 of 1 df.
APART = {"a": {"a1": (0.00, 0.02), "a2": (0.10, 0.12)}}


def test_variances_of_two_instances_by_hand():
    """Between (.01 - .0002) / 2, within .0002; Williams' and chi-squared's intervals."""
    [row] = instance_variation(server_frames.rows(APART)).to_dict("records")

    assert (2, 4) == (row["instances"], row["runs"])
    assert [0.07, 0.0151, 2.256] == pytest.approx(
        [row["between"], row["between_low"], row["between_high"]], rel=2e-3
    )
    assert [0.01414, 0.00736, 0.0889] == pytest.approx(
        [row["within"], row["within_low"], row["within_high"]], rel=2e-3
    )


def test_a_rate_is_as_sure_as_its_instances():
    """Student over two means, t(1) 12.706: four runs do not make it surer."""
    [row] = instance_variation(server_frames.rows(APART)).to_dict("records")

    half = 12.706 * 0.05
    assert np.exp([0.06, 0.06 - half, 0.06 + half]) == pytest.approx(
        [row["rate"], row["rate_low"], row["rate_high"]], rel=1e-4
    )


def test_instances_that_are_alike_have_no_variance_between():
    """Means that differ less than runs do: REML stops at 0, and so does the low end."""
    same = {"a": {"a1": (0.0, 0.1, 0.2), "a2": (0.01, 0.1, 0.19)}}
    [row] = instance_variation(server_frames.rows(same)).to_dict("records")

    assert row["between"] == pytest.approx(0, abs=1e-3)
    assert 0 == row["between_low"]


def test_a_comparison_needs_instances_as_the_power_says():
    """Of the stddev of an instance's mean of two runs."""
    [row] = instance_variation(server_frames.rows(APART), effect=0.05).to_dict("records")

    assert runs_needed(float(np.hypot(0.07, 0.01)), 0.05) == row["needed"]


def test_one_instance_tells_nothing_of_others():
    """No interval, no variance, no number of instances."""
    alone = {"a": {"a1": (0.0, 0.1)}}
    [row] = instance_variation(server_frames.rows(alone)).to_dict("records")

    assert pd.isna([row["rate_low"], row["between"], row["within"], row["needed"]]).all()
    assert np.exp(0.05) == pytest.approx(row["rate"])


def test_types_are_compared_over_instances():
    """Twice the rate: Welch over two means a side, both with a stddev of .0707, 2 df."""
    two = APART | {"b": {"b1": (np.log(2), np.log(2) + 0.02),
                         "b2": (np.log(2) + 0.10, np.log(2) + 0.12)}}  # fmt: skip
    [row] = server_ratios(server_frames.rows(two), "a").to_dict("records")

    half = 4.3027 * 0.0707107  # sqrt of the sum of two squared errors of .05
    assert ("b", "a", 2) == (row["me"], row["base"], row["instances"])
    assert [2, 2 * np.exp(-half), 2 * np.exp(half)] == pytest.approx(
        [row["relative"], row["low"], row["high"]], rel=1e-4
    )


def test_a_million_operations_have_a_price():
    """.36 an hour at 1,000 a second: .0001 a second, 1,000 seconds."""
    [price] = price_per_million(pd.Series([1000.0]), pd.Series([0.36]))

    assert 0.1 == pytest.approx(price)
