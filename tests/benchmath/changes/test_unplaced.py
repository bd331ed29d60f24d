"""Versions far from the base with no change placed before them."""

import pandas as pd

from benchmath.changes.boundaries import unplaced


def judged(*rows):
    columns = ["version", "step", "low", "high", "q"]
    return pd.DataFrame(rows, columns=columns)


def boundaries(*rows):
    return pd.DataFrame(rows, columns=["at", "members"])


FAR = judged(("2", "a", 0.95, 1.02, 0.5), ("3", "a", 0.7, 0.8, 0.001))


def test_a_far_version_without_a_change_is_named():
    assert ["3"] == list(unplaced(FAR, boundaries())["version"])


def test_a_change_at_or_before_it_places_it():
    assert unplaced(FAR, boundaries(("2", ("a",)))).empty


def test_a_change_of_another_step_does_not():
    assert 1 == len(unplaced(FAR, boundaries(("2", ("b",)))))


def test_a_change_after_it_does_not():
    rows = judged(("2", "a", 0.7, 0.8, 0.001), ("3", "a", 0.9, 1.0, 0.5))
    assert ["2"] == list(unplaced(rows, boundaries(("3", ("a",))))["version"])


def test_near_the_base_nothing_has_to_be_placed():
    assert unplaced(judged(("2", "a", 0.92, 0.97, 0.001)), boundaries()).empty
