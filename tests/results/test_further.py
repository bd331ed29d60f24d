"""What further loads of a study with `until: decided` make, and how long they take."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from benchbook.digests import declared_id
from benchbook.measure.spec import declaration
from benchbook.results.decided import Spending, sentence
from benchbook.results.further import Further, further_loads, open_steps
from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import driver_named
from benchbook.study.study import Study
from benchbook.study.workload import Workload, WorkloadStep

pytestmark = pytest.mark.unit

FILE = Path("study.yml")
STEPS = tuple(map(Step, ("load", "a", "b", "c")))
CELLS = tuple(Cell("null", STEPS, version=version) for version in ("old", "new"))
READS = tuple(WorkloadStep(name, "read", reads=True) for name in "abc")
STUDY = Study(
    slug="s", path=FILE, title="?", template="ab", base={"version": "old"}, cells=CELLS,
    driver=driver_named("sql", FILE), trials=20, order="turns", until="decided",
    workload=Workload("w", FILE, "", READS),
)  # fmt: skip
OLD, NEW = (declared_id(declaration(cell, STUDY)) for cell in CELLS)


def measured(*loads):
    """Runs, steps, turns and times of loads; each has seconds of each step of an arm.

    A load takes 3 seconds beside its steps.
    """
    runs, steps, turns, times = [], [], [], []
    for trial, load in enumerate(loads, 1):
        session = f"s{trial}"
        seconds = 3 + 2 * sum(load.values())
        for cell, version in ((OLD, "old"), (NEW, "new")):
            run = {"run_id": f"{trial} {version}"}
            runs.append(run | {"declared_id": cell, "trial": trial, "version": version})
            times.append(run | {"session": session, "trial": trial, "seconds": seconds})
            for step, active in load.items():
                steps.append(run | {"step": step})
                turn = run | {"session": session, "step": step, "active_ns": active * 5e8}
                turns += [turn | {"round": 1, "op": "q"}, turn | {"round": 1, "op": "r"},
                          turn | {"round": 2, "op": "q"}]  # fmt: skip
    times = pd.DataFrame(times).set_index("run_id").assign(run_id=lambda t: t.index)
    return pd.DataFrame(runs), pd.DataFrame(steps), pd.DataFrame(turns), times


WHOLE = {"load": 5, "a": 1, "b": 2, "c": 4}


def decided(**verdicts):
    rows = [
        {"version": "new", "step": step, "op": "q", "verdict": verdict}
        for step, verdict in verdicts.items()
    ]
    return pd.DataFrame(rows)


def test_steps_are_open_with_their_comparison():
    """The base has none, so its loads are for others."""
    runs, steps, _, _ = measured(WHOLE, WHOLE, WHOLE)
    table = decided(load="equivalent", a="improved", b="undecided", c="regressed")

    assert {OLD: (), NEW: ("b",)} == open_steps(STUDY, runs, steps, table)


def test_cells_with_few_loads_are_not_named():
    """Nothing of theirs is decided: all their steps are wanted."""
    runs, steps, _, _ = measured(WHOLE, WHOLE)

    assert {} == open_steps(STUDY, runs, steps, pd.DataFrame())


def test_a_step_with_few_loads_is_open():
    """As where a load was made again without it."""
    runs, steps, _, _ = measured(WHOLE, WHOLE, {"load": 5, "b": 2})
    table = decided(load="equivalent", b="equivalent")

    assert {OLD: ("a", "c"), NEW: ("a", "c")} == open_steps(STUDY, runs, steps, table)


def test_a_further_load_takes_what_its_steps_took():
    """3 seconds beside the steps, and of both arms 5 of load, 1 of a, 2 of b."""
    runs, _, turns, times = measured(WHOLE, WHOLE, WHOLE)
    is_open = {OLD: (), NEW: ("b",)}

    assert [Further(frozenset({OLD, NEW}), ("c",), 4, 19.0)] == further_loads(
        STUDY, times, turns, is_open, runs
    )


def test_a_step_that_is_open_again_takes_as_long_as_it_did():
    """The last load left it out; a finer margin wants it."""
    runs, _, turns, times = measured(WHOLE, WHOLE, WHOLE, {"load": 5, "a": 1, "b": 2})
    [further] = further_loads(STUDY, times, turns, {OLD: (), NEW: ("c",)}, runs)

    assert ("b",) == further.left_out
    assert 3 + 2 * (5 + 1 + 4) == further.seconds


def test_nothing_open_needs_no_further_load():
    """Nor does a study whose cells are others."""
    runs, _, turns, times = measured(WHOLE, WHOLE, WHOLE)

    assert [] == further_loads(STUDY, times, turns, {OLD: (), NEW: ()}, runs)
    assert [] == further_loads(replace(STUDY, cells=()), times, turns, {}, runs)


def test_sentence_says_how_many_steps_are_left_out():
    """Only while something is open."""
    spent = Spending({3: 30.0}, 30.0, 10.0)
    table = pd.DataFrame(
        [("a", "new", "equivalent", 3, 0.0), ("b", "new", "undecided", 3, 90.0)],
        columns=["step", "me", "verdict", "rounds", "further_s"],
    )
    loads = [Further(frozenset(), ("c",), 4, 1.0), Further(frozenset(), (), 3, 1.0)]

    assert sentence(table, STUDY, spent, loads[:1]).endswith(
        "more would decide it); further loads leave out 1 of 4 steps"
    )
    assert sentence(table, STUDY, spent, loads).endswith("leave out 0 to 1 of 4 steps")
    assert sentence(table, STUDY, spent, loads[1:]).endswith("would decide it)")
    assert "leave out" not in sentence(table[:1], STUDY, spent, loads)
