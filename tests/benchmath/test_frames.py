"""Kinds of frames: which columns are dimensions, in each frame that analysis makes."""

import pandas as pd
import pytest
from version_frames import frame, versions

from benchmath.costs.means import DIFFERENCES, mean_differences
from benchmath.frames import (
    METRIC,
    Kind,
    dimensions_of,
    further_dimensions,
    names_of_tests,
)
from benchmath.hazards.writers import SERVICE_LEVEL, service_level
from benchmath.ratios.relative import RATIOS, SUMMARY, relative, summary
from benchmath.ratios.suite import SUITE_RATIOS, suite
from benchmath.ratios.verdicts import VERDICTS, verdicts
from benchmath.variation.cov import VARIATION, coefficient_of_variation

pytestmark = pytest.mark.unit

BASE = {"version": "1"}
COUNTS = Kind("counts", ("n", "share"))


def rated(rows):
    """The rows with those of a writer's rate: target, reached and their ratio."""
    rates = [("target_ips", 100.0), ("ips", 100.0), ("sla", 1.0)]
    return pd.concat(
        [rows, *(rows.assign(metric=m, value=v, main=False) for m, v in rates)],
        ignore_index=True,
    )


MADE = {
    RATIOS: lambda rows: relative(rows, BASE),
    VERDICTS: lambda rows: verdicts(relative(rows, BASE)),
    SUITE_RATIOS: lambda rows: suite(rows, BASE),
    SUMMARY: summary,
    VARIATION: coefficient_of_variation,
    DIFFERENCES: lambda rows: mean_differences(rows, BASE),
    SERVICE_LEVEL: lambda rows: service_level(rated(rows)),
}


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.name)
def test_a_frame_keeps_the_dimensions_of_its_metric_frame(kind):
    """What tells the runs' cells apart tells the rows of every analysis apart."""
    rows = frame(versions([100, 110], indexes="3"))

    made = MADE[kind](rows)

    wanted = ("machine", "engine", "version", "build", "config", "dop", "indexes")
    assert wanted == dimensions_of(rows) == kind.dimensions(made)


def test_a_dimension_may_be_called_like_a_column_of_another_kind():
    """`count` is a column of percentiles; in a metric frame a study may vary it."""
    rows = frame(versions([100, 110], count="1"), versions([90, 95], count="2"))

    ratios = relative(rows, BASE)

    assert ["count"] == further_dimensions(ratios, RATIOS, ["me", "step"])
    assert ["scan count=1", "scan count=2"] == list(
        names_of_tests(ratios, RATIOS, ["me"])
    )


def test_a_frame_of_another_kind_is_refused():
    """Ratios are no metric frame: their numbers must not tell cells apart."""
    ratios = relative(frame(versions([100, 110])), BASE)

    with pytest.raises(ValueError, match="not a frame of metric: its column value_base"):
        dimensions_of(ratios)
    with pytest.raises(ValueError, match="not a frame of summary: its column value_base"):
        SUMMARY.dimensions(ratios)


def test_a_frame_has_the_columns_of_its_kind_behind_its_keys():
    """What is not listed does not get out; what is listed must be there."""
    table = pd.DataFrame({"share": [0.5], "seen": [1], "n": [2], "engine": ["a"]})

    assert ["engine", "n", "share"] == list(COUNTS.of(table, ["engine"]).columns)
    with pytest.raises(ValueError, match="no column share"):
        COUNTS.of(table.drop(columns="share"), ["engine"])


def test_an_extended_kind_has_its_own_columns_last():
    """A column that the first kind has too moves to where the other lists it."""
    more = COUNTS.extended("more", "n", "note")

    assert ("more", ("share", "n", "note")) == (more.name, more.columns)


def test_keys_are_dimensions_and_measurement():
    """All that says what a row is of, in the order of the frame."""
    table = pd.DataFrame({"engine": ["a"], "step": ["s"], "n": [2], "share": [0.5]})

    assert ["engine", "step"] == COUNTS.keys(table)
    assert ("engine",) == COUNTS.dimensions(table)
    assert "step" in METRIC.columns


def test_a_kind_with_units_tells_them_through_its_frames():
    """A frame of it has units and heads among its attributes, and so have its rows."""
    kind = Kind("shown", {"n": "runs", "said": ""}, {"n": "counted"})
    table = pd.DataFrame({"step": ["s"], "n": [2], "said": ["x"], "other": [0]})

    made = kind.of(table, ["step"])

    assert ["step", "n", "said"] == list(made.columns)
    assert {"n": "runs", "said": ""} == made[made["n"] > 1].attrs["units"]
    assert {"n": "counted"} == made.attrs["heads"]
    assert {} == table.attrs
