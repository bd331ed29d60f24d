"""`--waits 1` of bench/ingest: what the sessions of a server wait for, once a second.

What Postgres 15 and MariaDB 10.11 say is in the tests of their engines.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from ingest_answers import kind
from servers import held_server, install_tree

pytest_plugins = ("ingest_fixtures", "server_fixtures")
pytestmark = [pytest.mark.engine, pytest.mark.slow]  # what they start takes long

POSTGRES = [
    ("9.6.24", "jar"), ("10.23", "jar"), ("11.22", "jar"), ("12.22", "jar"),
    ("13.23", "jar"), ("14.24", "jar"), ("16.15", "jar"), ("17.11", "jar"),
    ("18.6", "jar"),
]  # fmt: skip
MYSQL = [
    ("mysql", "5.5.9", "jar"), ("mysql", "5.6.24", "npm"), ("mysql", "5.7.22", "jar"),
    ("mysql", "8.0.12", "jar"), ("mysql", "9.7", "sid"),
    ("mariadb", "10.1.23", "jar"), ("mariadb", "11.8", "trixie"),
]  # fmt: skip
EVENTS = """\
performance_schema = ON
performance_schema_consumer_events_waits_current = ON
performance_schema_instrument = 'wait/%=ON'
"""


@pytest.mark.parametrize("engine", ["null", "sqlite"])
def test_an_embedded_engine_has_no_sessions(call, engine):
    """--waits 1 is refused before anything runs, in one sentence."""
    done = call(engine, ["l.i0:rows=1"], "--waits", "1")

    assert (2, "") == (done.returncode, done.stdout)
    assert (
        f"ingest: --waits 1: {engine} runs inside this program and has no sessions that "
        "could wait; leave it out\n" == done.stderr
    )


def test_waits_are_asked_for_only_on_request(records):
    """The run record says whether they were."""
    found = records("null", ["l.i0:rows=1"], "--waits", "0")

    assert "0" == found[0]["options"]["waits"]
    assert [] == kind(found, "wait")


def asked(ingest: Path, engine: str, target: str, *steps: str) -> list[dict]:
    """The records of a run with --waits 1 that must succeed."""
    words = [word for step in steps for word in ("--step", step)]
    done = subprocess.run(
        [ingest, "--engine", engine, "--target", target, "--waits", "1", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (0, "") == (done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(("version", "source"), POSTGRES, ids=str)
def test_every_version_of_postgres_answers(ingest, helpers, tmp_path, version, source):
    """The worker of a cleanup that is over is the only other session, and idle."""
    tree = install_tree("postgres", version, source)
    config = "fsync = off\nautovacuum = off\n"
    with held_server("postgres", tree, tmp_path, config, helpers) as (target, _):
        found = asked(ingest, "postgres", target, "l.i0:rows=10", "cleanup:seconds=2.8")

    assert 1 in [wait["sessions"].get("idle") for wait in kind(found, "wait")]
    assert kind(found, "note")[0]["text"].startswith("waits are from pg_stat_activity")


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "version", "source"), MYSQL, ids=str)
def test_every_version_of_mysql_answers(
    ingest, helpers, tmp_path, engine, version, source
):
    """As above; as shipped, none of them records current waits."""
    tree = install_tree(engine, version, source)
    with held_server(engine, tree, tmp_path, "sync_binlog = 0\n", helpers) as (target, _):
        found = asked(ingest, engine, target, "l.i0:rows=10", "cleanup:seconds=2.8")

    assert {"idle": 1} in [wait["sessions"] for wait in kind(found, "wait")]
    assert "information_schema.processlist" in kind(found, "note")[0]["text"]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mariadb", "myrocks"])
def test_events_are_read_where_they_are_recorded(ingest, helpers, tmp_path, engine):
    """With performance_schema and its consumer on, waits are named as instruments are."""
    tree = install_tree("mariadb", "10.11", "debian")
    with held_server("myrocks", tree, tmp_path, EVENTS, helpers) as (target, _):
        found = asked(ingest, engine, target, "l.i0:seconds=4", "cleanup:seconds=2.8")
    waits = {
        step: [w["sessions"] for w in kind(found, "wait") if w["step"] == step]
        for step in ("l.i0", "cleanup")
    }
    sessions = [sum(n for name, n in w.items() if not name.startswith("background "))
                for w in waits["l.i0"]]  # fmt: skip

    assert "performance_schema.events_waits_current" in kind(found, "note")[0]["text"]
    assert [1, 1, 1, 1] == sessions
    assert {"idle": 1} == {k: v for k, v in waits["cleanup"][-1].items()
                           if not k.startswith("background ")}  # fmt: skip
