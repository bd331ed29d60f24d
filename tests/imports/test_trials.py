"""What one trial is: what a file, its name or the command says, 0 too."""

from __future__ import annotations

from pathlib import Path

import fake_formats
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from benchbook.cli.imports import preview_text
from benchbook.imports import importer
from benchbook.imports.importer import import_dir, preview_dir
from benchbook.imports.naming import naming_of
from benchbook.imports.rows import GENERATION
from benchbook.project import Project
from benchbook.store.query import query

pytestmark = pytest.mark.unit


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "checkout")


@pytest.fixture
def folder(tmp_path: Path):
    """A function that writes files below a folder and returns it."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "new" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / "new"

    return write


def rows(project: Project, columns: str) -> list[tuple[object, ...]]:
    frame = query(f"SELECT {columns} FROM metric ORDER BY source, metric", project)
    return list(frame.itertuples(index=False, name=None))


def test_a_table_that_counts_from_0_loses_no_trial(project, folder):
    """Trial 0 is one, and stays what it is called."""
    text = "version,test,trial,qps\n1,q,0,99.9\n1,q,1,100\n1,q,2,99.9\n"
    import_dir(folder({"t.csv": text}), project)

    assert [(0, 99.9), (1, 100.0), (2, 99.9)] == rows(project, "trial, value")
    assert ["t0", "t1", "t2"] == [i.split("|")[-1] for (i,) in rows(project, "run_id")]


def test_names_that_count_from_0_lose_no_trial(monkeypatch, project, folder):
    """Files r0 to r2; the other side counts from 1: each keeps what its name says."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    files = {f"v1/r{n}": f"figures\nscan qps {10 + n}\n" for n in (0, 1, 2)}
    files |= {f"v2/r{n}": f"figures\nscan qps {20 + n}\n" for n in (1, 2, 3)}
    naming = naming_of("v{version}/r{trial}", [])
    import_dir(folder(files), project, naming=naming)

    assert [
        ("1", 0, 10.0), ("1", 1, 11.0), ("1", 2, 12.0),
        ("2", 1, 21.0), ("2", 2, 22.0), ("2", 3, 23.0),
    ] == rows(project, "version, trial, value")  # fmt: skip
    assert {("v1",), ("v2",)} == set(rows(project, "dims['folder']"))


def test_a_trial_of_0_that_the_command_says(monkeypatch, project, folder):
    """--dim trial=0 is an answer, and the preview shows it."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    directory = folder({"a": "figures\nscan qps 10\n"})
    naming = naming_of(None, [("trial", "0")])
    import_dir(directory, project, naming=naming)

    assert [(0,)] == rows(project, "trial")
    [head, line, *_] = preview_text(preview_dir(directory, naming=naming)).splitlines()
    assert ["trial", "0"] == [head.split()[-1], line.split()[-1]]


def lines(*figures: int) -> str:
    """A figure of one step per line, as go test -count writes them."""
    return "figures\n" + "".join(f"scan qps {figure}\n" for figure in figures)


def test_repetitions_of_files_that_say_their_trial(monkeypatch, project, folder):
    """All are trials of one cell, equal figures too, in the order of trial and line."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    files = {"v1/r0": lines(10, 11, 10), "v1/r1": lines(10, 10, 11), "v2/r0": lines(7, 7)}
    naming = naming_of("v{version}/r{trial}", [])
    import_dir(folder(files), project, naming=naming)

    assert [
        ("1", 1, 10.0), ("1", 2, 11.0), ("1", 3, 10.0),
        ("1", 4, 10.0), ("1", 5, 10.0), ("1", 6, 11.0),
        ("2", 1, 7.0), ("2", 2, 7.0),
    ] == rows(project, "version, trial, value")  # fmt: skip
    assert {(None,)} == set(rows(project, "dims['file']"))


@pytest.mark.slow
def test_repetitions_keep_their_trials_when_files_come(monkeypatch, project, folder):
    """Trial 1 is known before trial 0: its runs are called the same after."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    naming = naming_of("r{trial}", [])
    import_dir(folder({"r1": lines(10, 11)}), project, naming=naming)
    before = rows(project, "run_id, value")
    import_dir(folder({"r0": lines(12, 10)}), project, naming=naming)

    assert before == rows(project, "run_id, value")[2:]


def test_a_step_that_is_done_once_is_of_a_run_of_its_file(monkeypatch, project, folder):
    """The load of trial 1 is in the run of its first scan, not in one of trial 0."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    files = {f"r{n}": lines(1, 2) + "load qps 5\n" for n in (0, 1)}
    import_dir(folder(files), project, naming=naming_of("r{trial}", []))

    assert [("r0", 1), ("r0", 2), ("r0", 1), ("r1", 3), ("r1", 4), ("r1", 3)] == rows(
        project, "split_part(source, ':', 1), trial"
    )


def test_two_files_of_one_said_trial_are_told_apart(monkeypatch, project, folder):
    """Which of them is the trial nobody knows."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    files = {"a_r0": lines(10, 11), "b_r0": lines(20, 21)}
    import_dir(folder(files), project, naming=naming_of("*_r{trial}", []))

    assert [("a_r0", 1), ("a_r0", 2), ("b_r0", 1), ("b_r0", 2)] == rows(
        project, "dims['file'], trial"
    )


def test_metrics_on_lines_of_their_own_are_of_one_repetition(
    monkeypatch, project, folder
):
    """As sysbench writes a run; tools that write one line have all that it says."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    run = "scan qps 10\nscan cpu 2\n"
    naming = naming_of("r{trial}", [])
    import_dir(folder({f"r{n}": "figures\n" + 2 * run for n in (0, 1)}), project,
               naming=naming)  # fmt: skip

    assert [1, 1, 2, 2, 3, 3, 4, 4] == [n for (n,) in rows(project, "trial")]


def test_rows_of_tables_that_are_named_by_trial(project, folder):
    """A table without a column of trials, split over files."""
    files = {f"r{n}.csv": "test,qps\na,10\nb,20\na,10\nb,20\n" for n in (0, 1)}
    import_dir(folder(files), project, naming=naming_of("r{trial}.csv", []))

    assert [1, 1, 2, 2, 3, 3, 4, 4] == [n for (n,) in rows(project, "trial")]
    assert {(False,)} == set(rows(project, "map_contains(dims, 'file')"))


@pytest.mark.slow
def test_figures_of_an_earlier_importer_keep_their_trials(monkeypatch, project, folder):
    """Until its version 2 a trial of 0 was none: what is gone keeps its rows and run."""
    monkeypatch.setattr(importer, "formats", lambda: fake_formats.ALL)
    directory = folder({"a": "figures\nscan qps 10\n", "b": "table\nget qps 20\n"})
    import_dir(directory, project)
    before = rows(project, "run_id, value")
    _as_version_2(project.imported / "parsed/new.parquet")
    (directory / "a").unlink()
    (directory / "b").write_text("table\nget qps 20\n\n")
    import_dir(directory, project)

    assert before == rows(project, "run_id, value")


def _as_version_2(path: Path) -> None:
    """The file with the column ``trial`` that it had before."""
    table = pq.read_table(path)
    trial = pc.fill_null(table["said_trial"], 0)
    older = table.drop("said_trial").append_column("trial", trial)
    generation = {GENERATION: pq.read_metadata(path).metadata[GENERATION.encode()]}
    pq.write_table(older.replace_schema_metadata(generation), path)
