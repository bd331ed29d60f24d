"""A study of a Lua script of its own: words for the driver, a sentence per mistake."""

import pytest

from benchbook.measure.plan import make_plan
from benchbook.measure.spec import command
from benchbook.study import script
from benchbook.study.study import load_study
from benchmath.errors import UserError

STUDY = """\
title: How fast is mine?
template: inserts
driver: sysbench
script: my.lua
base: {point_selects: "1"}
engines: [{engine: postgres, version: "15", source: debian}]
matrix: {point_selects: [1, 10], prepare: [0]}
options: {skip_trx: "on"}
steps: [load, "reads:seconds=10:warmup=2", cleanup]
trials: 1
"""
OTHERS = (
    "name a Lua file below the post's folder, such as my.lua, or one that came with "
    "sysbench, such as oltp_read_only"
)


@pytest.fixture
def plan(checkout):
    """A function that plans a study beside a script."""

    def made(text=STUDY, lua="function event() end\n"):
        file = checkout.study("s", text)
        (file.parent / "my.lua").write_text(lua)
        return make_plan(load_study(file), checkout.project)

    return made


@pytest.fixture
def complaint(plan):
    """A function: what is said of a study."""

    def said(old, new):
        with pytest.raises(UserError) as caught:
            plan(STUDY.replace(old, new))
        return str(caught.value).partition("study.yml: ")[2]

    return said


def test_script_and_its_options_go_to_the_driver(plan):
    """Dimensions and options by --set, the file by its place in the run folder."""
    made = plan()
    words = " ".join(command(made.cells[1], made.study))

    assert "--script {workload}" in words
    assert "--set point_selects=10 --no-prepare --set skip_trx=on" in words
    assert words.endswith("--step load --step reads:seconds=10:warmup=2 --step cleanup")


def test_script_is_a_dimension_and_part_of_the_cell(plan):
    """Another text under the same name makes other cells."""
    before, after = plan().cells[0], plan(lua="function event() return end\n").cells[0]

    assert "my.lua" == before.cell.dimensions()["script"]
    assert before.id != after.id


def test_a_script_that_came_with_sysbench_has_its_name(plan, tmp_path, monkeypatch):
    """Without .lua, as sysbench itself takes it."""
    monkeypatch.setattr(script, "CAME_WITH_IT", tmp_path)
    (tmp_path / "oltp_read_only.lua").write_text("function event() end\n")
    made = plan(STUDY.replace("my.lua", "oltp_read_only"))

    assert "oltp_read_only" == made.cells[0].cell.dimensions()["script"]
    assert tmp_path / "oltp_read_only.lua" == made.cells[0].workload


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("script: my.lua", "script: yours.lua",
         f"no script 'yours.lua': {OTHERS}"),
        ("script: my.lua", "script: ../../outside.lua",
         f"no script '../../outside.lua': {OTHERS}"),
        ("driver: sysbench", "driver: ingest",
         "'script' has no meaning with `driver: ingest`"),
        ("prepare: [0]", "step: [0]",
         "matrix: 'step' is the name of a column of the results, or none that an option "
         "can have: set it in the script"),
        ("[load,", "[index,",
         "step index: a script makes its indexes in load, which is its command prepare"),
        ("cleanup]", "'cleanup:seconds=3']",
         "step cleanup:seconds=3: cleanup ends when it is done; write cleanup alone"),
        ("reads:seconds=10", "reads:rows=10",
         "step reads:rows=10:warmup=2: sysbench takes whole seconds or events; write "
         "reads:seconds=10"),
        ("seconds=10", "seconds=0.5",
         "step reads:seconds=0.5:warmup=2: sysbench takes whole seconds or events; write "
         "reads:seconds=10"),
    ],
)  # fmt: skip
def test_mistakes_are_refused_by_the_plan(complaint, old, new, sentence):
    """Before anything is measured."""
    assert sentence == complaint(old, new)
