"""Studies in turns: which cells take them together, and what becomes of a session."""

import json

import pytest

from benchbook.measure.memory import parts
from benchbook.study.order import groups
from benchmath.errors import UserError

TURNS = """\
title: Does nothing cost anything, in turns?
template: inserts
driver: ingest
base: {indexes: 0}
order: turns
turn_ms: 20
engines:
  - {engine: "null"}
matrix:
  indexes: [0, 3]
steps: ["l.i0:rows=20000", "l.x", "l.i1:seconds=0.4"]
trials: 1
placement: none
"""
GIB = 1 << 30


def cells(**values):
    """Cells as dimensions, from lists of values by name."""
    return [
        dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)
    ]


def test_cells_of_other_clients_are_another_group():
    made = cells(version=["13", "18", "13", "18"], dop=["1", "1", "4", "4"])
    assert [[0, 1], [2, 3]] == groups(made, {"version": "13"})


def test_settings_of_each_version_belong_to_it():
    made = cells(version=["13", "18"], config=["old", "new"])
    assert [[0, 1]] == groups(made, {"version": "13"})


def test_settings_that_every_version_has_make_groups():
    made = cells(version=["13", "18", "13", "18"], config=["a", "a", "b", "b"])
    assert [[0, 1], [2, 3]] == groups(made, {"version": "13"})


def test_engines_bring_their_versions_along():
    made = cells(engine=["sqlite", "postgres"], version=["3.40", "15"])
    assert [[0, 1]] == groups(made, {"engine": "sqlite"})


def test_arms_that_fit_stay_together():
    assert [[0, 1, 2]] == parts([0, 1, 2], lambda i: i == 0, lambda i: GIB, 3 * GIB)


def test_a_group_too_large_is_split_with_the_base_in_each():
    split = parts([0, 1, 2, 3], lambda i: i == 0, lambda i: GIB, 3 * GIB)
    assert [[0, 1, 2], [0, 3]] == split


def test_two_arms_that_do_not_fit_are_refused():
    with pytest.raises(UserError, match="2048 MiB and there are 1536 MiB"):
        parts([0, 1], lambda i: i == 0, lambda i: GIB, 3 * GIB // 2)


@pytest.mark.slow
def test_turn_ms_needs_turns(checkout):
    file = checkout.study("s", TURNS.replace("order: turns", "order: abba"))
    done = checkout.call("plan", str(file))
    assert (2, True) == (done.returncode, "`order: turns` only" in done.stderr)


@pytest.mark.engine
def test_a_session_is_run_loaded_and_resumed(checkout):
    """Two arms beside each other; a lost run takes its partner with it."""
    checkout.study("s", TURNS)
    checkout.ok("run", "s")
    first, second = checkout.runs("s")
    specs = [json.loads((run / "spec.json").read_text()) for run in (first, second)]
    assert specs[0]["session"] == specs[1]["session"]
    assert "2 already there" in checkout.ok("load")
    counts = checkout.ok("sql", "SELECT count(DISTINCT run_id) AS n FROM turns")
    assert "2" in counts
    for file in first.iterdir():
        file.unlink()
    first.rmdir()
    assert "2 to make" in checkout.ok("plan", "s")


@pytest.mark.slow
@pytest.mark.engine
def test_lines_to_paste_call_the_referee(checkout):
    """One line a session, with the runs of its arms between --and."""
    checkout.study("s", TURNS)
    line = checkout.ok("plan", "s", "--commands").splitlines()[-1]
    assert (1, 2) == (line.count(" --and "), line.count("bench/run.sh"))
    assert '/referee --keeper "' in line
