"""What a notebook gets from `collect`: the study's own runs, in the study's order."""

import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from places import BENCH, FIXTURES

from benchbook.project import Project
from benchbook.results import evidence
from benchbook.results.collect import collect
from benchmath.errors import UserError


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A copy of the fixtures, so that no store is written beside them."""
    return Path(shutil.copytree(FIXTURES, tmp_path_factory.mktemp("results") / "copy"))


@pytest.fixture(scope="module")
def inserts(root):
    """The frames of the fixture study `inserts`."""
    return collect(root / "posts" / "inserts" / "study.yml", measure=False)


def test_rows_follow_the_cells_of_the_study(inserts):
    """Without indexes first, then with them, then by trial."""
    assert [("0", 1), ("0", 2), ("3", 1), ("3", 2)] == list(
        zip(inserts.runs["indexes"], inserts.runs["trial"], strict=True)
    )


def test_nothing_is_missing_from_a_complete_study(inserts):
    """Every planned run is there and none failed."""
    assert (0, 0) == (len(inserts.missing), len(inserts.failed))


@pytest.mark.slow
def test_run_that_failed_early_has_no_settings(root, inserts, tmp_path):
    """Its server died before they were asked for; the others keep theirs, read from the
    store and from evidence.
    """
    project = Project(root)
    first = inserts.runs["run_id"].iloc[0]
    with duckdb.connect(str(project.store)) as store:
        store.execute("UPDATE run SET settings = NULL WHERE run_id = ?", [first])
    again = collect(root / "posts" / "inserts" / "study.yml", measure=False).runs
    evidence.write(tmp_path / "e", {"runs": again})
    back = evidence.read(tmp_path / "e")["runs"]

    for runs in (again, back):
        known = dict(zip(runs["run_id"], runs["settings"], strict=True))
        assert known.pop(first) is None
        assert all(isinstance(settings, dict) for settings in known.values())


def test_dimensions_are_columns(inserts):
    """What the study varies can stand in a base."""
    assert {"engine", "config", "dop", "indexes"} <= set(inserts.dimensions)
    assert "indexes" == inserts.compared


def test_main_samples_are_those_of_the_main_op(inserts):
    """Background writers are left out of throughput over time."""
    ops = set(inserts.main_samples.loc[lambda f: f["step"].str.startswith("qp"), "op"])

    assert {"query"} == ops


@pytest.mark.slow
def test_missing_runs_are_listed(root):
    """A study that asks for a third trial misses one run of each cell."""
    study = root / "posts" / "inserts" / "study.yml"
    text = study.read_text()
    study.write_text(text.replace("trials: 2", "trials: 3"))
    missing = collect(study, measure=False).missing
    study.write_text(text)

    assert [3, 3] == list(missing["trial"])


def test_frames_of_a_published_post_come_from_its_evidence(root, inserts):
    """With evidence beside the study, no run folder is read."""
    folder = root / "posts" / "inserts"
    frames = {k: v for k, v in vars(inserts).items() if isinstance(v, pd.DataFrame)}
    evidence.write(folder / "evidence", frames)
    shutil.move(root / "data" / "raw", root / "data" / "away")
    again = collect(folder / "study.yml")
    shutil.move(root / "data" / "away", root / "data" / "raw")
    shutil.rmtree(folder / "evidence")

    assert list(inserts.metric["value"]) == list(again.metric["value"])


def test_unknown_study_is_one_sentence(root, monkeypatch):
    """A path that is no study is refused with the studies that are there."""
    monkeypatch.setenv("BENCHBOOK_ROOT", str(root))
    with pytest.raises(
        UserError, match=r"no study 'posts/nothing'; available: .*inserts"
    ):
        collect("posts/nothing")


def test_jupyterlab_names_the_command_instead_of_measuring(root, monkeypatch):
    """In a notebook opened by a person, missing runs are said, not made."""
    monkeypatch.setenv("JPY_SESSION_NAME", "open.ipynb")
    monkeypatch.setenv("BENCHBOOK_MACHINE", "fixture")
    (root / "bench").symlink_to(BENCH)
    study = root / "posts" / "variance" / "study.yml"
    text = study.read_text()
    study.write_text(text.replace("trials: 3", "trials: 4"))
    with pytest.raises(UserError, match="measure them with `benchbook run variance`"):
        collect(study)
    study.write_text(text)
    (root / "bench").unlink()


@pytest.mark.slow
def test_builds_of_the_same_code_have_no_build_effect(root):
    """`same_code` makes it known to be 0: no floor per side, and subject `version`."""
    results = collect(root / "posts" / "quiet" / "study.yml", measure=False)
    alike = replace(results, study=replace(results.study, same_code=True))

    assert (results.floor()["build_sd"] > 0).any()
    assert {0.0} == set(alike.floor()["build_sd"])
    assert results.judged_aa().equals(alike.judged_aa())
