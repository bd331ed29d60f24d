"""`benchbook history`: its lines, and a memory that is never trusted too far."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from version_frames import WOBBLE

from benchbook.cli.main import main
from benchbook.project import Project
from benchbook.sets import history as remembered
from benchbook.store.load import load
from benchbook.store.query import open_store

pytestmark = pytest.mark.unit

HEADER = "machine,engine,version,step,metric,value,unit,direction,source,date"


def published(levels, step="scan", direction="higher"):
    """A published table's lines: eight wobbling commits a level."""
    values = np.repeat(levels, 8) * np.resize(WOBBLE, 8 * len(levels))
    return "".join(
        f"bee,mysql,c{i:02},{step},qps,{v:.3f},queries/s,{direction},a.tsv,2024-02\n"
        for i, v in enumerate(values)
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch) -> Project:
    (tmp_path / "data" / "published").mkdir(parents=True)
    (tmp_path / "bench").mkdir()
    (tmp_path / "_quarto.yml").touch()
    monkeypatch.setenv("BENCHBOOK_ROOT", str(tmp_path))
    rows = published([100, 80]) + published([100, 100], "still")
    (tmp_path / "data/published/t.csv").write_text(f"{HEADER}\n{rows}")
    return Project(tmp_path)


def said(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["history", *arguments])
    assert 0 == done.exit_code, done.output
    return done.output


def test_a_line_is_the_last_change_of_a_test(project):
    head, _, _, line = said("t").splitlines()

    assert "t: 2 tests, up to 16 versions; 1 changed, 1 did not" == head
    assert ["worse", "scan", "qps", "−20%"] == line.split()[:4]
    assert "c07..c08" in line
    assert line.endswith("8")


def test_tests_without_a_change_are_shown_when_asked_for(project):
    assert "no change" not in said("t")
    assert "no change" in said("t", "--all")


def test_json_has_every_test_and_all_changes(project):
    whole = json.loads(said("t", "--json"))

    assert ["scan qps", "still qps"] == [test["test"] for test in whole["tests"]]
    [[change], none] = [test["changes"] for test in whole["tests"]]
    assert ("c07", "c08", "worse") == (change["after"], change["at"], change["verdict"])
    assert [] == none


def test_no_name_becomes_a_formula_or_markdown(project):
    rows = published([100, 80], "=1+[x](y)")
    (project.data / "published/t.csv").write_text(f"{HEADER}\n{rows}")
    [_, row] = csv.reader(io.StringIO(said("t", "--csv")))

    assert "'=1+[x](y) qps" == row[0]
    assert "&#61;1+&#91;x&#93;(y) qps" in said("t", "--markdown")


def test_a_set_of_one_commit_is_refused(project):
    (project.data / "published/t.csv").write_text(
        f"{HEADER}\n{published([100, 80]).splitlines()[0]}\n"
    )
    done = CliRunner().invoke(main, ["history", "t"])

    assert 1 <= done.exit_code
    assert "no test of t has two values of version" in done.output


def test_what_was_searched_is_remembered(project):
    first, second = (remembered.history("t", project) for _ in range(2))

    assert (2, 0) == (first.searched, second.searched)
    assert first.tests[0].changes == second.tests[0].changes


@pytest.mark.parametrize(
    "text", ["", "[]", '{"library": "L", "blocks": 3}', '{"library": "other"}', "\xff"]
)
def test_a_memory_that_does_not_fit_is_searched_anew(project, text):
    file = remembered.memory_of("t", project).file
    file.parent.mkdir(parents=True)
    file.write_bytes(text.encode("latin-1"))

    assert 2 == remembered.history("t", project).searched


def test_another_library_remembers_nothing(project, monkeypatch):
    remembered.history("t", project)
    monkeypatch.setattr(remembered, "_library_digest", lambda: "another")

    assert 2 == remembered.history("t", project).searched


@pytest.mark.parametrize(
    "answer", [None, 3, [[], "x"], [[[5, "p"]], []], [[[99, 0.1]], []], [[], [16]],
               [[[7, 0.1], [3, 0.1]], []]],
)  # fmt: skip
def test_an_answer_that_does_not_fit_its_block_is_none(answer):
    assert remembered.detected_of(answer, 16) is None


def test_no_progress_bar_stands_before_what_a_verb_prints(project):
    """DuckDB draws one on stdout for queries that take seconds."""
    load(project)
    with open_store(project.store) as store:
        shown = store.execute("SELECT current_setting('enable_progress_bar')").fetchone()

    assert (False,) == shown


def test_a_dimension_says_what_the_commits_are(project):
    """`version` by default where a set has no commits; one that is not there is said."""
    done = CliRunner().invoke(main, ["history", "t", "--dimension", "release"])

    assert said("t") == said("t", "--dimension", "version")
    assert (2, True) == (done.exit_code, "no dimension 'release'" in done.output)


def test_fresh_searches_again(project):
    """As if nothing were remembered."""
    assert said("t") == said("t", "--fresh") == said("t")


def test_a_set_whose_figures_name_no_version_has_no_history(project):
    """One sentence: what is missing, and what to choose."""
    line = "bee,mysql,,scan,qps,1.0,queries/s,higher,a.tsv,2024-02\n"
    (project.root / "data/published/u.csv").write_text(f"{HEADER}\n{line}")
    done = CliRunner().invoke(main, ["history", "u"])

    assert 2 == done.exit_code
    assert "no test of u has two values of version" in done.output
