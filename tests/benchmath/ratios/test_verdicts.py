"""Verdicts: the interval against the margin, further runs, notes."""

import math

import pandas as pd
import pytest

from benchmath.errors import UserError
from benchmath.ratios.power import runs_needed
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit

NAN = math.nan


def compared(relative=1.0, low=0.99, high=1.01, **changed):
    """A frame of relative() with one row."""
    row = {
        "step": "l.i0", "metric": "ips", "direction": "higher", "me": "2", "base": "1",
        "n": 3, "n_base": 3, "relative": relative, "low": low, "high": high, "p": 0.001,
        "df": 4.0, "run_sd": 0.01, "floor_sd": 0.0, "subject": "", "note": "",
    } | changed  # fmt: skip
    return pd.DataFrame([row])


def judged(*args, margin=0.02, **changed):
    """The one row, with its verdict."""
    return verdicts(compared(*args, **changed), margin).iloc[0]


@pytest.mark.parametrize(
    ("relative", "low", "high", "verdict", "arrow"),
    [
        # inside the margin, whatever it says about 1
        (1.00, 0.99, 1.01, "equivalent", ""),
        (1.01, 1.005, 1.015, "equivalent", "up"),
        (0.99, 0.985, 0.995, "equivalent", "down"),
        # the margin itself is inside, 1 itself is not excluded
        (1.00, 0.98, 1.02, "equivalent", ""),
        (1.01, 1.00, 1.02, "equivalent", ""),
        (0.99, 0.98, 1.00, "equivalent", ""),
        # excludes 1, estimate beyond the margin
        (1.05, 1.03, 1.07, "improved", ""),
        (0.95, 0.93, 0.97, "regressed", ""),
        (1.03, 1.001, 1.06, "improved", ""),
        (0.97, 0.94, 0.999, "regressed", ""),
        (9.00, 2.00, 40.5, "improved", ""),
        # excludes 1, estimate within or on the margin
        (1.015, 1.001, 1.03, "undecided", ""),
        (0.985, 0.97, 0.999, "undecided", ""),
        (1.02, 1.01, 1.03, "undecided", ""),
        (0.98, 0.97, 0.99, "undecided", ""),
        # holds 1 and is wider than the margin, however far the estimate
        (1.00, 0.979, 1.01, "undecided", ""),
        (1.00, 0.99, 1.021, "undecided", ""),
        (1.50, 0.90, 2.50, "undecided", ""),
        (1.05, 1.00, 1.10, "undecided", ""),
        (0.95, 0.90, 1.00, "undecided", ""),
        # no width
        (1.00, 1.00, 1.00, "equivalent", ""),
        (1.02, 1.02, 1.02, "equivalent", "up"),
        (0.98, 0.98, 0.98, "equivalent", "down"),
        (1.03, 1.03, 1.03, "improved", ""),
        (0.97, 0.97, 0.97, "regressed", ""),
        # nothing to judge by
        (1.05, NAN, NAN, "no interval", ""),
        (NAN, NAN, NAN, "no interval", ""),
        (1.05, 1.03, NAN, "no interval", ""),
    ],
)
def test_interval_against_the_margin_of_2_percent(relative, low, high, verdict, arrow):
    """Equivalent before improved and regressed before undecided."""
    row = judged(relative, low, high)

    assert (verdict, arrow) == (row["verdict"], row["arrow"])


@pytest.mark.parametrize(
    ("direction", "relative", "verdict"),
    [
        ("higher", 1.05, "improved"),
        ("higher", 0.95, "regressed"),
        ("lower", 1.05, "regressed"),
        ("lower", 0.95, "improved"),
        ("", 1.05, "changed"),
        ("", 0.95, "changed"),
        (None, 0.95, "changed"),
    ],
)
def test_direction_says_which_change_is_better(direction, relative, verdict):
    """A cost that falls improved; without a direction a change is only a change."""
    row = judged(relative, relative - 0.01, relative + 0.01, direction=direction)

    assert verdict == row["verdict"]


@pytest.mark.parametrize("direction", ["higher", "lower", ""])
def test_arrow_is_the_direction_of_the_ratio(direction):
    """The arrow says where the ratio goes, not whether that is good."""
    assert "up" == judged(1.01, 1.005, 1.015, direction=direction)["arrow"]


@pytest.mark.parametrize(
    ("margin", "expected"),
    [(0.05, "equivalent"), (0.03, "undecided"), (0.01, "improved"), (7.0, "equivalent")],
)
def test_margin_is_the_studys(margin, expected):
    """1.025 [1.005, 1.045] is nothing to one study and a finding to another."""
    row = judged(1.025, 1.005, 1.045, margin=margin)

    assert (expected, margin) == (row["verdict"], row["margin"])


def test_margin_above_one_has_no_lower_end():
    """With a margin of 700% a ratio of .01 is equivalent, one of 9 is not."""
    assert "equivalent" == judged(0.01, 0.005, 0.02, margin=7.0)["verdict"]
    assert "improved" == judged(9.0, 8.5, 9.5, margin=7.0)["verdict"]


@pytest.mark.parametrize("margin", [0, -0.02, NAN, math.inf])
def test_margin_must_be_above_0(margin):
    """No margin, no verdict."""
    with pytest.raises(UserError, match="is not a share above 0"):
        verdicts(compared(), margin)


def test_undecided_says_how_many_runs_are_missing():
    """Noise 1%, margin 2%: 6 runs a side are needed, 3 are there."""
    row = judged(1.0, 0.97, 1.03)

    assert 6 == runs_needed(0.01, 0.02)
    assert ("undecided", 3) == (row["verdict"], row["further_runs"])


@pytest.mark.parametrize(("ratio", "low", "high"), [(1.0, 0.97, 1.03), (1.4, 0.7, 2.8)])
def test_further_runs_do_not_depend_on_the_difference(ratio, low, high):
    """The same noise and margin ask for the same runs, whatever was observed."""
    assert 3 == judged(ratio, low, high)["further_runs"]


def test_enough_runs_that_did_not_decide_ask_for_no_more():
    """A true ratio near the margin stays undecided however many runs there are."""
    row = judged(1.02, 1.005, 1.035, n=20, n_base=20, df=38.0)

    assert 0 == row["further_runs"]
    assert "the interval holds the margin; more runs may not change that" in row["note"]


def test_noise_known_from_other_cells_saves_runs():
    """Pooled over 40 degrees of freedom 5 runs a side do, so 2 further ones."""
    assert 2 == judged(1.0, 0.98, 1.03, df=40.0, noise="pooled")["further_runs"]


@pytest.mark.parametrize(
    ("relative", "low", "high"), [(1, 0.99, 1.01), (1.05, 1.03, 1.07), (1.05, NAN, NAN)]
)
def test_only_the_undecided_need_runs(relative, low, high):
    """A decided row, or one without noise on record, has no number of further runs."""
    assert pd.isna(judged(relative, low, high)["further_runs"])


def test_floor_that_no_number_of_runs_gets_below():
    """Builds that differ by 1% hide 2% for ever: no number of runs, and a note."""
    row = judged(1.0, 0.96, 1.04, floor_sd=0.01, subject="version")

    assert pd.isna(row["further_runs"])
    assert "more runs cannot decide: builds or loads differ by 1%" == row["note"]


def test_binary_is_the_subject_where_the_build_effect_is_not_measured():
    """The note joins what relative() said; without an interval there is no verdict."""
    expected = "no spread between runs; build effect not measured: this binary, not the"
    expected += " version"

    row = judged(1.05, 1.03, 1.07, subject="binary", note="no spread between runs")
    silent = judged(1.05, NAN, NAN, subject="binary", note="1 run: no interval")

    assert expected == row["note"]
    assert "1 run: no interval" == silent["note"]


def test_measured_builds_need_no_note():
    """A verdict about the version says nothing about binaries."""
    assert "" == judged(1.05, 1.03, 1.07, subject="version")["note"]


def test_verdict_that_chance_explains_is_noted():
    """p .04 beside 1, 1 and 1: q is .16, and the verdict says so."""
    rows = [compared(1.05, 1.001, 1.1, p=0.04)] + [compared(p=1.0)] * 3

    table = verdicts(pd.concat(rows), 0.02)

    assert [0.16, 1, 1, 1] == list(table["q"])
    assert "improved" == table["verdict"].iloc[0]
    assert "not significant after Benjamini-Hochberg" == table["note"].iloc[0]
    assert {""} == set(table["note"].iloc[1:])


def test_arrow_that_chance_explains_is_left_out():
    """Surely above 1 by its own interval; one of four tests has p = .04 by chance."""
    rows = [compared(1.01, 1.001, 1.019, p=0.04)] + [compared(p=1.0)] * 3

    row = verdicts(pd.concat(rows), 0.02).iloc[0]

    assert ("equivalent", "", 0.16) == tuple(row[["verdict", "arrow", "q"]])
    assert "Benjamini" not in row["note"]


def test_rows_without_interval_are_no_tests():
    """Their p is NaN: q of the other row is its p."""
    rows = [compared(p=0.04), compared(1.05, NAN, NAN, p=NAN)]

    q = verdicts(pd.concat(rows), 0.02)["q"]

    assert 0.04 == q.iloc[0]
    assert math.isnan(q.iloc[1])


def test_empty_frame_gets_the_columns():
    """Nothing compared: no rows, all columns."""
    table = verdicts(compared().iloc[:0], 0.02)

    expected = {"verdict", "arrow", "further_runs", "q", "margin", "note"}
    assert expected <= set(table.columns)
    assert 0 == len(table)
    assert "Int64" == str(table["further_runs"].dtype)
