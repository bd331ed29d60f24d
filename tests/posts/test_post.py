"""A study becomes a post: parameters, freshness, failures, what people wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import nbformat
import pytest
from sample_site import STUDY, freeze, make_project

from benchbook.posts import execute, freshness
from benchbook.posts.execute import check_parameters, post, reports, template_of
from benchbook.study.published import Beside
from benchbook.study.study import load_study
from benchmath.errors import UserError

TINY = STUDY.replace("template: sample", "template: tiny").replace("unit:", "noun:")


@pytest.fixture
def project(tmp_path):
    """A checkout whose one study is frozen and uses the tiny template."""
    made = make_project(tmp_path / "checkout")
    (freeze(made) / "study.yml").write_text(TINY)
    return made


@pytest.fixture
def study(project):
    return load_study(project.posts / "sample")


def edit_template(project, cell_id: str, source: str, name: str = "tiny") -> None:
    path = project.notebooks / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    next(c for c in notebook.cells if c.id == cell_id).source = source
    nbformat.write(notebook, path)


def cell_of(path, cell_id: str):
    notebook = nbformat.read(path, as_version=4)
    return next(c for c in notebook.cells if c.id == cell_id)


@pytest.mark.unit
def test_unknown_parameters_are_refused(project, study):
    """The sentence names what was written and what there is."""
    template = project.notebooks / "tiny.ipynb"

    with pytest.raises(UserError, match="no parameter 'nuon'; available: noun"):
        check_parameters(template, ["nuon"], study.path)


@pytest.mark.unit
def test_a_study_cannot_set_what_the_command_sets(project, study):
    """`study` and `measure` are not for study.yml."""
    with pytest.raises(UserError, match="no parameter 'measure'"):
        check_parameters(project.notebooks / "tiny.ipynb", ["measure"], study.path)


@pytest.mark.unit
def test_a_template_needs_a_parameters_cell(project, study):
    """Without the tag, papermill would ignore every parameter."""
    path = project.notebooks / "tiny.ipynb"
    path.write_text(path.read_text().replace('"parameters"\n', '"other"\n'))

    with pytest.raises(UserError, match="exactly one cell must carry the tag"):
        template_of(study, project)


@pytest.mark.unit
def test_an_unknown_template_is_named_with_those_there_are(project, study):
    """A misspelt template is one sentence."""
    (project.notebooks / "tiny.ipynb").unlink()

    with pytest.raises(UserError, match=r"no template 'tiny'.*available: sample"):
        template_of(study, project)


@pytest.mark.unit
def test_reports_are_all_studies(project):
    """Live or frozen, a folder with a study.yml is a post."""
    (project.posts / "another").mkdir()
    (project.posts / "another" / "study.yml").write_text(TINY)

    assert ["another", "sample"] == [p.parent.name for p in reports(project)]


@pytest.mark.unit
@pytest.mark.parametrize(
    "changed",
    ["notebooks/tiny.ipynb", "posts/sample/study.yml", "posts/sample/configs/wal",
     "posts/sample/evidence/manifest.json"],
)  # fmt: skip
def test_the_digest_follows_every_input(project, study, changed):
    """Template, study, config, evidence: a change of any makes another post."""
    before = freshness.made_from(study, project).digest
    path = project.root / changed
    path.write_text(path.read_text() + " ")

    assert before != freshness.made_from(study, project).digest


@pytest.mark.unit
@pytest.mark.parametrize(
    ("source", "frozen_stale", "live_stale"),
    [("benchformats/parsed.py", False, False), ("benchbook/cli/main.py", False, False),
     ("benchbook/sql/runs.sql", False, True), ("benchmath/frames.py", True, True)],
)  # fmt: skip
def test_the_digest_follows_only_what_can_change_the_post(
    project, study, tmp_path, monkeypatch, source, frozen_stale, live_stale
):
    """A parser or a verb executes nothing again; SQL does where a post is live."""
    library = tmp_path / "library"
    for room in ("benchformats", "benchbook/cli", "benchbook/sql", "benchmath"):
        (library / room).mkdir(parents=True)
    monkeypatch.setattr(freshness, "_library", lambda: library)
    frozen = freshness.made_from(study, project).digest
    manifest = study.folder / "evidence" / "manifest.json"
    content = manifest.read_bytes()
    manifest.unlink()
    live = freshness.made_from(study, project).digest
    (library / source).write_text("changed")

    assert live_stale == (live != freshness.made_from(study, project).digest)
    manifest.write_bytes(content)
    assert frozen_stale == (frozen != freshness.made_from(study, project).digest)


@pytest.mark.unit
def test_the_digest_follows_a_published_table_beside_the_post(project, study):
    """Frozen or not: the page shows its figures."""
    table = project.data / "published" / "t.csv"
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text("x")
    beside = replace(study, beside=(Beside("t", {}),))
    before = [freshness.made_from(one, project).digest for one in (beside, study)]
    table.write_text("y")
    after = [freshness.made_from(one, project).digest for one in (beside, study)]

    assert before[0] != after[0]
    assert before[1] == after[1]


@pytest.mark.unit
def test_the_digest_follows_what_another_post_says_of_it(project, study):
    """Both pages show why their intervals exclude each other."""
    (project.posts / "another").mkdir()
    other = project.posts / "another" / "study.yml"
    other.write_text(TINY)
    before = freshness.made_from(study, project)
    entry = "explains: [{post: sample, because: size, text: fewer rows}]"
    other.write_text(f"{TINY}{entry}\n")
    after = freshness.made_from(study, project)

    assert before.digest != after.digest
    assert before.executed != after.executed


@pytest.mark.unit
def test_new_runs_make_a_live_post_stale_and_not_a_frozen_one(project, study):
    """A frozen post is its evidence, whatever is measured later."""
    frozen = freshness.made_from(study, project).digest
    run = project.raw / "sample" / "m" / "t" / "dop1.t1-1"
    run.mkdir(parents=True)
    (run / "manifest.json").write_text("{}")
    still_frozen = freshness.made_from(study, project).digest
    (study.folder / "evidence" / "manifest.json").unlink()
    live = freshness.made_from(study, project).digest
    (run / "manifest.json").write_text('{"schema": 1}')

    assert frozen == still_frozen
    assert live != freshness.made_from(study, project).digest


@pytest.mark.slow
@pytest.mark.engine
def test_other_words_execute_nothing(project, study, monkeypatch):
    """A new title and description stand on the page; a new parameter executes it."""
    study.path.write_text(f"{TINY}description: So many.\n")
    page = post(study.path, project, measure=False)
    monkeypatch.setattr(execute, "_execute", lambda *_: pytest.fail("executed"))
    title = load_study(study.path).title
    text = study.path.read_text().replace(title, "How few?").replace("many", "few")
    study.path.write_text(text)
    post(study.path, project, measure=False)

    assert "So few." in cell_of(page, "answer").source
    assert 'title: "How few?"' in cell_of(page, "front-matter").source
    assert freshness.is_fresh(load_study(study.path), project)
    study.path.write_text(text.replace("noun: ", "noun: all "))
    with pytest.raises(pytest.fail.Exception, match="executed"):
        post(study.path, project, measure=False)


@pytest.mark.engine
def test_a_post_is_executed_once(project, study):
    """The second call finds nothing changed and leaves the file alone."""
    path = post(study.path, project)
    before = path.stat().st_mtime_ns
    post(study.path, project)

    assert before == path.stat().st_mtime_ns
    assert "There are 2 rows/s." in cell_of(path, "front-matter").source
    assert 'kind: "finding"' in cell_of(path, "front-matter").source
    assert [] == list((project.build / "posts").iterdir())


@pytest.mark.slow
@pytest.mark.engine
def test_the_same_inputs_make_the_same_file(project, study):
    """No time of day, path or random id gets into a post."""
    first = post(study.path, project).read_bytes()
    second = post(study.path, project, force=True).read_bytes()

    assert first == second
    assert str(project.root).encode() not in first


@pytest.mark.slow
@pytest.mark.engine
def test_an_edited_sentence_survives(project, study):
    """Text in a hand-written cell is kept although the template changed."""
    path = post(study.path, project)
    path.write_text(path.read_text().replace("None yet.", "Why two?"))
    edit_template(project, "load", "runs = collect(study, measure).runs.head(1)")
    post(study.path, project)

    assert "Why two?" in cell_of(path, "open").source
    assert "There are 1 rows/s." in cell_of(path, "front-matter").source


@pytest.mark.slow
@pytest.mark.engine
def test_expressions_of_cells_and_description_are_filled_in(project, study):
    """And stay in the cell, so that the next execution fills them in again."""
    rate = '`{python} rate("point-query", engine="one")`'
    path = post(study.path, project)
    edited(path, "open", "None yet.", f"Why {rate}?")
    study.path.write_text(TINY + f"description: 'At {rate} queries/s.'\n")
    for _ in range(2):
        post(study.path, project, force=True)

    kept = '<!-- rate("point-query", engine="one") -->'
    assert f"Why {kept}2,020<!-- / -->?" in cell_of(path, "open").source
    assert "At 2,020 queries/s." in cell_of(path, "answer").source
    assert 'description: "At 2,020 queries/s."' in cell_of(path, "front-matter").source


@pytest.mark.slow
@pytest.mark.engine
def test_a_failing_cell_leaves_the_old_post(project, study):
    """One sentence, the user error's own, and where the half-made notebook lies."""
    path = post(study.path, project)
    before = path.read_bytes()
    failing = "from benchmath.errors import UserError\nraise UserError('no disk left')"
    edit_template(project, "load", failing)

    with pytest.raises(UserError) as caught:
        post(study.path, project)
    partial = "build/posts/sample.ipynb"
    assert f"no disk left (as far as it came: {partial})" == str(caught.value)
    assert 1 == caught.value.exit_code
    assert before == path.read_bytes()
    assert (project.root / partial).is_file()


@pytest.mark.slow
@pytest.mark.engine
def test_plain_papermill_does_the_same(project, study):
    """The same template and study, by hand from the root of the checkout."""
    ours = post(study.path, project)
    words = (
        "notebooks/tiny.ipynb out.ipynb -p study posts/sample/study.yml -p noun rows/s"
    )
    command = [sys.executable, "-m", "papermill", *words.split()]
    subprocess.run(command, cwd=project.root, check=True, capture_output=True)

    plain = cell_of(project.root / "out.ipynb", "finding").outputs[0]["data"]
    said = cell_of(ours, "finding").outputs[0]["data"]
    assert plain["text/markdown"] == said["text/markdown"]


@pytest.mark.slow
@pytest.mark.engine
def test_the_sample_shows_every_kind_of_output(tmp_path):
    """Real libraries in a real kernel leave nothing that needs a script of a CDN."""
    project = make_project(tmp_path / "checkout")
    path = post(freeze(project), project)
    cells = json.loads(path.read_text())["cells"]

    kinds = {k for c in cells for o in c.get("outputs", []) for k in o.get("data", {})}
    assert {"text/markdown", "image/svg+xml"} == kinds


def edited(path, cell_id: str, old: str, new: str) -> None:
    """The text of a cell of an executed post, as an editor leaves it."""
    notebook = nbformat.read(path, as_version=4)
    cell = next(c for c in notebook.cells if c.id == cell_id)
    assert old in cell.source
    cell.source = cell.source.replace(old, new)
    nbformat.write(notebook, path)


@pytest.mark.slow
@pytest.mark.engine
def test_a_cell_that_somebody_adds_stays(project, study):
    """A Markdown cell of one's own keeps its place, whatever the template becomes."""
    path = post(study.path, project)
    notebook = nbformat.read(path, as_version=4)
    at = next(n for n, c in enumerate(notebook.cells) if c.id == "open")
    notebook.cells.insert(at + 1, nbformat.v4.new_markdown_cell("Mine.", id="mine"))
    nbformat.write(notebook, path)
    for _ in range(2):
        post(study.path, project, force=True)
    ids = [c.id for c in nbformat.read(path, as_version=4).cells]

    assert "mine" == ids[ids.index("open") + 1]
    assert 1 == ids.count("mine")


@pytest.mark.slow
@pytest.mark.engine
def test_an_edit_that_would_be_written_over_is_refused(project, study):
    """One sentence says where to write; --discard drops the edit."""
    path = post(study.path, project)
    edited(path, "front-matter", "title:", "title: A title of mine #")
    with pytest.raises(UserError, match=r"write title.* in study.yml; `--discard`"):
        post(study.path, project, force=True)
    post(study.path, project, force=True, discard=True)

    assert "of mine" not in cell_of(path, "front-matter").source
