"""bench/sql on RocksDB: its own reads and writes bring what SQL brings elsewhere."""

import json

import pytest
from ingest_answers import by_op, kind
from places import BENCH
from servers import install_tree

pytest_plugins = ("sql_fixtures",)
pytestmark = pytest.mark.engine

KV, YCSB, TPCB = (BENCH / "workloads" / n / "workload" for n in ("kv", "ycsb", "tpcb"))
EVENTS = ("fillseq", "readrandom", "multireadrandom", "fwdrange", "revrange", "overwrite")
STEPS = [
    "load", "index", *(f"{s}:events=200" for s in EVENTS), "waitforcompaction",
    "deleterandom:events=100",
]  # fmt: skip
SMALL = ["--set", "keys=500", "--set", "value_size=40"]
each_way = pytest.mark.parametrize(
    "options", [[], ["--no-prepare"]], ids=["prepared", "text"]
)

HEAD = """\
workload words
table t
  rows 5
  create CREATE TABLE {t} (k INTEGER PRIMARY KEY, v INTEGER, w VARCHAR(9))
  column k int sequence 1
  column v int value k * 10
  column w text constant it's"""
SENT = [
    ("GET {t} 3", "rows 1"),
    ("GET {t} 6", "rows 0"),
    ("MULTIGET {t} 1, 6, 3, 5", "rows 3"),
    ("SCAN {t} 2", "rows 4"),
    ("SCAN {t} 2 LIMIT 3", "rows 3"),
    ("SCAN {t} -1 LIMIT 1", "rows 1"),
    ("SCAN {t} 2 REVERSE", "rows 2"),
    ("SCAN {t} 9 LIMIT 1 REVERSE", "rows 1"),
    ("SCAN {t} 0 REVERSE", "rows 0"),
    ("SELECT count(*) FROM {t}", "rows 1"),
    ("PUT {t} 9 1 'a'", "affected 1"),
    ("INSERT INTO {t} (k, v) VALUES (8, 'it''s'), (9, 'b')", "affected 2"),
    ("SCAN {t} 6", "rows 2"),
    ("UPDATE {t} 2 1 7", "affected 1"),
    ("UPDATE {t} 7 1 7", "affected 0"),
    ("DELETE {t} 2", "affected 1"),
    ("GET {t} 2", "rows 0"),
    ("PUT {t} 'a text' 1.5", "affected 1"),
    ("GET {t} 'a text'", "rows 1"),
]


@pytest.fixture
def debian(monkeypatch):
    """The driver finds Debian's library."""
    tree = install_tree("rocksdb", "7.8", "debian")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))


def asked(call_sql, text):
    """The finished process of a step that sends one statement."""
    more = f"\nstatement it\n  sql {text}\nstep go\n  do it\n"
    return call_sql("rocksdb", HEAD + more, ["load", "go:events=1"])


def failed(done):
    """The one sentence of a run that failed."""
    (sentence,) = done.stderr.splitlines()
    assert 1 == done.returncode
    assert "sql: " + json.loads(done.stdout.splitlines()[-1])["reason"] == sentence
    return sentence


@each_way
def test_steps_of_db_bench_are_right(debian, records_of_sql, options):
    """Two clients; rows that come back are checked by the driver, those written here."""
    found = records_of_sql("rocksdb", KV, STEPS, *SMALL, "--dop", "2", *options)
    steps = by_op(found, "step")

    assert {"ops": 200, "rows": 200} == steps["fillseq", "query"]
    assert {"ops": 200, "rows": 200} == steps["readrandom", "query"]
    assert {"ops": 200, "rows": 2000} == steps["multireadrandom", "query"]
    assert {"ops": 200, "rows": 2000} == steps["fwdrange", "query"]
    assert {"ops": 200, "rows": 2000} == steps["revrange", "query"]
    assert {"ops": 100, "rows": 100} == steps["deleterandom", "query"]


@pytest.mark.slow
def test_the_same_steps_by_sql(records_of_sql):
    """SQLite finds and writes as many rows, but for a key that is drawn twice."""
    steps = by_op(records_of_sql("sqlite", KV, STEPS, *SMALL), "step")

    assert {"ops": 200, "rows": 200} == steps["fillseq", "query"]
    assert {"ops": 200, "rows": 2000} == steps["fwdrange", "query"]
    assert {"ops": 200, "rows": 2000} == steps["revrange", "query"]
    assert 1900 < steps["multireadrandom", "query"]["rows"] <= 2000


@each_way
@pytest.mark.slow
def test_ycsb_sends_its_mixes(debian, records_of_sql, options):
    """A to F; what is read is what is there, inserts of D and E among it."""
    steps = ["load", "index", *(f"{s}:events=400" for s in "abcdef"), "postwrite"]
    found = records_of_sql(
        "rocksdb", YCSB, steps, "--set", "records=300", "--dop", "2", *options
    )
    sent = {(s["step"], s["name"]): s for s in kind(found, "statement")}

    assert sent["a", "update"]["affected"] == sent["a", "update"]["sent"] > 150
    assert sent["c", "read"]["rows"] == 400
    assert sent["f", "update-same"]["affected"] == sent["f", "update-same"]["sent"] > 150


@pytest.mark.slow
@pytest.mark.parametrize(
    "version",
    ["4.13.5", "5.18.4", "6.29.5", "7.10.2", "8.11.4", "9.11.2", "10.10.1", "11.8.1"],
)
def test_steps_are_right_on_every_release(records_of_sql, monkeypatch, version):
    """The same functions are called of all."""
    tree = install_tree("rocksdb", version, "jar")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    found = records_of_sql("rocksdb", KV, STEPS, *SMALL)

    assert version == found[0]["version"]
    assert {"ops": 200, "rows": 2000} == by_op(found, "step")["revrange", "query"]


@each_way
def test_statements_bring_what_is_there(debian, call_sql, options):
    """Keys 1 to 5 are; the driver compares how many rows come back or are written."""
    names = [f"s{i}" for i, _ in enumerate(SENT)]
    lines = [HEAD]
    for name, (text, says) in zip(names, SENT, strict=True):
        lines.append(f"statement {name}\n  sql {text}\n  {says}")
    parts = "".join(f"\n  do {name}" for name in names)
    lines.append(f"transaction all\n  begin none{parts}\nstep go\n  do all\n")
    done = call_sql("rocksdb", "\n".join(lines), ["load", "go:events=1"], *options)

    assert ("", 0) == (done.stderr, done.returncode)


def test_values_come_back(debian, call_sql):
    """The key first, then what was put; they may be taken for another statement."""
    text = (
        HEAD
        + """
statement first
  sql GET {t} 3
  rows 1
  take key value
statement again
  sql GET {t} :key
  rows 1
statement none
  sql GET {t} :value
  rows 0
transaction all
  begin none
  do first
  do again
  do none
step go
  do all
"""
    )
    done = call_sql("rocksdb", text, ["load", "go:events=2"])

    assert ("", 0) == (done.stderr, done.returncode)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT v FROM {t} WHERE k = 1", "`SELECT v FROM t WHERE k = 1` is not underst"),
        (
            "GET {t}",
            "`GET t` is not understood: RocksDB is asked by GET, ",
        ),
        ("GET nowhere 1", "there is no table nowhere"),
        ("PUT {t} 1.5 2", "a key is a whole number or a text"),
        ("UPDATE {t} 1 3 2", "a record has no value number 3"),
        ("PUT {t} 1 'it", "is not understood"),
    ],
)
def test_what_is_not_understood_is_one_sentence(debian, call_sql, text, message):
    """It names the statement, and where the words are explained."""
    assert message in failed(asked(call_sql, text))


def test_transactions_are_refused(debian, call_sql):
    """Not done as if they were none: the workload has to say so."""
    steps = ["load", "tpcb-like:events=1"]
    done = call_sql("rocksdb", TPCB, steps, "--set", "accounts=9", "--no-prepare")

    assert "statement begin failed: statements of keys and values are no tran" in (
        failed(done)
    )


def test_tables_of_an_earlier_run_are_used_or_made_anew(debian, records_of_sql):
    """Without a load the rows are there; a load makes the database anew."""
    records_of_sql("rocksdb", KV, ["load", "fillseq:events=9"], *SMALL)
    found = records_of_sql("rocksdb", KV, ["readrandom:events=20"], *SMALL)
    records_of_sql("rocksdb", KV, ["load"], *SMALL)

    assert 20 == by_op(found, "step")["readrandom", "query"]["rows"]
