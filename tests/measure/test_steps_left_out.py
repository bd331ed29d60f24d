"""`until: decided` on the null engine: loads of what is open lack what is decided."""

import json
import re
import shutil

import pytest

from benchbook.posts.execute import frames_of
from benchbook.results import evidence
from benchbook.results.collect import collect
from benchbook.store.load import load
from benchbook.study.study import load_study

pytestmark = [pytest.mark.engine, pytest.mark.slow]

# An event of `heavy` sends 1 or 20 statements, one of `light` always one.
WORKLOAD = """\
workload two
let size 100
let extra 0
table t
  rows size
  create CREATE TABLE {t} (id INTEGER PRIMARY KEY)
  column id int sequence 1
statement one
  sql SELECT id FROM {t} WHERE id = :id
  bind id int uniform 1, size
statement put
  sql UPDATE {t} SET id = id WHERE id = :id
  bind id int uniform 1, size
transaction reads
  begin none
  do one 1 + extra
transaction writes
  begin none
  do put 1 + extra
step first
  do reads
step second
  do reads
step write
  kind write
  do writes
step light
  do one
step last
  do reads
"""
STUDY = """\
title: Is nothing the same as nothing, and twenty times nothing?
template: workload
driver: sql
workload: two
base: {extra: 0}
engines:
  - {engine: "null"}
matrix:
  extra: [0, 19]
seconds: 0.2
steps: [load, index, first, second, write, light, last]
order: turns
turn_ms: 5
until: decided
margin: 0.00001
placement: none
"""


@pytest.fixture(scope="module")
def measured(shared_checkout):
    """A checkout with four loads of at most twenty: `light` is open, and often `load`,
    which may be too short to be compared at all."""
    file = shared_checkout.study("s", STUDY).parent / "workload/two/workload"
    file.parent.mkdir(parents=True)
    file.write_text(WORKLOAD)
    done = shared_checkout.call("run", "s", "--trials", "4")
    assert 0 == done.returncode, done.stderr
    open_ones = r"[45] of [56] comparisons decided, after 3 loads; open: (load|light)"
    assert re.search(open_ones, done.stderr), done.stderr
    return shared_checkout


def specs(checkout):
    """spec.json of each run, by trial."""
    found = [json.loads((run / "spec.json").read_text()) for run in checkout.runs("s")]
    return sorted(found, key=lambda spec: spec["trial"])


def test_a_further_load_makes_what_is_open(measured):
    """The fourth: `write` is before `light`, and `first` finds what the load left."""
    *before, one, other = specs(measured)

    assert 6 == len(before)
    assert [] == [spec for spec in before if "left_out" in spec]
    for spec in (one, other):
        assert ["second", "last"] == spec["left_out"]
        assert "second:seconds=0.2" not in spec["command"]
        assert 7 == len(spec["steps"])
    assert 2 == len({spec["declared_id"] for spec in specs(measured)})


def test_plan_and_commands_know_what_is_left_out(measured):
    """The sentence, and the lines to paste."""
    plan = measured.ok("plan", "s")
    lines = measured.ok("plan", "s", "--commands")

    assert "8 done, 0 failed, up to 32 to make" in plan
    assert "; further loads leave out 2 of 7 steps" in plan
    assert "--step light:seconds=0.2" in lines
    assert "--step second" not in lines


def test_reports_take_each_step_at_its_own_loads(measured, monkeypatch):
    """Live, from a fresh store, and from the evidence of a published post."""
    monkeypatch.setenv("BENCHBOOK_MACHINE", "testbox")
    measured.project.store.unlink()
    assert [] == load(measured.project).refused
    path = measured.root / "posts/s/study.yml"
    live = collect(path, measure=False)
    evidence.write(path.parent / "evidence", frames_of(load_study(path)))
    frozen = collect(path)
    shutil.rmtree(path.parent / "evidence")

    for results in (live, frozen):
        judged = results.judged().set_index("step")
        rounds = results.decided.set_index("step")["rounds"].astype(int)
        rounds = rounds.drop("load", errors="ignore")
        assert {
            "first": 3, "second": 3, "write": 3, "light": 4, "last": 3
        } == dict(rounds)  # fmt: skip
        assert {"light": 4, "second": 3} == dict(judged.loc[["light", "second"], "n"])
        assert judged.loc["second", "note"].endswith(
            "stopped when decided, after 3 loads"
        )
        assert results.steps.groupby("step")["seq"].nunique().eq(1).all()


def test_without_until_such_loads_are_none(measured):
    """A study of four trials wants four of each step."""
    whole = STUDY.replace("until: decided\n", "trials: 4\n")
    measured.study("s", whole)

    assert "6 done, 0 failed, 2 to make" in measured.ok("plan", "s")
    measured.ok("run", "s")
    assert "8 done, 0 failed, 0 to make" in measured.ok("plan", "s")
    results = collect(measured.root / "posts/s/study.yml", measure=False)
    assert {4} == set(results.judged()["n"])
