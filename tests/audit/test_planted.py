"""The auditor finds falsehoods that were planted in true posts, and no others."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from places import ROOT
from planted import AA, COSTS, GAINS, PAGE, RUNS, SENTENCE, VERSIONS, judged

from benchbook.finding import Finding
from benchbook.posts import audit as auditing
from benchbook.posts.audit import Again, again, checked, file_contradictions
from benchbook.posts.replay import as_output
from benchbook.project import Project
from benchbook.study.study import load_study

pytestmark = pytest.mark.unit
FOUND: dict[str, tuple[str, ...]] = {}


@pytest.fixture(scope="module")
def posts():
    """Shipped posts, executed again: true pages, and what they were made of."""
    made = {}

    def post(slug: str):
        if slug not in made:
            study = load_study(ROOT / "posts" / slug)
            before = nbformat.read(study.folder / "index.ipynb", as_version=4)
            result = again(study, Project(ROOT), before)
            made[slug] = (study, result, checked(result.page, result, study))
        return made[slug]

    yield post
    _print_table()


def _print_table():
    """How many were found, by kind of falsehood and of check."""
    rows = Counter((name.split(": ")[0], bool(by)) for name, by in FOUND.items())
    checks = Counter((name.split(": ")[0], b) for name, by in FOUND.items() for b in by)
    names = sorted({kind for kind, _ in rows})
    lines = [f"{'planted in':10} planted found  by check"]
    for kind in names:
        by = ", ".join(f"{c} {n}" for (k, c), n in sorted(checks.items()) if k == kind)
        planted = rows[kind, True] + rows[kind, False]
        lines.append(f"{kind:10} {planted:7} {rows[kind, True]:5}  {by}")
    text = "\n".join(lines)
    where = os.environ.get("BENCHBOOK_PLANTED_TABLE")
    if where:
        Path(where).write_text(text + "\n", encoding="utf-8")


def found(name: str, notebook, made: Again, study, before) -> tuple[str, ...]:
    """The kinds of check that find more than before."""
    parts = checked(notebook, made, study)
    by = tuple(kind for kind, those in parts.items() if set(those) - set(before[kind]))
    FOUND[name] = by
    return by


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGE)
def test_edited_page_is_found(posts, name):
    """What was changed in a page after it was executed is named."""
    slug, edit = PAGE[name]
    study, made, before = posts(slug)
    notebook = deepcopy(made.page)
    edit(notebook)

    assert found(f"page: {name}", notebook, made, study, before)


@pytest.mark.slow
@pytest.mark.parametrize("name", SENTENCE)
def test_lying_sentence_is_found(posts, name):
    """A sentence whose claims do not follow from its frames is named, though executing
    the post gives it again."""
    study, made, before = posts(VERSIONS)
    true = judged(made)
    lie = SENTENCE[name](true)
    page, shown = deepcopy(made.page), {}
    for cell_id, things in made.objects.items():
        shown[cell_id] = tuple(lie if t is true else t for t in things)
        for cell in page.cells:
            if cell.id == cell_id and lie in shown[cell_id]:
                cell.outputs = [as_output(t) for t in shown[cell_id]]
    lying = replace(made, page=page, objects=shown)

    assert "claims" in found(f"sentence: {name}", page, lying, study, before)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_misfiled_run_is_found(posts, name):
    """A run that is not what the frames take it for is named, though the page is what
    executing the post on these frames would give."""
    study, made, before = posts(VERSIONS)
    frames = {k: f.copy() for k, f in made.frames.items() if isinstance(f, pd.DataFrame)}
    RUNS[name](frames)
    planted = replace(made, frames=frames)

    assert "runs" in found(f"runs: {name}", made.page, planted, study, before)


def _touch(folder: Path) -> None:
    path = folder / "evidence" / "metric.parquet"
    path.write_bytes(path.read_bytes() + b" ")


def _config(folder: Path) -> None:
    path = next(p for p in (folder / "evidence" / "configs").rglob("*") if p.is_file())
    path.write_text(path.read_text() + "\ninnodb_doublewrite=0\n")


FILES = {
    "a frame changed": _touch,
    "a config changed": _config,
    "a frame removed": lambda folder: (folder / "evidence/steps.parquet").unlink(),
    "a file added": lambda folder: (folder / "evidence/more.parquet").write_bytes(b"x"),
    "the manifest changed": lambda folder: (folder / "evidence/manifest.json").write_text(
        (folder / "evidence/manifest.json")
        .read_text()
        .replace('"sha256": "', '"sha256": "0', 1)
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_changed_evidence_is_found(tmp_path, name):
    """Evidence that is not what the manifest lists is named."""
    shutil.copytree(ROOT / "posts" / VERSIONS, tmp_path / "post")
    assert [] == list(file_contradictions(tmp_path / "post"))
    FILES[name](tmp_path / "post")
    by = tuple(file_contradictions(tmp_path / "post"))
    FOUND[f"files: {name}"] = ("files",) if by else ()

    assert by


STUDY = {
    "title": {"title": "Did MySQL get faster?"},
    "description": {"description": "Nothing changed."},
    "categories": {"categories": ("other",)},
    "label": {"label": "Published sizes."},
    "template": {"template": "engine-builds"},
    "date": {"date": "2020-01-01"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDY)
def test_changed_study_is_found(posts, name):
    """A post that was executed before its study.yml was changed is named."""
    study, made, before = posts(VERSIONS)
    cells = [c for c in made.page.cells if c.id not in ("front-matter", "label", "data")]
    bare = deepcopy(made.page)
    bare.cells = cells
    changed = replace(study, **STUDY[name])
    other = auditing.as_page(bare, changed, Project(ROOT))
    now = replace(made, page=other)

    assert "replay" in found(f"study: {name}", made.page, now, changed, before)


@pytest.mark.slow
def test_more_trials_than_runs_are_found(posts):
    """A study that asks for more trials than its post has is named."""
    study, made, before = posts(VERSIONS)
    asked = replace(study, trials=99, until="")
    by = found("study: trials", made.page, made, asked, before)

    assert "runs" in by


@pytest.mark.slow
def test_a_forged_counter_with_its_rate_is_not_found(posts):
    """What the auditor cannot know: a step's counter, its rate and all that follows
    forged alike."""
    study, made, before = posts(VERSIONS)
    frames = {k: f.copy() for k, f in made.frames.items() if isinstance(f, pd.DataFrame)}
    forged = frames["steps"]["run_id"].iloc[0]
    for name, columns in (("steps", ["ops", "rows", "bytes"]), ("metric", ["value"])):
        mine = frames[name]["run_id"] == forged
        for column in columns:
            frames[name][column] = frames[name][column].astype(float)
            frames[name].loc[mine, column] *= 2
    parts = checked(made.page, replace(made, frames=frames), study)

    assert not {c for c in parts["runs"]} - set(before["runs"])


@pytest.mark.parametrize("slug", [AA, COSTS, GAINS])
def test_a_true_post_is_believed(posts, slug):
    """No false alarm on a page that was just executed."""
    _, _, before = posts(slug)

    assert {} == {kind: those for kind, those in before.items() if those}


def test_claims_stay_out_of_the_text(posts):
    """The page shows the sentence; the claims stand in the metadata of its output."""
    _, made, _ = posts(VERSIONS)
    sentence = judged(made)

    assert isinstance(sentence, Finding)
    data, metadata = sentence._repr_mimebundle_()
    assert {"text/markdown": sentence.data} == data
    assert len(sentence.claims) == len(metadata["benchbook"]["claims"])
