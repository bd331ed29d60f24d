"""A study in which more than what is compared changed says so with each gain."""

import pytest
from engine_frames import cell, frames

from benchbook.findings.premises import on_premises
from benchbook.findings.verdicts import old_to_new_finding, verdict_finding
from benchbook.results.results import Results
from benchbook.study.drivers import driver_named
from benchbook.study.study import Study
from benchbook.views.causes import what_changed
from benchbook.views.engines import engine_changes, hazards_of, version_boundaries
from benchbook.views.premises import premise_facts

SMALL = {"config": "small", "config_text": "innodb_buffer_pool_size = 1G"}
LARGE = {"config": "large", "config_text": "innodb_buffer_pool_size = 4G"}
CHANGE = "(with another config: innodb_buffer_pool_size 1G → 4G)"


def study_of(tmp_path, *cells, premises=()):
    study = Study(
        slug="s", path=tmp_path / "study.yml", title="?", template="engine-versions",
        driver=driver_named("ingest", tmp_path), base={"version": "11.22"}, cells=(),
        premises=premises,
    )  # fmt: skip
    return Results(study=study, **frames(cells))


@pytest.mark.slow
def test_gain_of_one_setting_is_not_the_versions(tmp_path):
    """Two settings files: sentence, boundary and hazard name the setting."""
    results = study_of(
        tmp_path, cell("11.22", **SMALL), cell("12.22", **SMALL),
        cell("13.23", 2.0, **LARGE), cell("14.24", 2.0, **LARGE),
    )  # fmt: skip
    changes = engine_changes(results)
    found = version_boundaries(results, changes)
    changed = what_changed(results, found)

    text = old_to_new_finding(results.judged(), found, changed).data

    assert text.startswith("**14.24** is faster than 11.22 in all 5 tests")
    assert f"; {CHANGE[1:-1]}." in text
    assert f"12.22→13.23 (config too)** in 5 of 5 tests, median +100% {CHANGE}" in text
    assert {"13.23", "14.24"} == {
        h.where["me"] for h in hazards_of(results) if h.code == "changed together"
    }


def test_gain_of_the_version_alone_stays_plain(tmp_path):
    """One settings file: the sentence is as short as it was."""
    results = study_of(tmp_path, cell("11.22", **SMALL), cell("13.23", 2.0, **SMALL))

    text = verdict_finding(results.judged(), what_changed(results)).data

    assert text.startswith("**13.23** is faster than 11.22 in all 5 tests")


def test_premise_of_the_question_comes_first(tmp_path):
    """A database of which no run told its size is not known; one that reads is told."""
    names = ("larger_than_memory", "reads", "long_enough")
    results = study_of(tmp_path, cell("11.22"), cell("12.22"), premises=names)

    facts = premise_facts(results)
    told = on_premises(results, verdict_finding(results.judged())).data

    assert ["not recorded", "no", "yes"] == list(dict.fromkeys(facts["holds"]))
    assert told.startswith("**The question is not answered as asked**: ")
    assert "hardly reads: 0.01 KB per operation in qr100.L1 and qp100.L2" in told
