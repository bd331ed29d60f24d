"""Own ratios beside published ones: what agrees, what does not, what is open."""

import math

import pandas as pd
import pytest

from benchmath.errors import UserError
from benchmath.ratios.beside import (
    beside,
    group_medians,
    published_side,
    rank_correlations,
)

pytestmark = pytest.mark.unit
CELLS = {"old": "mysql 5.6.51", "new": "mysql 8.0.13"}
REGRESSED = {"relative": 0.80, "low": 0.75, "high": 0.85, "verdict": "regressed"}
EQUIVALENT = {"relative": 1.0, "low": 0.995, "high": 1.005, "verdict": "equivalent"}
UNDECIDED = {"relative": 0.95, "low": 0.85, "high": 1.05, "verdict": "undecided"}


def ours(*rows):
    """Tests a, b, c... of `new`, as literals."""
    usual = {"me": "new", "base": "old", "margin": 0.02, "q": 0.001, "group": "g"}
    named = [
        usual | {"step": name, "test": name} | row
        for name, row in zip("abcdefghijkl"[: len(rows)], rows, strict=True)
    ]
    return pd.DataFrame(named)


def theirs(*ratios):
    names = list("abcdefghijkl"[: len(ratios)])
    return pd.DataFrame({
        "test": names, "theirs": "mysql 8.0.13", "published_on": "ser4",
        "published": ratios,
    })  # fmt: skip


def figures(*rows, **more):
    """(version, step, value)"""
    usual = {
        "machine": "ser4", "engine": "mysql", "metric": "qps", "unit": "queries/s",
        "direction": "higher", "source": "post", "date": "2024-02", "relative_to": "",
        "table": "t", "printed_raw": "", "raw": math.nan, "remark": "",
    } | more  # fmt: skip
    return pd.DataFrame(
        [usual | {"version": v, "step": s, "value": x, "printed": str(x)}
         for v, s, x in rows]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("row", "published", "way"),
    [
        (REGRESSED, 0.84, "inside"),
        (REGRESSED, 0.70, "same side"),
        (REGRESSED, 0.99, "only here"),
        (REGRESSED, 1.10, "opposite"),
        (REGRESSED | {"q": 0.2}, 0.80, "open"),  # taken back by Benjamini-Hochberg
        (EQUIVALENT, 1.001, "inside"),
        (EQUIVALENT, 1.02, "same side"),
        (EQUIVALENT, 1.03, "only there"),
        (UNDECIDED, 0.90, "open"),
        (REGRESSED | {"low": math.nan, "verdict": "no interval"}, 0.80, "open"),
    ],
)
def test_how_a_published_ratio_goes_with_ours(row, published, way):
    """By our interval, and by the margin of 2% on both."""
    assert [way] == list(beside(ours(row), theirs(published), CELLS)["agrees"])


def test_what_disagrees_comes_first():
    """Then what is open, then what agrees."""
    rows = beside(
        ours(REGRESSED, UNDECIDED, REGRESSED, REGRESSED),
        theirs(0.80, 1.00, 1.10, 0.70),
        CELLS,
    )

    assert ["c", "b", "d", "a"] == list(rows["step"])
    assert math.isclose(math.log(1.10 / 0.80), rows["apart"].iloc[0])


def test_tests_of_one_side_only_are_left_out():
    """A test without a published ratio, and one without ours."""
    rows = beside(
        ours(REGRESSED, REGRESSED | {"relative": math.nan}, REGRESSED),
        theirs(0.8, 0.8),
        CELLS,
    )

    assert ["a"] == list(rows["step"])


def test_published_ratios_are_those_of_the_figures():
    """Of the versions that are compared, to the first: 50/100 and 90/100."""
    table = figures(
        ("5.6.51", "a", 100), ("8.0.13", "a", 50), ("8.0.36", "a", 1),
        ("5.6.51", "b", 100), ("8.0.13", "b", 90),
    )  # fmt: skip

    side = published_side(table, "t", CELLS)

    assert [("a", 0.5), ("b", 0.9)] == list(
        zip(side["test"], side["published"], strict=True)
    )
    assert {"post, 2024-02"} == set(side["source"])


def test_of_published_summaries_the_medians_are_taken():
    """Those that are relative to the first of the cells, of each machine."""
    median = {"metric": "median", "relative_to": "mysql 5.6.51"}
    table = pd.concat([
        figures(("8.0.13", "writes", 0.6), **median),
        figures(("8.0.13", "writes", 0.7), **median | {"machine": "ser7"}),
        figures(("8.0.13", "writes", 0.9), **median | {"metric": "max"}),
        figures(("8.0.13", "writes", 0.2), **median | {"relative_to": "mysql 5.5"}),
    ])  # fmt: skip

    side = published_side(table, "t", CELLS)

    assert [("ser4", 0.6), ("ser7", 0.7)] == list(
        zip(side["published_on"], side["published"], strict=True)
    )


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"a": "mysql 5.5", "b": "mysql 8.0.13"},
         "t has no figure of mysql 5.5; available: mysql 5.6.51, mysql 8.0.13"),
        ({"a": "mysql 5.6.51", "b": "8.0.13"},
         "t has no ratio to mysql 5.6.51 of 8.0.13; available: mysql 8.0.13"),
    ],
)  # fmt: skip
def test_what_was_not_published_is_refused(cells, said):
    """With what there is instead."""
    table = figures(("5.6.51", "a", 100), ("8.0.13", "a", 50))

    with pytest.raises(UserError, match=said):
        published_side(table, "t", cells)


def test_two_published_ratios_of_a_test_are_refused():
    """Of two settings, say: nobody knows which is meant."""
    table = pd.concat([
        figures(("5.6.51", "a", 100), ("8.0.13", "a", 50), config="x"),
        figures(("5.6.51", "a", 100), ("8.0.13", "a", 60), config="y"),
    ])  # fmt: skip

    with pytest.raises(UserError, match=r"several ratios of mysql 8\.0\.13"):
        published_side(table, "t", CELLS)


def test_group_is_the_median_of_its_tests_and_of_their_ends():
    """0.7, 0.8 and 0.9 with ends .05 away: 0.8 from 0.75 to 0.85."""
    three = [
        REGRESSED | {"relative": r, "low": r - 0.05, "high": r + 0.05}
        for r in (0.9, 0.7, 0.8)
    ]
    table = group_medians(ours(*three, REGRESSED | {"group": ""}))

    row = table.iloc[0]
    assert [("g", 3, "regressed")] == list(
        table[["step", "tests", "verdict"]].itertuples(index=False, name=None)
    )
    assert [0.8, 0.75, 0.85] == pytest.approx([row["relative"], row["low"], row["high"]])


def test_group_with_a_test_without_interval_has_none():
    """Its median is known, how well it is is not."""
    lost = REGRESSED | {"low": math.nan, "high": math.nan}
    row = group_medians(ours(REGRESSED, lost)).iloc[0]

    assert [0.8, "no interval"] == [row["relative"], row["verdict"]]


def test_ranks_are_correlated_of_ten_tests_or_more():
    """Ten ratios in opposite orders; of nine nothing is said."""
    rising = [REGRESSED | {"relative": 0.5 + n / 100} for n in range(10)]
    falling = [0.9 - n / 100 for n in range(10)]
    ten = beside(ours(*rising), theirs(*falling), CELLS)

    table = rank_correlations(ten)

    assert [10] == list(table["n"])
    assert -1 == pytest.approx(table["correlation"].iloc[0])
    assert rank_correlations(ten.head(9)).empty
