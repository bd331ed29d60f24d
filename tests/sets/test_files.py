"""Files and folders of results in place of the name of a set, outside any checkout."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import benchbook as bb
from benchbook.cli.imports import import_
from benchbook.sets.files import SIDE, chosen_set, set_and_cells
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def results(file: Path, **figures: int) -> Path:
    """What `go test -bench` prints of some benchmarks, in ns per operation."""
    file.parent.mkdir(exist_ok=True)
    lines = [f"Benchmark{name}-8 100 {ns} ns/op" for name, ns in figures.items()]
    file.write_text("\n".join(["goos: linux", *lines, ""]))
    return file


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """The folder that a person is in: old/ and new/ with two runs each."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BENCHBOOK_ROOT", raising=False)
    for run, extra in (("run1", 0), ("run2", 1)):
        results(tmp_path / "old" / f"{run}.txt", Get=100 + extra, Put=200 + extra)
        results(tmp_path / "new" / f"{run}.txt", Get=150 + extra, Put=200 + extra)
    return tmp_path


def sides(*names: str, pattern: str | None = None):
    chosen, cells = set_and_cells(names, pattern)
    return chosen, [cell[SIDE] for cell in cells]


@pytest.mark.slow
def test_folders_are_sides():
    """The first is the base; a test is found on both."""
    chosen, cells = set_and_cells(["old", "new"], "run{trial}.txt")
    table = bb.compare(chosen.metric, *cells)

    assert [{SIDE: "old"}, {SIDE: "new"}] == list(cells)
    assert {"Get": 2, "Put": 2} == dict(zip(table["step"], table["n"], strict=True))
    assert 1.498 == pytest.approx(
        table.set_index("step").loc["Get", "relative"], abs=1e-3
    )


@pytest.mark.slow
def test_files_of_two_folders_are_two_sides():
    """Of a folder only those files that are named."""
    chosen, names = sides("old/run1.txt", "old/run2.txt", "new/run1.txt")

    assert ["old", "new"] == names
    assert 3 == chosen.metric.groupby([SIDE, "file"]).ngroups


@pytest.mark.slow
def test_files_of_one_folder_are_sides_of_their_own():
    _, names = sides("old/run1.txt", "old/run2.txt")

    assert ["run1.txt", "run2.txt"] == names


@pytest.mark.slow
def test_side_is_named_by_what_tells_it(folder):
    for lab in ("a", "b"):
        (folder / lab).mkdir()
        results(folder / lab / "out" / "x.txt", Get=1)

    assert ["a/out", "b/out"] == sides("a/out", "b/out")[1]


@pytest.mark.slow
def test_numbered_files_are_told_how_to_be_runs():
    """A number may be a run or a size: nobody guesses."""
    chosen, _ = sides("old", "new")

    assert chosen.notes[-1].endswith("with --name 'run{trial}.txt' they are runs of one")


@pytest.mark.slow
def test_what_differs_between_the_sides_is_said_and_compared(folder):
    """The versions of two files are what somebody wants to compare."""
    for version, rate in (("1.0", 100), ("1.1", 90)):
        (folder / f"{version}.csv").write_text(
            f"step,version,value,unit\nget,{version},{rate},ops/s\n"
        )
    chosen, cells = set_and_cells(["1.0.csv", "1.1.csv"])
    table = bb.compare(chosen.metric, *cells)

    assert [0.9] == list(table["relative"])
    assert "version is 1.0 in 1.0.csv, 1.1 in 1.1.csv" in chosen.notes


def test_path_is_a_set():
    assert 4 == len(bb.load("old"))


@pytest.mark.slow
def test_frame_is_a_set():
    """As a table of its columns would be read."""
    frame = pd.DataFrame(
        {"step": ["get"] * 2, "version": ["1", "2"], "value": [100.0, 80.0],
         "unit": ["ops/s"] * 2}
    )  # fmt: skip

    assert [0.8] == list(bb.compare(frame, "version=1")["relative"])


FAILED = """\
[OVERALL], RunTime(ms), 1000
[OVERALL], Throughput(ops/sec), 100
[READ], Operations, 1
[READ], Return=OK, 1
[READ], Return=ERROR, 99
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["old"], "old: one side; name what it is compared with"),
        (["old", "gone"], "gone: no such file or folder; of a set write its name, BASE"),
        (["gone", "a", "b"], "no laboratory of Benchbook at or above"),
        (["old", "empty"], r"empty: no result that can be read \(x: empty\)"),
        (["old", "failed"], r"failed: .* \(x:2: a run of which 99 of 100 operations"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(folder, names, sentence):
    for name, text in (("empty", ""), ("failed", FAILED)):
        (folder / name).mkdir()
        (folder / name / "x").write_text(text)
    with pytest.raises(UserError, match=sentence):
        set_and_cells(names)


@pytest.mark.slow
def test_what_is_not_read_is_said(folder):
    (folder / "new" / "notes.txt").write_text("hello\n")

    assert any("new: not read 1 file" in note for note in sides("old", "new")[0].notes)


def test_pattern_is_of_files(folder):
    with pytest.raises(UserError, match="is a set"):
        chosen_set("gone", pattern="{step}.txt")


def imported(*words: str) -> Path:
    """What `benchbook import` makes of the folder, here where no laboratory is."""
    said = CliRunner().invoke(import_, [".", "--as", "mine", *words])
    assert 0 == said.exit_code, said.output
    assert "imported/mine.parquet" in said.output
    return Path("imported/mine.parquet")


def test_an_import_without_a_laboratory_is_a_file_that_says_the_same():
    """Its figures, directions and dimensions are those of the folder itself."""
    columns = ["step", "metric", "value", "unit", "direction", "folder", "trial"]
    folder = chosen_set(".", pattern="{folder}/run{trial}.txt").metric
    kept = chosen_set(str(imported("--name", "{folder}/run{trial}.txt"))).metric

    pd.testing.assert_frame_equal(folder[columns], kept[columns])
    assert 8 == len(kept)


def test_an_import_is_compared_by_its_path():
    """Its name may change on disk: the rows say which set they are of."""
    moved = imported("--name", "{folder}/run{trial}.txt").rename("moved.parquet")
    metric = chosen_set(str(moved)).metric
    table = bb.compare(metric, {"folder": "old"}, {"folder": "new"}).set_index("step")

    assert 1.498 == pytest.approx(table.loc["Get", "relative"], abs=1e-3)


def test_an_import_again_reads_what_is_new():
    """The folder beside the results is no result."""
    imported()
    results(Path("new/run3.txt"), Get=151)
    said = CliRunner().invoke(import_, [".", "--as", "mine"]).output

    assert "1 new file, 0 read again, 4 as before" in said


def test_rows_of_an_import_are_no_table():
    """Read as one, each run would be a cell of its own."""
    file = imported()
    said = CliRunner().invoke(import_, [str(file), "--as", "again"])

    assert 2 == said.exit_code
    assert "compare takes the file as it is" in said.output


def test_an_import_says_what_its_names_say():
    """``--name`` is for files as a tool wrote them."""
    with pytest.raises(UserError, match=r"mine\.parquet is an import"):
        chosen_set(str(imported()), pattern="{step}.txt")
