"""Summaries of relative throughput by group of steps."""

import math
from collections import Counter
from io import StringIO

import pandas as pd
import pytest
from corpus import corpus

from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.store.query import expand_dims, query
from benchmath.frames import select
from benchmath.ratios.groups import (
    SYSBENCH_GROUP_TITLES,
    SYSBENCH_GROUPS,
    group_summary,
)
from benchmath.ratios.relative import relative

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


def test_groups_of_the_sysbench_tests():
    """42 tests: 11 and 6 with points, 9 and 6 with ranges, 10 writes."""
    counts = {"p1": 11, "p2": 6, "r1": 9, "r2": 6, "w": 10}

    assert counts == dict(Counter(SYSBENCH_GROUPS.values()))
    assert list(counts) == list(SYSBENCH_GROUP_TITLES)


@pytest.mark.parametrize(
    ("step", "group"),
    [
        ("hot-points_range=100", "p1"),
        ("random-points.pre_range=1000", "p2"),
        ("scan_range=100", "r1"),
        ("read-only_range=10000", "r2"),
        ("read-write_range=10", "w"),
    ],
)
def test_group_of_a_test(step, group):
    """Names are those of the archives; the scan is among the range queries."""
    assert group == SYSBENCH_GROUPS[step]


def test_a_test_is_not_in_two_groups():
    """Every name stands once, as tables have it: with its range."""
    assert 42 == len(SYSBENCH_GROUPS)
    assert all("_range=" in step for step in SYSBENCH_GROUPS)


# The published summaries of April 2024, without their stddev.
PUBLISHED = """\
comparison,server,stat,p1,p2,r1,r2,w
ma110401/ma100244,ser4,average,0.96,0.95,0.99,0.96,0.91
ma110401/ma100244,ser4,median,0.96,0.97,0.99,0.94,0.91
ma110401/ma100244,ser4,min,0.90,0.91,0.93,0.88,0.77
ma110401/ma100244,ser4,max,0.98,0.98,1.11,1.07,1.03
ma110401/ma100244,ser7,average,0.94,0.94,0.95,0.98,0.92
ma110401/ma100244,ser7,median,0.96,0.96,0.93,0.96,0.95
ma110401/ma100244,ser7,min,0.87,0.88,0.90,0.93,0.76
ma110401/ma100244,ser7,max,0.97,0.99,1.10,1.04,1.02
my8036/my5651,ser4,average,0.72,0.71,0.66,0.81,0.61
my8036/my5651,ser4,median,0.70,0.70,0.65,0.76,0.56
my8036/my5651,ser4,min,0.67,0.61,0.63,0.66,0.44
my8036/my5651,ser4,max,0.78,0.82,0.72,1.00,0.99
my8036/my5651,ser7,average,0.77,0.77,0.72,0.92,0.71
my8036/my5651,ser7,median,0.80,0.75,0.73,0.89,0.67
my8036/my5651,ser7,min,0.65,0.69,0.62,0.80,0.51
my8036/my5651,ser7,max,0.84,0.86,0.77,1.07,1.10
ma110401/my8036,ser4,average,1.17,1.21,1.21,1.19,1.31
ma110401/my8036,ser4,median,1.15,1.22,1.21,1.17,1.36
ma110401/my8036,ser4,min,1.12,1.19,1.15,1.16,1.11
ma110401/my8036,ser4,max,1.30,1.24,1.37,1.25,1.48
ma110401/my8036,ser7,average,1.16,1.20,1.18,1.17,1.23
ma110401/my8036,ser7,median,1.13,1.20,1.15,1.15,1.28
ma110401/my8036,ser7,min,1.10,1.16,1.07,1.10,0.96
ma110401/my8036,ser7,max,1.32,1.24,1.40,1.26,1.41
"""


def published() -> pd.DataFrame:
    """Columns (group, stat) by comparison and server."""
    table = pd.read_csv(StringIO(PUBLISHED)).set_index(["comparison", "server", "stat"])
    return table.unstack("stat")


@pytest.mark.parametrize("group", SYSBENCH_GROUP_TITLES)
def test_published_summaries_are_in_order(group):
    """min <= median, average <= max in each of the 30 columns of three tables."""
    column = published()[group]

    assert 6 == len(column)
    for stat in ("median", "average"):
        assert (column["min"] <= column[stat]).all()
        assert (column[stat] <= column["max"]).all()


@pytest.mark.parametrize(
    ("comparison", "server", "lowest", "highest"),
    [
        ("ma110401/ma100244", "ser4", 0.91, 0.99),
        ("ma110401/ma100244", "ser7", 0.93, 0.96),
        ("my8036/my5651", "ser4", 0.56, 0.76),
        ("my8036/my5651", "ser7", 0.67, 0.89),
        ("ma110401/my8036", "ser4", 1.15, 1.36),
        ("ma110401/my8036", "ser7", 1.13, 1.28),
    ],
)
def test_headlines_are_medians(comparison, server, lowest, highest):
    """MariaDB keeps 91% and 93%, MySQL 56% to 89%; MariaDB is 13% to 36% faster."""
    medians = published().xs("median", axis="columns", level="stat")
    found = medians.loc[(comparison, server)]

    assert (lowest, highest) == (found.min(), found.max())


# What the members of February 2024 give, two months before the published summaries:
# average, median, min, max, stddev (n-1).
SIBLING = {
    "p1": [0.73, 0.71, 0.67, 0.80, 0.05],
    "p2": [0.72, 0.70, 0.63, 0.83, 0.09],
    "r1": [0.67, 0.66, 0.61, 0.73, 0.04],
    "r2": [0.81, 0.77, 0.66, 1.00, 0.15],
    "w": [0.62, 0.56, 0.46, 1.09, 0.19],
}
STATS = ["average", "median", "min", "max", "stddev"]


@pytest.fixture(scope="module")
def february(tmp_path_factory) -> pd.DataFrame:
    """Ratios of all versions to 5.6.51 in the imported archive of February 2024."""
    project = Project(tmp_path_factory.mktemp("february"))
    import_dir(corpus("sysbench_mysql_2024"), project)
    rows = select(expand_dims(query("metric", project)))
    return relative(rows, {"version": "5.6.51"})


@pytest.mark.corpus
def test_every_test_of_the_archive_has_a_group(february):
    """The same 42 names, none left over on either side."""
    assert set(SYSBENCH_GROUPS) == set(february["step"])


@pytest.mark.corpus
def test_groups_of_february_2024(february):
    """25 figures of MySQL 8.0.36 against 5.6.51, two decimals."""
    newest = february[february["me"] == "8.0.36"]
    table = group_summary(newest, SYSBENCH_GROUPS).set_index("group")

    assert {g: [round(x, 2) for x in table.loc[g, STATS]] for g in SIBLING} == SIBLING


@pytest.mark.corpus
def test_groups_of_february_are_near_those_of_april(february):
    """Within 0.02 of the published summary; update-index alone makes 0.10 of writes."""
    newest = february[february["me"] == "8.0.36"]
    table = group_summary(newest, SYSBENCH_GROUPS).set_index("group")
    april = published().loc[("my8036/my5651", "ser4")]

    for group in SIBLING:
        for stat in ("average", "median", "min", "max"):
            cents = round(100 * table.loc[group, stat]) - round(100 * april[group, stat])
            assert abs(cents) <= (10 if (group, stat) == ("w", "max") else 2)


@pytest.mark.corpus
def test_summaries_of_every_version_are_in_order(february):
    """min <= median, average, geomean <= max in 13 versions by 5 groups."""
    table = group_summary(february, SYSBENCH_GROUPS)

    assert 65 == len(table)
    for stat in ("median", "average", "geomean"):
        assert (table["min"] <= table[stat]).all()
        assert (table[stat] <= table["max"]).all()
    assert (table["stddev"] >= 0).all()
