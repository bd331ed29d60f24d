"""`until: decided` on the null engine, whose arms are equal: three loads are enough."""

import re
import shutil

import pytest
from studies import EQUAL

from benchbook.posts.execute import frames_of
from benchbook.results import evidence
from benchbook.results.collect import collect
from benchbook.study.study import load_study

pytestmark = pytest.mark.engine


@pytest.fixture
def decided(checkout):
    """A checkout in which the study has been measured; what `run` said stands in it."""
    checkout.study("s", EQUAL)
    done = checkout.call("run", "s")
    assert 0 == done.returncode, done.stderr
    assert re.search("1 of 1 comparison decided, after [3-9] loads", done.stderr)
    return checkout


@pytest.mark.slow
def test_a_decided_study_is_finished(decided):
    """Of at most 20 loads a few were made; nothing is missing, nothing more to make."""
    made = decided.runs("s")
    plan = decided.ok("plan", "s")
    again = decided.ok("run", "s")

    assert 6 <= len(made) < 40
    assert f"{len(made)} done, 0 failed, up to 0 to make" in plan
    assert "until decided: 1 of 1 comparison decided" in plan
    assert "every run is there" in again
    assert made == decided.runs("s")
    assert "finished" in decided.ok("status")


@pytest.mark.slow
def test_reports_have_all_runs_and_say_when_it_stopped(decided, monkeypatch):
    """Also from a fresh store, and from the evidence of a published post."""
    monkeypatch.setenv("BENCHBOOK_MACHINE", "testbox")
    decided.project.store.unlink()
    path = decided.root / "posts/s/study.yml"
    live = collect(path, measure=False)
    evidence.write(path.parent / "evidence", frames_of(load_study(path)))
    shutil.rmtree(decided.project.raw)
    frozen = collect(path)

    for results in (live, frozen):
        assert 0 == len(results.missing)
        judged = results.judged()
        assert {"equivalent"} == set(judged["verdict"])
        assert (
            judged["note"].str.contains("stopped when decided, after [3-9] loads").all()
        )


@pytest.mark.slow
def test_a_finer_margin_is_judged_anew(decided):
    """What was decided at 90% need not be at 80%; `run` looks before it measures."""
    made = len(decided.runs("s"))
    decided.study("s", EQUAL.replace("0.9", "0.8"))
    before = decided.ok("plan", "s")
    said = decided.call("run", "s").stderr

    assert f"up to {40 - made} to make" in before
    assert re.search("1 of 1 comparison decided, after [3-9] loads", said)
    assert made <= len(decided.runs("s"))


@pytest.mark.slow
def test_a_lost_record_is_derived_again(decided):
    """The record says nothing that the runs do not."""
    [record] = decided.project.raw.glob("s/*/decided.json")
    text, made = record.read_text(), decided.runs("s")
    record.unlink()
    decided.ok("run", "s")

    assert text == record.read_text()
    assert made == decided.runs("s")


@pytest.mark.slow
def test_a_budget_ends_it(checkout):
    """A margin that nothing is within: the study is finished when its time is over."""
    checkout.study("s", EQUAL.replace("0.9", "0.00001") + "budget: 2s\n")
    checkout.ok("run", "s")
    made = checkout.runs("s")
    plan = checkout.ok("plan", "s")
    checkout.ok("run", "s")

    assert "up to 0 to make" in plan
    assert len(made) < 40
    assert made == checkout.runs("s")


@pytest.mark.slow
def test_what_is_tried_out_is_not_judged(checkout):
    """--step makes three loads of its own, not those that a decision takes."""
    checkout.study("s", EQUAL)
    checkout.ok("run", "s", "--step", "l.i0")

    assert 6 == len(checkout.runs("s"))


@pytest.mark.slow
def test_cells_that_fail_use_no_budget_up(checkout):
    """After three failed loads the rest is left to another call."""
    checkout.study("s", EQUAL.replace("l.i0:rows=20000000", "qr100.L1"))  # of no rows
    done = checkout.call("run", "s")

    assert 1 == done.returncode
    assert "6 runs made, 6 failed, 34 left" in done.stdout
