"""What drivers run is known without compiling them, and what they do not is refused."""

import re
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest
from places import ROOT
from studies import NULL_STUDY

from benchbook.engines.builds import make_build, plan_build
from benchbook.measure.run import RunOptions, with_options
from benchbook.study.cell import OF_A_SERVER, Cell, Step
from benchbook.study.check import check_steps
from benchbook.study.drivers import DB_BENCH_FLAGS, DRIVERS, SWITCH
from benchbook.study.study import load_study
from benchmath.errors import UserError

pytestmark = pytest.mark.engine
BENCH = ROOT / "bench"
# Options of every driver that a study says otherwise: by keys of its own, or not at all.
OF_A_RUN = {
    "engine", "target", "workload", "set", "step", "script", "config", "dop", "seed",
    "waits", "trace", "list", "check", "describe", "version", "help", "out", "vectors",
}  # fmt: skip
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


@pytest.mark.slow
def test_steps_that_read_secondary_indexes(compiled):
    """What ingest refuses where no l.x makes them is refused before it is compiled."""
    driver, program = DRIVERS["ingest"], compiled("ingest", "null")
    refused = set()
    for step in driver.steps["null"]:
        asked = [f"{step}:seconds=1"] if step[0] in "lq" and step != "l.x" else [step]
        words = [program, "--engine", "null", "--target", "."]
        steps = ["--step", "l.i0:rows=1", "--step", *asked]
        done = subprocess.run(
            [*words, *steps], capture_output=True, text=True, check=False
        )
        if "needs the secondary indexes: put l.x before it" in done.stderr:
            refused.add(step)

    assert refused == {*driver.indexed}


@pytest.mark.parametrize(
    ("steps", "refused"),
    [("l.i0 qr100.L1", "qr100.L1"), ("l.i0 qr100.L1 l.x", "qr100.L1"),
     ("l.i0 l.x qr100.L1", ""), ("l.i0 qp100.L2 scan.q1", ""), ("qr100.L1", ""),
     ("l.i0 qp100.L2 scan.q3", "scan.q3")],
)  # fmt: skip
def test_a_step_before_its_indexes_is_refused(steps, refused):
    """A table that is there already may have them."""
    cell = Cell("null", tuple(Step(name) for name in steps.split()))
    where = pytest.raises(
        UserError, match=f"step {refused} needs the secondary indexes: put"
    )
    with where if refused else nullcontext():
        check_steps(cell, DRIVERS["ingest"], ROOT / "study.yml")


@pytest.mark.parametrize("key", ["queries", "rows_per_commit"])
def test_micro_takes_rows_and_seconds(key):
    """The driver would refuse the others when it is started."""
    cell = Cell("ours", (Step.parse(f"crc32c-table:{key}=2"),))
    with pytest.raises(UserError, match=f"micro has no {key}; available: rows, seconds$"):
        check_steps(cell, DRIVERS["micro"], Path("study.yml"))


@pytest.mark.parametrize(
    ("name", "engine", "step", "key", "instead"),
    [("ingest", "null", "l.i0:rows=1.5", "rows", "rows=2"),
     ("ingest", "null", "q100.1:queries=0.2", "queries", "queries=1"),
     ("micro", "ours", "crc32c-table:rows=2.0", "rows", "rows=2"),
     ("sysbench", "mysql", "scan.range100:warmup=0.5", "warmup", "warmup=1"),
     ("sql", "null", "analyze:events=2.5", "events", "events=3"),
     ("sql", "null", "analyze:rate=2.5", "rate", "rate=3")],
)  # fmt: skip
def test_what_a_driver_counts_is_a_whole_number(name, engine, step, key, instead):
    """The driver would refuse it when it is started, or take 2 events for 2.5."""
    cell, driver = Cell(engine, (Step.parse(step),)), DRIVERS[name]
    value = step.rpartition("=")[2]
    said = f"step {step}: {key} is a whole number to {name}, not {value}; write {instead}"
    with pytest.raises(UserError, match=f"^study.yml: {said}$"):
        check_steps(cell, driver, Path("study.yml"))


@pytest.mark.parametrize("name", ["ingest", "micro", "db_bench", "sysbench", "command"])
def test_a_step_that_stands_twice_is_refused(name):
    """A run has one record for each; sql says so when its groups are spelled out."""
    driver = DRIVERS[name]
    engine, steps = next(iter(driver.steps.items()))
    step = steps[0] if steps else "a"
    twins = (Step(step), Step(step, "seconds", "1"))
    with pytest.raises(UserError, match=f"study.yml: step {step} is listed twice; keep"):
        check_steps(Cell(engine, twins), driver, ROOT / "study.yml")


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


@pytest.mark.slow
@pytest.mark.parametrize("step", ["load:seconds=1", "scan.range100:seconds=1.5"])
def test_plan_refuses_a_size_that_sysbench_does_not_take(checkout, step):
    """Whole seconds for tests, nothing for what ends when it is done."""
    checkout.study("s", SYSBENCH.replace("STEP", step))
    plan = checkout.call("plan", "s")

    assert (2, 1) == (plan.returncode, len(plan.stderr.splitlines()))
    assert "takes whole seconds" in plan.stderr


@pytest.mark.slow
def test_plan_refuses_waits_of_a_tool(checkout):
    """The script would refuse the option when it is started."""
    checkout.study("s", SYSBENCH.replace("STEP", "load") + "waits: true\n")
    plan = checkout.call("plan", "s")

    assert 2 == plan.returncode
    assert "take out waits" in plan.stderr


@pytest.mark.slow
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


def _words(names):
    """As the command line has them; a server's and script are no words of a driver."""
    words = {name.replace("_", "-") for name in set(names) - {*OF_A_SERVER, "script"}}
    return {"no-prepare" if word == "prepare" else word for word in words}


@pytest.mark.parametrize("name", ["ingest", "sql", "micro"])
def test_options_are_those_of_the_program(name):
    """What a study may say is what the program takes, its choices are those it names."""
    driver = DRIVERS[name]
    text = (BENCH / name / "options.c").read_text()
    taken = set(re.findall(r'\{ "([a-z-]+)",\s+\w+_argument', text)) - OF_A_RUN
    choices = dict(re.findall(r'"  --([a-z-]+) (\w+(?:\|\w+)+)', text))
    choices.pop("waits", "")

    assert taken == _words((*driver.dimensions, *driver.options))
    assert choices == {
        key.replace("_", "-"): "|".join(values)
        for key, values in driver.values.items()
        if isinstance(values, tuple) and values != SWITCH
    }


def test_options_are_those_of_the_script():
    """The same of sysbench, whose flags are read by a case."""
    text = (BENCH / "sysbench.sh").read_text()
    case = text.partition("while (($# > 0))")[2].partition("unknown option")[0]
    taken = set(re.findall(r"--([a-z-]+)", case)) - OF_A_RUN

    assert taken == _words(DRIVERS["sysbench"].dimensions)


@pytest.mark.parametrize("driver", DRIVERS.values(), ids=list(DRIVERS))
def test_every_option_is_documented(driver):
    """With the values that it may have; db_bench lists its flags itself."""
    text = (ROOT / "posts" / "README.md").read_text()
    about = text.partition("**Dimensions** of")[2].partition("\n\n")[0]
    for name in {*driver.dimensions, *driver.options} - set(DB_BENCH_FLAGS):
        assert f"`{name}`" in about, name
        values = driver.values.get(name, ())
        for value in () if isinstance(values, range) or values == SWITCH else values:
            assert f"`{value}`" in about, (name, value)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["x=1", "dop=many", "seed=x", "order=up", "indexes=8"])
def test_an_override_is_refused_as_in_the_study(checkout, word):
    """One sentence with what there is, and nothing is run."""
    checkout.study("s", NULL_STUDY)
    done = checkout.call("run", "s", "--set", word)

    assert (2, 1, []) == (
        done.returncode,
        len(done.stderr.splitlines()),
        checkout.runs("s"),
    )
    assert re.search(r"available: |whole number", done.stderr)


def test_an_override_beats_an_option(checkout):
    """A dimension that the study has among its options is set there, not said twice."""
    checkout.study("s", NULL_STUDY + "options: {price: int}\n")
    study, _ = with_options(load_study(checkout.root / "posts" / "s"),
                            RunOptions(settings={"price": "real"}))  # fmt: skip

    assert {"price": "real"} == study.options
    assert all("price" not in dict(cell.dims) for cell in study.cells)
