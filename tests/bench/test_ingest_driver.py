"""bench/ingest: every step gives complete records and checked answers, sanitizers on."""

import itertools
import sqlite3

import pytest
from ingest_answers import by_op, checksum, kind, table

from benchbook.runs.driver_file import read_records
from benchbook.runs.records import check_record, kinds_of_file, parse

pytest_plugins = ("ingest_fixtures",)
pytestmark = pytest.mark.engine

LOAD = ["l.i0:rows=1230", "l.x", "l.i1:rows=420", "l.i2:rows=23"]
QUERIES = ["qr100.L1", "qp100.L2", "qr500.L3", "qp500.L4", "qr1000.L5", "qp1000.L6"]
OLDER = ["q100.1", "q500.1", "q1000.2"]
SCANS = ["scan.q1", "scan.q2", "scan.q3", "scan.q4", "scan.q5", "scan"]
EVERYTHING = [*LOAD, "cleanup", *(f"{q}:seconds=0.2" for q in [*QUERIES, *OLDER]), *SCANS]
ENGINES = ["null", "sqlite"]
each_engine = pytest.mark.parametrize("engine", ENGINES)


@pytest.mark.slow
@each_engine
@pytest.mark.parametrize("dop", ["1", "3"])
def test_every_line_of_every_step_is_a_record(call, engine, dop):
    """All steps run; each line is one record of schema 1, first run, last end."""
    done = call(engine, EVERYTHING, "--dop", dop)
    found = [parse(line) for line in done.stdout.splitlines()]
    kinds = kinds_of_file(found[0])

    assert (0, "") == (done.returncode, done.stderr)
    assert ["run", "end"] == [check_record(r, kinds) for r in (found[0], found[-1])]
    assert {"begin", "step", "sample", "hist", "size", "use"} == {
        check_record(r, kinds) for r in found[1:-1]
    }
    assert "ok" == found[-1]["status"]


@pytest.mark.slow
@each_engine
def test_steps_are_numbered_and_have_one_main_op(records, engine):
    """seq counts the steps as given; exactly one op of each is its throughput."""
    steps = kind(records(engine, EVERYTHING), "step")
    names = [text.split(":")[0] for text in EVERYTHING]

    assert names == list(dict.fromkeys(s["step"] for s in steps))
    assert names == [s["step"] for s in steps if s["main"]]
    assert all(names[s["seq"] - 1] == s["step"] for s in steps)


@pytest.mark.slow
@each_engine
def test_samples_and_histograms_add_up_to_their_step(records, engine):
    """ops and rows of the samples, and the counts of each histogram, equal the step's."""
    found = records(engine, [*LOAD, "qr1000.L5:seconds=1.3"], "--dop", "2")
    steps = by_op(found, "step")

    assert steps == by_op(found, "sample")
    for hist in kind(found, "hist"):
        counts = sum(count for _, count in hist["counts"])
        assert steps[hist["step"], hist["op"]]["ops"] == counts
    for sample in kind(found, "sample"):
        by_rows = sample["op"] in ("insert", "delete")
        assert sample["rows" if by_rows else "ops"] == sum(sample["clients"])


@pytest.mark.slow
@each_engine
def test_times_of_samples_are_those_of_the_hist(call, engine, tmp_path):
    """Two clients with rate-limited writers: bucket by bucket, of every op of a step."""
    path = tmp_path / "driver.jsonl"
    path.write_text(call(engine, [*LOAD, "qr1000.L5:seconds=1.3"], "--dop", "2").stdout)
    [samples] = read_records(path).samples

    assert {2} == set(samples["sub_bits"].to_pylist())
    assert {"insert", "index", "delete", "query"} == set(samples["op"].to_pylist())


@pytest.mark.slow
def test_samples_cover_the_step_without_gaps(records):
    """Each sample begins where the last ended; the last one ends with the step."""
    found = records("null", ["l.i0:rows=1000", "l.x", "qr100.L1:seconds=2.3"])
    step = next(s for s in kind(found, "step") if s["step"] == "qr100.L1" and s["main"])
    samples = [s for s in kind(found, "sample") if s["op"] == "query"]
    edges = [step["start_ns"], *(s["t_ns"] for s in samples)]

    assert 3 == len(samples)
    assert step["end_ns"] == edges[-1]
    assert [s["interval_ns"] for s in samples] == [
        b - a for a, b in itertools.pairwise(edges)
    ]


def test_rows_are_for_each_client(records):
    """rows=1230 at dop 3 loads 3690, in transactions of 100 and a shorter last one."""
    steps = by_op(records("sqlite", ["l.i0:rows=1230"], "--dop", "3"), "step")

    assert {"ops": 3 * 13, "rows": 3 * 1230} == steps["l.i0", "insert"]


@pytest.mark.slow
@each_engine
def test_deletes_equal_inserts(records, engine, tmp_path):
    """Steps that delete leave as many rows as there were; the oldest are gone."""
    found = records(engine, [*LOAD, "qp500.L4:seconds=0.5"], "--dop", "2")
    steps = by_op(found, "step")

    for step in ("l.i1", "l.i2", "qp500.L4"):
        assert steps[step, "insert"] == steps[step, "delete"]
    if engine == "sqlite":
        deleted = 2 * (420 + 23 + 250)
        last = 2 * 1230 + deleted
        keys = [key for (key,) in table(tmp_path, "transactionid")]
        assert list(range(deleted + 1, last + 1)) == keys


def test_no_delete_leaves_all_rows(records, tmp_path):
    """--no-delete: the same steps without their deletes."""
    found = records("sqlite", LOAD, "--no-delete")

    assert not [s for s in kind(found, "step") if s["op"] == "delete"]
    assert 1230 + 420 + 23 == len(table(tmp_path, "transactionid"))


@pytest.mark.slow
def test_targets_and_intended_starts_belong_to_rate_limited_writers(records):
    """qr500 at dop 2 aims at 1000 rows/s of each kind; queries are a closed loop."""
    found = records(
        "sqlite", ["l.i0:rows=2000", "l.x", "qr500.L3:seconds=1"], "--dop", "2"
    )
    targets = {(s["step"], s["op"]): s["target_ops_per_s"] for s in kind(found, "step")}
    intended = {
        (h["step"], h["op"]) for h in kind(found, "hist") if h["clock"] == "intended"
    }

    assert {("qr500.L3", "insert"): 1000, ("qr500.L3", "delete"): 1000} == {
        key: target for key, target in targets.items() if target
    }
    assert {("qr500.L3", "insert"), ("qr500.L3", "delete")} == intended


@pytest.mark.slow
def test_the_rate_is_kept(records):
    """1000 rows/s for 1 s are 20 transactions of 50, spread over the second."""
    found = records("null", ["l.i0:rows=100", "l.x", "q1000.1:seconds=1"])
    step = next(s for s in kind(found, "step") if s["op"] == "insert" and s["seq"] == 3)

    assert (20, 1000) == (step["ops"], step["rows"])
    assert 1.0e9 <= step["end_ns"] - step["start_ns"] < 5e9


@pytest.mark.slow
@pytest.mark.parametrize("older", [False, True], ids=["2023", "older"])
def test_both_generations_of_index_definitions(records, tmp_path, older):
    """--index-set older: the definitions until December 2023, and queries that fit."""
    options = ["--index-set", "older"] if older else []
    records("sqlite", ["l.i0:rows=2000", "l.x", "qr100.L1:seconds=0.2"], *options)
    db = sqlite3.connect(tmp_path / "benchbook.db")
    sql = "SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
    found = [text.split("_", 1)[1] for (text,) in db.execute(sql)]
    db.close()

    assert found == [
        "marketsegment ON pi1 (price, customerid)" if older
        else "marketsegment ON pi1 (productid, customerid, price)",
        "pdc ON pi1 (price, dateandtime, customerid)",
        "registersegment ON pi1 (cashregisterid, price, customerid)" if older
        else "registersegment ON pi1 (cashregisterid, customerid, price)",
    ]  # fmt: skip


def test_l_x_without_indexes_makes_none(records):
    """--indexes 0: l.x is a step with no index; point queries still work."""
    steps = ["l.i0:rows=500", "l.x", "l.i1:rows=100", "qp100.L2:seconds=0.2"]
    found = by_op(records("sqlite", steps, "--indexes", "0"), "step")

    assert {"ops": 0, "rows": 0} == found["l.x", "index"]
    assert found["qp100.L2", "query"]["rows"] > 0


def test_the_same_seed_gives_the_same_rows(records, tmp_path):
    """Data depends on the seed, not on the time or on the steps before."""
    sums = []
    for seed in ("7", "7", "8"):
        records("sqlite", ["l.i0:rows=500"], "--seed", seed)
        sums.append(checksum(tmp_path))

    assert sums[0] == sums[1]
    assert sums[0] != sums[2]


def test_a_step_does_not_depend_on_the_steps_before(records, tmp_path):
    """l.i1 inserts the same rows whether or not l.i2 ran between."""
    columns = "cashregisterid, customerid, productid, price, data"
    tails = []
    for steps in (["l.i0:rows=100", "l.i1:rows=50"],
                  ["l.i0:rows=100", "l.i2:rows=10", "l.i1:rows=50"]):  # fmt: skip
        records("sqlite", steps)
        tails.append(table(tmp_path, columns)[-50:])

    assert tails[0] == tails[1]


def test_a_table_for_each_client(records, tmp_path):
    """--tables dop: each client loads, indexes and empties a table of its own."""
    found = by_op(records("sqlite", LOAD, "--dop", "2", "--tables", "dop"), "step")

    assert {"ops": 6, "rows": 2460} == found["l.x", "index"]  # one statement an index
    assert [1230, 1230] == [len(table(tmp_path, "price", n)) for n in (1, 2)]


def test_contending_writers_lose_nothing(records, tmp_path):
    """--contend: four writers in SQLite's own lock; no row is lost."""
    found = records("sqlite", LOAD, "--dop", "4", "--contend")
    steps = kind(found, "step")

    assert 0 == sum(s["wait_ns"] + s["errors"] for s in steps)
    assert 4 * 1230 == len(table(tmp_path, "price"))


def test_retries_are_noted(records, tmp_path):
    """Without a busy timeout contention shows: retries are counted and noted by kind."""
    config = tmp_path / "impatient"
    config.write_text("busy_timeout = 0\nsynchronous = off\n")
    found = records(
        "sqlite", ["l.i0:rows=3000"], "--dop", "4", "--contend", "--config", str(config)
    )
    retries = kind(found, "step")[0]["retries"]

    assert bool(retries) == bool(kind(found, "note"))
    assert 12000 == len(table(tmp_path, "price"))


def test_waiting_for_the_turn_is_counted(records):
    """Writers of one SQLite database queue in the driver; their wait stands apart."""
    steps = kind(records("sqlite", ["l.i0:rows=2000"], "--dop", "4"), "step")

    assert steps[0]["wait_ns"] > 0
    assert 0 == steps[0]["retries"]


def test_a_load_may_be_given_seconds(records):
    """It ends by the clock; deletes answer every insert all the same."""
    found = records("null", ["l.i0:rows=1000", "l.i1:seconds=0.3"])
    insert, delete = (s for s in kind(found, "step") if s["step"] == "l.i1")

    assert 0.3e9 <= insert["end_ns"] - insert["start_ns"] < 5e9
    assert insert["rows"] == delete["rows"] > 0


def test_a_query_step_may_be_given_rows(records):
    """It inserts so many per client at its rate: 100 rows at 1000/s take 0.1 s."""
    found = records("null", ["l.i0:rows=500", "l.x", "qr1000.L5:rows=100"], "--dop", "2")

    assert 200 == by_op(found, "step")["qr1000.L5", "insert"]["rows"]


@each_engine
def test_a_query_step_may_be_given_queries(records, engine):
    """Each client asks so many, nobody writes, and a note says so."""
    steps = ["l.i0:rows=500", "l.x", "qr100.L1:queries=7", "qp100.L2:queries=3"]
    found = records(engine, steps, "--dop", "2")
    queries = {s: ops for s, ops in by_op(found, "step").items() if s[0][0] == "q"}

    assert {("qr100.L1", "query"), ("qp100.L2", "query")} == set(queries)
    assert [14, 6] == [ops["ops"] for ops in queries.values()]
    assert ["qr100.L1", "qp100.L2"] == [n["step"] for n in kind(found, "note")]


@pytest.mark.slow
@each_engine
def test_the_load_of_2017_has_its_indexes_from_the_start(records, engine):
    """Range queries need no l.x after the step l."""
    found = records(engine, ["l:rows=500", "qr100.L1:seconds=0.1"])

    assert 500 == by_op(found, "step")["l", "insert"]["rows"]


@pytest.mark.slow
def test_unprepared_statements_write_the_same_rows(records, tmp_path):
    """--no-prepare changes what a statement costs, not what it does."""
    steps = [*LOAD, "qp100.L2:seconds=0.1", "qr100.L1:seconds=0.1"]
    sums = []
    for options in ([], ["--no-prepare"]):
        found = records("sqlite", steps, *options)
        sums.append(checksum(tmp_path))

    assert "0" == kind(found, "run")[0]["options"]["prepare"]
    assert sums[0] == sums[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "name", "held"),
    [
        ([], "int", int),
        (["--price", "real"], "real", float),
        (["--index-set", "older"], "real", float),
        (["--index-set", "older", "--price", "int"], "int", int),
    ],
)
def test_a_price_is_whole_or_floating(records, tmp_path, options, name, held):
    """As since or until December 2023; the queries find their rows either way."""
    steps = ["l.i0:rows=500", "l.x", "qr100.L1:seconds=0.1"]
    found = records("sqlite", steps, *options)

    assert name == kind(found, "run")[0]["options"]["price"]
    assert {held} == {type(price) for (price,) in table(tmp_path, "price")}


def test_what_a_step_used_is_told(records):
    """CPU of the process and switches for each step; without a server nothing of one."""
    uses = kind(records("sqlite", ["l.i0:rows=2000", "l.x"]), "use")

    assert ["l.i0", "l.x"] == [u["step"] for u in uses]
    assert all(u["client_cpu_ns"] > 0 and u["switches"] > 0 for u in uses)
    of_a_server = {"server_cpu_ns", "folder_bytes", "memory_bytes"}
    assert not any(of_a_server & set(u) for u in uses)


def test_a_later_process_goes_on_with_the_database(records, tmp_path):
    """Without l.i0 the steps use the tables that are there."""
    records("sqlite", ["l.i0:rows=500", "l.x"])
    records("sqlite", ["l.i1:rows=100", "qr100.L1:seconds=0.2"])

    assert 500 == len(table(tmp_path, "price"))
