"""bench/sql on real servers and DuckDB: rows, statements, deadlocks, a killed server."""

from __future__ import annotations

import json
import subprocess

import pytest
from ingest_answers import by_op, kind
from places import BENCH, ROOT
from servers import held_server, install_tree
from sql_fixtures import SYSBENCH, SYSBENCH_ROWS, all_steps, check_sums

pytest_plugins = ("sql_fixtures", "server_fixtures")
pytestmark = pytest.mark.engine

DEADLOCKS = ROOT / "tests" / "data" / "deadlocks"
INNODB = """\
innodb_buffer_pool_size = 64M
innodb_log_file_size = 16M
innodb_flush_log_at_trx_commit = 0
group_concat_max_len = 16777216
"""
ROCKSDB = "rocksdb_block_cache_size = 64M\nrocksdb_flush_log_at_trx_commit = 0\n"
# The engine: version and source of its tree, and settings for tests.
SERVERS = {
    "postgres": ("postgres", "15", "debian", "fsync = off\ndeadlock_timeout = 10ms\n"),
    "mariadb": ("mariadb", "10.11", "debian", INNODB),
    "myrocks": ("mariadb", "10.11", "debian", INNODB + ROCKSDB),
    "mysql": ("mysql", "8.0.12", "jar", INNODB),
}
FIVE = [
    "point-query.range100", "points-covered-si.range100", "read-write.range10",
    "update-inlist.range100", "insert.range100",
]  # fmt: skip
# Small tables of the other workloads.
OTHERS = {
    "ycsb": ["records=300"],
    "tpcb": ["accounts=300", "scale=2"],
    "tpcc": ["warehouses=2", "customers=30", "items=200"],
}
# Variants of the microbenchmarks, which take long.
VARIANTS = ("sysbench-secondary", "sysbench-corrected")
# All rows in one text, made by the engine; the driver compares it.
DIGEST = rf"""
statement digest
  sql SELECT md5(string_agg(concat_ws('|', id, k, rtrim(c), rtrim(pad)), chr(10) \
    ORDER BY id)) FROM {{sbtest}}
  sql@mysql,mariadb,myrocks SELECT MD5(GROUP_CONCAT(CONCAT_WS('|', id, k, c, pad) \
    ORDER BY id SEPARATOR '\n')) FROM {{sbtest}}
  bind expected text constant {SYSBENCH_ROWS}
  rows 1
  value expected
step digest
  do digest
"""


@pytest.fixture(scope="module")
def target(request, helpers, tmp_path_factory):
    """An engine and its server's words."""
    name, version, source, config = SERVERS[request.param]
    tree = install_tree(name, version, source)
    home = tmp_path_factory.mktemp(request.param)
    with held_server(request.param, tree, home, config, helpers) as (words, _):
        yield request.param, words


def servers(*names, slow=("mysql",)):
    """Tests on each of these servers; MySQL's is started when slow tests are wanted."""
    marks = dict.fromkeys(slow, pytest.mark.slow)
    return pytest.mark.parametrize(
        "target", [pytest.param(n, marks=marks.get(n, ())) for n in names], indirect=True
    )


@pytest.fixture
def run(sql, tmp_path):
    """A function that runs steps of a workload on a server and gives the records."""

    def run(target, workload, steps, *options):
        engine, words = target
        if isinstance(workload, str):
            (tmp_path / "workload").write_text(workload)
            workload = tmp_path / "workload"
        steps = [word for step in steps for word in ("--step", step)]
        done = subprocess.run(
            [sql, "--engine", engine, "--target", words, "--workload", workload, *steps,
             *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ("", 0) == (done.stderr, done.returncode)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.mark.slow
@servers("postgres", "mariadb", "myrocks", "mysql")
@pytest.mark.parametrize("options", [[], ["--no-prepare"]], ids=["prepared", "text"])
def test_five_microbenchmarks_on_a_server(target, run, options):
    """The rows are those of every engine; each step sends and gets what it should."""
    steps = ["load", "digest:events=1", "index", *(f"{s}:events=20" for s in FIVE)]
    text = SYSBENCH.read_text() + DIGEST
    found = run(target, text, steps, "--set", "table_size=1000", "--dop", "2", *options)
    done = by_op(found, "step")
    plans = {s["name"]: s.get("plan") for s in kind(found, "statement")}

    check_sums(found)
    assert {"ops": 20, "rows": 20} == done["point-query.range100", "query"]
    assert 20 * 20 == done["read-write.range10", "query"]["ops"]
    assert 20 == done["insert.range100", "query"]["rows"]
    assert plans["point"]


@servers("postgres", "mariadb", "myrocks", "mysql", slow=("mariadb", "myrocks", "mysql"))
def test_other_workloads_on_a_server(target, run, sql):
    """Every step of the other files, two clients: answers right, nothing given up."""
    for name, sets in OTHERS.items():
        file = BENCH / "workloads" / name / "workload"
        options = [word for text in sets for word in ("--set", text)]
        check_sums(run(target, file, all_steps(sql, file), *options, "--dop", "2"))


@pytest.mark.slow
def test_other_workloads_on_duckdb(records_of_sql, sql, monkeypatch):
    """The same on DuckDB, one client."""
    tree = install_tree("duckdb", "1.5.6", "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    for name, sets in OTHERS.items():
        file = BENCH / "workloads" / name / "workload"
        options = [word for text in sets for word in ("--set", text)]
        check_sums(records_of_sql("duckdb", file, all_steps(sql, file), *options))


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--no-prepare"]], ids=["prepared", "text"])
def test_five_microbenchmarks_on_duckdb(records_of_sql, monkeypatch, options):
    """The same on DuckDB."""
    tree = install_tree("duckdb", "1.5.6", "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    steps = ["load", "digest:events=1", "index", *(f"{s}:events=4" for s in FIVE)]
    text = SYSBENCH.read_text() + DIGEST
    found = records_of_sql("duckdb", text, steps, "--set", "table_size=1000", *options)

    check_sums(found)
    assert 4 * 20 == by_op(found, "step")["read-write.range10", "query"]["ops"]


@pytest.mark.slow
@servers("postgres", "mariadb", "myrocks", "mysql")
def test_all_microbenchmarks_on_a_server(target, run, sql):
    """Every step of the workload in the published order."""
    check_sums(run(target, SYSBENCH, all_steps(sql), "--set", "table_size=20000"))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["null", "sqlite", "duckdb"])
def test_all_microbenchmarks_in_the_process(engine, records_of_sql, sql, monkeypatch):
    """The same where the engine is a library."""
    if engine == "duckdb":
        tree = install_tree("duckdb", "1.5.6", "npm")
        monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    check_sums(
        records_of_sql(engine, SYSBENCH, all_steps(sql), "--set", "table_size=20000")
    )


@pytest.mark.slow
@servers("postgres", "mariadb", "myrocks", "mysql")
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_of_the_microbenchmarks_on_a_server(target, run, sql, name):
    """Every step, two clients and two tables."""
    file = BENCH / "workloads" / name / "workload"
    options = ("--set", "table_size=2000", "--set", "tables=2", "--dop", "2")
    check_sums(run(target, file, all_steps(sql, file), *options))


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_of_the_microbenchmarks_on_duckdb(
    name, records_of_sql, sql, monkeypatch
):
    """Twice: a second load finds what the first left."""
    tree = install_tree("duckdb", "1.5.6", "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))
    file = BENCH / "workloads" / name / "workload"
    for _ in range(2):
        options = ("--set", "table_size=2000")
        check_sums(records_of_sql("duckdb", file, all_steps(sql, file), *options))


@pytest.mark.slow
@servers("postgres", "mariadb", "myrocks")
def test_deadlocks_are_sent_again(target, run):
    """Two clients, two rows, opposite orders: undone, counted and noted."""
    found = run(target, DEADLOCKS, ["load", "cross:seconds=1"], "--dop", "2")
    step = next(s for s in kind(found, "step") if s["op"] == "transaction")
    (note,) = kind(found, "note")

    assert step["retries"] > 0 == step["errors"]
    assert note["text"].startswith(f"the engine undid {step['retries']} events")
    assert step["retries"] == sum(s["retries"] for s in kind(found, "statement"))


@pytest.mark.slow
@servers("postgres")
def test_serialization_failures_are_sent_again(target, run):
    """Clients that read what the others change cannot all be serial."""
    found = run(target, DEADLOCKS, ["load", "serializable:seconds=1"], "--dop", "4")
    step = next(s for s in kind(found, "step") if s["op"] == "transaction")
    begin = next(s for s in kind(found, "statement") if s["name"] == "begin")

    assert step["retries"] > 0 == step["errors"]
    assert step["ops"] > 0
    assert "BEGIN ISOLATION LEVEL SERIALIZABLE" == begin["sql"]


def test_the_servers_memory_is_told(sql, helpers, tmp_path):
    """What its processes share is counted once: as the kernel splits it, of all of them.

    Postgres has a process per connection and for each of its tasks, some seven of the
    same 20 MB; asked again when the client has gone, whose own process had a few more.
    """
    name, version, source, config = SERVERS["postgres"]
    (tmp_path / "config").write_text(config)
    script = (
        '"$@"; server=$BENCH_SERVER_PID; sleep 0.3; cat /proc/$server/smaps_rollup '
        "$(printf '/proc/%s/smaps_rollup ' $(cat /proc/$server/task/*/children)) |"
        " awk '/^Pss:/ { kib += $2 } END { print kib * 1024 }' >&2"
    )
    words = [
        BENCH / "server.sh", "run", "--engine", "postgres",
        "--basedir", install_tree(name, version, source),
        "--config", tmp_path / "config", "--dir", tmp_path / "server",
        "--bin", helpers, "--", "bash", "-c", script, "-",
        sql, "--engine", "postgres", "--target", "{server}", "--workload", DEADLOCKS,
        "--step", "load",
    ]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=40)
    (use,) = [r for r in map(json.loads, done.stdout.splitlines()) if r["kind"] == "use"]

    assert 0.8 < use["memory_bytes"] / int(done.stderr.split()[-1]) < 2


@pytest.mark.parametrize(
    "engine", ["postgres", pytest.param("mariadb", marks=pytest.mark.slow)]
)
def test_a_killed_server_fails_the_run(engine, sql, helpers, tmp_path):
    """kill -9 within a step: one sentence within seconds, a record of the end."""
    name, version, source, config = SERVERS[engine]
    (tmp_path / "config").write_text(config)
    out, error = tmp_path / "out", tmp_path / "error"
    script = (
        f'"$@" >{out} 2>{error} & driver=$!; '
        f'until grep -q \'"begin","step":"cross"\' {out}; do sleep 0.05; done; '
        "kill -9 $BENCH_SERVER_PID; wait $driver; echo $?"
    )
    words = [
        BENCH / "server.sh", "run", "--engine", engine,
        "--basedir", install_tree(name, version, source),
        "--config", tmp_path / "config", "--dir", tmp_path / "server",
        "--bin", helpers, "--", "bash", "-c", script, "-",
        sql, "--engine", engine, "--target", "{server}", "--workload", DEADLOCKS,
        "--step", "load", "--step", "cross:seconds=60",
    ]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=40)
    (sentence,) = error.read_text().splitlines()
    end = json.loads(out.read_text().splitlines()[-1])

    assert "1" == done.stdout.strip()
    assert sentence.startswith("sql: step cross: ")
    assert ("end", sentence) == (end["kind"], "sql: " + end["reason"])
