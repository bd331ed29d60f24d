"""Tables of profiles: what explains a change, and how shares agree with perf report."""

from __future__ import annotations

import pandas as pd
import pytest
from profile_frames import BASE, ME, RUNS, costs, joined, stacks, two_versions
from table_text import shown

from benchbook.tables.profiles import frames_table, validation_table, weights_table
from benchmath.frames import with_dimensions
from benchmath.profiles.checks import validation, weighted_against_not
from benchmath.profiles.functions import explained, frame_costs

pytestmark = pytest.mark.unit


def table_of(made: pd.DataFrame, cost: pd.DataFrame) -> pd.DataFrame:
    named = with_dimensions(frame_costs(made, cost), RUNS, ["version"])
    return explained(named, BASE, ME)


def test_the_first_line_is_what_explains_the_change():
    """Rank, function with its caller, both costs, difference, interval, share.

    2 us +- 3.18 (t of the 3 degrees of freedom there are) * 0.09 (200 of 1000 samples).
    """
    lines = shown(frames_table(table_of(*two_versions())))

    heads = "rank | function and what calls it | 1 µs/op | 2 µs/op | difference µs/op"
    assert f"{heads} | 95% interval µs/op | share of the change" == lines[0]
    assert "1 | spin work +2.00 | 0.00 | 2.00 | +2.00 | +1.71 to +2.29 | 100%" == lines[1]
    assert "2 | main | 0.00 | 0.00 | ~ 0.00" == lines[2].partition(" | −")[0]


def test_a_single_profile_is_said():
    """Its interval is of sampling alone, which is assumed."""
    made = joined(stacks("b1", {"f": 900}), stacks("m1", {"f": 900}))
    lines = shown(frames_table(table_of(made, costs(b1=8, m1=9))))

    assert any(line.startswith("A single profile on a side") for line in lines)


def test_kind_of_what_is_no_user_code():
    """The kernel's functions say so."""
    made = joined(*(stacks(run, {"a;k": 900}, kinds="uk") for run in ("b1", "m1")))
    lines = shown(frames_table(table_of(made, costs(b1=8, m1=9))))

    assert lines[1].startswith("1 | k [kernel] a +1.00 | 8.00 | 9.00 | +1.00")


def test_only_the_largest_changes_are_listed():
    """The table says how many it lists."""
    made, cost = two_versions()
    lines = shown(frames_table(table_of(made, cost), limit=1))

    assert "The 1 largest changes." in lines
    assert not any("main" in line for line in lines)


def leaves() -> pd.DataFrame:
    rows = {"run_id": "r", "step": "l.i0", "tree": "server", "event": "cpu-clock"}
    shares = {"h": 0.5, "c": 0.25, "f": 0.25}
    return pd.DataFrame(
        [rows | {"symbol": s, "dso": "db", "share": v} for s, v in shares.items()]
    )


def test_validation_is_a_line_per_capture():
    """Agreement by weight, disagreement by count."""
    made = stacks("r", {"a;c": 1, "d;f": 1, "g;h": 2}, samples=1)
    lines = shown(validation_table(validation(made, leaves())))

    assert "l.i0 | 3 | 0.00 | 16.67 | h | 0.00 | yes" == lines[2].replace(
        "| c |", "| h |"
    )


def test_weights_are_three_shares_of_a_leaf():
    """By weight, by count, by perf report."""
    made = stacks("r", {"a;c": 1, "d;f": 1, "g;h": 2}, samples=1)
    lines = shown(weights_table(weighted_against_not(made, leaves())))

    assert "h | 50.00 | 33.33 | 50.00 | −16.67" == lines[1]
    assert "c | 25.00 | 33.33 | 25.00 | +8.33" == lines[2]


def test_captures_go_by_their_dimensions():
    """Version and trial tell them apart; a run's own name only where these do not."""
    made = joined(*(stacks(run, {"h": 4}) for run in ("r", "s")))
    table = validation(made, leaves()).assign(version=["1", "2"])

    assert shown(validation_table(table))[0].startswith("version | samples |")
    plain = shown(validation_table(table.drop(columns="version")))
    assert plain[0].startswith("profile | samples |")
