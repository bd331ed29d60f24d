"""Summaries of relative throughput by group of steps."""

import math

import pandas as pd
import pytest

from benchbook.analysis.groups import group_summary

pytestmark = pytest.mark.unit

# QPS of MySQL 5.6.51 and 8.0.36 in the read-only tests, ranges 10, 100 and 10000, before
# and after the writes (server ser4, February 2024).
READ_ONLY = {
    "read-only.pre.10": (17999, 11922),
    "read-only.pre.100": (11395, 8712),
    "read-only.pre.10000": (288, 289),
    "read-only.10": (17875, 11948),
    "read-only.100": (11324, 8754),
    "read-only.10000": (288, 289),
}


def ratios(**steps):
    rows = [{"me": "2", "base": "1", "step": s, "relative": r} for s, r in steps.items()]
    return pd.DataFrame(rows)


def test_statistics_of_a_group():
    """0.5, 1, 2: average 7/6, median 1, stddev with n-1, geometric mean 1."""
    table = group_summary(ratios(a=0.5, b=1.0, c=2.0), dict.fromkeys("abc", "all"))

    row = table.iloc[0]
    assert ("all", 3, 0.5, 2.0, 1.0) == tuple(row[["group", "n", "min", "max", "median"]])
    assert math.isclose(7 / 6, row["average"])
    assert math.isclose(math.sqrt(7 / 12), row["stddev"])
    assert math.isclose(1.0, row["geomean"])


def test_published_group_follows_from_its_members():
    """Range queries with aggregation: .81 .77 .66 1.00 .15, which only n-1 gives."""
    members = {step: me / base for step, (base, me) in READ_ONLY.items()}

    row = group_summary(ratios(**members), dict.fromkeys(READ_ONLY, "r2")).iloc[0]

    names = ["average", "median", "min", "max", "stddev"]
    assert [0.81, 0.77, 0.66, 1.00, 0.15] == [round(row[n], 2) for n in names]


def test_single_member_has_no_stddev():
    """One member: its value everywhere, NaN stddev and a note."""
    row = group_summary(ratios(a=0.9), {"a": "writes"}).iloc[0]

    assert 0.9 == row["average"] == row["median"]
    assert math.isnan(row["stddev"])
    assert "1 member: no stddev" == row["note"]


def test_groups_come_in_the_order_given():
    """Groups are listed as the mapping names them, not alphabetically."""
    groups = {"b": "writes", "a": "point queries"}

    table = group_summary(ratios(a=1.0, b=2.0), groups)

    assert ["writes", "point queries"] == list(table["group"])


def test_member_without_ratio_is_named():
    """A step without a ratio does not count, and the row says which one it was."""
    table = group_summary(ratios(a=1.0, b=3.0, c=math.nan), dict.fromkeys("abc", "g"))

    row = table.iloc[0]
    assert (2, 2.0, "c", "without c") == tuple(row[["n", "average", "missing", "note"]])


def test_group_without_any_ratio_stays():
    """A group none of whose steps has a ratio is listed with n 0."""
    row = group_summary(ratios(a=math.nan), {"a": "g"}).iloc[0]

    assert 0 == row["n"]
    assert math.isnan(row["average"])


def test_step_without_group_raises():
    """A step that the mapping forgets raises; None leaves one out on purpose."""
    with pytest.raises(ValueError, match="no group is given for step b"):
        group_summary(ratios(a=1.0, b=2.0), {"a": "g"})

    assert 1 == group_summary(ratios(a=1.0, b=2.0), {"a": "g", "b": None})["n"].iloc[0]


def test_each_me_has_its_own_groups():
    """Two versions give two rows per group."""
    two = pd.concat([ratios(a=1.0), ratios(a=2.0).assign(me="3")])

    table = group_summary(two, {"a": "g"})

    assert [("2", 1.0), ("3", 2.0)] == list(
        zip(table["me"], table["average"], strict=True)
    )
