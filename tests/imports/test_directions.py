"""Which way is better: told where a file does not say it, and said by the user."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbook.cli.main import main
from benchbook.imports.importer import import_dir
from benchbook.imports.post_of_figures import post_of_figures
from benchbook.project import Project
from benchbook.store.query import query
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
TABLE = "test,version,metric,value,unit\na,1,x,1,foos\na,2,x,2,foos\n"
GO = "BenchmarkA-2\t100\t5.0 foos\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def told(project: Project, folder: Path, **said) -> list[str]:
    report = import_dir(folder, project, "set", **said)
    return [p.text for source in report.manifest.sources for p in source.problems]


def folder_of(tmp_path: Path, name: str, text: str) -> Path:
    folder = tmp_path / "results"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(("name", "text"), [("t.csv", TABLE), ("go.txt", GO)])
def test_an_unknown_direction_is_told_once(project, tmp_path, name, text):
    """Of a unit of one's own, whichever reader meets it."""
    problems = told(project, folder_of(tmp_path, name, text))

    assert 1 == len(problems)
    assert "unit 'foos' does not tell which way is better" in problems[0]


def test_the_user_says_it(project, tmp_path):
    """Then nothing is told, and the figures have it; the same file is read again."""
    folder = folder_of(tmp_path, "go.txt", GO)
    told(project, folder)
    problems = told(project, folder, better={"": "higher"})

    assert [] == problems
    rows = query("metric_of_set", project=project, set="set")
    assert ["higher"] == list(rows["direction"])


def test_a_way_that_is_none_is_refused(tmp_path):
    done = CliRunner().invoke(main, ["import", str(tmp_path), "--better", "x=more"])

    assert 2 == done.exit_code
    assert "available: higher, lower, none" in done.output


@pytest.mark.parametrize(
    ("text", "why"),
    [("test,version,widgets\na,1,5\na,2,6\n", "say better=higher, lower or none"),
     ("test,version,reads_per_s,writes_per_s\na,1,5,6\na,2,5,6\n", "which column is")],
)  # fmt: skip
def test_a_post_of_figures_needs_both(project, tmp_path, text, why):
    """Its figure and which way is better: else nothing is written."""
    file = tmp_path / "t.csv"
    file.write_text(text)

    with pytest.raises(UserError, match=why):
        post_of_figures("p", file, project)
    assert not (project.posts / "p").exists()
