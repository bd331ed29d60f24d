"""The gate: what fails, what passes, what is open and for how long."""

import math

import pandas as pd
import pytest

from benchmath.errors import UserError
from benchmath.ratios.gate import gated, holm

pytestmark = pytest.mark.unit


def judged(*rows: dict) -> pd.DataFrame:
    """Rows of ``verdicts`` at a margin of 3%: 10 runs a side, noise 1%."""
    usual = {
        "direction": "higher", "relative": 1.0, "low": 0.99, "high": 1.01, "p": 1.0,
        "df": 18.0, "se": 0.0045, "n": 10, "n_base": 10, "run_sd": 0.01,
        "floor_sd": 0.0, "verdict": "equivalent", "margin": 0.03,
    }  # fmt: skip
    return pd.DataFrame([usual | row for row in rows])


def slower(**row) -> dict:
    worse = {"relative": 0.95, "low": 0.94, "high": 0.96, "p": 1e-6}
    return worse | {"verdict": "regressed"} | row


def outcome(*rows: dict, fail_on: str = "regressed") -> list[str]:
    return list(gated(judged(*rows), fail_on)["outcome"])


def test_holm_multiplies_by_the_tests_that_are_left():
    """.01 times 3; .02 times 2 is .04; .04 times 1 rises to .04; NaN is no test."""
    adjusted = list(holm([0.04, math.nan, 0.01, 0.02]))

    assert [0.04, 0.03, 0.04] == pytest.approx([adjusted[0], adjusted[2], adjusted[3]])
    assert math.isnan(adjusted[1])


def test_a_regression_fails_and_no_change_passes():
    assert ["failed", "fine"] == outcome(slower(), {})


def test_only_the_bad_side_is_looked_at():
    """0.98 to 1.10 does not tell equal from faster: it is not slower, which is enough."""
    wide = {"relative": 1.04, "low": 0.98, "high": 1.10, "verdict": "undecided"}

    assert ["fine"] == outcome(wide)
    assert ["undecided"] == outcome(wide, fail_on="changed")
    assert ["undecided"] == outcome(wide | {"direction": "lower"})


def test_where_lower_is_better_more_is_worse():
    rows = slower(direction="lower", relative=1.05, low=1.04, high=1.06)

    assert ["failed"] == outcome(rows)


def test_an_improvement_is_fine_but_a_change():
    better = {"relative": 1.1, "low": 1.08, "high": 1.12, "p": 1e-6,
              "verdict": "improved"}  # fmt: skip

    assert ["fine"] == outcome(better)
    assert ["failed"] == outcome(better, fail_on="changed")


def test_one_of_many_must_stand_after_holm():
    """p of .04 is .02 on one side: enough for one test or two, not for three."""
    doubtful = slower(relative=0.965, low=0.932, high=0.999, p=0.04)

    assert ["failed", "fine"] == outcome(doubtful, {})
    assert ["undecided", "fine", "fine"] == outcome(doubtful, {}, {})


def test_improvements_do_not_make_a_regression_easier():
    """Benjamini-Hochberg would flag it beside nine true finds; Holm does not."""
    better = {"relative": 1.1, "low": 1.08, "high": 1.12, "p": 1e-6,
              "verdict": "improved"}  # fmt: skip
    doubtful = slower(relative=0.965, low=0.932, high=0.999, p=0.04)

    assert "undecided" == outcome(*[better] * 9, doubtful)[-1]


def test_further_runs_are_those_of_the_noise_on_record():
    """Two runs a side with noise of 3% see no 3%: 16 a side do, so about 14 more."""
    row = {"n": 2, "n_base": 2, "df": 2.0, "run_sd": 0.03, "se": 0.03, "low": 0.88,
           "high": 1.14, "verdict": "undecided"}  # fmt: skip
    table = gated(judged(row))

    assert 14 <= table["further"][0] <= 16


def test_a_floor_above_the_margin_is_said():
    row = {"floor_sd": 0.05, "se": 0.07, "df": 4.0, "low": 0.83, "high": 1.2,
           "verdict": "undecided"}  # fmt: skip
    table = gated(judged(row))

    assert table["further"].isna().all()
    assert table["why"][0].startswith("builds or loads differ by 5%")


def test_a_ratio_at_the_margin_is_said():
    """No spread that a hundred times the runs have tells 0.9701 from 0.97."""
    row = {"relative": 0.9701, "low": 0.95, "high": 0.99, "p": 0.01, "run_sd": math.nan,
           "se": 0.01, "verdict": "undecided"}  # fmt: skip

    assert (
        "its ratio is at the margin: no time decides it" == gated(judged(row))["why"][0]
    )


def test_turns_have_a_forecast_of_loads():
    """Half-width 4.1%, of which 3.05% is needed: 1.8 times the loads, minus t's fall."""
    row = {"n": 5, "n_base": 5, "df": 20.0, "run_sd": math.nan, "se": 0.02, "low": 0.96,
           "high": 1.04, "verdict": "undecided"}  # fmt: skip

    assert [4] == list(gated(judged(row))["further"])


def test_turns_that_are_worse_have_a_forecast_by_holm():
    """4.08% worse by logarithm, error 2%: 1.04 times the loads for t of 2.09; of ten
    tests the first fails at p of .01, t of 2.72 with 36 df: 1.78 times.
    """
    row = {"n": 5, "n_base": 5, "df": 20.0, "run_sd": math.nan, "se": 0.02,
           "relative": 0.96, "low": 0.92, "high": 1.001, "p": 0.055,
           "verdict": "undecided"}  # fmt: skip
    fine = {"relative": 1.0, "low": 0.99, "high": 1.01, "verdict": "equivalent"}

    assert 1 == gated(judged(row))["further"][0]
    assert 4 == gated(judged(row, *[fine] * 9))["further"][0]


def test_one_run_a_side_needs_another():
    row = {"n": 1, "n_base": 1, "se": math.nan, "df": math.nan, "p": math.nan,
           "low": math.nan, "high": math.nan, "verdict": "no interval"}  # fmt: skip
    table = gated(judged(row))

    assert ("undecided", 1) == (table["outcome"][0], table["further"][0])


def test_a_metric_without_direction_cannot_regress():
    with pytest.raises(UserError, match="--fail-on changed"):
        gated(judged({"direction": "none"}))
