"""Tables and curves of how many runs find which effect."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmath.ratios.power import power_of, smallest_effect
from benchmath.variation.cov import pooled_cov
from benchmath.variation.planning import power_curve, runs_table

pytestmark = pytest.mark.unit


def noise(**steps):
    """The columns of a pooled_cov frame that planning needs."""
    return pd.DataFrame({"step": list(steps), "pooled": list(steps.values())})


def test_runs_are_those_of_the_textbook():
    """Cohen's table 2.4.1: 1 stddev apart 17 runs a side, 2 apart 6, 3 apart 4."""
    effects = [math.expm1(d * 0.01) for d in (1, 2, 3)]

    table = runs_table(noise(scan=0.01), effects)

    assert ["scan", 0.01, 17, 6, 4] == table.iloc[0].tolist()


def test_each_effect_is_a_column_in_percent():
    """0.02 is the column 2%, 0.005 the column 0.5%, after step and cov."""
    table = runs_table(noise(scan=0.01), (0.005, 0.02))

    assert ["step", "cov", "0.5%", "2%"] == list(table.columns)


def test_effects_below_the_floor_have_no_number_of_runs():
    """A build effect of 1% a side hides 3% from every number of runs, not 5%."""
    table = runs_table(noise(scan=0.001).assign(floor_sd=0.01), (0.03, 0.05))

    assert pd.isna(table["3%"].iloc[0])
    assert table["5%"].iloc[0] > 2


def test_floor_that_is_not_known_counts_as_none():
    """NaN, where no build was repeated, plans as if there were no floor."""
    with_nan = runs_table(noise(scan=0.01).assign(floor_sd=np.nan))

    assert runs_table(noise(scan=0.01)).equals(with_nan)


def test_machine_stays_beside_the_step():
    """Pooled noise of two machines: their names are kept, other columns are not."""
    frame = pd.DataFrame(
        {
            "machine": ["a", "a", "b", "b"], "step": "scan", "metric": "qps",
            "main": True, "value": [99.0, 101.0, 98.0, 102.0], "unit": "queries/s",
            "direction": "higher",
        }
    )  # fmt: skip

    table = runs_table(pooled_cov(frame), (0.03,))

    assert ["machine", "step", "cov", "3%"] == list(table.columns)
    assert ["a", "b"] == list(table["machine"])


def test_no_noise_gives_no_rows():
    """An empty frame has the same columns."""
    table = runs_table(noise())

    assert (0, 7) == table.shape


def test_curve_has_a_point_per_step_and_trials():
    """Two steps and three numbers of trials are six points; more trials see less."""
    curve = power_curve(noise(scan=0.01, load=0.02), trials=[2, 3, 10])

    assert ["scan"] * 3 + ["load"] * 3 == list(curve["step"])
    assert [2, 3, 10] * 2 == list(curve["trials"])
    assert curve["smallest_effect"].head(3).is_monotonic_decreasing


def test_point_of_the_curve_is_the_test_of_equal_sides():
    """Five runs a side of CoV 1%: smallest effect with 90% power, power to see 2%."""
    row = power_curve(noise(scan=0.01), [5], effect=0.02, power=0.9).iloc[0]

    assert smallest_effect(0.01, 5, 5, 0.9) == row["smallest_effect"]
    assert power_of(0.02, 0.01, 5, 5) == row["power"]


def test_noise_needs_its_columns():
    """A frame without pooled noise is refused by name of the column."""
    with pytest.raises(ValueError, match="no column pooled"):
        runs_table(pd.DataFrame({"step": ["scan"]}))
