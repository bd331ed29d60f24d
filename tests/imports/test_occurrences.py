"""A name that stands in one file twice is two results, told once, never pooled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tool_files import GO

from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.store.query import query

pytestmark = pytest.mark.unit


@pytest.fixture
def imported(tmp_path: Path):
    """A function that imports one file: its rows of ``columns``, and what is told."""

    def of(name: str, text: str, columns: str):
        (tmp_path / "old").mkdir()
        (tmp_path / "old" / name).write_text(text)
        project = Project(tmp_path / "checkout")
        report = import_dir(tmp_path / "old", project)
        frame = query(f"SELECT {columns} FROM metric ORDER BY ALL", project)
        told = [(p.line, p.text) for s in report.manifest.sources for p in s.problems]
        return list(frame.itertuples(index=False, name=None)), told

    return of


def hyperfine(*results: tuple[str, list[float]], indent: int | None = 1) -> str:
    every = [
        {"command": name, "user": 1.0, "system": 1.0, "times": times}
        for name, times in results
    ]
    return json.dumps({"results": every}, indent=indent)


TIMES = "coalesce(dims['occurrence'], '1') AS n, trial, value"


@pytest.mark.slow
@pytest.mark.parametrize("indent", [None, 1])
def test_two_results_of_one_name(imported, indent):
    """The second has more runs: all of them are its own, also where all is one line."""
    text = hyperfine(("build", [0.2]), ("build", [0.5, 0.6]), indent=indent)
    columns = f"metric, {TIMES}"
    found, told = imported("h.json", text, columns)

    assert [("time", "1", 1, 0.2), ("time", "2", 1, 0.5), ("time", "2", 2, 0.6)] == [
        row for row in found if row[0] == "time"
    ]
    assert [("user", "1", 1, 1.0), ("user", "2", 1, 1.0)] == found[-2:]
    assert ["build stands there twice: the second is occurrence=2"] == [
        text for _, text in told
    ]


def test_many_names_are_told_in_one_problem(imported):
    """A file that was joined to itself has all of its names twice."""
    names = [(name, [1.0]) for name in "abc"]
    _, told = imported("h.json", hyperfine(*names, *names, *names), "value")

    assert ["a stands there twice, as do 2 other names: the second is occurrence=2"] == [
        text for _, text in told
    ]


def test_repetitions_stay_trials(imported):
    """go test -count writes a line for each: nothing is told."""
    found, told = imported("go.txt", GO, "step, trial, value, dims['occurrence']")

    sort = [row[1:3] for row in found if row[0] == "Sort/size=1k" and row[2] > 31000]
    assert [(1, 31478.0), (2, 31480.0)] == sort
    assert ({None}, []) == ({row[-1] for row in found}, told)


def test_a_trial_of_a_table_that_stands_there_twice(imported):
    """As where a column that tells two tests apart is not there, in any order."""
    text = "test,trial,qps\nq,1,10\nq,1,20\nq,2,11\nq,2,21\n"
    found, told = imported("t.csv", text, TIMES)

    assert [("1", 1, 10.0), ("1", 2, 11.0), ("2", 1, 20.0), ("2", 2, 21.0)] == found
    assert [(3, "q stands there twice: the second is occurrence=2")] == told


def test_rows_of_a_table_without_trials_are_trials(imported):
    """Nobody says which they are."""
    found, told = imported("t.csv", "test,qps\nq,10\nq,20\n", TIMES)

    assert ([("1", 1, 10.0), ("1", 2, 20.0)], []) == (found, told)


def google(*indices: int) -> str:
    runs = [
        {"name": "BM", "run_name": "BM", "run_type": "iteration", "threads": 1,
         "repetition_index": index, "real_time": 10.0 + at, "cpu_time": 1.0,
         "time_unit": "ns"}
        for at, index in enumerate(indices)
    ]  # fmt: skip
    return json.dumps({"benchmarks": runs}, indent=1)


def test_repetitions_that_are_numbered(imported):
    """Google Benchmark says which each is: the first that comes again is another's."""
    found, told = imported("g.json", google(0, 1, 0, 1), f"metric, {TIMES}")

    assert [("1", 1, 10.0), ("1", 2, 11.0), ("2", 1, 12.0), ("2", 2, 13.0)] == [
        row[1:] for row in found if row[0] == "real_time"
    ]
    assert 1 == len(told)
