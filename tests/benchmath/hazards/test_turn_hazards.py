"""What taking turns does to servers."""

import pandas as pd

from benchmath.hazards.turns import hazards_of_turns

RUNS = [("a", "postgres"), ("b", "postgres")]
# Two arms, one second each in turn: three seconds of the machine for two of an arm's own.
TURNS = [("a", 0), ("b", 1), ("a", 2), ("b", 3)]


def hazards(runs=RUNS, spec="{}", taken=TURNS):
    turns = pd.DataFrame(
        [
            {"run_id": run, "session": "s", "step": "q", "begin_ns": 10**9 * begin,
             "active_ns": 10**9}
            for run, begin in taken
        ]
    )  # fmt: skip
    frame = pd.DataFrame(
        [{"run_id": run, "engine": engine, "spec": spec} for run, engine in runs]
    )
    return hazards_of_turns(turns, frame)


def test_the_clock_goes_on_while_a_server_rests():
    # 4 s passed, 2 s of them active
    (hazard,) = hazards()
    assert "came 2.0 times as often" in hazard.text


def test_an_embedded_engine_has_no_clock_work_of_its_own():
    assert [] == hazards([("a", "sqlite"), ("b", "sqlite")])


def test_a_server_elsewhere_was_not_frozen():
    (hazard,) = hazards(spec='{"command":["--target","env:PG"]}')
    assert ("not frozen", {"engine": "postgres"}) == (hazard.code, hazard.where)


def test_without_turns_there_is_nothing_to_say():
    assert [] == hazards_of_turns(pd.DataFrame(), pd.DataFrame())
