"""The benchmark of panels: its studies, its scores, and that each row is made."""

import sys

import numpy as np
import pytest
from places import ROOT

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import panels

pytestmark = pytest.mark.unit

SMALL = panels.Size(versions=6, tests=9, runs=2)


def study(**given):
    return panels.simulated(np.random.default_rng(1), SMALL, **given)


def test_study_has_its_size():
    """Nine tests of six versions with two runs each, one for each kind of noise."""
    tests = study()

    assert [12] * 9 == [test.series.values.size for test in tests]
    assert 9 == len({test.series.test for test in tests})
    assert all(test.z == {} for test in tests)


def test_all_tests_change_at_one_boundary():
    """With a share of 1 there is a boundary that every test has."""
    together = set.intersection(*(set(test.z) for test in study(share=1.0)))

    assert 1 == len(together)
    assert all(z > 0 for test in study(share=1.0) for z in test.z.values())


def test_bad_day_is_shared():
    """One version of all tests is 3 stddevs slow: the same in every test."""
    quiet, bad = study(), study(noise="bad day")

    changed = [
        set((b.series.groups[a.series.values != b.series.values]).tolist())
        for a, b in zip(quiet, bad, strict=True)
    ]
    assert 1 == len(set.union(*changed))


def test_scores_by_hand():
    """Two changes, one found and one false: F1 50%, a recall of 100% of z 3 to 5."""
    test = panels.Simulated(study()[0].series, {2: 4.0, 4: 20.0})

    row = panels.scored([test], [{2, 3}], [{2, 4}])

    assert (50, 100, 0) == (row["F1@0"], row["z3-5"], row["z>10"])
    assert {"finds": 2, "false": 50} == panels.counted([{2, 3}], [{2, 4}])


def test_rows_of_both_tables():
    """The share alarmed alone and together; a row for alone and one for together."""
    quiet = panels.alarms(SMALL, "independent", 1, 9)
    rows = panels.scores(SMALL, 0.9, 1, 9)

    assert quiet["alone"] <= quiet["together"] <= 100
    assert ["alone", "together"] == [row["tests"] for row in rows]
    assert rows[0]["z>10"] <= rows[1]["z>10"]
