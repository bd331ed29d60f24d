"""What people's files are and what is said of them, from the file to the verdict.

Each test stands for a kind of public bug report; the files are as the tools write them,
the figures our own.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbook.cli.main import main

pytestmark = pytest.mark.unit
WOBBLE = (1.0, 1.002, 0.998, 1.001, 0.999)


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    """The folder that is imported, beside an empty project."""
    project = tmp_path / "project"
    (project / "bench").mkdir(parents=True)
    (project / "_quarto.yml").touch()
    monkeypatch.setenv("BENCHBOOK_ROOT", str(project))
    return tmp_path / "results"


def put(folder: Path, name: str, text: str | list | dict) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text if isinstance(text, str) else json.dumps(text))


def call(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, list(map(str, words)))
    assert code == done.exit_code, done.output
    return done.output


def imported(folder: Path, *words: str) -> str:
    return call("import", str(folder), "--as", "s", *words)


def jmh_csv(score: float, error: float = 1.0) -> str:
    head = '"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit"'
    return f'{head}\n"q.Store.scan","avgt",1,25,{score:.6f},{error:.6f},"us/op"\n'


@pytest.mark.slow
def test_the_score_is_the_figure_and_not_the_count_before_it(files):
    """JMH's CSV, 30% worse: the gate fails."""
    for trial, wobble in enumerate(WOBBLE[:3], 1):
        put(files, f"v1/r{trial}.csv", jmh_csv(1200 * wobble))
        put(files, f"v2/r{trial}.csv", jmh_csv(1560 * wobble))
    imported(files, "--name", "v{version}/r{trial}.csv")

    assert "q.Store.scan (1.300)" in call("check", "s", "1", "2", code=1)


def test_a_table_of_several_numbers_is_refused(files):
    """Which of them is the figure nobody can tell; the option is named."""
    put(files, "t.csv", "test,version,n,score\na,1,25,1200\na,2,25,1560\n")
    said = call("import", str(files), "--as", "s", code=2)

    assert "numbers in n, score: which are figures?" in said
    assert "--columns" in said


def jmh(score: float, mode: str, name: str) -> dict:
    rates = [score * wobble for wobble in WOBBLE]
    unit = "ops/ms" if mode == "thrpt" else "ms/op"
    primary = {"score": score, "scoreUnit": unit, "rawData": [rates]}
    return {"benchmark": name, "mode": mode, "threads": 1, "primaryMetric": primary}


@pytest.mark.slow
def test_a_mean_over_two_directions_is_of_what_is_better(files):
    """100 to 125 per ms and 4 to 3.2 ms are both 1.25 times as good."""
    put(files, "v1/r.json", [jmh(100, "thrpt", "put"), jmh(4, "avgt", "scan")])
    put(files, "v2/r.json", [jmh(125, "thrpt", "put"), jmh(3.2, "avgt", "scan")])
    imported(files, "--name", "v{version}/r.json")
    said = call("compare", "--set", "s", "1", "2")

    [line] = [line for line in said.splitlines() if line.startswith("geomean")]
    assert "above 1 is better" in line
    assert "1.250" in line


def asv(commit: str, day: int, seconds: float) -> dict:
    return {
        "commit_hash": commit, "env_name": "e",
        "date": 1_700_000_000_000 + day * 86_400_000,
        "params": {"machine": "m"}, "python": "3.11", "requirements": {},
        "result_columns": ["result"], "results": {"time_it": [seconds]},
    }  # fmt: skip


@pytest.mark.slow
def test_commits_stand_in_the_order_of_their_dates(files):
    """Files are called by hashes, whose order inverts the verdict."""
    for day in range(24):
        commit = f"{(0xF000000 - day * 0x10101) % 16**7:07x}"
        level = 1.25 if day >= 12 else 1.0
        put(files, f"m/{commit}-e.json", asv(commit, day, level * WOBBLE[day % 5]))
    imported(files)
    said = call("history", "s")

    assert "+25%" in said
    assert said.splitlines()[3].split()[0] == "worse"
    assert said.splitlines()[3].endswith(" 12")


def test_an_order_that_nothing_tells_is_said(files):
    for commit, seconds in (("fffffff", 1.0), ("aaaaaaa", 2.0)):
        put(files, f"m/{commit}-e.json", asv(commit, 0, seconds) | {"date": None})
    imported(files)

    assert "the order of version is not known" in call("history", "s")


def go(allocations: int, processor: str = "A") -> str:
    line = f"BenchmarkEncode-4 \t 500000\t 50.0 ns/op\t {allocations} allocs/op\n"
    return f"goos: linux\ncpu: {processor}\nwarning: slow disk\n" + 5 * line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [(0, 0, 0, "fine"), (0, 2, 1, "regressed"), (2, 0, 0, "fine")],
)  # fmt: skip
def test_a_zero_is_decided(files, old, new, code, said):
    """Allocations have a difference where they have no ratio."""
    put(files, "v1/b.txt", go(old))
    put(files, "v2/b.txt", go(new))
    imported(files, "--name", "v{version}/b.txt")
    text = call("check", "s", "1", "2", "--metric", "allocs_op", code=code)

    assert text.startswith(said)


@pytest.mark.slow
def test_the_dimension_that_differs_is_named_and_can_be_left_out(files):
    """Two processors; a log line among the results is no dimension."""
    put(files, "v1/b.txt", go(1, "A"))
    put(files, "v2/b.txt", go(1, "B").replace("slow disk", "slower disk"))
    imported(files, "--name", "v{version}/b.txt")

    assert "cpu is B here and A there" in call("check", "s", "1", "2", code=2)
    assert "fine" in call("check", "s", "1", "2", "--across", "cpu")


def google(**seconds: tuple[float, str]) -> dict:
    rows = [
        {"name": name, "run_name": name, "run_type": "iteration", "repetitions": 5,
         "repetition_index": i, "threads": 1, "iterations": 9, "real_time": time * wobble,
         "cpu_time": time, "time_unit": unit}
        for name, (time, unit) in seconds.items()
        for i, wobble in enumerate(WOBBLE)
    ]  # fmt: skip
    return {"context": {"num_cpus": 2}, "benchmarks": rows}


@pytest.mark.slow
def test_a_unit_that_changed_silences_no_test(files):
    """1500 us and 1.65 ms are 10% apart, and the other test's 20% are found."""
    put(files, "v1/b.json", google(scan=(1500, "us"), get=(200, "ns")))
    put(files, "v2/b.json", google(scan=(1.65, "ms"), get=(240, "ns")))
    imported(files, "--name", "v{version}/b.json")
    said = call("check", "s", "1", "2", code=1)

    assert "2 of 2 tests are worse" in said
    assert "scan (1.100)" in said
    assert "converted to one unit: scan" in said


@pytest.mark.slow
def test_what_does_not_convert_keeps_the_gate_from_passing(files):
    """It is left out by name, as good as missing."""
    table = "test,version,trial,metric,value,unit,direction\n"
    for version, unit in (("1", "s"), ("2", "MB")):
        for trial in "123":
            table += f"a,{version},{trial},m,{trial},{unit},lower\n"
            table += f"b,{version},{trial},m,5,s,lower\n"
    put(files, "t.csv", table)
    imported(files)

    assert "missing" in call("check", "s", "version=1", "version=2", code=2)


def test_a_prerelease_stands_before_its_release(files):
    rows = [f"{v},q,{t},{rate + t}" for v, rate in
            (("17.5", 99), ("18devel", 99), ("18beta1", 110), ("18.0", 110))
            for t in (1, 2, 3)]  # fmt: skip
    put(files, "t.csv", "\n".join(["version,test,trial,qps", *sorted(rows), ""]))
    imported(files)

    assert "18devel..18beta1" in call("history", "s")


def test_a_history_from_zero_has_a_verdict(files):
    """Twelve commits without an allocation, then twelve with two: worse by 2."""
    rows = [f"2024-01-{i + 1:02},c{i:06x}aa,enc,{2 * (i >= 12)}" for i in range(24)]
    put(files, "t.csv", "\n".join(["time,commit,test,allocs_op", *rows, ""]))
    imported(files, "--better", "lower")
    line = call("history", "s").splitlines()[3]

    assert ["worse", "enc", "allocs_op", "+2"] == line.split()[:4]
