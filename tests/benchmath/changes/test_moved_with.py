"""What else moved: other metrics at a change, and from the first version to the last."""

import math

import pandas as pd
import pytest
from version_frames import ROW, frame, versions

from benchbook.tables.moved import first_last_table, moved_table
from benchmath.changes.boundaries import version_changes
from benchmath.changes.moved_with import moved_with
from benchmath.changes.points import first_and_last

pytestmark = pytest.mark.unit

HALVED = [100, 100, 100, 100, 50, 50, 50, 50]


def metric(name, values, **changed):
    """One figure per version of another metric of the step."""
    row = ROW | {"metric": name, "unit": "KB", "direction": "lower", "main": False}
    row |= {"trial": 1, "run_id": name} | changed
    return pd.DataFrame(
        row | {"version": str(i + 1), "value": float(v)} for i, v in enumerate(values)
    )


def moved(*metrics):
    rows = pd.concat([frame(versions(HALVED)), *metrics], ignore_index=True)
    return moved_with(rows, version_changes(rows))


def test_other_metrics_stand_beside_the_change():
    """Throughput halves at version 5, where CPU per operation doubles: 2.4 over 1.2."""
    found = moved(metric("cpu_o", [1.2, 1.2, 1.2, 9, 2.4, 2.4, 2.4, 2.4]))

    assert ["test", "boundary", "throughput", "cpu_o"] == list(found.columns)
    assert ["4→5"] == list(found["boundary"])
    assert math.isclose(0.5, found["throughput"][0], rel_tol=0.02)
    assert math.isclose(2.0, found["cpu_o"][0])


def test_metric_that_was_0_before_is_infinite():
    """Reads that appear have no ratio; what stays 0 is 1, as the archives print it."""
    found = moved(metric("r_o", [0] * 4 + [0.5] * 4), metric("w_o", [0] * 8))

    assert (math.inf, 1.0) == (found["r_o"][0], found["w_o"][0])


def test_level_ends_at_the_next_change():
    """Of 100, 50 and 25 each change is measured against its neighbour, not the last."""
    rows = pd.concat(
        [
            frame(versions([100] * 4 + [50] * 4 + [25] * 4)),
            metric("cpu_o", [1] * 4 + [2] * 4 + [8] * 4),
        ],
        ignore_index=True,
    )

    found = moved_with(rows, version_changes(rows)).set_index("boundary")

    assert {"4→5": 2.0, "8→9": 4.0} == found["cpu_o"].to_dict()


def test_metrics_of_another_step_or_without_direction_stay_out():
    """What belongs to another test, or is neither good nor bad, explains nothing."""
    other = metric("cpu_o", [1] * 8, step="insert")
    neutral = metric("uptime", [1] * 8, direction="none")

    assert ["test", "boundary", "throughput"] == list(moved(other, neutral).columns)


def test_only_the_largest_changes_are_listed():
    """Most says how many; the largest ratio comes first."""
    rows = frame(versions(HALVED), versions([100] * 4 + [20] * 4, step="insert"))

    found = moved_with(rows, version_changes(rows), most=1)

    assert ["insert"] == list(found["test"])


def test_table_of_changes_prints_two_decimals_and_from_0():
    """A ratio that does not exist is empty, one over 0 says so."""
    page = moved_table(moved(metric("r_o", [0] * 4 + [0.5] * 4))).as_raw_html()

    assert ">0.50<" in page
    assert ">from 0<" in page


def test_first_and_last_are_those_of_the_tests_that_moved_most():
    """Scan halves, insert keeps 90%: only scan is listed, with both its ends."""
    rows = pd.concat(
        [
            frame(versions([100, 90], runs=1, step="insert")),
            frame(versions([100, 50], runs=1)),
            metric("cpu_o", [0.000581, 0.001162]),
        ],
        ignore_index=True,
    )

    found = first_and_last(rows, ("cpu_o", "cs_o"), most=1)

    assert [("scan", "throughput"), ("scan", "cpu_o")] == list(
        zip(found["test"], found["metric"], strict=True)
    )
    assert ("1", "2", 0.000581, 0.001162) == tuple(
        found.loc[1, ["first_version", "last_version", "first", "last"]]
    )


def test_small_figures_keep_three_digits():
    """0.000581 is 581 millionths: the digits of hardware are the archive's."""
    rows = pd.concat(
        [frame(versions([100, 50], runs=1)), metric("cpu_o", [0.000581, 0.001162])],
        ignore_index=True,
    )

    page = first_last_table(first_and_last(rows, ("cpu_o",))).as_raw_html()

    assert "581<br>1,162" in page
