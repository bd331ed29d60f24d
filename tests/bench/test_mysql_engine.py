"""bench/engines/mysql/ on a real MariaDB 10.11: what arrives in InnoDB and MyRocks."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from ingest_answers import by_op, kind, refused
from servers import held_server, install_tree, until

from benchbook.runs.records import check_record, kinds_of_file, parse

pytest_plugins = ("ingest_fixtures", "server_fixtures")
pytestmark = pytest.mark.engine

LOAD = ["l.i0:rows=1230", "l.x", "l.i1:rows=420", "l.i2:rows=23"]
QUERIES = ["qr100.L1:seconds=0.2", "qp100.L2:seconds=0.2", "q1000.1:seconds=0.2"]
EVERYTHING = [*LOAD, "cleanup", *QUERIES, "scan"]
CONFIG = """\
innodb_buffer_pool_size = 32M
innodb_log_file_size = 16M
innodb_flush_log_at_trx_commit = 0
innodb_io_capacity = 20000
innodb_lock_wait_timeout = 1
rocksdb_block_cache_size = 32M
rocksdb_flush_log_at_trx_commit = 0
rocksdb_lock_wait_timeout = 1
"""
DIGEST = (
    "SELECT MD5(GROUP_CONCAT(CONCAT_WS(' ', transactionid, cashregisterid, customerid, "
    "productid, price, data) ORDER BY transactionid)) FROM pi1"
)
innodb_first = pytest.mark.parametrize(
    "engine", ["mariadb", pytest.param("myrocks", marks=pytest.mark.slow)]
)
each_engine = pytest.mark.parametrize("engine", ["mariadb", "myrocks"])


@dataclass(frozen=True)
class Server:
    """A server that runs, the driver, the server's programs and its data."""

    ingest: Path
    tree: Path
    words: str
    data: Path

    def command(self, engine, steps, *options, words=None):
        steps = [word for step in steps for word in ("--step", step)]
        target = words or self.words
        return [self.ingest, "--engine", engine, "--target", target, *steps, *options]

    def call(self, engine, steps, *options, words=None, data=None):
        """The finished process; data: the folder that it is told of."""
        told = {"BENCH_SERVER_DIR": str(data)} if data else {}
        return subprocess.run(
            self.command(engine, steps, *options, words=words),
            capture_output=True, text=True, check=False, env=os.environ | told,
        )  # fmt: skip

    def records(self, engine, steps, *options, data=None):
        """The records of a run that must succeed."""
        done = self.call(engine, steps, *options, data=data)
        assert (0, "") == (done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def start(self, engine, steps, *options):
        return subprocess.Popen(
            self.command(engine, steps, *options),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def client(self, sql):
        libraries = self.tree / "usr" / "lib" / "x86_64-linux-gnu"
        socket = re.search(r"socket=(\S+)", self.words)[1]
        return subprocess.Popen(
            [self.tree / "usr/bin/mariadb", "--no-defaults", "-BN", "-u", "root",
             "-S", socket, "ib", "-e", sql],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"LD_LIBRARY_PATH": str(libraries)},
        )  # fmt: skip

    def sql(self, sql):
        """What the statements print: rows of tab-separated columns."""
        with self.client("SET SESSION group_concat_max_len = 1 << 24; " + sql) as process:
            out, error = process.communicate()
        assert "" == error
        return [tuple(line.split("\t")) for line in out.splitlines()]

    def ask(self, sql):
        return self.sql(sql)[0][0]

    def status(self, name):
        return int(self.sql(f"SHOW GLOBAL STATUS LIKE '{name}'")[0][1])

    def sessions(self, condition):
        """The ids of connections that do what the condition says."""
        found = self.sql(
            "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() "
            f"AND {condition}"
        )
        return [row[0] for row in found]

    def statements(self, engine, steps, *options):
        """What arrived of a run: (command, text) of every statement."""
        self.sql("TRUNCATE mysql.general_log; SET GLOBAL log_output = 'TABLE'")
        self.sql("SET GLOBAL general_log = 1")
        self.records(engine, steps, *options)
        self.sql("SET GLOBAL general_log = 0")
        return self.sql("SELECT command_type, argument FROM mysql.general_log")


@pytest.fixture(scope="module")
def server(ingest, helpers, tmp_path_factory):
    """MariaDB 10.11 with MyRocks as bench/server.sh starts it, for all tests here."""
    tree = install_tree("mariadb", "10.11", "debian")
    home = tmp_path_factory.mktemp("mariadb")
    with held_server("myrocks", tree, home, CONFIG, helpers) as (target, data):
        yield Server(ingest, tree, target, data)


def finish(process):
    """A process that was started, once it has ended."""
    out, error = process.communicate(timeout=20)
    return subprocess.CompletedProcess(process.args, process.returncode, out, error)


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        ("mariadb", ["--index-set", "older", "--no-prepare"]),
        ("myrocks", []),
        pytest.param("mariadb", [], marks=pytest.mark.slow),
        pytest.param("mariadb", ["--index-set", "older"], marks=pytest.mark.slow),
        pytest.param("mariadb", ["--no-prepare"], marks=pytest.mark.slow),
        pytest.param("myrocks", ["--no-prepare"], marks=pytest.mark.slow),
        pytest.param("myrocks", ["--index-set", "older"], marks=pytest.mark.slow),
    ],
)
def test_every_step_gives_records_and_right_rows(server, engine, options):
    """All steps run; as many rows are there as were inserted and not deleted."""
    found = server.records(engine, EVERYTHING, "--dop", "2", *options)
    kinds = kinds_of_file(parse(json.dumps(found[0])))
    steps = by_op(found, "step")
    rows = sum(
        s["rows"] * {"insert": 1, "delete": -1}.get(op, 0) for (_, op), s in steps.items()
    )

    assert {"run", "begin", "step", "sample", "hist", "size", "use", "end"} <= {
        check_record(parse(json.dumps(r)), kinds) for r in found
    }
    assert {"ops": 26, "rows": 2460} == steps["l.i0", "insert"]
    assert str(rows) == server.ask("SELECT COUNT(*) FROM pi1")
    assert steps["qr100.L1", "query"]["rows"] > 0
    assert steps["qp100.L2", "query"]["rows"] > 0
    assert all(use["log_bytes"] > 0 for use in kind(found, "use")[:4])


@pytest.mark.parametrize(
    ("engine", "price"),
    [
        ("mariadb", "int"),
        ("mariadb", "real"),
        pytest.param("myrocks", "int", marks=pytest.mark.slow),
        pytest.param("myrocks", "real", marks=pytest.mark.slow),
    ],
)
def test_the_table_is_laid_out_as_published(server, engine, price):
    """Types of the columns, one character set for all versions, three indexes."""
    server.records(engine, ["l.i0:rows=10", "l.x"], "--price", price)
    where = "table_schema = 'ib' AND table_name = 'pi1'"
    columns = server.sql(
        f"SELECT column_name, data_type FROM information_schema.columns WHERE {where} "
        "AND is_nullable = 'NO' ORDER BY ordinal_position"
    )
    indexes = server.sql(
        "SELECT index_name, GROUP_CONCAT(column_name ORDER BY seq_in_index) FROM "
        f"information_schema.statistics WHERE {where} GROUP BY 1 ORDER BY 1"
    )

    assert columns == [
        ("transactionid", "bigint"),
        ("dateandtime", "datetime"),
        ("cashregisterid", "int"),
        ("customerid", "int"),
        ("productid", "int"),
        ("price", "float" if price == "real" else "int"),
        ("data", "varchar"),
    ]
    assert indexes == [
        ("pi1_marketsegment", "productid,customerid,price"),
        ("pi1_pdc", "price,dateandtime,customerid"),
        ("pi1_registersegment", "cashregisterid,customerid,price"),
        ("PRIMARY", "transactionid"),
    ]
    assert server.sql(
        f"SELECT engine, table_collation FROM information_schema.tables WHERE {where}"
    ) == [({"mariadb": "InnoDB", "myrocks": "ROCKSDB"}[engine], "latin1_swedish_ci")]


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "alters"), [("mariadb", 1), ("myrocks", 3)])
def test_indexes_are_made_as_published(server, engine, alters):
    """InnoDB makes all three with one ALTER TABLE, MyRocks each with its own.

    Each statement is one operation with one response time; the rows count once.
    """
    server.records(engine, ["l.i0:rows=10"])
    before = server.status("Com_alter_table")
    found = server.records(engine, ["l.x"])
    (hist,) = kind(found, "hist")

    assert alters == server.status("Com_alter_table") - before
    assert {"ops": alters, "rows": 10} == by_op(found, "step")["l.x", "index"]
    assert alters == sum(count for _, count in hist["counts"])


@innodb_first
def test_the_same_seed_gives_the_same_rows(server, engine):
    """Rows depend on the seed, not on how they are sent."""
    digests = []
    for options in (["--seed", "7"], ["--seed", "7", "--no-prepare"], ["--seed", "8"]):
        server.records(engine, ["l.i0:rows=250:rows_per_commit=100"], *options)
        digests.append(server.ask(DIGEST))

    assert digests[0] == digests[1]
    assert digests[0] != digests[2]


def test_statements_are_prepared_or_sent_as_text(server):
    """One statement per 100 rows; it is executed, with --no-prepare it is a query."""
    found = {
        options: [
            command
            for command, text in server.statements("mariadb", ["l.i0:rows=230"], *options)
            if text.startswith("INSERT INTO pi1") and command != "Prepare"
        ]
        for options in ((), ("--no-prepare",))
    }

    assert {(): ["Execute"] * 3, ("--no-prepare",): ["Query"] * 3} == found


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--no-prepare",)], ids=["prepared", "text"])
def test_point_queries_ask_up_to_the_last_primary_key(server, options):
    """An insert of several rows tells the key of its last: queries draw from 1 to it."""
    steps = ["l.i0:rows=20:rows_per_commit=7", "qp100.L2:seconds=0.2"]
    sent = server.statements("mariadb", steps, "--no-delete", "--indexes", "0", *options)
    lists = [re.search(r"transactionid IN \(([\d,]+)\)", text) for _, text in sent]
    asked = {int(key) for found in lists if found for key in found[1].split(",")}

    assert (1, 40) == (min(asked), max(asked))
    assert "40" == server.ask("SELECT MAX(transactionid) FROM pi1")


@innodb_first
def test_scans_and_queries_read_the_index_they_name(server, engine):
    """EXPLAIN of what was sent: the named index alone, which covers it, or the table."""
    steps = ["l.i0:rows=1000", "l.x", "qr100.L1:seconds=0.2", "scan"]
    sent = {
        re.search("FORCE INDEX [^)]+", text)[0] + str("LIMIT" in text): text
        for command, text in server.statements(engine, steps)
        if "FORCE INDEX" in text and command != "Prepare"
    }

    assert 7 == len(sent)
    for text in sent.values():
        name = re.search(r"FORCE INDEX \((\w+)\)", text)[1]
        (row,) = server.sql(f"EXPLAIN {text}")
        if name == "PRIMARY":
            assert ("ALL", "NULL", "Using where") == (row[3], row[5], row[-1])
        else:
            assert (name, "Using where; Using index") == (row[5], row[-1])


@pytest.mark.slow
@each_engine
def test_cleanup_leaves_the_settings_as_they_were(server, engine):
    """Something is written, and the global variables stay."""
    sql = "SHOW GLOBAL VARIABLES WHERE Variable_name LIKE '%dirty_pages%'"
    before = server.sql(sql)
    found = server.records(engine, ["l.i0:rows=60000", "cleanup"])

    assert before == server.sql(sql)
    assert kind(found, "step")[-1]["bytes"] > 0


@pytest.mark.slow
def test_cleanup_writes_dirty_pages_back(server):
    """A load leaves hundreds of them, with cleanup after it those of the server's own.

    An open snapshot keeps purge away: when it gets to run it makes the rows' pages dirty
    again, on a busy machine after the cleanup.
    """
    dirty = []
    sql = "START TRANSACTION WITH CONSISTENT SNAPSHOT; SELECT SLEEP(100)"
    with server.client(sql) as reader:
        sleeper = until(lambda: server.sessions("info = 'SELECT SLEEP(100)'"))
        for steps in (["l.i0:rows=60000"], ["l.i0:rows=60000", "cleanup"]):
            server.records("mariadb", steps)
            dirty.append(server.status("Innodb_buffer_pool_pages_dirty"))
        server.sql(f"KILL {sleeper[0]}")
        reader.communicate()

    assert dirty[1] < dirty[0] / 2


@innodb_first
def test_size_is_that_of_the_files(server, engine):
    """Told of the data folder it adds up files, otherwise it asks the server."""
    found = server.records(engine, ["l.i0:rows=3000", "cleanup"], data=server.data)
    pattern = {"mariadb": "ib/pi*.ibd", "myrocks": "#rocksdb/*.sst"}[engine]
    files = sum(file.stat().st_size for file in server.data.glob(pattern))

    assert files == kind(found, "size")[-1]["bytes"] > 50_000
    assert kind(server.records(engine, ["l.i2:rows=5"]), "size")[0]["bytes"] > 50_000


@each_engine
def test_settings_hold_what_matters_and_no_path(server, engine):
    """Settings of the engine and the server's own; none of the other engine."""
    (run,) = kind(server.records(engine, ["l.i0:rows=1"]), "run")
    settings = run["settings"]
    ours, other = ("rocksdb_", "innodb_")[:: 1 if engine == "myrocks" else -1]

    assert re.fullmatch(r"10\.11\.\d+", run["version"])
    assert settings["version"].startswith(run["version"])
    assert "OFF" == settings["log_bin"]
    assert any(name.startswith(ours) for name in settings)
    assert not [name for name in settings if name.startswith(other)]
    assert not [value for value in settings.values() if "/" in value]


@pytest.mark.parametrize(
    ("words", "code"),
    [("user=hugo password=geheim", 1045), ("user=root dbname=secretbase", 1049)],
)
def test_a_refused_connection_is_one_sentence_without_secrets(server, words, code):
    """Neither user, password, database nor socket of the target is in it."""
    socket = server.words.split()[0]
    sentence = refused(server.call("mariadb", ["l.i0:rows=1"], words=f"{socket} {words}"))

    assert sentence.endswith(f"(error {code})")
    assert not re.search("hugo|geheim|localhost|secretbase|/", sentence)


def test_no_server_is_one_sentence(server, tmp_path):
    """Nobody listens at the socket."""
    sentence = refused(
        server.call("myrocks", ["l.i0:rows=1"], words=f"socket={tmp_path}/s user=root")
    )

    assert (
        "no server answers at the target's socket or host and port (error 2002)"
        == sentence
    )


def test_the_wrong_engine_is_refused(server):
    """Results of MariaDB do not get the name of MySQL, nor InnoDB's that of MyRocks."""
    server.records("mariadb", ["l.i0:rows=1"])
    wrong = refused(server.call("mysql", ["l.i0:rows=1"]))
    other = refused(server.call("myrocks", ["l.i1:rows=1"]))

    assert re.fullmatch(
        r"the target is MariaDB 10\.11\.\d+: give it --engine mariadb", wrong
    )
    assert "it is of the storage engine InnoDB, not ROCKSDB" in other


def test_a_killed_connection_fails_the_run(server):
    """KILL by someone else: one sentence that says what was lost."""
    process = server.start("mariadb", ["l.i0:seconds=30"])
    ids = until(lambda: server.sessions("info LIKE 'INSERT INTO pi1%'"))
    server.sql(f"KILL {ids[0]}")

    assert re.fullmatch(
        r"step l\.i0: insert failed: the connection to the server was lost \(error \d+\)",
        refused(finish(process)),
    )


def test_an_interrupt_ends_a_statement_that_waits(server):
    """Ctrl-C while another session keeps the table locked: over at once."""
    process = server.start("mariadb", ["l.i0:seconds=30"])
    until(lambda: server.sessions("info LIKE 'INSERT INTO pi1%'"))
    with server.client("LOCK TABLES pi1 WRITE; SELECT SLEEP(30)") as locker:
        sleeper = until(lambda: server.sessions("info = 'SELECT SLEEP(30)'"))
        until(lambda: server.sessions("state LIKE 'Waiting for table%'"))
        process.send_signal(signal.SIGINT)
        sentence = refused(finish(process))
        server.sql(f"KILL {sleeper[0]}")
        locker.communicate()

    assert "interrupted" == sentence


def test_what_the_server_says_is_told_without_names(server):
    """The table is dropped under the run: the server's words, but not the database's."""
    process = server.start("mariadb", ["l.i0:seconds=30"])
    until(lambda: server.sessions("info LIKE 'INSERT INTO pi1%'"))
    server.sql("DROP TABLE pi1")

    assert (
        "step l.i0: insert failed: Table '***.pi1' doesn't exist (error 1146)"
        == refused(finish(process))
    )


@pytest.mark.slow
@each_engine
def test_a_lock_that_is_waited_for_too_long_is_tried_again(server, engine):
    """Another session holds the oldest rows for 2.5 s; a lock is waited for 1 s."""
    server.records(engine, ["l.i0:rows=100"])
    sql = (
        "BEGIN; SELECT COUNT(*) FROM (SELECT * FROM pi1 WHERE transactionid < 50 "
        "FOR UPDATE) t; SELECT SLEEP(2.5); COMMIT"
    )
    with server.client(sql) as locker:
        until(lambda: server.sessions("info = 'SELECT SLEEP(2.5)'"))
        found = server.records(engine, ["l.i1:rows=50"])
        locker.communicate()
    retries = {s["op"]: s["retries"] for s in kind(found, "step")}

    assert retries["delete"] >= 1
    assert "100" == server.ask("SELECT COUNT(*) FROM pi1")


@pytest.mark.slow
def test_sessions_say_what_they_do(server):
    """Half a second in, one inserts behind another's lock; who asks is not counted."""
    server.records("mariadb", ["l.i0:rows=100"])
    with server.client("LOCK TABLES pi1 READ; SELECT SLEEP(0.9)") as locker:
        until(lambda: server.sessions("info = 'SELECT SLEEP(0.9)'"))
        found = server.records("mariadb", ["l.i2:rows=5"], "--no-delete", "--waits", "1")
        locker.communicate()
    (wait,) = kind(found, "wait")
    (note,) = kind(found, "note")

    assert {"User sleep": 1, "Waiting for table metadata lock": 1} == wait["sessions"]
    assert note["text"].startswith(
        "waits are states of information_schema.processlist, because"
    )
