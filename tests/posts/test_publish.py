"""Freezing a post: evidence that reads back, limits, secrets, a clone without raw."""

from __future__ import annotations

import json
import os
import shutil

import pandas as pd
import pytest
from places import ROOT, SITE_PAGES
from studies import NULL_STUDY

from benchbook.posts import publish as publishing
from benchbook.posts.execute import configs_of, post
from benchbook.posts.publish import MARK, publish
from benchbook.project import Project
from benchbook.results import evidence
from benchbook.study.study import load_study
from benchmath.errors import UserError

TINY = NULL_STUDY.replace("template: inserts", "template: tiny")


@pytest.mark.unit
def test_evidence_reads_back_as_it_was(tmp_path):
    """Lists, dicts, times and empty frames survive Parquet."""
    frames = {
        "runs": pd.DataFrame(
            {
                "started": pd.to_datetime(["2026-11-21"]),
                "env": [{"b": 1, "a": None}],
                "clients": [[1, 2]],
            }
        ),
        "failed": pd.DataFrame({"reason": pd.Series([], dtype=str)}),
    }
    evidence.write(tmp_path / "e", frames, {"configs/wal": "x\n"}, date="2026-11-21")
    read = evidence.read(tmp_path / "e")

    assert ["failed", "runs"] == sorted(read)
    assert {"a": None, "b": 1} == read["runs"]["env"][0]
    assert [1, 2] == list(read["runs"]["clients"][0])
    assert frames["runs"]["started"].equals(read["runs"]["started"])
    assert ["reason"] == list(read["failed"].columns)


@pytest.mark.unit
def test_the_same_frames_make_the_same_files(tmp_path):
    """Evidence in git changes only when the data does."""
    frames = {"runs": pd.DataFrame({"a": ["x", "y"], "b": [1, 2]})}
    one = evidence.write(tmp_path / "one", frames)
    two = evidence.write(tmp_path / "two", frames)

    assert one == two


@pytest.mark.unit
def test_changed_evidence_is_refused(tmp_path):
    """A file that is not the one of the manifest is named."""
    evidence.write(tmp_path / "e", {"runs": pd.DataFrame({"a": [1]})}, {"note": "x"})
    (tmp_path / "e" / "note").write_text("y")

    with pytest.raises(UserError, match="note: not the file that was published"):
        evidence.read(tmp_path / "e")


@pytest.mark.unit
def test_a_folder_without_a_manifest_is_no_evidence(tmp_path):
    """The manifest is written last; without it there is nothing."""
    assert not evidence.exists(tmp_path)
    with pytest.raises(UserError, match="no evidence here"):
        evidence.read(tmp_path)


@pytest.mark.unit
def test_thinned_samples_add_up():
    """Counts are summed, the longest response time stays, the rest group is kept."""
    samples = pd.DataFrame(
        {
            "run_id": ["r"] * 3, "step": ["s"] * 3, "op": ["insert"] * 3,
            "t_ns": [1, 2, 3], "interval_ns": [1, 1, 1], "second": [1.0, 2.0, 3.0],
            "ops": [1, 2, 4], "rows": [10, 20, 40], "max_ns": [7, 9, 8],
            "clients": [[1, 9], [2, 18], [4, 36]],
        }
    )  # fmt: skip
    thin = evidence.thinned(samples, 2)

    assert [[2, 2, 3, 30, 9], [3, 1, 4, 40, 8]] == thin[
        ["t_ns", "interval_ns", "ops", "rows", "max_ns"]
    ].to_numpy().tolist()
    assert [[3, 27], [4, 36]] == [list(c) for c in thin["clients"]]
    assert [2.0, 3.0] == list(thin["second"])


@pytest.mark.unit
def test_thinned_response_times_are_of_the_thinned_seconds():
    """Counts of one bucket add up over two seconds, those of the third stay."""
    samples = pd.DataFrame(
        {"run_id": "r", "step": "s", "op": "insert", "t_ns": [1, 2, 3],
         "second": [1.0, 2.0, 3.0]}
    )  # fmt: skip
    times = pd.DataFrame(
        {"run_id": "r", "step": "s", "op": "insert", "second": [1.0, 2.0, 2.0, 3.0],
         "lower_ns": [4, 4, 8, 4], "count": [1, 2, 3, 4]}
    )  # fmt: skip
    thin = evidence.thinned_times(times, samples, 2)

    assert [[2.0, 4, 3], [2.0, 8, 3], [3.0, 4, 4]] == thin[
        ["second", "lower_ns", "count"]
    ].to_numpy().tolist()


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A checkout in which the null engine was really measured, twice."""
    root = tmp_path_factory.mktemp("publish") / "checkout"
    for folder in ("posts/tiny/configs", "data", "build"):
        (root / folder).mkdir(parents=True)
    for name in ("bench", "site", *SITE_PAGES, "requirements.lock"):
        (root / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "tests" / "notebooks", root / "notebooks")
    (root / "posts" / "tiny" / "study.yml").write_text(TINY)
    lock = {"BENCHBOOK_LOCK": str(root / "lock"), "BENCHBOOK_MACHINE": "testbox"}
    environ = dict(os.environ)
    os.environ |= lock
    post(root / "posts" / "tiny" / "study.yml", Project(root))
    os.environ.clear()
    os.environ.update(environ)
    return root


@pytest.fixture
def project(measured, tmp_path):
    """A copy of it for one test."""
    shutil.copytree(measured, tmp_path / "checkout", symlinks=True)
    return Project(tmp_path / "checkout")


@pytest.mark.engine
def test_a_published_post_rebuilds_from_its_evidence(project):
    """In a clone without raw runs and store, executing again gives the same file."""
    published = publish("tiny", project)
    folder = project.posts / "tiny"
    before = (folder / "index.ipynb").read_bytes()
    shutil.rmtree(project.data)
    project.data.mkdir()
    post(folder, project, force=True)

    assert before == (folder / "index.ipynb").read_bytes()
    assert (folder / MARK).is_file()
    assert "git add -f posts/tiny" in published.command
    assert published.notebook_bytes < 1_000_000
    assert published.evidence_bytes < 2_000_000
    assert not (folder / "data").exists()


@pytest.mark.slow
@pytest.mark.engine
def test_a_published_post_is_not_published_twice(project):
    """The sentence says what to delete first."""
    publish("tiny", project)

    with pytest.raises(UserError, match="published already"):
        publish("tiny", project)


@pytest.mark.slow
@pytest.mark.engine
def test_large_evidence_is_refused(project, monkeypatch):
    """The sentence names the frame; the post stays live."""
    monkeypatch.setattr(publishing, "EVIDENCE_LIMIT", 1000)

    with pytest.raises(UserError, match=r"the evidence takes .* alone"):
        publish("tiny", project)
    assert not (project.posts / "tiny" / "evidence").exists()
    assert not (project.posts / "tiny" / MARK).exists()


@pytest.mark.slow
@pytest.mark.engine
def test_a_large_notebook_is_refused(project, monkeypatch):
    """The sentence names the cell with the largest output."""
    monkeypatch.setattr(publishing, "NOTEBOOK_LIMIT", 1000)

    with pytest.raises(UserError, match=r"largest output is that of `runs\["):
        publish("tiny", project)
    assert not (project.posts / "tiny" / "evidence").exists()


@pytest.mark.slow
@pytest.mark.engine
def test_secrets_are_not_published(project, monkeypatch):
    """The value of a ${NAME} of the study stops it; the sentence has only the name."""
    study = project.posts / "tiny" / "study.yml"
    study.write_text(TINY + "label: as ${DB_PASSWORD}\n")
    monkeypatch.setenv("DB_PASSWORD", "testbox")

    with pytest.raises(UserError, match=r"\$\{DB_PASSWORD\} stands in") as caught:
        publish("tiny", project)
    assert "testbox" not in str(caught.value)


@pytest.mark.engine
def test_a_settings_file_with_a_secret_is_not_published(project):
    """File, line and name are said, never the value; the page has neither."""
    study = project.posts / "tiny" / "study.yml"
    config = project.posts / "tiny" / "configs" / "mine"
    config.write_text("a = 1\nprimary_conninfo = 'host=h password=hunter2'\n")
    study.write_text(TINY.replace('engine: "null"', 'engine: "null", config: mine'))

    with pytest.raises(
        UserError, match=r"not published: posts/tiny/configs/mine, line 2: password looks"
    ) as caught:
        publish("tiny", project)
    shown = configs_of(load_study(study), project)
    assert ["configs/null/mine"] == list(shown)
    assert "hunter2" not in f"{caught.value}{shown}"
    assert not (project.posts / "tiny" / "evidence").exists()


@pytest.mark.slow
@pytest.mark.engine
def test_an_unset_secret_is_said_to_be_unchecked(project, monkeypatch):
    """What has no value here cannot be looked for."""
    monkeypatch.delenv("DB_PASSWORD", raising=False)
    study = project.posts / "tiny" / "study.yml"
    study.write_text(TINY + "label: as ${DB_PASSWORD}\n")

    assert ("DB_PASSWORD",) == publish("tiny", project).unchecked


@pytest.mark.slow
@pytest.mark.engine
def test_a_post_without_runs_is_not_published(project):
    """There is nothing to freeze; the sentence says how to measure."""
    shutil.rmtree(project.raw)
    project.store.unlink()

    with pytest.raises(UserError, match="no runs to publish"):
        publish("tiny", project)


@pytest.mark.engine
def test_a_live_post_offers_its_data(project):
    """The page links the frames that it was made from."""
    folder = project.posts / "tiny"
    cells = json.loads((folder / "index.ipynb").read_text())["cells"]

    assert "[runs](data/runs.parquet)" in "".join(cells[-1]["source"])
    assert (folder / "data" / "runs.parquet").is_file()
