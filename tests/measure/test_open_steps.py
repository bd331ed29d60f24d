"""What a standing says of steps, and that its record says the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchbook.engines.builds import Build
from benchbook.machine.facts import Machine
from benchbook.measure.decided import (
    Standing,
    keep_standing,
    record_file,
    standing_on_record,
)
from benchbook.measure.plan import Todo, with_open_steps
from benchbook.measure.spec import Config, Prepared
from benchbook.project import Project
from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import driver_named
from benchbook.study.study import Study
from benchbook.study.workload import Workload, WorkloadStep

pytestmark = pytest.mark.unit

CELL = Cell("null", (Step("a"), Step("b"), Step("c")))
STANDING = Standing(
    closed=frozenset({"base", "done"}), used_s=9.0, spent=False, text="said",
    steps={"base": (), "done": (), "open": ("b",)},
)  # fmt: skip
HERE = Machine("box", "0123")
FILE = Path("study.yml")
STUDY = Study(
    slug="s", path=FILE, title="?", template="ab", base={"version": "old"}, cells=(),
    driver=driver_named("ingest", FILE), until="decided",
)  # fmt: skip


def test_open_steps_of_a_cell():
    """None of what is decided; all of a cell that has too few loads."""
    assert {"b"} == STANDING.open_steps("open", CELL)
    assert set() == STANDING.open_steps("done", CELL)
    assert {"a", "b", "c"} == STANDING.open_steps("new", CELL)


def test_the_record_keeps_open_steps(tmp_path):
    """What `plan` and `run` read is what was judged."""
    project = Project(tmp_path)
    keep_standing(STANDING, STUDY, HERE, [], [], project)

    assert STANDING == standing_on_record(STUDY, HERE, [], project)


def test_a_record_of_an_older_library_knows_cells_alone(tmp_path):
    """All steps of what is open are made; what was decided stays decided."""
    project = Project(tmp_path)
    keep_standing(STANDING, STUDY, HERE, [], [], project)
    file = record_file(STUDY, HERE, project)
    lines = file.read_text().replace('"open": {', '"other": {')
    file.write_text(lines)
    read = standing_on_record(STUDY, HERE, [], project)

    assert read is not None
    assert set() == read.open_steps("done", CELL)
    assert {"a", "b", "c"} == read.open_steps("open", CELL)


def session(*declared):
    """The runs of one session, of cells that the sql driver takes through a, b and c."""
    build = Build(driver_named("sql", FILE), "null", "", "cc", "", "", "", "", Path())
    return [
        Todo(Prepared(CELL, build, Config(), "1", name, name), 4, 1, 1, session="1.1.t4")
        for name in declared
    ]


READS = tuple(WorkloadStep(name, "read", reads=True) for name in "abc")
WORKLOAD = Workload("w", FILE, "", READS)
READERS = replace(STUDY, driver=driver_named("sql", FILE), workload=WORKLOAD)


def left_out(*declared, without=()):
    """What each run of such a session leaves out."""
    runs = with_open_steps(session(*declared), STANDING, READERS, without)
    return ["".join(run.left_out) for run in runs]


def test_a_session_leaves_out_what_none_of_its_cells_wants():
    """`b` is open of one; `a` is the first reader."""
    assert ["c", "c"] == left_out("base", "open")


def test_a_new_cell_wants_all():
    """And has the others make all."""
    assert ["", "", ""] == left_out("base", "open", "new")


def test_a_cell_that_fails_in_each_trial_wants_nothing():
    """The others do not wait for its loads."""
    assert ["c", "c", "c"] == left_out("base", "open", "new", without={"new"})


def test_a_run_alone_makes_all():
    """It takes no turns, so it is compared with nothing."""
    assert [""] == left_out("open")


def test_the_cell_of_a_run_has_the_steps_that_it_makes():
    """Plans count the time of these."""
    [_, run] = with_open_steps(session("base", "open"), STANDING, READERS)

    assert ["a", "b"] == [step.step for step in run.cell.steps]
