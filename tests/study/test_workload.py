"""A study of a workload file: steps, groups and numbers, and a sentence per mistake."""

import pytest
from places import ROOT

from benchbook.measure.plan import make_plan
from benchbook.measure.spec import command
from benchbook.study.cell import Step
from benchbook.study.check import check_steps
from benchbook.study.study import load_study
from benchbook.study.workload import read_workload
from benchmath.errors import UserError

pytestmark = pytest.mark.engine  # the driver reads the workload

WORKLOAD = """\
# comment
workload tiny
about    Two tables
let size 1000
let range 10
table t
    rows   size
    create CREATE TABLE {t} (id INTEGER)
    column id int sequence 1
statement one
    sql    SELECT id FROM {t} WHERE id < {range}
step point
    about one row
    group reads
    kind  read
    do    one
step range.pre
    group reads
    do    \\
    one
step update
    group writes
    kind  write
    do    one
step scan
    kind  scan
    do    one
step undo
    kind  cleanup
"""
STUDY = """\
title: Does it hold?
template: inserts
driver: sql
workload: tiny
base: {size: 1}
engines: [{engine: "null"}]
matrix: {size: [1, 2]}
steps: [all]
trials: 1
"""


@pytest.fixture
def study(checkout):
    """A function that writes a study and its own workload, and loads it."""

    def write(text=STUDY, workload=WORKLOAD):
        file = checkout.study("s", text)
        own = file.parent / "workload" / "tiny" / "workload"
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(workload)
        return load_study(file)

    return write


@pytest.fixture
def complaint(study):
    """A function: what is said of a study or a workload."""

    def said(text=STUDY, workload=WORKLOAD):
        with pytest.raises(UserError) as caught:
            study(text, workload)
        return str(caught.value)

    return said


def steps_of(study):
    return [str(step) for step in study.cells[0].steps]


@pytest.mark.slow
def test_all_is_every_step_in_the_order_of_the_file(study):
    """load and index come first, because the others need them."""
    assert ["load", "index", "point", "range.pre", "update", "scan", "undo"] == steps_of(
        study()
    )


def test_plain_size_is_of_reads_and_writes(study):
    """A scan and a cleanup end by themselves, and so does the load."""
    sized = study(STUDY + "seconds: 2\nwarmup: 0.5\n")

    assert [
        "load", "index", "point:seconds=2:warmup=0.5", "range.pre:seconds=2:warmup=0.5",
        "update:seconds=2:warmup=0.5", "scan", "undo",
    ] == steps_of(sized)  # fmt: skip


def test_sizes_may_differ_by_kind(study):
    """Each kind takes its own."""
    sized = study(STUDY + "seconds: {read: 2, write: 4}\nevents: {scan: 3}\n")

    assert ["point:seconds=2", "range.pre:seconds=2", "update:seconds=4",
            "scan:events=3"] == steps_of(sized)[2:6]  # fmt: skip


SQLITE = STUDY.replace('"null"', "sqlite")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("[load, index, 'point:seconds=1', scan, undo]",
         ["load", "index", "analyze", "point:seconds=1", "scan", "undo"]),
        ("[load, 'point:seconds=1']", ["load", "analyze", "point:seconds=1"]),
        ("[load, index, undo, scan]", ["load", "index", "undo", "scan"]),
        ("[load, index, 'point:seconds=1', undo]",
         ["load", "index", "point:seconds=1", "undo"]),
        ("[load, scan, analyze]", ["load", "scan", "analyze"]),
        ("[scan]", ["scan"]),
    ],
)  # fmt: skip
def test_statistics_are_gathered_behind_the_load(study, steps, expected):
    """Unless a cleanup does it, the study says where, or nothing is loaded."""
    text = SQLITE.replace("[all]", steps)

    assert expected == steps_of(study(text))


def test_statistics_may_be_left_out(study):
    """By `analyze: false`; published posts and engines without a planner have none."""
    steps = ["load", "index", "scan"]
    text = SQLITE.replace("[all]", "[load, index, scan]")

    assert steps == steps_of(study(text + "analyze: false\n"))
    assert steps == steps_of(study(STUDY.replace("[all]", "[load, index, scan]")))
    published = study(text)
    assert [*steps[:2], "analyze", "scan"] == steps_of(published)
    (published.folder / "evidence").mkdir()
    assert steps == steps_of(study(text))


def test_a_file_may_have_its_own_step_analyze(study):
    """As it was before the driver had one: nothing is put behind the load."""
    own = WORKLOAD + "step analyze\n    kind cleanup\n"
    text = SQLITE.replace("[all]", "[load, index, scan, analyze]")

    assert ["load", "index", "scan", "analyze"] == steps_of(study(text, own))


def test_step_of_its_own_size_keeps_it(study):
    """Named beside `all`, a step has what is said there, at its place in the file."""
    text = STUDY.replace("[all]", "[all, 'update:events=9']") + "seconds: 2\n"

    assert ["range.pre:seconds=2", "update:events=9"] == steps_of(study(text))[3:5]


def test_group_stands_for_its_steps(study):
    """A size behind it is for each of them."""
    text = STUDY.replace("[all]", "[load, 'group:reads:seconds=3', undo]")

    assert ["load", "point:seconds=3", "range.pre:seconds=3", "undo"] == steps_of(
        study(text)
    )


def test_groups_and_kinds_are_those_of_the_file(study):
    """In the order in which they first stand there."""
    workload = study().workload

    assert {"reads": ("point", "range.pre"), "writes": ("update",)} == workload.groups
    assert "one row" == workload.steps[0].about
    assert ("size", "range") == workload.lets


def test_numbers_and_file_go_to_the_driver(study, checkout):
    """Lets by --set, the file by its place in the run folder."""
    plan = make_plan(study(STUDY + "seconds: 1\n"), checkout.project)
    words = command(plan.cells[1], plan.study)

    assert ["--workload", "{workload}"] == words[words.index("--workload") :][:2]
    assert ["--set", "size=2"] == words[words.index("--set") :][:2]
    assert "--step point:seconds=1 --step range.pre:seconds=1" in " ".join(words)


def test_workload_is_a_dimension_and_part_of_the_cell(study, checkout):
    """Another file under the same name makes other cells."""
    before = make_plan(study(), checkout.project).cells[0]
    after = make_plan(study(workload=WORKLOAD + "# more\n"), checkout.project).cells[0]

    assert "tiny" == before.cell.dimensions()["workload"]
    assert before.id != after.id


@pytest.mark.slow
def test_pasted_line_copies_the_workload(study, checkout):
    """Below the checkout, wherever that is; its spec names the digest."""
    digest = study(STUDY + "order: turns\n").workload.digest
    lines = checkout.ok("plan", "s", "--commands")

    assert "--workload posts/s/workload/tiny/workload" in lines
    assert f'"workload":"{digest}"' in lines


def test_step_settings_are_read_back(study):
    """Text, record and step say the same."""
    step = Step("p", "events", "7", warmup="1", rate="50")

    assert step == Step.parse(str(step))
    assert {"step": "p", "events": "7", "warmup": "1", "rate": "50"} == step.record()


BESIDE = """\
beside:
  - {table: t, cells: {"1": mysql 5.6.51, "2": mysql 8.0.13}}
"""


def test_cells_beside_published_ones_keep_their_order(study):
    """The first pair is what the others are relative to."""
    (one,) = study(STUDY + BESIDE).beside

    assert "t" == one.table
    assert [("1", "mysql 5.6.51"), ("2", "mysql 8.0.13")] == [*one.cells.items()]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("table:", "tabel:", "study.yml:11: unknown key 'tabel'; did you mean 'table'?"),
        ("table: t, ", "", "'table' is missing in beside.0"),
        (', "2": mysql 8.0.13', "", "the cells of t need two pairs or more"),
        ("mysql 5.6.51", "5.6", "beside.0.cells.1: 5.6 is not of type 'string'"),
        ("driver: sql\nworkload: tiny", "driver: ingest", "'beside' has no meaning with"),
    ],
)
def test_mistake_beside_is_one_sentence(complaint, old, new, said):
    """With the line where it is one of the file."""
    text = complaint((STUDY + BESIDE).replace(old, new))

    assert said in text
    assert 1 == len(text.splitlines())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("workload: tiny\n", "", "driver sql runs a workload"),
        ("tiny", "tinny", "no workload 'tinny'; available: "),
        (
            "[all]",
            "[pont]",
            "has no step 'pont'; available: load, index, analyze, point, ",
        ),
        ("[all]", "['group:x']", "has no group 'x'; available: reads, writes"),
        ("[all]", "[point, point]", "step point is listed twice"),
        ("[all]", "['load:seconds=1']", "load decides how long it takes"),
        ("[all]", "['undo:seconds=1']", "cleanup decides how long it takes"),
        ("{size: [1, 2]}", "{sise: [1]}", "has no let 'sise'; available: config, "),
        ("{size: [1, 2]}", "{size: [big]}", "size 'big': a let is a whole number"),
        ("trials: 1", "seconds: 1\nevents: 1", "have both seconds and events"),
    ],
)
def test_mistake_in_a_study_is_one_sentence(complaint, old, new, said):
    """What, and what there is instead."""
    text = complaint(STUDY.replace(old, new))

    assert said in text
    assert 1 == len(text.splitlines())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("workload tiny", "workload", "line 2: a workload needs a name"),
        ("    kind  scan", "    kind  skan", "line 26: kind is read, write, scan or"),
        ("step scan", "step point", "line 25: there is a step called point already"),
        ("step scan", "step all", "line 25: several steps are called all in a study"),
        ("workload tiny\n", "", "line 1: there is no line `workload NAME`"),
    ],
)
def test_mistake_in_a_workload_is_one_sentence_with_its_line(complaint, old, new, said):
    """File and line first."""
    text = complaint(workload=WORKLOAD.replace(old, new))

    assert said in text and "/workload/tiny/workload" in text
    assert 1 == len(text.splitlines())


def test_a_workload_is_utf8_text(tmp_path):
    """Its names and texts go into tables and pages."""
    file = tmp_path / "workload"
    file.write_bytes(b"workload w\n# caf\xe9\n")

    with pytest.raises(UserError, match=":2: not UTF-8 text"):
        read_workload(file)


def test_a_workload_without_a_step_is_refused(complaint):
    """A study could measure nothing."""
    text = complaint(workload=WORKLOAD.partition("step")[0])

    assert text.endswith("the workload tiny has no step")


def test_without_a_compiler_it_says_who_reads_a_workload(complaint, monkeypatch):
    """And which package brings what is missing; those that ship need none."""
    monkeypatch.setenv("PATH", "")
    text = complaint()

    assert "only the driver sql can read it, and there is no cc" in text
    assert 1 == len(text.splitlines())


def test_workloads_that_ship_need_no_compiler(monkeypatch):
    """What the driver says of them lies beside them."""
    monkeypatch.setenv("PATH", "")
    workload = read_workload(ROOT / "bench/workloads/tpcc/workload")

    assert ["transactions"] == [*workload.groups]


def test_number_named_like_a_counter_cannot_be_varied(complaint):
    """A frame would hold either the dimension or the counter."""
    text = complaint(STUDY.replace("size", "rows"), WORKLOAD.replace("size", "rows"))

    assert "'rows' is the name of a column of the results" in text


def test_other_drivers_have_no_workload(complaint):
    """Its keys are refused, not ignored."""
    text = STUDY.replace("driver: sql\nworkload: tiny\n", "driver: ingest\nseconds: 1\n")

    assert "'seconds' has no meaning with `driver: ingest`" in complaint(text)


def test_driver_refuses_sizes_that_it_has_not(study, checkout):
    """rows are of ingest."""
    text = STUDY.replace("[all]", "['point:rows=1']")

    with pytest.raises(UserError, match="sql has no rows; available: seconds, events"):
        make_plan(study(text), checkout.project)


TABLES = """\
workload tiny
let size 10
table t size
  rows size
  create CREATE TABLE {t} (id INTEGER)
  column id int sequence 1
  index CREATE INDEX t_id ON {t} (id)
statement get
  sql SELECT id FROM {t}
statement own
  sql CREATE TABLE IF NOT EXISTS {t} (id INTEGER)
statement one
  sql SELECT {size}
transaction two
  do one
  do get
step get
  do get
step two
  do one
  do two
step one
  do one
step own
  do own
step undo
  kind cleanup
"""


def of_tables(study, steps, engine="{engine: sqlite}"):
    """A study with these steps of the workload ``TABLES``."""
    text = STUDY.replace("[all]", f"[{steps}]").replace('{engine: "null"}', engine)
    return study(text, TABLES)


@pytest.mark.parametrize(
    ("steps", "step"),
    [("get", "get"), ("one, two, load", "two"), ("index, load", "index")],
)
def test_steps_before_their_tables_are_refused(study, checkout, steps, step):
    """Also of a statement within a transaction; load is no help behind them."""
    planned = of_tables(study, steps)
    with pytest.raises(UserError) as caught:
        make_plan(planned, checkout.project)

    assert (
        f"{planned.path}: step {step} needs the table t, which no step before it makes: "
        "begin with load"
    ) == str(caught.value)


@pytest.mark.parametrize(
    ("steps", "engine"),
    [
        ("load, get", "{engine: sqlite}"),
        ("one, undo, load, index, get, two", "{engine: sqlite}"),
        ("own, get", "{engine: sqlite}"),
        ("get", '{engine: postgres, connect: "${PG}"}'),
        ("get", '{engine: "null"}'),
    ],
)
def test_steps_that_have_their_tables_are_planned(study, steps, engine):
    """After load or a statement that makes them; a server elsewhere may hold them."""
    loaded = of_tables(study, steps, engine)
    [cell, _] = loaded.cells

    check_steps(cell, loaded.driver, loaded.path, loaded.ran)
