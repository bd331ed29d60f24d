"""`benchbook new --from-csv`: a table of figures becomes a set and a study of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from benchbook.cli.main import main
from benchbook.project import Project
from benchbook.sets.sets import metric_set

TABLE = """release,test,trial,rate
1.0,read,1,100
1.0,read,2,102
2.0,read,1,90
2.0,read,2,91
"""
COLUMNS = "version=release,step=test,trial=trial,value=rate"


unit = pytest.mark.unit


@pytest.fixture
def project(tmp_path: Path, monkeypatch) -> Project:
    for folder in ("data", "bench", "posts"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_quarto.yml").touch()
    (tmp_path / "mine.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


def call(*words: str):
    return CliRunner().invoke(main, ["new", *words])


@unit
def test_table_becomes_a_set_and_a_study_of_it(project):
    """The first version is the base; the file is kept beside the study."""
    done = call("mine", "--from-csv", "mine.csv", "--columns", COLUMNS)
    study = yaml.safe_load((project.posts / "mine/study.yml").read_text())
    metric = metric_set("mine.figures", project).metric

    assert 0 == done.exit_code, done.output
    assert {"version": "1.0"} == study["base"]
    assert ["mine.figures"] == study["data"]
    assert TABLE == (project.posts / "mine/figures/mine.csv").read_text()
    assert [90.0, 91.0] == sorted(metric.loc[metric["version"] == "2.0", "value"])


@unit
def test_study_says_how_its_set_is_made_again(project):
    """The line imports the kept file under the same name, in any checkout."""
    call("mine", "--from-csv", "mine.csv", "--columns", COLUMNS, "--engine", "my db")
    lines = (project.posts / "mine/study.yml").read_text().splitlines()

    assert (
        "#   benchbook import posts/mine/figures --as mine.figures --columns "
        f"{COLUMNS} --engine 'my db'"
    ) in lines


@unit
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--from-csv", "none.csv"], "there is no file none.csv"),
        (["--from-csv", "mine.csv", "--columns", "version=nothing"], "nothing"),
        (
            ["--from-csv", "mine.csv", "--columns", "step=test,value=rate"],
            "mine.csv: a post compares versions, and the file has none: say which column "
            "they are, with --columns version=COLUMN",
        ),
        (
            ["--from-csv", "mine.csv", "--from", "ab"],
            "give either --from-csv FILE, or --from one of: ",
        ),
        ([], "give either --from-csv FILE, or --from one of: "),
        (["--from", "ab", "--engine", "x"], "they go with --from-csv"),
    ],
)
def test_refusals_leave_nothing(project, words, sentence):
    """One sentence; no post, no set."""
    done = call("mine", *words)

    assert 0 != done.exit_code
    assert sentence in str(done.exception or "") + done.output
    assert [] == list(project.posts.iterdir())
    assert not list(project.data.glob("imported/*.parquet"))


@unit
def test_post_that_is_there_is_not_overwritten(project):
    """The second call is refused and changes nothing."""
    call("mine", "--from-csv", "mine.csv", "--columns", COLUMNS)
    before = (project.posts / "mine/study.yml").read_bytes()
    done = call("mine", "--from-csv", "mine.csv", "--columns", COLUMNS)

    assert "exists already" in str(done.exception or "") + done.output
    assert before == (project.posts / "mine/study.yml").read_bytes()


@pytest.mark.engine
@pytest.mark.slow
def test_table_becomes_a_page_that_holds(shared_checkout):
    """new, post and audit, as a user calls them: 2.0 is 10% below 1.0."""
    root, runs = shared_checkout.root, range(1, 7)
    rows = [f"{v},{t},{n},{rate + n}" for v, rate in (("1.0", 1000), ("2.0", 900))
            for t in ("read", "write") for n in runs]  # fmt: skip
    (root / "mine.csv").write_text("\n".join(["release,test,trial,rate", *rows, ""]))
    for words in (
        ["new", "mine", "--from-csv", "mine.csv", "--columns", COLUMNS],
        ["post", "mine"],
        ["audit", "mine"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "benchbook", *words], cwd=root,
            env=shared_checkout.environ, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert 0 == done.returncode, done.stderr

    assert "1.0→2.0" in (root / "posts/mine/index.ipynb").read_text("utf-8")
