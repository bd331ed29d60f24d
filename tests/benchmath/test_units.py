"""Units of one kind convert; a test whose units do not is left out by name."""

import pandas as pd
import pytest

from benchmath.units import in_one_unit, scale_of

pytestmark = pytest.mark.unit


def metric_frame(*rows: tuple[str, float, str, str]) -> pd.DataFrame:
    """Rows of (step, value, unit, direction)."""
    columns = ["step", "value", "unit", "direction"]
    return pd.DataFrame(rows, columns=columns).assign(metric="time", op="", clock="")


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [("us", "ms", 1000), ("B", "KiB", 1024), ("bytes/s", "MB/s", 1e6),
     ("ops/s", "ops/ms", 1000), ("rows/s", "Mrows/s", 1e6), ("ns/op", "us/op", 1000),
     ("min", "h", 60)],
)  # fmt: skip
def test_units_of_one_kind_have_a_factor(one, other, times):
    """The second of each pair is so many times the first."""
    assert scale_of(one)[0] == scale_of(other)[0]
    assert times == pytest.approx(scale_of(other)[1] / scale_of(one)[1])


@pytest.mark.parametrize(("one", "other"), [("ms", "ms/op"), ("MB", "Mb"), ("s", "B")])
def test_units_of_two_kinds_have_none(one, other):
    """Times are no bytes, megabits no megabytes."""
    assert scale_of(one)[0] != scale_of(other)[0]


def test_a_test_has_the_unit_of_its_first_row():
    """1500 us and 1.65 ms are 1500 and 1650 us, and the note names the test."""
    rows = metric_frame(("scan", 1500, "us", "lower"), ("scan", 1.65, "ms", "lower"))

    frame, left_out, notes = in_one_unit(rows)

    assert [1500, 1650] == pytest.approx(frame["value"])
    assert {"us"} == set(frame["unit"])
    assert left_out.empty
    assert ("converted to one unit: scan time (ms and us)",) == notes


def test_what_does_not_convert_is_left_out_by_name():
    """The other test stays as it is."""
    rows = metric_frame(
        ("a", 1, "us", "lower"), ("a", 2, "MB", "lower"), ("b", 3, "s", "lower")
    )

    frame, left_out, notes = in_one_unit(rows)

    assert ["b"] == list(frame["step"])
    assert ["a", "a"] == list(left_out["step"])
    assert "a time (MB and us)" in notes[0]


def test_two_directions_are_left_out():
    """A unit that is better higher in one file and lower in the other decides nothing."""
    rows = metric_frame(("a", 1, "x", "lower"), ("a", 2, "x", "higher"))

    assert in_one_unit(rows).frame.empty
