"""Boundaries: changes of all tests, grouped, adjusted, and outliers apart."""

import math

import numpy as np
import pandas as pd
import pytest
from version_frames import frame, versions

from benchmath.changes.boundaries import (
    boundaries,
    outlying_versions,
    percent_text,
    version_changes,
)
from benchmath.ratios.verdicts import benjamini_hochberg

pytestmark = pytest.mark.unit

SLOWER = [100] * 4 + [80] * 4  # from version 5 on
FLAT = [100] * 8


def changes(*rows):
    """A frame of changes as version_changes makes it: test, boundary, place, ratio."""
    table = pd.DataFrame(rows, columns=["test", "boundary", "place", "ratio"])
    table["after"], table["at"] = zip(*table["boundary"].str.split("→"), strict=True)
    return table.assign(detected=True, evidence="own")


def test_change_is_named_by_its_versions():
    """A step that loses 20% between versions 4 and 5 has that boundary and ratio."""
    table = version_changes(frame(versions(SLOWER)))

    row = table.iloc[0]
    assert 1 == len(table)
    assert ("scan", "4", "5", "4→5") == tuple(row[["test", "after", "at", "boundary"]])
    assert math.isclose(0.8, row["ratio"], rel_tol=0.01)
    assert row["low"] < row["ratio"] < row["high"] < 0.9
    assert (12, 12, 4) == tuple(row[["n_before", "n_after", "place"]])


@pytest.mark.parametrize(
    ("direction", "expected"), [("higher", False), ("lower", True), ("", None)]
)
def test_better_depends_on_the_direction(direction, expected):
    """Less is worse of a rate, better of a cost, and neither without direction."""
    table = version_changes(frame(versions(SLOWER, direction=direction)))

    better = table["better"].iloc[0]
    assert expected == (None if pd.isna(better) else bool(better))


def test_flat_tests_have_no_rows_and_all_columns():
    """Without a change the frame is empty but complete."""
    table = version_changes(frame(versions(FLAT)))

    expected = [
        "test", "machine", "step", "op", "clock", "metric", "unit", "direction", "after",
        "at", "boundary", "place", "ratio", "low", "high", "n_before", "n_after", "p",
        "better", "chance", "evidence", "q", "detected",
    ]  # fmt: skip
    assert expected == list(table.columns)
    assert table.empty


def test_family_is_all_tests():
    """q is Benjamini-Hochberg's over the changes and, with p = 1, tests without one."""
    flat = [versions(FLAT, step=f"flat {i}") for i in range(5)]

    table = version_changes(frame(versions(SLOWER), *flat))

    p = table["p"].iloc[0]
    expected = benjamini_hochberg([p, 1, 1, 1, 1, 1])[0]
    assert [expected] == list(table["q"])
    assert [expected <= 0.05] == list(table["detected"])


def test_changes_of_one_test_share_its_q():
    """A test is judged among the others as a whole, by its clearest change."""
    twice = versions([100] * 4 + [80] * 4 + [60] * 4)

    table = version_changes(frame(twice, versions([100] * 12, step="flat")))

    assert ["4→5", "8→9"] == list(table["boundary"])
    assert [2 * table["p"].min()] * 2 == pytest.approx(list(table["q"]))


NOISY = [100, 104, 95, 101, 85, 90, 80, 88]
CLEAR = [100, 100.6, 99.5, 100.2, 80.1, 79.7, 80.4, 79.9]


def panel(*levels):
    """A test with one run a version for each list of levels."""
    return frame(*(versions(y, runs=1, step=f"s{i}") for i, y in enumerate(levels)))


def test_shared_change_is_marked_and_no_part_of_the_family():
    """The noisy test changes by the others' evidence; q counts it as without a change."""
    table = version_changes(panel(*[CLEAR] * 9, NOISY))

    last = table.iloc[-1]
    assert ["own"] * 9 + ["shared"] == list(table["evidence"])
    assert ("s9", "4→5", True) == tuple(last[["test", "boundary", "detected"]])
    assert last["p"] > 0.05
    assert 1 == last["q"]
    assert 0.8 <= last["chance"] < 1
    assert (table["q"][:9] < 0.01).all()


def test_own_change_that_the_family_doubts_may_be_shared():
    """p = .03 is too little among 31 tests, unless ten of them change there too."""
    doubtful = [100, 104, 96, 101, 86, 90, 82, 88]
    told = ["test", "boundary", "evidence", "detected"]

    alone = version_changes(panel(*[FLAT] * 20, doubtful)).iloc[-1]
    among = version_changes(panel(*[CLEAR] * 10, *[FLAT] * 20, doubtful)).iloc[-1]

    assert ("s20", "4→5", "own", False) == tuple(alone[told])
    assert ("s30", "4→5", "shared", True) == tuple(among[told])
    assert alone["p"] == among["p"] < 0.05 < among["q"] < alone["q"]


def test_change_of_one_test_alone_is_not_shared():
    """Its chance of .82 is its own: the seven others stay and make it no likelier."""
    doubtful = [100, 104, 96, 101, 82, 86, 78, 83]
    last = version_changes(panel(*[FLAT] * 7, doubtful)).iloc[-1]

    assert (0.8 < last["chance"] < 0.85) and 0.05 < last["q"]
    assert ("own", False) == (last["evidence"], last["detected"])


def test_own_change_whose_interval_holds_1_is_not_detected():
    """Two steps are clear, the first is more likely than not and not measured."""
    y = [89, 105, 107, 81, 97, 89, 84, 85, 70, 25, 24, 23, 54, 54, 55]
    rows = versions([1] * 5)
    runs = [row | {"value": v} for row, v in zip(rows, y, strict=True)]

    table = version_changes(frame(runs))

    holds_1 = (table["low"] < 1) & (table["high"] > 1)
    assert ["1→2", "3→4", "4→5"] == list(table["boundary"])
    assert [True, False, False] == list(holds_1)
    assert [False, True, True] == list(table["detected"])


def test_few_tests_keep_what_the_family_doubts():
    """Without a panel a change that is none among all tests stays so."""
    doubtful = [100, 104, 96, 101, 86, 90, 82, 88]

    table = version_changes(panel(CLEAR, FLAT, FLAT, doubtful))

    assert ["own", "own"] == list(table["evidence"])
    assert [True, False] == list(table["detected"])


def test_sentence_counts_the_shared_changes():
    """One of ten tests by the evidence of the nine others."""
    table = boundaries(version_changes(panel(*[CLEAR] * 9, NOISY)), 10)

    assert (10, 1) == tuple(table.loc[0, ["hit", "shared"]])
    sentence = (
        "4→5: 10 of 10 tests (1 found only with the help of the other tests), median −20%"
    )
    assert sentence == table["sentence"][0]


def test_outlier_is_measured_against_the_levels_of_the_report():
    """Versions 5 to 8 are a level of their own, by the others: 8 is no outlier of it."""
    assert outlying_versions(panel(*[CLEAR] * 9, NOISY)).empty


def test_method_of_ruptures_has_no_p_and_is_counted():
    """KernelCPD's changes are reported as found: there is nothing to adjust."""
    table = version_changes(frame(versions(SLOWER)), method="kernelcpd")

    assert ["4→5"] == list(table["boundary"])
    assert table["p"].isna().all() and table["q"].isna().all()
    assert table["detected"].all()


def test_boundary_collects_its_tests():
    """Ratios 0.9, 0.94 and 0.96 at one boundary: median −6%, from −10% to −4%."""
    table = boundaries(
        changes(("a", "1→2", 1, 0.96), ("b", "1→2", 1, 0.90), ("c", "1→2", 1, 0.94)), 42
    )

    row = table.iloc[0]
    assert (3, 42) == (row["hit"], row["of"])
    assert [-6, -10, -4] == pytest.approx(list(row[["median", "min", "max"]]))
    assert ("b", "c", "a") == row["members"]
    assert "1→2: 3 of 42 tests, median −6%" == row["sentence"]


def test_median_is_taken_on_the_log_scale():
    """Half and double are in balance: their median is no change."""
    table = boundaries(changes(("a", "1→2", 1, 0.5), ("b", "1→2", 1, 2.0)), 2)

    assert 0 == pytest.approx(table["median"].iloc[0])
    assert "1→2: 2 of 2 tests, 1 down and 1 up, median " in table["sentence"].iloc[0]


def test_boundaries_stand_in_version_order():
    """Whatever test comes first, the earlier boundary does."""
    table = boundaries(changes(("a", "9→10", 9, 0.9), ("b", "1→2", 1, 0.9)), 2)

    assert ["1→2", "9→10"] == list(table["boundary"])


def test_undetected_changes_do_not_count():
    """A change that is none among all tests belongs to no boundary."""
    table = changes(("a", "1→2", 1, 0.9), ("b", "2→3", 2, 0.9))

    found = boundaries(table.assign(detected=[True, False]), 2)

    assert ["1→2"] == list(found["boundary"])


def test_no_change_gives_an_empty_frame():
    """Boundaries of nothing have their columns and no row."""
    table = boundaries(version_changes(frame(versions(FLAT))), 1)

    assert table.empty
    assert "sentence" in table.columns


def test_single_outlying_version_is_listed_apart():
    """One of nine versions at half the speed is no change of level but an outlier."""
    rows = frame(versions([100, 100, 100, 100, 50, 100, 100, 100, 100]))

    apart = outlying_versions(rows)

    assert version_changes(rows).empty
    assert [("scan", "5", 3)] == list(
        apart[["test", "version", "n"]].itertuples(index=False, name=None)
    )
    assert math.isclose(0.5, apart["ratio"].iloc[0], rel_tol=0.01)


def test_outlier_among_many_repeated_versions_counts_its_runs():
    """Of 60 versions with two runs each, the slow one is named with both."""
    levels = [100.0] * 60
    levels[30] = 50.0

    apart = outlying_versions(frame(versions(levels, runs=2)))

    assert [("31", 2)] == list(apart[["version", "n"]].itertuples(index=False, name=None))


def test_flat_versions_have_no_outliers():
    """Versions that agree stand together."""
    apart = outlying_versions(frame(versions(FLAT)))

    assert apart.empty
    assert ["test", "version", "ratio", "n"] == list(apart.columns)


@pytest.mark.parametrize(
    ("change", "expected"),
    [(-6.21, "−6.2%"), (5.96, "+6%"), (-12.3, "−12%"), (123.4, "+123%"), (0.4, "+0.4%")],
)
def test_percent_has_sign_and_two_digits(change, expected):
    """A change reads with its sign and the digits that matter."""
    assert expected == percent_text(change)


def test_zero_values_do_not_stop_the_report():
    """A test with runs of 0 may change but by no ratio; the others are unaffected."""
    stalls = frame(versions([1] * 20, runs=1, step="stalls"))
    stalls["value"] = [0.0, 1.0] * 5 + [90.0, 91.0] * 5

    table = version_changes(pd.concat([frame(versions(SLOWER)), stalls]))

    ratios = table.set_index("test")["ratio"]
    assert math.isclose(0.8, ratios["scan"], rel_tol=0.01)
    assert np.isnan(ratios["stalls"])
