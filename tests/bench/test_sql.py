"""bench/sql: records of every kind of step, checked answers, refusals; sanitizers on."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
from collections import Counter

import pytest
from ingest_answers import by_op, kind
from sent_statements import defined_events, shape
from sql_fixtures import SYSBENCH, SYSBENCH_ROWS, digest, rows_of, traced

from benchbook.runs.driver_file import read_records
from benchbook.runs.records import check_record, kinds_of_file, parse

pytest_plugins = ("sql_fixtures",)
pytestmark = pytest.mark.engine

TINY = """\
workload tiny
let rows 100
counter newest rows + 1
table t
  rows rows
  create CREATE TABLE {t} (id INTEGER PRIMARY KEY, k INTEGER, c VARCHAR(40))
  index CREATE INDEX t_k ON {t} (k)
  column id int sequence 1
  column k int value id % 10
  column c text pattern ##-@@
statement get
  sql SELECT k, id FROM {t} WHERE id = :id
  bind id int uniform 1, rows
  bind ten int value id % 10
  rows 1
  value ten
  take tens taken
statement again
  sql SELECT c FROM {t} WHERE id = :taken AND k = :tens
  rows 1
statement more
  sql UPDATE {t} SET c = :c WHERE id = :id
  bind c text pattern @@@@@@@@
  bind id int uniform 1, rows
  affected 1
statement put
  sql INSERT INTO {t} (id, k, c) VALUES (:id, :k, :c)
  bind id int next newest
  bind k int value id % 10
  bind c text letters 1, 9
  affected 1
  value k
statement put-some
  sql INSERT INTO {t} (id, k, c) VALUES (:id, 1, 'x')
  bind id int sequence 1000
  affected 1
statement all
  sql SELECT * FROM {t} WHERE k < 0
  rows 0
statement wrong
  sql SELEKT
transaction both
  begin@sqlite BEGIN IMMEDIATE
  do get 2
  do again
  do more 0..3
step read
  do get
step transaction
  kind write
  do both
step mix
  kind write
  do both 1
  do put 3
step put
  kind write
  do put
step put-some
  kind write
  do put-some
step scan
  kind scan
  do all
step broken
  do wrong
step cleanup
  kind cleanup
"""
LOAD = ["load", "index"]
EVENTS = ["read:events=7", "transaction:events=5", "mix:events=9", "put:events=4"]
EVERYTHING = [*LOAD, *EVENTS, "scan", "cleanup:seconds=0.1"]
each_engine = pytest.mark.parametrize("engine", ["null", "sqlite"])


def change(folder, *statements):
    db = sqlite3.connect(folder / "benchbook.db")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def failed(done):
    """The one sentence of a run that failed, which its end record says too."""
    (sentence,) = done.stderr.splitlines()
    assert 1 == done.returncode
    assert sentence == "sql: " + json.loads(done.stdout.splitlines()[-1])["reason"]
    return sentence.removeprefix("sql: ")


def refused(done):
    """The one sentence of a run that did not begin."""
    (sentence,) = done.stderr.splitlines()
    assert (2, "") == (done.returncode, done.stdout)
    return sentence.removeprefix("sql: ")


@pytest.mark.slow
@each_engine
@pytest.mark.parametrize("options", [[], ["--dop", "3"], ["--no-prepare"]], ids=" ".join)
def test_every_line_of_every_step_is_a_record(call_sql, engine, options):
    """All kinds of steps run; each line is a record, first run, last end."""
    done = call_sql(engine, TINY, EVERYTHING, *options)
    found = [parse(line) for line in done.stdout.splitlines()]
    kinds = kinds_of_file(found[0])

    assert (0, "") == (done.returncode, done.stderr)
    assert ["run", "end"] == [check_record(r, kinds) for r in (found[0], found[-1])]
    assert {"begin", "step", "sample", "hist", "statement", "size", "use"} == {
        check_record(r, kinds) for r in found[1:-1]
    }
    assert "ok" == found[-1]["status"]


@pytest.mark.slow
@each_engine
@pytest.mark.parametrize("dop", ["1", "4"])
def test_events_are_sent_as_often_as_asked(records_of_sql, engine, dop):
    """events=N are N of all clients together, each with its statements."""
    found = records_of_sql(engine, TINY, EVERYTHING, "--dop", dop)
    steps = by_op(found, "step")
    main = {s["step"]: s["op"] for s in kind(found, "step") if s["main"]}
    scanned = 0 if engine == "null" else 100 * int(dop)

    assert {
        "load": "insert", "index": "index", "read": "query", "transaction": "query",
        "mix": "query", "put": "query", "scan": "scan", "cleanup": "bytes",
    } == main  # fmt: skip
    assert {"ops": 1, "rows": 100} == steps["load", "insert"]
    assert 7 == steps["read", "query"]["ops"]
    assert 5 == steps["transaction", "transaction"]["ops"]
    assert 5 * 5 <= steps["transaction", "query"]["ops"] <= 5 * 8
    assert 9 == steps["mix", "transaction"]["ops"]
    assert 4 == steps["put", "query"]["ops"]
    assert ("put", "transaction") not in steps
    assert steps["scan", "scan"] in ({"ops": 1, "rows": 100}, {"ops": 1, "rows": scanned})


def test_a_step_says_how_many_clients_it_had(records_of_sql):
    """One table is loaded by one client, whatever the run has: no curve over clients."""
    found = records_of_sql("null", TINY, EVERYTHING, "--dop", "4")

    clients = {s["step"]: s["dop"] for s in kind(found, "step") if s["main"]}
    assert {"load": 1, "index": 1, "read": 4, "cleanup": 1} == {
        name: clients[name] for name in ("load", "index", "read", "cleanup")
    }


@each_engine
def test_samples_and_histograms_add_up_to_their_step(records_of_sql, engine):
    """ops and rows of the samples, and the counts of each histogram, equal the step's."""
    found = records_of_sql(engine, TINY, [*EVERYTHING[:-1], "cleanup"], "--dop", "2")
    steps = by_op(found, "step")

    assert steps == by_op(found, "sample")
    for hist in kind(found, "hist"):
        counts = sum(count for _, count in hist["counts"])
        assert steps[hist["step"], hist["op"]]["ops"] == counts


@pytest.mark.slow
@each_engine
@pytest.mark.parametrize("options", [[], ["--no-prepare"]], ids=["prepared", "text"])
def test_statements_add_up_to_their_step(records_of_sql, engine, options):
    """What a step sent is the sum of its statements, BEGIN and COMMIT among them."""
    found = records_of_sql(engine, TINY, EVERYTHING, "--dop", "2", *options)
    steps = by_op(found, "step")
    sent, rows = Counter(), Counter()
    for s in kind(found, "statement"):
        sent[s["step"]] += s["sent"]
        rows[s["step"]] += s["rows"] + s["affected"]
        assert s["sent"] == sum(count for _, count in s["counts"])
        assert s["max_ns"] <= s["total_ns"]

    for step in ("read", "transaction", "mix", "put"):
        assert steps[step, "query"] == {"ops": sent[step], "rows": rows[step]}
    assert {"begin": 5, "commit": 5, "get": 10, "again": 5} == {
        s["name"]: s["sent"]
        for s in kind(found, "statement")
        if s["step"] == "transaction" and s["name"] != "more"
    }


CONTENDED = """\
workload contended
table t
  rows 10
  create CREATE TABLE {t} (id INTEGER PRIMARY KEY, v INTEGER)
  column id int sequence 1
  column v int value 0
statement get
  sql SELECT v FROM {t} WHERE id = :id
  rows 1
statement add
  sql UPDATE {t} SET v = v + 1 WHERE id = :id
  affected 1
statement look
  sql SELECT v FROM {t} WHERE id = :id
  bind id int uniform 1, 10
  rows 1
transaction buy
  bind id int uniform 1, 10
  do get 30
  do add 2
step shop
  kind write
  do buy 3
  do look 1
"""


@pytest.mark.slow
def test_statements_of_undone_attempts_do_not_count(records_of_sql, tmp_path):
    """Of transactions that conflict only what was committed is in ops, rows and times."""
    found = records_of_sql(
        "sqlite", CONTENDED, ["load", "shop:events=400"], "--contend", "--dop", "4"
    )
    (bought, queries) = (
        next(s for s in kind(found, "step") if (s["step"], s["op"]) == ("shop", op))
        for op in ("transaction", "query")
    )
    sent = {s["name"]: s for s in kind(found, "statement")}
    looks = sent["look"]["sent"]
    buys = bought["ops"] - looks

    assert bought["retries"] > 0
    assert (400, 0) == (bought["ops"], bought["errors"])
    assert queries["ops"] == 34 * buys + looks
    assert queries["rows"] == 32 * buys + looks
    assert {"begin": buys, "get": 30 * buys, "add": 2 * buys, "commit": buys} == {
        name: s["sent"] for name, s in sent.items() if name != "look"
    }
    assert 2 * buys == sum(v for (v,) in rows_of(tmp_path, "v"))
    assert by_op(found, "step") == by_op(found, "sample")
    for s in sent.values():
        assert s["sent"] == sum(count for _, count in s["counts"])
        assert s["max_ns"] <= s["total_ns"]
    times = Counter()
    for sample in kind(found, "sample"):
        if (sample["step"], sample["op"]) == ("shop", "query"):
            times.update(dict(sample["times"]))
    assert queries["ops"] == times.total()


def test_a_statement_is_shown_as_it_is_prepared_with_its_plan(records_of_sql):
    """SQLite's placeholders and plan; begin is the engine's own and has none."""
    found = records_of_sql("sqlite", TINY, [*LOAD, "transaction:events=1"])
    shown = {s["name"]: (s["sql"], s.get("plan")) for s in kind(found, "statement")}

    assert ("BEGIN IMMEDIATE", None) == shown["begin"]
    assert (
        "SELECT k, id FROM t WHERE id = ?",
        "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)\n",
    ) == shown["get"]


def test_warm_up_is_not_counted(records_of_sql, tmp_path):
    """The same clients before the step: their inserts are there, in no record."""
    found = records_of_sql(
        "sqlite", TINY, ["load", "put:events=5:warmup=0.2"], "--dop", "2"
    )
    steps = by_op(found, "step")
    warm = len(rows_of(tmp_path)) - 105

    assert {"ops": 5, "rows": 5} == steps["put", "query"]
    assert 5 == sum(s["sent"] for s in kind(found, "statement"))
    assert warm > 0


def test_warm_up_leaves_the_parameters_as_they_are(records_of_sql, tmp_path):
    """The step itself sends the same statements, warmed up or not."""
    sent = []
    for size in ("read:events=20", "read:events=20:warmup=0.1"):
        records_of_sql("sqlite", TINY, ["load", size], "--trace", tmp_path / "trace")
        sent.append(traced(tmp_path)[-20:])

    assert sent[0] == sent[1]


@pytest.mark.slow
@each_engine
def test_the_rate_is_kept_and_gives_intended_times(records_of_sql, engine):
    """200 events a second of 2 clients: their starts are planned, and said so."""
    found = records_of_sql(
        engine, TINY, ["load", "read:seconds=1:rate=200"], "--dop", "2"
    )
    (step,) = [s for s in kind(found, "step") if s["step"] == "read"]
    clocks = [h["clock"] for h in kind(found, "hist") if h["step"] == "read"]

    assert 200 == step["target_ops_per_s"]
    assert 195 <= step["ops"] <= 201
    assert ["actual", "intended"] == clocks


def test_the_rate_of_transactions_is_theirs(records_of_sql):
    """The target is of events, so it stands with them and not with statements."""
    found = records_of_sql("null", TINY, ["load", "transaction:seconds=0.5:rate=100"])
    targets = {s["op"]: s["target_ops_per_s"] for s in kind(found, "step")}
    intended = [h["op"] for h in kind(found, "hist") if h["clock"] == "intended"]

    assert {"insert": 0, "query": 0, "transaction": 100} == targets
    assert ["transaction"] == intended
    assert 48 <= by_op(found, "step")["transaction", "transaction"]["ops"] <= 51


def test_a_step_ends_by_the_clock(records_of_sql):
    """seconds=0.3 take 0.3 s."""
    found = records_of_sql("null", TINY, ["load", "read:seconds=0.3"])
    step = kind(found, "step")[1]

    assert 0.3e9 <= step["end_ns"] - step["start_ns"] < 3e9
    assert step["ops"] > 100


def test_the_same_seed_gives_the_same_rows_and_statements(records_of_sql, tmp_path):
    """Two runs are equal to the letter; another seed's differ in rows and parameters."""
    seen = []
    for seed in ("7", "7", "8"):
        records_of_sql(
            "sqlite",
            TINY,
            [*LOAD, *EVENTS],
            "--seed",
            seed,
            "--trace",
            tmp_path / "trace",
        )
        seen.append((traced(tmp_path), rows_of(tmp_path)))

    assert seen[0] == seen[1]
    assert seen[0][0] != seen[2][0]
    assert seen[0][1] != seen[2][1]


@pytest.mark.parametrize("options", [["--no-prepare"], ["--dop", "3"]], ids=" ".join)
def test_rows_do_not_hang_on_how_they_are_sent(records_of_sql, tmp_path, options):
    """Text or prepared, one client or three: the load makes the same rows."""
    records_of_sql("sqlite", TINY, LOAD)
    expected = rows_of(tmp_path)
    records_of_sql("sqlite", TINY, LOAD, *options)

    assert expected == rows_of(tmp_path)


def test_text_and_prepared_statements_are_the_same(records_of_sql, tmp_path):
    """--no-prepare changes how values travel, not which."""
    seen = []
    for options in ([], ["--no-prepare"]):
        records_of_sql(
            "sqlite", TINY, [*LOAD, *EVENTS], "--trace", tmp_path / "trace", *options
        )
        seen.append((traced(tmp_path), rows_of(tmp_path)))

    assert seen[0] == seen[1]


def test_a_step_does_not_depend_on_the_steps_before(records_of_sql, tmp_path):
    """read sends the same whether or not transaction ran before it."""
    sent = []
    for steps in (["load", "read:events=9"],
                  ["load", "transaction:events=3", "read:events=9"]):  # fmt: skip
        records_of_sql("sqlite", TINY, steps, "--trace", tmp_path / "trace")
        sent.append(traced(tmp_path)[-9:])

    assert sent[0] == sent[1]


def test_counters_and_sequences_leave_no_gaps(records_of_sql, tmp_path):
    """`next` is shared by clients and steps, `sequence` interleaves them."""
    steps = ["load", "put:events=7", "put-some:events=6", "mix:events=9"]
    found = records_of_sql("sqlite", TINY, steps, "--dop", "2")
    put = sum(s["sent"] for s in kind(found, "statement") if s["name"] == "put")
    ids = [id for (id,) in rows_of(tmp_path, "id")]

    assert ids == [*range(1, 101 + put), *range(1000, 1006)]


def test_lets_change_what_hangs_on_them(records_of_sql, tmp_path):
    """--set rows=30 loads 30 rows and asks for ids up to 30."""
    found = records_of_sql("sqlite", TINY, ["load", "read:events=50"], "--set", "rows=30")

    assert 30 == len(rows_of(tmp_path))
    assert "rows=30" == found[0]["options"]["set"]


def test_a_later_process_goes_on_with_the_database(records_of_sql, tmp_path):
    """Without load the steps use the tables that are there."""
    records_of_sql("sqlite", TINY, LOAD)
    records_of_sql("sqlite", TINY, ["put:events=3"])

    assert 103 == len(rows_of(tmp_path))


def test_names_may_be_a_list_here_and_a_number_there(records_of_sql, tmp_path):
    """Statements of one transaction may use a name differently, each its own length."""
    text = TINY + (
        "statement three\n  sql SELECT id FROM {t} WHERE id IN (:ids)\n"
        "  bind ids int value 5 run 3\n  rows 3\n"
        "statement two\n  sql SELECT id FROM {t} WHERE id IN (:ids)\n"
        "  bind ids int value 8 run 2\n  rows 2\n"
        "statement one\n  sql SELECT id FROM {t} WHERE id = :ids\n"
        "  bind ids int value 9\n  rows 1\n"
        "transaction lists\n  do three\n  do two\n  do one\n"
        "step lists\n  do lists 1\n"
    )
    found = records_of_sql("sqlite", text, ["load", "lists:events=2"])
    shown = {s["name"]: s["sql"].count("?") for s in kind(found, "statement")}

    assert {"begin": 0, "commit": 0, "three": 3, "two": 2, "one": 1} == shown


@pytest.mark.parametrize("options", [[], ["--no-prepare"]], ids=["prepared", "text"])
def test_missing_rows_fail_the_run(records_of_sql, call_sql, tmp_path, options):
    """A row deleted between two runs is not found, and the run says so."""
    records_of_sql("sqlite", TINY, LOAD)
    change(tmp_path, "DELETE FROM t WHERE id > 50")
    done = call_sql("sqlite", TINY, ["read:seconds=5"], *options)

    assert (
        "step read: wrong answer: statement get has 0 rows in its answer, its workload "
        "says 1 to 1"
    ) == failed(done)


def test_rows_that_are_not_changed_fail_the_run(records_of_sql, call_sql, tmp_path):
    """An update that finds nothing is a wrong answer."""
    records_of_sql("sqlite", TINY, LOAD)
    change(
        tmp_path, "CREATE TRIGGER no BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE); END"
    )
    done = call_sql("sqlite", TINY, ["transaction:events=50"])

    assert (
        "step transaction: wrong answer: statement more has 0 rows affected, its "
        "workload says 1 to 1"
    ) == failed(done)


def test_rows_may_be_hidden_by_other_clients(records_of_sql, tmp_path):
    """In a transaction beside others, an update that finds nothing is no wrong answer."""
    records_of_sql("sqlite", TINY, LOAD)
    change(
        tmp_path, "CREATE TRIGGER no BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE); END"
    )
    found = records_of_sql("sqlite", TINY, ["transaction:events=50"], "--dop", "2")

    assert "ok" == found[-1]["status"]


def test_another_value_fails_the_run(records_of_sql, call_sql, tmp_path):
    """The first column is not what the workload says."""
    records_of_sql("sqlite", TINY, LOAD)
    change(tmp_path, "UPDATE t SET k = k + 1")
    done = call_sql("sqlite", TINY, ["read:events=5"])

    assert (
        "step read: wrong answer: statement get has another value in its first column "
        "than the workload's ten"
    ) == failed(done)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("found", "right"), [("ab", True), ("ab  ", True), ("abc", False), ("a", False)]
)
def test_texts_are_compared_but_for_blanks_behind_them(
    records_of_sql, call_sql, tmp_path, found, right
):
    """CHAR columns come back with blanks; all else is another value."""
    text = TINY + (
        "statement text\n  sql SELECT c FROM {t} WHERE id = 1 AND c <> :word\n"
        "  bind word text constant ab\n  bind other text constant zz\n  value word\n"
        "step text\n  do text\n"
    )
    text = text.replace("c <> :word", "c <> :other")
    records_of_sql("sqlite", text, ["load"])
    change(tmp_path, f"UPDATE t SET c = '{found}'")

    assert (0 if right else 1) == call_sql("sqlite", text, ["text:events=1"]).returncode


def test_a_load_that_loses_rows_fails(call_sql):
    """As many rows as the workload says are there after load, or the run fails."""
    text = TINY.replace(
        "create CREATE TABLE {t} (id INTEGER PRIMARY KEY",
        "create CREATE TABLE {t} (id INTEGER UNIQUE ON CONFLICT IGNORE",
    )
    text = text.replace("sequence 1\n", "value row / 2\n", 1)
    done = call_sql("sqlite", text, ["load"])

    assert "wrong answer: table t holds 51 rows, 100 were written" == failed(done)


def test_a_statement_that_fails_at_once(call_sql):
    """What the engine says of it, with step and statement, before its time begins."""
    done = call_sql("sqlite", TINY, ["load", "broken:events=1"])

    sentence = failed(done)
    assert sentence.startswith("step broken: statement wrong: ")
    assert sentence.endswith('near "SELEKT": syntax error')


def test_a_table_that_is_not_there(call_sql):
    """Steps without load in an empty folder."""
    assert "no such table: t" in failed(call_sql("sqlite", TINY, ["read:events=1"]))


def test_a_statement_that_fails_after_a_while(call_sql, tmp_path):
    """A database that may not grow: the records so far stand, the end says why."""
    config = tmp_path / "small"
    config.write_text("synchronous = off\nmax_page_count = 12\n")
    done = call_sql("sqlite", TINY, ["load", "put:seconds=60"], "--config", config)
    found = [json.loads(line) for line in done.stdout.splitlines()]

    sentence = failed(done)
    assert sentence.startswith("step put: no space is left for the database (")
    assert sentence.endswith("database or disk is full)")
    assert {"load"} == {s["step"] for s in kind(found, "step")}


def test_a_signal_ends_the_run(command):
    """SIGTERM within a step: it stops at once, and the end record says so."""
    words = command("sqlite", TINY, ["load", "read:seconds=60"])
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout:
            if '"begin","step":"read"' in line:
                break
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate(timeout=20)

    assert 1 == process.returncode
    assert "interrupted" == json.loads(out.splitlines()[-1])["reason"]
    assert "sql: interrupted\n" == error


@pytest.mark.parametrize(
    ("steps", "options", "sentence"),
    [
        (["reed:events=1"], [],
         "--step reed: the workload tiny has no such step; --list shows them"),
        (["read"], [], "--step read needs a size: read:seconds=S or read:events=N"),
        (["read:rows=5"], [], "--step read: expected seconds, events, warmup or rate and "
         "a number that can be, not rows=5"),
        (["read:events=0"], [], "--step read: expected seconds, events, warmup or rate "
         "and a number that can be, not events=0"),
        (["read:events"], [], "--step read: events is no KEY=NUMBER"),
        (["read:events=x"], [], "--step read: events=x is no KEY=NUMBER"),
        (["read:events=1:seconds=1"], [],
         "--step read takes seconds or events, not both"),
        (["read:events=1", "read:events=2"], [], "--step read is given twice"),
        (["read:events=1", "load"], [],
         "--step load makes the tables, so it must be the first"),
        (["load:seconds=1"], [], "--step load takes no size: the workload's lets say how "
         "large it is"),
        (["cleanup:events=1"], [], "--step cleanup is a cleanup: it takes seconds only"),
        ([], [], "there is no --step; --help shows the usage"),
        (["load"], ["--set", "row=5"],
         "--set row: the workload {} has no let of this name"),
        (["load"], ["--set", "lines=5"],
         "--set lines: the workload {} has no let of this name"),
        (["load"], ["--set", "rows"], "--set rows: expected NAME=VALUE"),
        (["load"], ["--set", "rows=many"],
         "--set rows=many: expected a whole number behind the ="),
        (["load"], ["--dop", "65"], "--dop 65: expected a whole number from 1 to 64"),
        (["load"], ["--workload", "/nowhere"],
         "cannot read the workload /nowhere: No such file or directory"),
    ],
)  # fmt: skip
def test_wrong_words_are_refused(call_sql, tmp_path, steps, options, sentence):
    """One sentence, exit status 2, an empty stdout."""
    done = call_sql("null", TINY, steps, *options)

    assert sentence.format(tmp_path / "workload") == refused(done)


def test_a_mistake_in_the_file_names_its_line(call_sql, tmp_path):
    """It is found before anything runs."""
    done = call_sql("null", TINY + "step more\n  do nothing\n", ["load"])
    line = TINY.count("\n") + 2

    assert (
        f"{tmp_path / 'workload'} line {line}: there is no statement or transaction "
        "called nothing above"
    ) == refused(done)


def test_a_list_that_is_too_long_is_no_shorter_list(call_sql):
    """10,000 numbers fit; more are an error, not fewer numbers."""
    text = TINY + (
        "statement long\n  sql SELECT id FROM {t} WHERE id IN (:ids)\n"
        "  bind ids int uniform 1, rows list 10001\nstep long\n  do long\n"
    )
    done = call_sql("null", text, ["long:events=1"])

    assert "step long: statement long: the list ids has 1 to 10000 numbers" == failed(
        done
    )


@pytest.mark.parametrize("option", ["--list", "--check"])
def test_steps_are_listed_without_a_run(sql, option):
    """Name, kind, group and about of each, tabs between them; no engine is needed."""
    words = [sql, "--workload", SYSBENCH, option]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]

    assert ["load", "index"] == [name for name, *_ in lines[:2]]
    assert [
        "scan.range100", "scan", "range queries without aggregation",
        "the whole table, no row of which is returned; one table for each client",
    ] in lines  # fmt: skip


def test_numbered_tables_share_clients(records_of_sql, tmp_path):
    """--set tables=3 at dop 3: three tables of other rows, each scanned by its client."""
    options = ["--set", "tables=3", "--set", "table_size=200", "--dop", "3"]
    found = records_of_sql(
        "sqlite", SYSBENCH,
        ["load", "index", "scan.range100:events=3", "point-query.range100:events=60"],
        *options, "--trace", tmp_path / "trace",
    )  # fmt: skip
    steps = by_op(found, "step")
    tables = [rows_of(tmp_path, name=f"sbtest{n}") for n in (1, 2, 3)]
    scans = Counter(
        re.findall(r"\* FROM (sbtest\d) WHERE", (tmp_path / "trace").read_text())
    )

    assert [200, 200, 200] == [len(rows) for rows in tables]
    assert tables[0] != tables[1] != tables[2]
    assert {"ops": 3, "rows": 600} == steps["scan.range100", "scan"]
    assert {"sbtest1": 1, "sbtest2": 1, "sbtest3": 1} == scans


def test_microbenchmarks_send_what_their_definition_says(records_of_sql, tmp_path):
    """All 42 on SQLite, five events of each: what its trace hook saw, counted."""
    for step, event in defined_events().items():
        setup = [] if (tmp_path / "benchbook.db").exists() else LOAD
        if setup:
            records_of_sql("sqlite", SYSBENCH, setup, "--set", "table_size=2000")
        options = ["--set", "table_size=2000", "--trace", tmp_path / "trace"]
        records_of_sql("sqlite", SYSBENCH, [f"{step}:events=5"], *options)
        sent = Counter(
            shape(line).removesuffix(" IMMEDIATE") for line in traced(tmp_path, "sbtest1")
        )

        assert {s: 5 * count for s, count in event.items()} == sent, step


def ranges(folder):
    """The widths of the ranges that were asked for."""
    text = (folder / "trace").read_text()
    pairs = re.findall(r"BETWEEN (\d+) AND (\d+)", text)
    return {int(high) - int(low) + 1 for low, high in pairs}


@pytest.mark.parametrize(
    ("step", "width"),
    [("read-only.range10", 10), ("read-write.range100", 100),
     ("read-only.range10000", 10000), ("range-covered-pk.range100", 101),
     ("range-notcovered-si.range100", 101), ("read-only-count.range1000", 1000)],
)  # fmt: skip
def test_ranges_are_as_wide_as_published(records_of_sql, tmp_path, step, width):
    """read-only asks for R ids; the covered ones for 101."""
    options = ["--set", "table_size=200", "--trace", tmp_path / "trace"]
    records_of_sql("sqlite", SYSBENCH, [*LOAD, f"{step}:events=2"], *options)

    assert {width} == ranges(tmp_path)


def test_hot_points_and_update_one_stay_where_they_are(records_of_sql, tmp_path):
    """The same 100 ids from the middle; the first row."""
    steps = [*LOAD, "hot-points.range100:events=2", "update-one.range100:events=3"]
    records_of_sql(
        "sqlite",
        SYSBENCH,
        steps,
        "--set",
        "table_size=1000",
        "--trace",
        tmp_path / "trace",
    )
    lines = traced(tmp_path, "sbtest1")
    hot = [re.findall(r"\d+", line.split(" IN ")[1]) for line in lines if " IN " in line]

    assert 2 * [[str(n) for n in range(501, 601)]] == hot
    assert 3 == sum(line.endswith("WHERE id = 1") for line in lines)


def test_the_rows_of_sysbench_never_change(records_of_sql, tmp_path):
    """A digest of all columns: what is measured next year is loaded the same."""
    records_of_sql("sqlite", SYSBENCH, ["load"], "--set", "table_size=1000")
    rows = rows_of(tmp_path, "id, k, c, pad", "sbtest1")

    assert SYSBENCH_ROWS == digest(rows)
    assert all(1 <= k <= 1000 for _, k, _, _ in rows)


@pytest.mark.parametrize("engine", ["null", "sqlite"])
def test_times_of_samples_are_those_of_the_hist(call_sql, engine, tmp_path):
    """Statements, events of one, and transactions with a rate; bucket by bucket."""
    steps = ["load", "index", "read:events=50", "transaction:events=20:rate=1000", "scan"]
    path = tmp_path / "driver.jsonl"
    path.write_text(call_sql(engine, TINY, steps, "--dop", "2").stdout)
    records = read_records(path)
    [samples] = records.samples

    assert {2} == set(samples["sub_bits"].to_pylist())
    assert {"insert", "index", "query", "transaction", "scan"} == set(
        samples["op"].to_pylist()
    )
    assert ("transaction", "intended") in {(h["op"], h["clock"]) for h in records.hists}
