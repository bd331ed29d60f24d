"""Agreement of the detectors: who finds which change."""

import numpy as np
import pytest
from version_frames import frame, versions

from benchmath.changes.agreement import (
    METHODS,
    agreement,
    likeness,
    matched,
    method_agreement,
    method_likeness,
)

pytestmark = pytest.mark.unit

# Ten values of each of two levels, 1% of noise.
STEP = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100]
STEP += [50, 51, 49, 50, 52, 48, 50, 51, 49, 50]


def test_clear_step_is_found_by_all():
    """A halved level at index 10: one row, every method at 10."""
    table = agreement(STEP)

    assert [10] == list(table["position"])
    assert [10] * len(METHODS) == list(table[list(METHODS)].iloc[0])
    assert [len(METHODS)] == list(table["methods"])


def test_flat_series_has_no_rows():
    """Nobody finds a change in equal values."""
    table = agreement([1.0] * 20)

    assert table.empty
    assert ["position", *METHODS, "methods"] == list(table.columns)


def test_matching_takes_the_closest_first_and_each_once():
    """10 is nearer to 11 than 9 is; 9 then has no partner left within 2."""
    assert {10: 0} == matched([11], [9, 10], 2)
    assert {9: 0, 12: 1} == matched([10, 12], [9, 12], 2)


def test_positions_too_far_apart_are_two_changes():
    """Three positions apart at a margin of 2 is no match."""
    assert {} == matched([10], [13], 2)


def test_likeness_of_equal_segmentations():
    """Where all find the same change: precision, recall and Rand index 1, distance 0."""
    table = likeness(STEP).set_index("method")

    row = table.loc["kernelcpd"]
    assert [1, 1.0, 1.0, 1.0, 0.0] == list(row)
    assert ["kernelcpd", "pelt"] == list(table.index)


def test_likeness_without_changes_has_no_distance():
    """Two methods that find nothing agree on all pairs, and precision has no meaning."""
    row = likeness([1.0] * 20).iloc[0]

    assert (0, 1.0) == (row["changes"], row["randindex"])
    assert np.isnan([row["precision"], row["recall"], row["hausdorff"]]).all()


def test_tests_are_counted_by_boundary():
    """Two tests that halve at version 5, one flat: each method counts two."""
    rows = frame(
        versions([100] * 4 + [50] * 4),
        versions([100] * 4 + [50] * 4, step="insert"),
        versions([100] * 8, step="delete"),
    )

    table = method_agreement(rows)

    assert [("4→5", 2, 2, 2, 2)] == list(table.itertuples(index=False, name=None))
    assert ["boundary", *METHODS, "all"] == list(table.columns)


def test_no_change_anywhere_gives_an_empty_frame():
    """Without a boundary there are the columns and no row."""
    table = method_agreement(frame(versions([100] * 8)))

    assert table.empty
    assert ["boundary", *METHODS, "all"] == list(table.columns)


def test_likeness_is_averaged_over_tests():
    """A test where all find one change, one where nobody does: changes are added up."""
    rows = frame(versions([100] * 4 + [50] * 4), versions([100] * 8, step="delete"))

    table = method_likeness(rows).set_index("method")

    assert [1, 1.0, 1.0, 1.0, 0.0] == list(table.loc["pelt"])
    assert method_likeness(frame(versions([100]))).empty
