"""A study may take over runs that another one has measured."""

import pytest
from studies import NULL_STUDY

from benchbook.results.collect import collect

pytestmark = pytest.mark.engine


@pytest.fixture
def measured(checkout, monkeypatch):
    """A checkout in which study `first` has been measured."""
    monkeypatch.setenv("BENCHBOOK_ROOT", str(checkout.root))
    checkout.study("first")
    checkout.ok("run", "first")
    return checkout


@pytest.mark.slow
def test_same_cells_of_another_study_are_not_measured_again(measured):
    """With `reuse: true` the plan finds all four runs, and the frames hold them."""
    study = measured.study("second", NULL_STUDY + "reuse: true\n")
    results = collect(study, measure=False)

    assert "4 done, 0 failed, 0 to make" in measured.ok("plan", "second")
    assert 4 == len(results.runs)
    assert {"second"} == set(results.own["set"])


@pytest.mark.slow
def test_without_reuse_a_study_has_only_its_own_runs(measured):
    """Runs are filed under the study that measured them."""
    study = measured.study("second")

    assert "0 done, 0 failed, 4 to make" in measured.ok("plan", "second")
    assert 0 == len(collect(study, measure=False).runs)
