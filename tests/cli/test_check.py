"""`benchbook check`: exit codes, text, Markdown, JSON, JUnit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from benchbook.cli.check import guarded
from benchbook.cli.check_report import COMMENT_LIMIT
from benchbook.cli.main import main

pytestmark = pytest.mark.unit

HEADER = "machine,engine,version,step,metric,value,unit,direction,source,date,trial"
SAME, SLOW = (100, 100.5, 99.5, 100), (90, 90.5, 89.5, 90)
NOISY = (80, 120, 95, 105)


@pytest.fixture
def tables(tmp_path: Path, monkeypatch):
    """A function that publishes a table t: values by step and version."""
    folder = tmp_path / "data/published"
    folder.mkdir(parents=True)
    monkeypatch.setenv("BENCHBOOK_ROOT", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def publish(values: Mapping[tuple[str, str], tuple[float, ...]]) -> None:
        rows = [
            f'bee,mysql,{version},"{step}",qps,{v},rows/s,higher,a,2026,{trial}'
            for (step, version), many in values.items()
            for trial, v in enumerate(many, 1)
        ]
        (folder / "t.csv").write_text("\n".join([HEADER, *rows]) + "\n")

    return publish


def check(*words: str, margin: str = "3%"):
    return CliRunner().invoke(main, ["check", "t", "old", "new", "--margin", margin,
                                     *words])  # fmt: skip


def both(step: str, old: tuple[float, ...], new: tuple[float, ...]) -> dict:
    return {(step, "old"): old, (step, "new"): new}


def test_nothing_changed(tables):
    """Exit 0, and a sentence first."""
    tables(both("scan", SAME, SAME) | both("sort", SAME, SAME))
    done = check()

    assert 0 == done.exit_code, done.output
    assert "fine: none of 2 tests is worse by more than 3%" == done.stdout.split("\n")[0]


def test_one_step_regressed(tables):
    """Exit 1; what failed stands first."""
    tables(both("scan", SAME, SAME) | both("sort", SAME, SLOW))
    done = check()
    lines = done.stdout.splitlines()

    assert 1 == done.exit_code, done.output
    assert "regressed: 1 of 2 tests is worse by more than 3%: sort (0.900)" == lines[0]
    assert lines[3].startswith("sort")
    assert lines[3].endswith("regressed")


def test_undecided_says_how_long(tables):
    """Exit 2 with further runs: an import does not know how long they take."""
    tables(both("scan", NOISY, NOISY[::-1]))
    done = check()
    first = done.stdout.splitlines()[0]

    assert 2 == done.exit_code, done.output
    assert first.startswith("undecided: 1 of 1 test is undecided at 3%: scan; ")
    assert first.endswith("further runs of each side would decide")


def test_a_missing_step_is_no_success(tables):
    """What crashed in the new build has no figure: exit 2."""
    tables(both("scan", SAME, SAME) | {("sort", "old"): SAME})
    done = check()

    assert 2 == done.exit_code
    assert "broken: new lacks 1 test of old: sort" == done.stdout.splitlines()[0]


def test_a_new_step_has_nothing_to_be_compared_with(tables):
    tables(both("scan", SAME, SAME) | {("sort", "new"): SAME})
    done = check()

    assert 0 == done.exit_code, done.output
    assert any(line.startswith("sort") and line.endswith("new")
               for line in done.stdout.splitlines())  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [["--fail-on", "x"], ["--metric", "no"], ["--margin", "x"], ["--nothing"]],
    ids=" ".join,
)
def test_usage_errors_exit_with_2(tables, words):
    tables(both("scan", SAME, SAME))
    done = check(*words)

    assert 2 == done.exit_code
    assert "Traceback" not in done.output


def test_no_set_exits_with_2(tables):
    done = check()

    assert 2 == done.exit_code
    assert "no set 't'" in done.stderr


def test_no_error_passes_for_an_answer(capsys):
    """A bug, a full disk or Ctrl-C is neither fine nor a regression."""
    for error in (RuntimeError("x"), OSError(28, "No space left"), KeyboardInterrupt()):

        def raising(error=error):
            raise error

        assert 2 == guarded(raising)
    assert "disk full: no space is left for this; free some" in capsys.readouterr().err


@pytest.mark.slow
def test_a_closed_pipe_does_not_make_it_pass(tables):
    """`check | true` in a shell with pipefail still sees the regression."""
    tables(both("sort", SAME, SLOW))
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-m", "benchbook", "check", "t", "old", "new"]
    with os.fdopen(write) as closed:
        done = subprocess.run(words, stdout=closed, check=False)

    assert 1 == done.returncode


def test_files(tables, tmp_path):
    """A verdict first, folded rows, numbers for programs, a case for each test."""
    tables(both("scan", SAME, SAME) | both("a|<b>@x", SAME, SLOW))
    names = ["--markdown", "c.md", "--json", "c.json", "--junit", "c.xml"]
    check(*names)
    comment = (tmp_path / "c.md").read_text()
    answer = json.loads((tmp_path / "c.json").read_text())
    suite = ElementTree.parse(tmp_path / "c.xml").getroot()

    assert comment.startswith(":x: **regressed**: 1 of 2 tests is worse by more than 3%: "
                              "`a|<b>@x` (0.900)\n")  # fmt: skip
    assert "| `a\\|<b>@x` |" in comment.split("<details>")[0]
    assert "`scan`" in comment.split("<details>")[1]
    assert (1, "regressed", 0.03) == tuple(
        answer[k] for k in ("exit_code", "verdict", "margin")
    )
    assert [("a|<b>@x", "failed"), ("scan", "fine")] == sorted(
        (row["test"], row["outcome"]) for row in answer["rows"]
    )
    assert {"tests": "2", "failures": "1", "errors": "0"}.items() <= suite.attrib.items()
    assert "a|<b>@x" == suite.find("testcase").attrib["name"]


@pytest.mark.slow
def test_a_comment_is_cut_to_what_fits(tables, tmp_path):
    """A comment holds 65,536 characters; the sentence says what is missing."""
    many = {}
    for n in range(700):
        many |= both(f"step-{n}-" + "x" * 150, SAME, SAME)
    tables(many | both("sort", SAME, SLOW))
    check("--markdown", "c.md")
    comment = (tmp_path / "c.md").read_text()

    assert COMMENT_LIMIT - 400 < len(comment) <= COMMENT_LIMIT
    assert "`sort`" in comment.split("<details>")[0]
    assert "rows of 701 and 0 notes are not here" in comment.splitlines()[-1]
    assert 1 == comment.count("</details>")


def test_a_file_that_cannot_be_written_is_broken(tables, tmp_path):
    tables(both("sort", SAME, SLOW))
    (tmp_path / "file").write_text("")
    done = check("--json", "file/c.json")

    assert 2 == done.exit_code
    assert "" == done.stdout


def test_a_halved_rate_of_a_table_is_slower(tmp_path):
    """``ops/s`` ends in a unit of time, and is none."""
    rows = [f"A,{version},{trial},{rate + trial}" for version, rate in
            (("v1", 1000), ("v2", 500)) for trial in (1, 2, 3)]  # fmt: skip
    table = tmp_path / "t.csv"
    table.write_text("\n".join(["step,version,trial,ops/s", *rows]) + "\n")
    done = CliRunner().invoke(main, ["check", str(table), "v1", "v2"])

    assert 1 == done.exit_code, done.output
