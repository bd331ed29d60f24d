"""Stopping when it is decided, and the forecast of when that will be."""

import numpy as np
import pandas as pd
import pytest

from benchmath.turns.stopping import decisions, time_to_decision

pytestmark = pytest.mark.unit


def looks(*rows, step="s"):
    """Looks at quarters of the budget: (relative, se) each, of any number of rounds."""
    return pd.DataFrame(
        [
            {"step": step, "trial": n, "share": n / 4, "rounds": 100 * n,
             "relative": ratio, "se": se, "df": 1e9}
            for n, (ratio, se) in enumerate(rows, 1)
        ]
    )  # fmt: skip


def verdict(*rows):
    return decisions(looks(*rows), ["step"], margin=0.03).iloc[0]


def test_large_difference_is_decided_at_the_first_look():
    """A tenth slower, known to 2%: the bound of a quarter is 2.73, so 1 is outside."""
    row = verdict((0.9, 0.02), (0.9, 0.01))

    assert ("regressed", 1, 0.25) == tuple(row[["verdict", "looks", "share"]])
    assert pytest.approx(0.9 * np.exp(-2.734369 * 0.02), abs=1e-6) == row["low"]


def test_interval_within_the_margin_is_equivalent():
    """At 2% an early look knows too little; at .8% the bound of 2.5 leaves 2%."""
    row = verdict((1.0, 0.02), (1.0, 0.008), (1.1, 0.001))

    assert ("equivalent", 2) == tuple(row[["verdict", "looks"]])


def test_early_look_does_not_take_2_standard_errors():
    """.05 / .02 = 2.5 would be beyond 1.96 at one look."""
    row = verdict((np.exp(0.05), 0.02))

    assert "undecided" == row["verdict"]
    assert row["low"] < 1 < row["high"]


def test_significant_difference_near_the_margin_stays_open():
    """1.02 differs from 1 but neither exceeds 1.03 nor stays surely below."""
    row = verdict((1.02, 0.006), (1.02, 0.006))

    assert ("undecided", 2) == tuple(row[["verdict", "looks"]])


def test_look_without_an_interval_spends_nothing():
    """The first load tells nothing of loads; the second look has the bound of half."""
    blind = looks((1.0, np.nan), (0.9, 0.02))
    row = decisions(blind, ["step"], margin=0.03).iloc[0]

    assert ("regressed", 1, 0.5) == tuple(row[["verdict", "looks", "share"]])


def test_comparison_that_was_never_seen_is_open():
    """No look of it has an interval."""
    row = verdict((1.0, np.nan))

    assert ("undecided", 0) == tuple(row[["verdict", "looks"]])


def test_few_degrees_of_freedom_widen_the_interval():
    """With 2 of them, four standard errors at a quarter of the budget decide nothing."""
    few = looks((0.92, 0.02)).assign(df=2)

    assert ["undecided"] == decisions(few, ["step"], margin=0.03)["verdict"].tolist()


def together(**tests):
    """Verdicts of tests that are one family, each of looks at quarters of the budget."""
    every = pd.concat([looks(*rows, step=name) for name, rows in tests.items()])
    return decisions(every, ["step"], margin=0.03).set_index("step")


SURE, NEARLY, SAME = (0.8, 0.002), (0.95, 0.0184), (1.0, 0.03)


def test_change_that_others_take_back_stays_open():
    """p = .046 alone is a verdict; among three undecided ones q is .18."""
    assert "regressed" == verdict(NEARLY)["verdict"]
    assert (
        "undecided" == together(a=[NEARLY], b=[SAME], c=[SAME], d=[SAME])["verdict"]["a"]
    )


def test_change_is_decided_as_soon_as_others_allow_it():
    """Not by a look of its own: two more changes make its rank the third of three."""
    late = [SAME, SURE]
    table = together(a=[NEARLY], b=late, c=late)

    assert ("regressed", 1) == tuple(table.loc["a", ["verdict", "looks"]])
    assert "undecided" == together(a=[NEARLY], b=late, c=[SAME, SAME])["verdict"]["a"]


def test_what_may_still_change_is_no_help():
    """d is flagged at its first look, and not at its second: a is not decided by it."""
    wavers = [(0.975, 0.008), (0.99, 0.009)]
    table = together(a=[NEARLY], d=wavers)

    assert ["undecided", "undecided"] == table["verdict"].tolist()


def test_at_the_end_of_the_budget_each_p_is_final():
    """d stays near the margin, surely below 1: with it a is one of two that differ."""
    wavers = [(0.975, 0.008), (0.975, 0.008), (0.975, 0.008), (0.975, 0.005)]
    table = together(a=[NEARLY], d=wavers)

    assert ["regressed", "undecided"] == table["verdict"].tolist()


def test_forecast_asks_for_what_the_family_does():
    """alpha .0125 takes 2.498 standard errors: (2.498 * .05 / ln 1.05)^2 times."""
    row = {"relative": 1.05, "se": 0.05, "df": 1e9, "sessions": 3, "alpha": 0.0125}

    assert (
        pytest.approx(6.552, abs=1e-3)
        == time_to_decision(pd.DataFrame([row]), margin=0.03)["times"].iloc[0]
    )


def test_alpha_is_that_of_one_more_change():
    """One of four is flagged: a second needs p of .05 * 2 / 4."""
    table = together(a=[SURE], b=[SAME], c=[SAME], d=[SAME])

    assert [0.025] * 4 == table["alpha"].tolist()


def forecast(relative, se, df=1e9):
    row = {"relative": relative, "se": se, "df": df, "sessions": 3, "seconds": 100.0}
    return time_to_decision(pd.DataFrame([row]), margin=0.03).iloc[0]


def test_time_to_tell_a_difference():
    """1.05 at 5% takes (1.96 * .05 / ln 1.05)^2 = 4.034 times the time."""
    row = forecast(1.05, 0.05)

    assert pytest.approx(4.034, abs=1e-3) == row["times"]
    assert pytest.approx(303.4, abs=0.1) == row["further_seconds"]
    assert 10 == row["further_sessions"]


def test_time_to_tell_that_there_is_none():
    """1.00 must be known to ln 1.03 = .02956: (1.96 * .03 / .02956)^2 = 3.957."""
    assert pytest.approx(3.957, abs=1e-3) == forecast(1.0, 0.03)["times"]


def test_decided_comparisons_take_no_more_time():
    """Known well enough already."""
    row = forecast(1.0, 0.005)

    assert (1.0, 0.0, 0.0) == (
        row["times"], row["further_sessions"], row["further_seconds"]
    )  # fmt: skip


def test_ratio_just_within_the_margin_takes_very_long():
    """1.0299 must be known to .0001, a hundred times better than it is."""
    assert forecast(1.0299, 0.01)["times"] > 1e4


def test_time_without_an_interval_is_unknown():
    """Nothing to forecast from."""
    assert np.isnan(forecast(1.05, np.nan, np.nan)["times"])
