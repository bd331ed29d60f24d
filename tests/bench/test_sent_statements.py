"""What the driver sql really sends, by the log of the engine: the 42 microbenchmarks.

SQLite's trace hook says it in test_sql.py, the real sysbench is in test_sysbench.py.
"""

from __future__ import annotations

import subprocess

import pytest
from sent_statements import (
    defined_events,
    per_event,
    read_log,
    sessions_of,
    sessions_of_duckdb,
)
from servers import held_server, install_tree, until
from sql_fixtures import SYSBENCH

pytest_plugins = ("sql_fixtures", "server_fixtures")
pytestmark = [pytest.mark.engine, pytest.mark.slow]

EVENTS = 3
GENERAL_LOG = """\
[mysqld]
general_log = 1
general_log_file = sent
innodb_flush_log_at_trx_commit = 0
"""
# The engine: version and source of its tree, and settings that log every statement.
LOGGED = {
    "postgres": ("postgres", "15", "debian", "log_statement = 'all'\nfsync = off\n"),
    "mariadb": ("mariadb", "10.11", "debian", GENERAL_LOG),
    "myrocks": ("mariadb", "10.11", "debian", GENERAL_LOG),
    "mysql": ("mysql", "8.0.12", "jar", GENERAL_LOG),
}
SIZE = ("--set", "table_size=500")
# A step that comes before the others in their process has it log from there on.
DUCKDB_LOG = """
statement log
  sql CALL enable_logging('QueryLog', storage = 'file', storage_path = '{}')
  text
step log
  do log
"""
how_sent = pytest.mark.parametrize(
    "options", [(), ("--no-prepare",)], ids=["prepared", "text"]
)


def measured_steps():
    return [f"{step}:events={EVENTS}" for step in defined_events()]


def events_of(sessions):
    """What one event of each step sent; a step's client has a session of its own."""
    sent = [per_event(session, EVENTS) for session in sessions]
    return dict(zip(defined_events(), sent, strict=True))


@how_sent
@pytest.mark.parametrize("engine", LOGGED)
def test_servers_are_sent_what_the_definition_says(
    engine, options, sql, helpers, tmp_path
):
    """All 42: each statement in the server's log as often as it should be, no other."""
    name, version, source, config = LOGGED[engine]
    tree = install_tree(name, version, source)
    with held_server(engine, tree, tmp_path, config, helpers) as (words, data):
        log = tmp_path / "run" / "server.log" if engine == "postgres" else data / "sent"

        def run(*steps):
            command = [sql, "--engine", engine, "--target", words, "--workload", SYSBENCH]
            command += [*SIZE, *options, *(w for s in steps for w in ("--step", s))]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert ("", 0) == (done.stderr, done.returncode)

        run("load", "index")
        # The first session of a process asks for version, settings and sizes.
        before = len(sessions_of(read_log(log))) + 1
        run(*measured_steps())
        sessions = until(
            lambda: len(found := sessions_of(read_log(log))[before:]) == 42 and found
        )

    assert defined_events() == events_of(sessions)


@how_sent
def test_duckdb_is_sent_what_the_definition_says(
    options, records_of_sql, tmp_path, monkeypatch
):
    """The same by DuckDB's own log."""
    tree = install_tree("duckdb", "1.5.6", "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    log = tmp_path / "log"
    log.mkdir()
    text = SYSBENCH.read_text() + DUCKDB_LOG.format(log)
    steps = ["load", "index", "log:events=1", *measured_steps()]
    records_of_sql("duckdb", text, steps, *SIZE, *options)
    sessions = [s for s in sessions_of_duckdb(log) if per_event(s, EVENTS)]

    assert defined_events() == events_of(sessions)
