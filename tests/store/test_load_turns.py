"""Runs that took turns: their turns in the store, and what of a session is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from make_runs import START_NS, Step, make_run
from make_turns import text_of, turns_file

from benchbook.project import Project
from benchbook.store.load import load
from benchbook.store.query import query

pytestmark = pytest.mark.unit

STEPS: tuple[Step, ...] = (("q", "query", 40, 0.2), ("q", "insert", 200, 0.2))


def shifted(text: str | bytes, by_ns: int) -> str:
    """The same turns, each so much later."""
    lines = [json.loads(line) for line in str(text).splitlines()]
    for line in lines:
        if "begin_ns" in line:
            line["begin_ns"] += by_ns
    return text_of(lines)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_turns_stand_in_their_view(project: Project):
    """Two turns with two ops each; session, arm and how it rested stand on each."""
    make_run(
        project.raw, steps=STEPS, session="x", outputs=turns_file(STEPS, arm=2, arms=3)
    )

    assert [] == load(project).refused
    turns = query("FROM turns ORDER BY round, op", project)
    assert [1, 1, 2, 2] == list(turns["round"])
    assert [1, 20, 1, 20] == list(turns["ops"])
    assert {("x", 2, "cgroup")} == set(
        turns[["session", "arm", "frozen"]].itertuples(index=False, name=None)
    )


def test_a_run_names_its_session(project: Project):
    """One that ran alone has none, and no length of turns."""
    make_run(project.raw, steps=STEPS, session="x", outputs=turns_file(STEPS))
    make_run(project.raw, steps=STEPS, trial=2)
    load(project)

    runs = query("SELECT session, turn_ms IS NULL FROM runs ORDER BY trial", project)
    assert [("x", False), ("", True)] == list(runs.itertuples(index=False, name=None))


@pytest.mark.slow
@pytest.mark.parametrize(("later_ms", "turns"), [(100, 0), (99, 2), (0, 2)])
def test_two_arms_that_worked_at_one_time_are_named(
    project: Project, later_ms: int, turns: int
):
    """Turns of 100 ms: those of the other arm begin when it stands still, or one of the
    two was changed. A millisecond is forgiven.
    """
    begin = START_NS + later_ms * 1_000_000 - 500_000
    for arm, start in ((1, START_NS), (2, begin)):
        file = shifted(turns_file(STEPS, arm=arm)["turns.jsonl"], start - START_NS)
        make_run(
            project.raw, steps=STEPS, session="x", version=str(arm),
            outputs={"turns.jsonl": file},
        )  # fmt: skip
    report = load(project)

    assert [] == report.refused
    assert bool(turns) == len(report.warnings)
    assert all(f"took {turns} turns at one time" in text for text in report.warnings)


def test_a_failed_run_needs_no_turns(project: Project):
    """It is listed with its session."""
    make_run(project.raw, session="x", status="failed", reason="killed")

    assert [] == load(project).refused
    assert ["x"] == list(query("FROM runs", project)["session"])


def test_an_arm_without_turns_is_refused(project: Project):
    """Its rates would be those of a run alone."""
    make_run(project.raw, steps=STEPS, session="x")

    [sentence] = load(project).refused
    assert "spec.json names the session x, but here is no turns.jsonl" in sentence


def test_turns_of_no_session_are_refused(project: Project):
    """A file that spec.json does not know of was copied there."""
    make_run(project.raw, steps=STEPS, outputs=turns_file(STEPS))

    [sentence] = load(project).refused
    assert "turns.jsonl is here, but spec.json names no session" in sentence


def test_a_contradiction_names_file_and_line(project: Project):
    """Turns of another session refuse the run as any damaged record does."""
    make_run(project.raw, steps=STEPS, session="x", outputs=turns_file(STEPS, id="y"))

    [sentence] = load(project).refused
    assert "turns.jsonl line 1: the session is y, spec.json says x" in sentence
    assert [] == list(query("FROM runs", project)["run_id"])


def test_turns_leave_the_store_with_their_run(project: Project):
    """What is deleted below data/raw is gone after the next load."""
    folder = make_run(project.raw, steps=STEPS, session="x", outputs=turns_file(STEPS))
    load(project)
    (folder / "manifest.json").unlink()
    load(project)

    assert [] == list(query("FROM turn", project)["run_id"])


def test_a_session_that_was_made_again_counts_once(project: Project):
    """One arm of the first failed: both of the second count, and nothing twice."""
    for session, arms in (("1-1", ("0",)), ("2-2", ("0", "3"))):
        for arm in arms:
            make_run(project.raw, steps=STEPS, dims={"indexes": arm}, session=session,
                     started=f"2026-11-21T0{session[0]}:00:00.000Z",
                     outputs=turns_file(STEPS, id=session))  # fmt: skip
    load(project)
    [[first]] = query(
        "SELECT DISTINCT run_id FROM runs WHERE session = '1-1'", project
    ).to_numpy()
    counted = query("SELECT DISTINCT run_id FROM metric", project)["run_id"]

    assert 3 == len(query("runs", project))
    assert 2 == len(counted)
    assert first not in set(counted)
