"""Which cells of a study are its base: one answer for A/A studies and for planning."""

import pytest

from benchbook.measure.trials import StepNoise, step_trials
from benchbook.study.derived import aa_study, has_base, is_base
from benchbook.study.study import load_study

pytestmark = pytest.mark.unit

STUDY = """\
title: Did inserts get slower?
template: inserts
driver: ingest
base: BASE
engines: ENGINES
matrix: {dop: [1, 2]}
steps: ["l.i0:rows=1000"]
trials: 3
"""
OWN_AND_SYSTEM = (
    '[{engine: sqlite, version: "3.46.1", basedir: /opt/sqlite}, {engine: sqlite}]'
)


def study_of(tmp_path, base, engines):
    file = tmp_path / "posts" / "x" / "study.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(STUDY.replace("BASE", base).replace("ENGINES", engines))
    return load_study(file)


def others(study):
    """How many cells planning compares with each base cell."""
    [step] = step_trials(study, {"l.i0": StepNoise(0.01, "")}, 0.03)
    return step.others


def repeated(study):
    """Versions and dops of the cells that an A/A study repeats."""
    return list(dict.fromkeys((c.version, c.dop) for c in aa_study(study).cells))


def test_a_cell_without_a_version_is_not_the_base_where_another_names_it(tmp_path):
    """The system's SQLite is no 3.46.1: it is neither repeated nor counted as base."""
    study = study_of(tmp_path, '{version: "3.46.1"}', OWN_AND_SYSTEM)

    assert [True, True, False, False] == [is_base(c, study) for c in study.cells]
    assert [("3.46.1", 1), ("3.46.1", 2)] == repeated(study)
    assert 1 == others(study)


def test_a_version_that_no_cell_names_may_be_that_of_every_cell(tmp_path):
    """The engine tells it when it runs: each cell is repeated, each compared with one."""
    study = study_of(tmp_path, '{version: "3.40.1"}', "[{engine: sqlite}]")

    assert not has_base(study)
    assert [True, True] == [is_base(c, study) for c in study.cells]
    assert [("", 1), ("", 2)] == repeated(study)
    assert 1 == others(study)


def test_a_machine_beside_another_name_leaves_the_base_open(tmp_path):
    """base: {machine: c6i, dop: 1}: dop 1 is repeated here, but compared with c6i's."""
    study = study_of(tmp_path, "{machine: c6i, dop: 1}", "[{engine: sqlite}]")

    assert not has_base(study)
    assert [("", 1)] == repeated(study)
    assert 1 == others(study)


def test_a_base_that_the_cells_name_is_here(tmp_path):
    """base: {dop: 1}: one cell is the base of the other."""
    study = study_of(tmp_path, "{dop: 1}", "[{engine: sqlite}]")

    assert has_base(study)
    assert [True, False] == [is_base(c, study) for c in study.cells]
