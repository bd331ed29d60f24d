"""bench/engines/postgres/ on a real PostgreSQL 15: what arrives there, and faults."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from ingest_answers import by_op, kind, refused
from servers import held_server, install_tree

from benchbook.runs.records import check_record, kinds_of_file, parse

pytest_plugins = ("ingest_fixtures", "server_fixtures")
pytestmark = pytest.mark.engine

LOAD = ["l.i0:rows=1230", "l.x", "l.i1:rows=420", "l.i2:rows=23"]
QUERIES = ["qr100.L1:seconds=0.2", "qp100.L2:seconds=0.2", "q1000.1:seconds=0.2"]
EVERYTHING = [*LOAD, "cleanup", *QUERIES, "scan"]
DIGEST = (
    "SELECT md5(string_agg(concat_ws(' ', transactionid, cashregisterid, customerid, "
    "productid, price, data), ',' ORDER BY transactionid)) FROM pi1"
)


@dataclass(frozen=True)
class Server:
    """A server that runs, the driver, and the server's folder."""

    ingest: Path
    tree: Path
    words: str
    data: Path
    log: Path

    def command(self, steps, *options, words=None):
        steps = [word for step in steps for word in ("--step", step)]
        target = words or self.words
        return [
            str(self.ingest), "--engine", "postgres", "--target", target, *steps,
            *options,
        ]  # fmt: skip

    def call(self, steps, *options, words=None):
        """The finished process."""
        return subprocess.run(
            self.command(steps, *options, words=words),
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def records(self, steps, *options):
        """The records of a run that must succeed."""
        done = self.call(steps, *options)
        assert (0, "") == (done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def psql(self, *statements):
        words = [word for sql in statements for word in ("-c", sql)]
        libraries = self.tree / "usr" / "lib" / "x86_64-linux-gnu"
        return subprocess.Popen(
            [self.tree / "usr/lib/postgresql/15/bin/psql", "-XqAt", "-F", " ",
             self.words, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"LD_LIBRARY_PATH": str(libraries)},
        )  # fmt: skip

    def sql(self, *statements):
        """What the statements print, a line for each row."""
        with self.psql(*statements) as process:
            out, error = process.communicate()
        assert "" == error
        return out.splitlines()

    def ask(self, statement):
        return self.sql(statement)[0]

    def await_true(self, statement):
        """Wait until a query says t."""
        for _ in range(100):
            if self.sql(statement) == ["t"]:
                return
            time.sleep(0.05)
        pytest.fail(f"never true: {statement}")


@pytest.fixture(scope="module")
def server(ingest, helpers, tmp_path_factory):
    """PostgreSQL 15 as bench/server.sh starts it, for all tests of this file."""
    tree = install_tree("postgres", "15", "debian")
    home = tmp_path_factory.mktemp("postgres")
    config = "fsync = off\nautovacuum = off\n"
    with held_server("postgres", tree, home, config, helpers) as (target, data):
        yield Server(ingest, tree, target, data, home / "run" / "server.log")


@pytest.mark.parametrize(
    "options",
    [
        ["--index-set", "older"],
        ["--no-prepare"],
        pytest.param([], marks=pytest.mark.slow),
        pytest.param(["--index-set", "older", "--no-prepare"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_every_step_gives_records_and_right_rows(server, options):
    """All steps run; as many rows are there as were inserted and not deleted."""
    found = server.records(EVERYTHING, "--dop", "2", *options)
    kinds = kinds_of_file(parse(json.dumps(found[0])))
    steps = by_op(found, "step")
    rows = sum(
        s["rows"] * {"insert": 1, "delete": -1}.get(op, 0) for (_, op), s in steps.items()
    )

    assert {"run", "begin", "step", "sample", "hist", "size", "use", "end"} == {
        check_record(parse(json.dumps(r)), kinds) for r in found
    }
    assert {"ops": 26, "rows": 2460} == steps["l.i0", "insert"]
    assert str(rows) == server.ask("SELECT count(*) FROM pi1")
    assert steps["qr100.L1", "query"]["rows"] > 0
    assert steps["qp100.L2", "query"]["rows"] > 0


@pytest.mark.parametrize("price", ["int", "real"])
def test_the_table_is_laid_out_as_published(server, price):
    """Types of the columns, a key of a cached sequence, three indexes."""
    server.records(["l.i0:rows=10", "l.x"], "--price", price)

    assert [
        "transactionid bigint", "dateandtime timestamp without time zone",
        "cashregisterid integer", "customerid integer", "productid integer",
        f"price {'integer' if price == 'int' else 'real'}",
        "data character varying(4000)",
    ] == server.sql(
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
        "WHERE attrelid = 'pi1'::regclass AND attnum > 0 AND attnotnull ORDER BY attnum"
    )  # fmt: skip
    assert "1000" == server.ask(
        "SELECT seqcache FROM pg_sequence "
        "WHERE seqrelid = 'pi1_transactionid_seq'::regclass"
    )
    assert [
        "pi1_marketsegment (productid, customerid, price)",
        "pi1_pdc (price, dateandtime, customerid)",
        "pi1_pkey (transactionid)",
        "pi1_registersegment (cashregisterid, customerid, price)",
    ] == server.sql(
        "SELECT indexname, substring(indexdef from '[(].*') FROM pg_indexes "
        "WHERE tablename = 'pi1' ORDER BY 1"
    )


def test_prepared_and_text_insert_the_same_rows(server):
    """--no-prepare and --price change how a row travels, not what it is."""
    steps = ["l.i0:rows=1234", "l.i1:rows=23"]
    digests = []
    for options in (
        [], ["--no-prepare"], ["--price", "real"], ["--price", "real", "--no-prepare"],
    ):  # fmt: skip
        server.records(steps, *options)
        digests.append(server.ask(DIGEST))

    assert 1 == len(set(digests))


@pytest.mark.parametrize("options", [[], ["--no-prepare"]], ids=["prepared", "text"])
def test_the_time_of_a_row_is_now_in_utc(server, options):
    """dateandtime is the moment the row was made, by either way of sending it."""
    server.records(["l.i0:rows=10"], *options)
    age = "(now() at time zone 'UTC') - dateandtime"

    assert "10" == server.ask(
        f"SELECT count(*) FROM pi1 WHERE {age} BETWEEN '0 s' AND '30 s'"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "first", "last", "query"),
    [
        ([], "execute insert100", "execute insert30", "execute range"),
        (["--no-prepare"], "statement", "statement", "statement"),
    ],
    ids=["prepared", "text"],
)
def test_statements_are_prepared_unless_not_wanted(server, options, first, last, query):
    """130 rows are 100 and 30; the server logs each as executed or as a text."""
    before = server.log.stat().st_size
    server.sql("ALTER DATABASE ib SET log_statement = 'all'")
    server.records(["l.i0:rows=130", "l.x", "qr100.L1:seconds=0.1"], *options)
    server.sql("ALTER DATABASE ib RESET log_statement")
    with server.log.open() as log:
        log.seek(before)
        lines = [line.split("LOG:  ", 1)[1] for line in log if "LOG:  " in line]
    inserts = [line for line in lines if "INSERT INTO pi1 " in line]
    queries = [line for line in lines if "ORDER BY" in line and "LIMIT 10" in line]

    assert [first, last] == [line.split(":")[0] for line in inserts[:2]]
    assert queries and all(line.startswith(query) for line in queries)


def test_ten_thousand_rows_are_one_statement(server):
    """60,000 parameters; the rest of 5,000 rows is prepared when it is due."""
    found = server.records(["l.i0:rows=25000:rows_per_commit=10000"])

    assert {"ops": 3, "rows": 25000} == by_op(found, "step")["l.i0", "insert"]
    assert "25000 3" == server.ask("SELECT count(*), count(DISTINCT xmin::text) FROM pi1")


def test_scans_read_the_indexes(server):
    """Each scan reads all entries of its index: the server counts them."""
    server.records(["l.i0:rows=1230", "l.x", "scan"])

    assert ["pi1_marketsegment 1230", "pi1_pdc 1230", "pi1_registersegment 1230"] == (
        server.sql(
            "SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes "
            "WHERE relname = 'pi1' AND indexrelname <> 'pi1_pkey' ORDER BY 1"
        )
    )


def test_cleanup_vacuums_and_writes_back(server):
    """cleanup leaves statistics and no dead rows, and counts what a checkpoint wrote."""
    found = server.records(["l.i0:rows=1000", "l.i1:rows=100", "cleanup"])
    step = next(s for s in kind(found, "step") if s["step"] == "cleanup")

    assert step["bytes"] > 1000 * 40
    assert "1000 t" == server.ask(
        "SELECT reltuples, relallvisible = relpages FROM pg_class WHERE relname = 'pi1'"
    )


def test_a_load_removes_the_tables_of_an_earlier_run(server):
    """pi2 of a run with a table for each client does not count in the next one's size."""
    server.records(["l.i0:rows=10"], "--dop", "2", "--tables", "dop")
    server.records(["l.i0:rows=10"])

    assert ["pi1"] == server.sql("SELECT relname FROM pg_class WHERE relname ~ '^pi.$'")


def test_a_table_of_somebody_else_is_kept(server):
    """A table pi1 that is not the benchmark's is neither removed nor written to."""
    server.sql("DROP TABLE IF EXISTS pi1", "CREATE TABLE pi1 (id int)")
    done = server.call(["l.i0:rows=10"])
    server.sql("DROP TABLE pi1")

    assert 'cannot create table pi1: relation "pi1" already exists' == refused(done)


def test_the_run_record_names_no_place_and_nobody(server):
    """Settings that are not the defaults are there; paths, hosts and users are not."""
    run = server.records(["l.i0:rows=10"])[0]

    assert ("off", "128MB", "UTF8") == tuple(
        run["settings"][name] for name in ("fsync", "shared_buffers", "server_encoding")
    )
    assert run["settings"]["version_string"].startswith(f"PostgreSQL {run['version']} ")
    assert not [v for v in run["settings"].values() if v.startswith("/") or "bb-" in v]
    assert str(server.data) not in json.dumps(run)


def test_a_wrong_password_is_one_sentence_without_names(server):
    """Neither the host nor the user nor the password is in it, nor in a record."""
    hba = server.data / "pg_hba.conf"
    hba.write_text("local all bob scram-sha-256\n" + hba.read_text())
    loaded = server.ask("SELECT pg_conf_load_time()")
    server.sql("CREATE ROLE bob LOGIN PASSWORD 'right'", "SELECT pg_reload_conf()")
    server.await_true(f"SELECT pg_conf_load_time() > '{loaded}'")
    words = server.words.replace("user=postgres", "user=bob password=wrong-word")
    done = server.call(["l.i0:rows=1"], words=words)

    assert (
        'cannot connect to the server: password authentication failed for user "***"'
        == refused(done)
    )
    assert not [
        text
        for text in ("bob", "wrong-word", "/tmp")
        if text in done.stdout.split("boot_id")[0]
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("hugo", "the target is not a connection string: it must be words such as host= "
         "port= user= password= dbname=, or a URI"),
        ("host=localhost port=1 user=eve dbname=ib", "cannot connect to the server: "
         "Connection refused; Is the server running on that host and accepting TCP/IP "
         "connections?"),
        ("postgresql://eve:a%22b@no-such.invalid/ib", "cannot connect to the server: "
         'could not translate host name "***" to address: Name or service not known'),
    ],
    ids=["no words", "nobody there", "no such host"],
)  # fmt: skip
def test_an_unreachable_server_is_one_sentence(ingest, words, sentence):
    """What is wrong, and nothing of the target."""
    command = [ingest, "--engine", "postgres", "--target", words, "--step", "l.i0:rows=1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert sentence == refused(done)


def test_a_database_that_is_missing_is_one_sentence(server):
    """The database must be there; its name is not repeated."""
    words = server.words.replace("dbname=ib", "dbname=nowhere")

    assert 'cannot connect to the server: database "***" does not exist' == refused(
        server.call(["l.i0:rows=1"], words=words)
    )


def test_a_lost_connection_fails_the_run(server):
    """A backend that the administrator ends: one sentence, status failed."""
    client = "application_name = 'benchbook' AND query LIKE 'INSERT%'"
    with subprocess.Popen(
        server.command(["l.i0:rows=50000000"]),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        server.await_true(f"SELECT count(*) > 0 FROM pg_stat_activity WHERE {client}")
        server.sql(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {client}"
        )
        out, error = process.communicate()
    done = subprocess.CompletedProcess([], process.returncode, out, error)

    assert refused(done) in (
        "step l.i0: insert failed: the connection to the server was lost: terminating "
        "connection due to administrator command",
        "step l.i0: insert failed: the connection to the server was lost: server closed "
        "the connection unexpectedly",
    )


@pytest.mark.slow
def test_a_lock_that_is_not_to_be_had_is_tried_again(server):
    """lock_timeout: the statement is repeated, counted and noted; nothing is lost."""
    server.sql("ALTER DATABASE ib SET lock_timeout = '20ms'")
    command = server.command(["l.i0:rows=200000"])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        server.await_true("SELECT to_regclass('pi1') IS NOT NULL")
        server.await_true(
            "SELECT count(*) > 0 FROM pg_stat_activity WHERE query ~ '^INSERT INTO pi1'"
        )
        server.psql(
            "SET lock_timeout = 0", "BEGIN", "LOCK TABLE pi1", "SELECT pg_sleep(0.3)"
        ).communicate()
        out, _ = process.communicate()
    server.sql("ALTER DATABASE ib RESET lock_timeout")
    found = [json.loads(line) for line in out.splitlines()]

    assert "ok" == found[-1]["status"]
    assert kind(found, "step")[0]["retries"] > 0
    assert "the engine was busy" in kind(found, "note")[0]["text"]
    assert "200000" == server.ask("SELECT count(*) FROM pi1")


def test_a_signal_ends_the_statement_in_the_server_too(server):
    """Ctrl-C while a statement waits: the client ends at once, its backend too."""
    server.records(["l.i0:rows=100"])
    holder = server.psql("BEGIN", "LOCK TABLE pi1 IN SHARE MODE", "SELECT pg_sleep(60)")
    server.await_true("SELECT count(*) > 0 FROM pg_locks WHERE mode = 'ShareLock'")
    with subprocess.Popen(
        server.command(["l.i1:rows=1"], "--no-delete"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        server.await_true("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted")
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=5)
    done = subprocess.CompletedProcess([], process.returncode, out, error)
    server.await_true("SELECT count(*) = 0 FROM pg_locks WHERE NOT granted")
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'ShareLock'")
    holder.communicate()

    assert "interrupted" == refused(done)


@pytest.mark.parametrize(
    ("prepare", "sentence"),
    [
        ("DROP TABLE pi1", 'relation "pi1" does not exist'),
        ("SELECT 1", "its column price is not real, as --price asks"),
    ],
    ids=["no table", "other price"],
)
def test_a_table_that_does_not_fit_is_refused(server, prepare, sentence):
    """Steps without l.i0 need the table that they would have made."""
    server.records(["l.i0:rows=10"])
    server.sql(prepare)

    assert f"cannot read table pi1: {sentence}; begin with the step l.i0 to make it" == (
        refused(server.call(["l.i1:rows=1"], "--price", "real"))
    )


def test_an_index_of_other_columns_does_not_count(server):
    """A step that needs the indexes looks at their columns, not at their names."""
    server.records(["l.i0:rows=10", "l.x"])
    server.sql("DROP INDEX pi1_pdc", "CREATE INDEX pi1_pdc ON pi1 (price, customerid)")

    assert "table pi1 has 2 of them" in refused(server.call(["qr100.L1:seconds=0.1"]))


@pytest.mark.slow
def test_sessions_say_what_they_wait_for(server):
    """Half a second in, one inserts behind another's lock; who asks is not counted."""
    server.records(["l.i0:rows=100"])
    lock = "LOCK TABLE pi1 IN EXCLUSIVE MODE"
    with server.psql("BEGIN", lock, "SELECT pg_sleep(0.9)", "COMMIT") as locker:
        server.await_true(
            "SELECT count(*) = 1 FROM pg_locks WHERE mode = 'ExclusiveLock' "
            "AND relation = 'pi1'::regclass"
        )
        found = server.records(["l.i2:rows=5"], "--no-delete", "--waits", "1")
        locker.communicate()
    (step,) = kind(found, "step")
    (wait,) = kind(found, "wait")
    (note,) = kind(found, "note")

    assert {"Lock:relation": 1, "Timeout:PgSleep": 1} == wait["sessions"]
    assert step["start_ns"] + 0.5e9 <= wait["t_ns"] <= step["end_ns"]
    assert note["text"].startswith("waits are from pg_stat_activity: ")


@pytest.mark.slow
def test_a_run_outlives_who_asks_for_its_waits(server):
    """The connection that asks is ended by someone else: one note, no failure."""
    server.records(["l.i0:rows=100"])
    words = server.command(["l.i2:seconds=3"], "--waits", "1")
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as driver:
        asks = "FROM pg_stat_activity WHERE query LIKE '%pid NOT IN%' AND state = 'idle'"
        asks += " AND query NOT LIKE '%FROM pg_stat_activity WHERE query%'"  # our own
        server.await_true(f"SELECT count(*) = 1 {asks}")
        server.ask(f"SELECT pg_terminate_backend(pid) {asks}")
        found = [json.loads(line) for line in driver.stdout]
    source, failure = (note["text"] for note in kind(found, "note"))

    assert (0, "ok") == (driver.returncode, found[-1]["status"])
    assert 1 == len(kind(found, "wait"))
    assert source.startswith("waits are from pg_stat_activity: ")
    assert failure.startswith("what the sessions wait for is not asked from here on: ")
