"""Several files of one run: read as one; several runs in one folder are its trials."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchbook.imports.importer import ImportReport, import_dir
from benchbook.imports.naming import naming_of
from benchbook.project import Project
from benchbook.store.query import query

pytestmark = pytest.mark.unit

LOG = "pgbench_log.4711"


def log(*latencies: int) -> str:
    lines = (f"0 {n} {us} 0 1700000000 {n}\n" for n, us in enumerate(latencies))
    return "".join(lines)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "checkout")


@pytest.fixture
def folder(tmp_path: Path):
    """A function that writes files below a folder and returns it."""

    def write(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / "new" / name.replace("__", "/").replace("_at_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / "new"

    return write


def longest(project: Project, columns: str) -> list[tuple[object, ...]]:
    """Columns of the metric max, a row for each run."""
    text = f"SELECT {columns} FROM metric WHERE metric = 'max' ORDER BY source"
    return list(query(text, project).itertuples(index=False, name=None))


def told(report: ImportReport) -> list[tuple[int, str]]:
    return [(p.line, p.text) for s in report.manifest.sources for p in s.problems]


THREADS = {"pgbench_log_at_4711": log(10, 20, 30), "pgbench_log_at_4711_at_1": log(40)}


def test_logs_of_all_threads_are_one_run(project, folder):
    """Percentiles are over all transactions; a line is known by its own file."""
    report = import_dir(folder(**THREADS), project)
    [source] = report.manifest.sources
    values = query("SELECT metric, value FROM metric", project)
    series = pq.read_table(project.imported / "series/new.pgbench_log.parquet")

    assert {"p50": 20.0, "max": 40.0, "latency_avg": 25.0, "transactions": 4.0} == {
        metric: value
        for metric, value in zip(values["metric"], values["value"], strict=True)
        if metric in ("p50", "max", "latency_avg", "transactions")
    }
    assert [LOG, f"{LOG}.1"] == source.paths
    assert 64 == len(source.parts[0].sha256)
    assert [(LOG, 1), (LOG, 2), (LOG, 3), (f"{LOG}.1", 1)] == [
        (row["path"], row["line"]) for row in series.to_pylist()
    ]


def test_aggregated_logs_of_all_threads_are_one_run(project, folder):
    """Their sums are added."""
    line = "1345828501 2 300 50000 100 200\n"
    other = "1345828501 1 500 250000 500 500\n"
    import_dir(folder(pgbench_log_at_1=line, pgbench_log_at_1_at_1=other), project)
    found = query("SELECT metric, value FROM metric ORDER BY metric", project)
    assert [("latency_avg", 800 / 3), ("max", 500.0), ("min", 100.0),
            ("transactions", 3.0)] == list(
        found.itertuples(index=False, name=None)
    )  # fmt: skip


def test_a_problem_names_its_part(project, folder):
    """Of the first file it does not have to."""
    text = log(*range(20)) + "what?\n"
    files = {"pgbench_log_at_4711": text, "pgbench_log_at_4711_at_1": log(1) + text}

    assert [
        (21, "not a transaction of pgbench"),
        (22, f"{LOG}.1: not a transaction of pgbench"),
    ] == told(import_dir(folder(**files), project))


def test_two_runs_of_a_folder_are_trials(project, folder):
    """The number of a process tells them apart and is in no dimension."""
    files = {f"v{v}__pgbench_log_at_{pid}": log(int(pid)) for v in "12"
             for pid in ("998", "1002")}  # fmt: skip
    import_dir(folder(**files), project, naming=naming_of("v{version}/*", []))

    assert [("1", 2, 1002.0), ("1", 1, 998.0), ("2", 2, 1002.0), ("2", 1, 998.0)] == (
        longest(project, "version, trial, value")
    )
    when = {"started": "2023-11-14T22:13:20Z"}
    assert [{"folder": "v1"} | when, {"folder": "v2"} | when] == [
        dims for (dims,) in longest(project, "dims")[::2]
    ]


def test_runs_that_are_called_otherwise_are_told_apart_without_their_number(
    project, folder
):
    """--log-prefix is a name of the user's."""
    names = ("get_at_4711", "get_at_4712", "put_at_4713")
    files = {name: log(n) for n, name in enumerate(names, 1)}
    import_dir(folder(**files), project)

    assert [("get", 1, 1.0), ("get", 2, 2.0), ("put", 1, 3.0)] == longest(
        project, "dims['file'], trial, value"
    )


def test_a_trial_that_its_name_says_stays(project, folder):
    """The runs of other folders are other trials."""
    files = {f"t{n}__pgbench_log_at_4711": log(n) for n in (0, 1)}
    import_dir(folder(**files), project, naming=naming_of("t{trial}/*", []))

    assert [(0, 0.0), (1, 1.0)] == longest(project, "trial, value")


@pytest.mark.slow
def test_a_changed_part_is_read_again(project, folder):
    """And one that is new, or gone; of what is as it was nothing is read."""
    directory = folder(**THREADS, other="?")
    changes = [import_dir(directory, project).changed]
    changes.append(import_dir(directory, project).changed)
    folder(pgbench_log_at_4711_at_1=log(50))
    changes.append(import_dir(directory, project).changed)
    after = longest(project, "value")
    folder(pgbench_log_at_4711_at_2=log(60))
    changes.append(import_dir(directory, project).changed)
    (directory / f"{LOG}.2").unlink()
    changes.append(import_dir(directory, project).changed)

    assert ([0, 0, 1, 1, 1], [(50.0,)]) == (changes, after)
    assert [(50.0,)] == longest(project, "value")


@pytest.mark.slow
def test_lines_of_all_parts_are_kept(project, folder):
    """What is not read again stays in the series."""
    directory = folder(**THREADS)
    import_dir(directory, project)
    folder(v2__pgbench_log_at_1=log(1))
    report = import_dir(directory, project)

    assert ({"pgbench_log": 5}, 1) == (report.manifest.series, report.new)


@pytest.mark.slow
def test_the_first_file_may_come_later(project, folder):
    """Until then it is told; then the run is one source, no figure counts twice."""
    directory = folder(pgbench_log_at_4711_at_1=log(40))
    before = import_dir(directory, project)
    folder(**THREADS)
    report = import_dir(directory, project)

    assert [(0, f"{LOG}, the first file of the run, is missing")] == told(before)
    assert ([LOG], (), []) == (
        [s.path for s in report.manifest.sources], report.gone, told(report)
    )  # fmt: skip
    assert [(1, 40.0)] == longest(project, "trial, value")


def test_a_name_alone_makes_no_part(project, folder):
    """A file of another kind that is called like one."""
    report = import_dir(
        folder(pgbench_log_at_4711=log(1), pgbench_log_at_4711_at_1="what is this?\n"),
        project,
    )

    assert [LOG] == [s.path for s in report.manifest.sources]
    assert [f"{LOG}.1"] == [s.path for s in report.manifest.skipped]
