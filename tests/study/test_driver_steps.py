"""What drivers run is known without compiling them, and what they do not is refused."""

import subprocess

import pytest
from places import ROOT
from studies import NULL_STUDY

from benchbook.engines.builds import make_build, plan_build
from benchbook.study.cell import Cell
from benchbook.study.drivers import DRIVERS

pytestmark = pytest.mark.engine
DB_BENCH = """\
title: How fast is the packaged crc32c?
template: compilers
driver: db_bench
base: {block_size: 4096}
engines: [{engine: rocksdb}]
matrix: {block_size: [4096]}
steps: [crc32c]
"""
SYSBENCH = """\
title: How fast is sysbench?
template: inserts
driver: sysbench
base: {table_size: "500"}
engines: [{engine: postgres, version: "15", source: debian}]
matrix: {table_size: [500]}
steps: ["STEP"]
"""


def listed(*words):
    done = subprocess.run(
        [*map(str, words), "--list"], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def compiled(checkout):
    """A function that compiles a driver in a checkout and returns the program."""

    def make(name, engine, version=""):
        cell = Cell(engine, (), version=version)
        build = plan_build(cell, DRIVERS[name], checkout.project)
        make_build(build, checkout.project, print)
        return build.program

    return make


def test_ingest_lists_the_steps_that_plan_knows(compiled):
    """Engines, then steps, in the same order."""
    text = listed(compiled("ingest", "null"))
    engines, steps = text.removeprefix("engines\n").split("steps\n")
    names = tuple(line.split()[0] for line in steps.splitlines())

    expected = {line.split()[0]: names for line in engines.splitlines()}
    assert expected == DRIVERS["ingest"].steps


def test_micro_lists_the_steps_of_ours(compiled):
    """`ours` is in every binary; it needs no library."""
    names = [x.split() for x in listed(compiled("micro", "ours", "1")).splitlines()]

    assert [["ours", s] for s in DRIVERS["micro"].steps["ours"]] == names


def test_db_bench_lists_the_steps_that_plan_knows():
    """The script needs no db_bench to say what it would run."""
    names = [x.split() for x in listed(ROOT / "bench" / "db_bench.sh").splitlines()]

    assert [["rocksdb", s] for s in DRIVERS["db_bench"].steps["rocksdb"]] == names


def test_sysbench_lists_the_steps_that_plan_knows():
    """The script needs no sysbench to say what it would run."""
    lines = listed(ROOT / "bench" / "sysbench.sh").splitlines()
    steps = DRIVERS["sysbench"].steps

    assert [f"{e} {step}" for e in steps for step in steps[e]] == lines


@pytest.mark.parametrize("step", ["load:seconds=1", "scan.range100:seconds=1.5"])
def test_plan_refuses_a_size_that_sysbench_does_not_take(checkout, step):
    """Whole seconds for tests, nothing for what ends when it is done."""
    checkout.study("s", SYSBENCH.replace("STEP", step))
    plan = checkout.call("plan", "s")

    assert (2, 1) == (plan.returncode, len(plan.stderr.splitlines()))
    assert "takes whole seconds" in plan.stderr


def test_plan_refuses_waits_of_a_tool(checkout):
    """The script would refuse the option when it is started."""
    checkout.study("s", SYSBENCH.replace("STEP", "load") + "waits: true\n")
    plan = checkout.call("plan", "s")

    assert 2 == plan.returncode
    assert "take out waits" in plan.stderr


@pytest.mark.parametrize(
    "text",
    [
        NULL_STUDY.replace('"null"', "sqlit"),
        NULL_STUDY.replace("l.i0:", "l.i9:"),
        NULL_STUDY.replace("trials: 2", 'instructions: {steps: ["l.y"]}'),
        DB_BENCH.replace("[crc32c]", '["l.i0:rows=1"]'),
        DB_BENCH.replace("[crc32c]", '["crc32c:seconds=1"]'),
        DB_BENCH.replace("rocksdb", "sqlite"),
    ],
)
def test_plan_refuses_what_the_driver_would_refuse(checkout, text):
    """One sentence with what there is, from `plan` as from `run`, and nothing is run."""
    checkout.study("s", text)
    plan, run = checkout.call("plan", "s"), checkout.call("run", "s")

    assert 2 == plan.returncode == run.returncode
    assert (plan.stderr, []) == (run.stderr, checkout.runs("s"))
    assert "available: " in plan.stderr or "write crc32c alone" in plan.stderr
    assert 1 == len(plan.stderr.splitlines())
