"""`benchbook check`: what NEW has not, or has only elsewhere, is never fine."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchbook.cli.main import main

pytestmark = pytest.mark.unit


def verb(monkeypatch, folder: Path, name: str, table: str) -> Result:
    """`benchbook check` or `compare` of a table, three trials of each row."""
    head, *rows = table.split()
    trials = [row.replace("|", str(trial)) for row in rows for trial in (1, 2, 3)]
    (folder / "f.csv").write_text("\n".join([head, *trials]) + "\n")
    monkeypatch.setenv("BENCHBOOK_ROOT", str(folder))
    monkeypatch.chdir(folder)
    return CliRunner().invoke(main, [name, "f.csv", "v1", "v2"])


def test_a_test_with_other_clients_is_missing(monkeypatch, tmp_path):
    """B has one client in v1 and four in v2: nothing is compared with it."""
    done = verb(monkeypatch, tmp_path, "check", """\
step,version,dop,trial,qps
A,v1,1,|,100|
B,v1,1,|,100|
A,v2,1,|,100|
B,v2,4,|,10|
""")  # fmt: skip

    assert 2 == done.exit_code, done.output
    assert done.stdout.startswith("broken: v2 lacks 1 test of v1: B\n")


def test_a_step_of_which_it_is_unclear_what_is_meant_is_missing(monkeypatch, tmp_path):
    """B has two latencies, both twice as long, and no rate; A has a rate."""
    table = """\
step,version,trial,metric,value,unit
A,v1,|,qps,100|,1/s
A,v2,|,qps,100|,1/s
B,v1,|,p50,1|,ms
B,v1,|,p99,2|,ms
B,v2,|,p50,2|,ms
B,v2,|,p99,4|,ms
"""
    told = "not compared: B; --metric says which figure is meant: p50, p99"
    checked = verb(monkeypatch, tmp_path, "check", table)
    compared = verb(monkeypatch, tmp_path, "compare", table)

    assert 2 == checked.exit_code, checked.output
    assert told in checked.stdout.splitlines()
    assert told in compared.stderr.splitlines()


def test_rows_of_one_table_that_do_not_say_their_clients_are_compared(
    monkeypatch, tmp_path
):
    """A cell of its own, half as fast in v2."""
    done = verb(monkeypatch, tmp_path, "check", """\
step,version,threads,trial,qps
A,v1,,|,100|
A,v1,4,|,400|
A,v2,,|,50|
A,v2,4,|,400|
""")  # fmt: skip

    assert 1 == done.exit_code, done.output


def sides(folder: Path, **tables: str) -> Result:
    """`benchbook check base new` of a table for each side."""
    for side, rows in tables.items():
        (folder / side).mkdir()
        text = "\n".join(["step,trial,qps", *rows.split()]) + "\n"
        (folder / side / "f.csv").write_text(text)
    return CliRunner().invoke(main, ["check", *(str(folder / side) for side in tables)])


def test_runs_without_a_figure_are_not_passed_over(tmp_path):
    """Two of four runs of new printed nan: the two that went well prove nothing."""
    base, new = "A,1,100 A,2,101 A,3,102 A,4,101", "A,1,nan A,2,nan A,3,102 A,4,101"
    done = sides(tmp_path, base=base, new=new)

    assert 2 == done.exit_code, done.output
    assert done.stdout.splitlines()[0] == (
        "undecided: 1 of 1 test is undecided at 2%: A; files=new has fewer runs, and not "
        "all of it was read"
    )


@pytest.mark.slow
def test_a_test_whose_base_cannot_be_read_is_not_new(tmp_path):
    """B of base is nan in each run: whether new lost is not known. A is as fast."""
    fine = "A,1,100 A,2,100.1 A,3,99.9"
    lost = "B,1,nan B,2,nan B,3,nan"
    done = sides(tmp_path, base=f"{fine} {lost}", new=f"{fine} B,1,1 B,2,1 B,3,1")

    assert 2 == done.exit_code, done.output
    assert "undecided: 1 of 2 tests is undecided at 2%: B;" in done.stdout


@pytest.mark.slow
def test_fewer_runs_pass_where_all_was_read(tmp_path):
    """Three runs of new, four of base."""
    done = sides(
        tmp_path, base="A,1,100 A,2,101 A,3,102 A,4,101", new="A,1,101 A,2,102 A,3,101"
    )

    assert 0 == done.exit_code, done.output


@pytest.mark.slow
def test_sides_in_units_of_two_kinds_are_told(tmp_path):
    """Rates and times of one test: nothing is left to compare, and it says why."""
    for side, unit in (("base", "ops/s"), ("new", "ms")):
        (tmp_path / side).mkdir()
        rows = [f"A,{trial},100,{unit}" for trial in (1, 2, 3)]
        text = "\n".join(["test,trial,value,unit", *rows]) + "\n"
        (tmp_path / side / "f.csv").write_text(text)
    done = CliRunner().invoke(
        main, ["check", str(tmp_path / "base"), str(tmp_path / "new")]
    )

    assert 2 == done.exit_code
    assert done.stderr.startswith(
        "benchbook: base, new: left out, with units or direction"
    )
