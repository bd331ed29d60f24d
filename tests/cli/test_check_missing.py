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
