"""The driver sysbench: the real one on servers, what it sends, how its failures read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from sent_statements import defined_events, read_log, sessions_of
from servers import compiled, held_server, until

pytest_plugins = ("server_fixtures",)
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not shutil.which("sysbench"), reason="needs sysbench"),
]
EVENTS = 3
FIVE = (
    "point-query.range100", "points-covered-si.range100", "read-write.range10",
    "update-inlist.range100", "insert.range100",
)  # fmt: skip
LOGGED = {
    "postgres": "log_statement = 'all'\nfsync = off\n",
    "mariadb": "[mysqld]\ngeneral_log = 1\ngeneral_log_file = sent\n"
    "innodb_flush_log_at_trx_commit = 2\n",
}


@pytest.fixture(scope="session")
def program(builds) -> Path:
    """The driver as a study has it: with `now` and its Lua beside it."""
    compiled(builds, "keeper")
    return compiled(builds, "sysbench") / "sysbench.sh"


def words_of(steps, settings=""):
    return [word for step in steps for word in ("--step", f"{step}{settings}")]


def call(program: Path, *words: object, **environment: str):
    return subprocess.run(
        [program, *map(str, words)], capture_output=True, text=True, check=False,
        env=os.environ | environment,
    )  # fmt: skip


def records_of(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def sent_by(program, engine, tree, home, helpers, steps):
    """What an event of each step sent, by the server's own log."""
    with held_server(engine, tree, home, LOGGED[engine], helpers) as (target, data):
        start = (
            "--engine",
            engine,
            "--target",
            target,
            "--out",
            home,
            "--table-size",
            500,
        )
        setup = call(program, *start, "--step", "load", "--step", "index")
        assert 0 == setup.returncode, setup.stderr
        log = home / "run" / "server.log" if engine == "postgres" else data / "sent"
        before = len(sessions_of(read_log(log)))
        done = call(program, *start, *words_of(steps, f":events={EVENTS}"))
        assert 0 == done.returncode, done.stderr
        # The first session asks for version and settings.
        sessions = until(
            lambda: len(found := sessions_of(read_log(log))[before + 1 :])
            == len(steps) and found
        )  # fmt: skip
    return {
        step: {sql: count / EVENTS for sql, count in session.items()}
        for step, session in zip(steps, sessions, strict=True)
    }


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_events_send_what_their_definition_says(
    request, program, engine, tmp_path, helpers
):
    """Five of the 42, counted in the server's log of statements."""
    tree = request.getfixturevalue(engine)
    sent = sent_by(program, engine, tree, tmp_path, helpers, FIVE)

    assert {step: defined_events()[step] for step in FIVE} == sent


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_all_42_send_what_their_definition_says(
    request, program, engine, tmp_path, helpers
):
    """Each statement of each microbenchmark, and no other."""
    tree, events = request.getfixturevalue(engine), defined_events()
    sent = sent_by(program, engine, tree, tmp_path, helpers, list(events))

    assert (42, events) == (len(sent), sent)


@pytest.mark.slow
def test_intervals_and_percentiles_are_kept(program, postgres, tmp_path, helpers):
    """The output has a line per second and a histogram; records say what is not there."""
    steps = ["load", "index", "point-query.range100:seconds=2:warmup=1"]
    with held_server("postgres", postgres, tmp_path, "fsync = off\n", helpers) as (at, _):
        done = call(
            program, "--engine", "postgres", "--target", at, "--out", tmp_path,
            "--table-size", 500, *words_of(steps),
        )  # fmt: skip
    records = records_of(done)
    output = (tmp_path / "sb.o.point-query.range100.pk1.dop1").read_text()
    notes = " ".join(r["text"] for r in records if r["kind"] == "note")

    assert ("ok", len(records)) == (records[-1]["status"], records[-1]["lines"])
    assert "[ 1s ] thds: 1 tps: " in output and "Latency histogram" in output
    assert "counts events" in notes and "1 s of the same test ran before" in notes


@pytest.mark.slow
def test_a_script_of_the_user_s_runs(program, postgres, tmp_path, helpers):
    """One that came with sysbench, with an option of its own."""
    with held_server("postgres", postgres, tmp_path, "fsync = off\n", helpers) as (at, _):
        done = call(
            program, "--engine", "postgres", "--target", at, "--out", tmp_path,
            "--script", "oltp_read_only", "--set", "table_size=300",
            *words_of(["load", "reads:events=4", "cleanup"]),
        )  # fmt: skip
    records = records_of(done)
    ops = [(r["step"], r["op"]) for r in records if r["kind"] == "step"]

    assert len(records) == records[-1]["lines"]
    assert ("reads", "query") in ops and ("reads", "transaction") in ops
    assert (
        "total number of events:              4"
        in (tmp_path / "sb.o.reads.dop1").read_text()
    )


@pytest.mark.slow
def test_a_statement_that_fails_at_once_is_one_sentence(
    program, mariadb, tmp_path, helpers
):
    """The table is not there: the step and the server's own words."""
    with held_server("mariadb", mariadb, tmp_path, LOGGED["mariadb"], helpers) as (at, _):
        done = call(
            program, "--engine", "mariadb", "--target", at, "--out", tmp_path,
            *words_of(["insert.range100:events=1"]),
        )  # fmt: skip

    assert 1 == done.returncode == len(done.stderr.splitlines())
    assert "step insert.range100 failed: " in done.stderr
    assert "sbtest1' doesn't exist" in done.stderr
    assert "failed" == records_of(done)[-1]["status"]


@pytest.mark.slow
def test_a_password_is_no_argument_and_in_no_message(program, mariadb, tmp_path, helpers):
    """It reaches the server from the environment, whatever characters it has."""
    home = tmp_path / "out"
    home.mkdir()
    with held_server("mariadb", mariadb, tmp_path, LOGGED["mariadb"], helpers) as (at, _):
        start = ("--engine", "mariadb", "--out", home, "--target")
        refused = call(program, *start, f"{at} password=geheim", "--version")
        wrong = call(
            program, *start, "env:WHERE", "--version", WHERE=f"{at} password='ge #=h'"
        )

    assert (2, 1) == (refused.returncode, wrong.returncode)
    assert "env:NAME" in refused.stderr and "geheim" not in refused.stderr
    assert "(using password: YES)" in wrong.stderr or "connect" in wrong.stderr
    assert "ge #=h" not in wrong.stderr and at.split()[0][7:] not in wrong.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--step", "point-query"], "no step point-query"),
        (["--step", "scan.range100:rows=5"], "takes seconds="),
        (["--step", "load:seconds=5"], "it ends when it is done"),
        (["--step", "load", "--set", "rows=1"], "no option rows"),
        (["--step", "load", "--step", "load"], "stands twice"),
        (["--step", "load", "--dop", "0"], "at least 1"),
    ],
)
def test_usage_is_refused_before_anything_is_sent(program, tmp_path, words, said):
    """One sentence, exit 2."""
    target = ("--target", "host=/nowhere", "--out", tmp_path)
    done = call(program, "--engine", "postgres", *target, *words)

    assert (2, "") == (done.returncode, done.stdout)
    assert said in done.stderr and 1 == len(done.stderr.splitlines())


SCRIPT = """\
sysbench.cmdline.options = { rows_of_it = {"rows of the table", 10} }
function prepare()
   local con = sysbench.sql.driver():connect()
   con:query("CREATE TABLE mine (id INTEGER)")
   for i = 1, sysbench.opt.rows_of_it do
      con:query("INSERT INTO mine VALUES (" .. i .. ")")
   end
end
function thread_init() con = sysbench.sql.driver():connect() end
function event()
   assert(con:query_row("SELECT COUNT(*) FROM mine") == tostring(sysbench.opt.rows_of_it))
end
"""
SCRIPTED = """\
title: How fast is mine?
template: inserts
driver: sysbench
script: own/my.lua
base: {rows_of_it: "7"}
engines: [{engine: postgres, version: "15", source: debian}]
matrix: {rows_of_it: [7, 9]}
steps: [load, "mine:events=20"]
trials: 1
"""
STUDY = """\
title: How fast is a point query?
template: inserts
driver: sysbench
base: {table_size: "500"}
engines: [{engine: postgres, version: "15", source: debian}]
matrix: {table_size: [500]}
steps: [load, index, "point-query.range100:seconds=1", "read-write.range10:seconds=1"]
trials: 1
"""


@pytest.mark.slow
def test_a_study_runs_and_its_output_is_loaded(checkout, postgres):
    """From study.yml to the store: rates, response times and CPU of both sides."""
    checkout.study("s", STUDY)
    checkout.ok("run", "s")
    loaded = checkout.ok("load")
    where = "value > 0 AND step LIKE '%range%'"
    rows = checkout.ok("sql", f"SELECT step, metric FROM metric WHERE {where}", "--csv")

    assert "refused" not in loaded
    for metric in ("qps", "cpu_o", "client_cpu_o", "p95"):
        assert f"point-query.range100,{metric}" in rows.splitlines()
    assert "read-write.range10,tps" in rows.splitlines()


@pytest.mark.slow
def test_a_study_runs_a_script_of_its_post(checkout, postgres):
    """Its option is a dimension, its text lies with the run, its events are counted."""
    script = checkout.study("s", SCRIPTED).parent / "own" / "my.lua"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    checkout.ok("run", "s")
    loaded = checkout.ok("load")
    query = (
        "SELECT dims['rows_of_it'], dims['script'], ops FROM step "
        "JOIN run USING (run_id) WHERE step = 'mine' ORDER BY 1"
    )
    manifest = json.loads((checkout.runs("s")[0] / "manifest.json").read_text())
    kept = checkout.runs("s")[0] / "workload"

    assert "refused" not in loaded
    assert SCRIPT == kept.read_text()
    assert (
        sha256(kept.read_bytes()).hexdigest() == manifest["files"]["workload"]["sha256"]
    )
    assert ["7,my.lua,20", "9,my.lua,20"] == checkout.ok(
        "sql", query, "--csv"
    ).splitlines()[1:]


@pytest.mark.slow
def test_an_option_that_a_script_lacks_fails_its_run(checkout, postgres):
    """sysbench knows the options; its word is in the run's reason."""
    text = SCRIPTED.replace("rows_of_it: [7, 9]", "rows_of_it: [7], speed: [1]")
    folder = checkout.study("s", text).parent / "own"
    folder.mkdir()
    (folder / "my.lua").write_text(SCRIPT)
    done = checkout.call("run", "s")

    assert "step load failed: invalid option: --speed=1" in done.stdout + done.stderr
