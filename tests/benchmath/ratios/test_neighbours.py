"""Each version against its predecessor."""

import math

import pandas as pd
import pytest

from benchmath.errors import UserError
from benchmath.ratios.relative import neighbours, relative

pytestmark = pytest.mark.unit


def runs(version, values, step="l.i0", **dims):
    """Runs of one version and step."""
    row = {
        "machine": "m1", "version": version, "step": step, "op": "insert",
        "metric": "ips", "unit": "rows/s", "direction": "higher", "main": True,
    } | dims  # fmt: skip
    name = f"{version} {'.'.join(map(str, dims.values()))}"
    return [
        row | {"trial": t, "run_id": f"{name} t{t}", "value": float(v)}
        for t, v in enumerate(values, 1)
    ]


def frame(*cells):
    return pd.DataFrame([row for rows in cells for row in rows])


def pairs(table):
    """Base, me and ratio of each row."""
    ratios = [round(r, 6) for r in table["relative"]]
    return list(zip(table["base"], table["me"], ratios, strict=True))


def test_each_version_is_divided_by_its_predecessor():
    """100, 90, 99: ratios .9 and 1.1."""
    rows = frame(
        runs("5.6", [99, 101.010101]), runs("5.7", [90, 90]), runs("8.0", [99, 99])
    )

    assert [("5.6", "5.7", 0.9), ("5.7", "8.0", 1.1)] == pairs(neighbours(rows))


def test_columns_are_those_of_relative():
    """What takes a frame of relative() takes this one."""
    rows = frame(runs("1", [99, 101]), runs("2", [90, 91]), runs("3", [90, 91]))

    expected = list(relative(rows, {"version": "1"}).columns)
    assert expected == list(neighbours(rows).columns)


def test_noise_is_that_of_all_versions():
    """The row 1 to 2 is the row of relative() with base 1, standard error included."""
    rows = frame(runs("1", [99, 101]), runs("2", [90, 91]), runs("3", [80, 89]))

    expected = relative(rows, {"version": "1"}).iloc[[0]]
    pd.testing.assert_frame_equal(expected, neighbours(rows).iloc[[0]])


def test_given_order_counts():
    """10.11 comes after 10.2 although the frame has it first."""
    rows = frame(runs("10.11", [50, 50]), runs("10.2", [100, 100]))

    table = neighbours(rows, order=["10.2", "10.11"])

    assert [("10.2", "10.11", 0.5)] == pairs(table)


def test_missing_step_is_compared_with_the_nearest_that_has_it():
    """5.7 lacks the scan: 8.0's scan is compared with that of 5.6."""
    rows = frame(
        runs("5.6", [100, 100]),
        runs("5.6", [10, 10], step="scan"),
        runs("5.7", [50, 50]),
        runs("8.0", [25, 25]),
        runs("8.0", [5, 5], step="scan"),
    )

    table = neighbours(rows)

    expected = [("5.6", "5.7", 0.5), ("5.7", "8.0", 0.5), ("5.6", "8.0", 0.5)]
    assert expected == pairs(table)
    assert ["l.i0", "l.i0", "scan"] == list(table["step"])


def test_first_value_of_a_cell_has_no_row():
    """A step that only the last version has cannot be compared."""
    rows = frame(runs("1", [9, 9]), runs("2", [9, 9]), runs("2", [5, 5], step="scan"))

    assert ["l.i0"] == list(neighbours(rows)["step"])


def test_machines_keep_apart():
    """Each machine's versions follow each other."""
    rows = frame(
        runs("1", [10, 10]),
        runs("1", [100, 100], machine="m2"),
        runs("2", [20, 20]),
        runs("2", [300, 300], machine="m2"),
    )

    table = neighbours(rows)

    assert [2, 3] == [round(r, 6) for r in table["relative"]]
    assert ["m1", "m2"] == list(table["machine"])


def test_any_dimension_has_neighbours():
    """Client counts 1, 2, 4: each doubling."""
    rows = frame(*(runs("1", [v, v], dop=d) for d, v in ((1, 10), (2, 19), (4, 38))))

    table = neighbours(rows, dimension="dop")

    assert [("dop=1", "dop=2", 1.9), ("dop=2", "dop=4", 2.0)] == pairs(table)


def test_one_value_has_no_neighbour():
    """A single version gives no rows but all columns."""
    table = neighbours(frame(runs("1", [10, 11])))

    assert 0 == len(table)
    assert math.isnan(table["relative"].mean())


def test_order_must_name_the_values_of_the_frame():
    """An unknown or forgotten version is an error."""
    rows = frame(runs("1", [10, 11]), runs("2", [10, 11]))

    with pytest.raises(UserError, match="order: names 1, 3, but the runs have version 1"):
        neighbours(rows, order=["1", "3"])


def test_no_runs_no_neighbours():
    """An empty frame is refused in words."""
    with pytest.raises(UserError, match="no run, so no version has a neighbour"):
        neighbours(frame(runs("1", [1])).iloc[:0])
