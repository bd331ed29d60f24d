"""Runs that left steps out: loaded with the others, refused if they lack any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from make_runs import Step, make_records, make_run, write_manifest
from make_turns import SPEC as RUN
from make_turns import turns_file

from benchbook.project import Project
from benchbook.runs.folder import RunError, find_runs, verify
from benchbook.runs.record_checks import check_spec
from benchbook.store.load import load
from benchbook.store.query import query

pytestmark = pytest.mark.unit

DECLARED = ["l", "a", "b", "c"]
STEPS: tuple[Step, ...] = (("l", "insert", 100, 0.2), ("b", "query", 40, 0.2))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def run_without(project: Project, *left_out: Any, **changes: Any) -> None:
    """A run of the steps l and b that says it left these out of l, a, b, c."""
    folder = make_run(project.raw, steps=STEPS, session="x", outputs=turns_file(STEPS))
    spec = json.loads((folder / "spec.json").read_text())
    spec |= {"steps": [{"step": name} for name in DECLARED], "left_out": [*left_out]}
    (folder / "spec.json").write_text(json.dumps(spec | changes))
    write_manifest(folder)


def refusal(project: Project) -> str:
    """Why its one run cannot be believed."""
    with pytest.raises(RunError) as refused:
        verify(next(find_runs(project.raw)))
    return str(refused.value)


def test_steps_have_their_place_among_all(project: Project):
    """Its driver counted b as the second step; other runs have it in the third place."""
    run_without(project, "a", "c")

    assert [] == load(project).refused
    for view in ("steps", "turns", "metric"):
        rows = query(f"SELECT DISTINCT step, seq FROM {view} ORDER BY seq", project)
        assert [("l", 1), ("b", 3)] == list(rows.itertuples(index=False, name=None))


def test_any_other_gap_is_refused():
    """Also a step that it said to leave out, and made."""
    spec = RUN | {"steps": [{"step": name} for name in DECLARED], "load_no": 1}
    spec |= {"build": {"flags": ""}}
    for left_out, ran in ((["a"], "l, b, c"), (["c"], "l, a, b"), (["a", "b"], "l, c")):
        run = make_records(RUN, STEPS)[0]
        with pytest.raises(ValueError, match=f"ran the steps l, b, not {ran}"):
            check_spec(run, ["l", "b"], spec | {"left_out": left_out})


@pytest.mark.parametrize(
    ("left_out", "why"),
    [
        ([], "leaves out steps that are none of its own"),
        (["a", "d"], "leaves out steps that are none of its own"),
        (["c", "a"], "or not in their order"),
        (["a", "a", "c"], "leaves out steps that are none of its own"),
        ([1], "a left_out that is no list of steps"),
        (DECLARED, "leaves out every step"),
    ],
)
def test_steps_left_out_are_some_of_its_own(project: Project, left_out, why):
    """Each once, in their order."""
    run_without(project, *left_out)

    assert why in refusal(project)


def test_a_run_that_took_no_turns_makes_all(project: Project):
    """Only further loads of a session leave steps out."""
    run_without(project, "a", "c", session="")

    assert "of a run that took no turns" in refusal(project)


def test_left_out_is_a_list(project: Project):
    """A text would do for a list of letters."""
    run_without(project, left_out="ac")

    assert "a left_out that is no list of steps" in refusal(project)
