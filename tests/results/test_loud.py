"""Steps of single sessions that others disturbed: they are in no frame of the results."""

from dataclasses import replace

import pandas as pd
import pytest
from places import FIXTURES

from benchbook.results.loud import without_loud_steps
from benchbook.results.results import Results
from benchbook.study.study import load_study
from benchbook.views.in_turns import quiet_finding
from benchmath.turns.quiet import loudness

pytestmark = pytest.mark.unit

STEPS = ("l.i1", "q", "cleanup")


def results_of(*loud: tuple[str, str]) -> Results:
    """Four sessions of two arms; others take half of the CPU in these steps of these."""
    sessions = ("s1", "s2", "s3", "s4")
    rows = [(arm + session, arm, session, step)
            for session in sessions for arm in "ab" for step in STEPS]  # fmt: skip
    steps = pd.DataFrame(rows, columns=["run_id", "cell_id", "session", "step"])
    taken = [100 * ((row.session, row.step) in loud) for row in steps.itertuples()]
    turns = steps.assign(
        round=1, machine_cpu_ns=200, steal_ns=0, others_ns=taken, quiet=50, op="query"
    )
    empty = pd.DataFrame()
    return Results(
        study=load_study(FIXTURES / "posts/inserts"),
        runs=steps.drop_duplicates("run_id"),
        steps=steps, metric=steps, samples=steps, hists=empty, instructions=empty,
        missing=empty, failed=empty, turns=turns,
    )  # fmt: skip


def steps_of(frame: pd.DataFrame, session: str) -> list[str]:
    return [*frame.loc[frame["session"] == session, "step"].unique()]


def test_a_loud_step_is_in_no_frame():
    """Of that session alone; its other steps stay."""
    rest = without_loud_steps(results_of(("s2", "q")))

    for frame in (rest.steps, rest.metric, rest.samples, rest.turns):
        assert ["l.i1", "cleanup"] == steps_of(frame, "s2")
        assert [*STEPS] == steps_of(frame, "s1")
    assert [("s2", "q", 0.5)] == [
        *rest.loud[["session", "step", "share"]].itertuples(index=False, name=None)
    ]


def test_what_pays_debts_stays_however_loud():
    """It has no rate that could be wrong."""
    rest = without_loud_steps(results_of(("s2", "cleanup")))
    assert [*STEPS] == steps_of(rest.steps, "s2")


@pytest.mark.parametrize("said", [{"noisy": "a shared machine"}, {"until": "decided"}])
def test_a_study_that_says_why_keeps_them(said):
    results = results_of(("s2", "q"))
    study = replace(results.study, **said)
    assert without_loud_steps(replace(results, study=study)).loud.empty


def test_the_post_says_what_does_not_count():
    rest = without_loud_steps(results_of(("s2", "q"), ("s3", "l.i1")))
    [said] = quiet_finding(loudness(rest.turns), rest.loud)
    assert (
        "2 of 12 steps of single loads do not count, because others took too much of the "
        "machine meanwhile (q, l.i1)."
    ) in str(said.data)
