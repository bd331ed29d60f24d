"""bench/ingest: settings, wrong usage and failed runs, each with one clear sentence."""

import json
import signal
import subprocess
import time

import pytest

pytest_plugins = ("ingest_fixtures",)
pytestmark = pytest.mark.engine

LOAD = ["l.i0:rows=500"]


def end(done):
    """The record that every run that began must end with."""
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture
def config(tmp_path):
    """A function that writes a settings file and gives its path."""

    def write(text):
        file = tmp_path / "settings"
        file.write_text(text)
        return str(file)

    return write


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "--engine is missing"),
        (["--engine", "oracle"], "no such engine"),
        (["--engine", "hnswlib"], "keeps vectors alone, so it has no insert"),
        (["--engine", "null"], "--target is missing"),
        (["--engine", "null", "--target", "."], "no --step"),
        (["--dop", "0"], "from 1 to 64"),
        (["--dop", "65"], "from 1 to 64"),
        (["--seed", "-1"], "whole number"),
        (["--step", "l.i9:rows=1"], "no such step"),
        (["--step", "l.i0"], "needs a size: l.i0:rows=N"),
        (["--step", "l.i0:rows=many"], "whole number"),
        (["--step", "l.x:seconds=1"], "does not take seconds"),
        (["--step", "l.i0:rows=1:seconds=1"], "rows or seconds, not both"),
        (["--price", "money"], "expected int or real"),
        (["--tables", "2"], "expected 1 or dop"),
        (["--indexes", "1"], "expected 0 or 3"),
        (["--index-set", "2022"], "expected 2023 or older"),
        (["--nrows", "5"], "unrecognized option"),
        (["l.i0"], "options begin with --"),
        (["--engine", "duckdb", "--version"], "there is no DuckDB here (libduckdb.so:"),
        (["--engine", "rocksdb", "--version"], "no RocksDB here (librocksdb.so:"),
    ],
)
def test_wrong_usage_is_said_and_nothing_is_printed(ingest, words, message):
    """Exit status 2, one sentence on stderr, stdout empty."""
    done = subprocess.run([ingest, *words], capture_output=True, text=True, check=False)

    assert (2, "") == (done.returncode, done.stdout)
    assert message in done.stderr


@pytest.mark.parametrize(
    ("steps", "options", "message"),
    [
        ([*LOAD, "qr100.L1:seconds=1"], [], "put l.x before it"),
        ([*LOAD, "l.x", "qr100.L1:seconds=1"], ["--indexes", "0"], "--indexes 0"),
        ([*LOAD, "l.x", "scan"], ["--indexes", "0"], "--indexes 0"),
        ([*LOAD, "l.x", "l.x"], [], "is given twice"),
        (["l.i1:rows=1", *LOAD], [], "must be the first step"),
    ],
)
def test_steps_that_cannot_follow_are_refused(call, steps, options, message):
    """What the step list alone rules out is wrong usage, not a failed run."""
    done = call("sqlite", steps, *options)

    assert (2, "") == (done.returncode, done.stdout)
    assert message in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# ours\n\njurnal_mode = wal\n", "line 3: jurnal_mode is not a SQLite setting"),
        ("page_size = big\n", "line 1: page_size = big is not a whole number"),
        ("synchronous = mostly\n", "is not one of: off normal full extra\n"),
        ("synchronous\n", "line 1: expected `name = value`"),
    ],
)
def test_a_wrong_setting_is_named_with_its_line(call, config, text, message):
    """The sentence says file, line and what is wrong."""
    done = call("sqlite", LOAD, "--config", config(text))

    assert (2, "") == (done.returncode, done.stdout)
    assert message in done.stderr


def test_settings_are_applied_and_read_back(records, config):
    """The run record says what SQLite itself reports after it was told."""
    text = "page_size = 16384  # bytes\nsynchronous = NORMAL\njournal_mode=delete\n"
    settings = records("sqlite", LOAD, "--config", config(text))[0]["settings"]

    assert "16384" == settings["page_size"]
    assert "normal" == settings["synchronous"]
    assert "delete" == settings["journal_mode"]
    assert "THREADSAFE" in settings["compile_options"]


def test_the_journal_is_a_wal_unless_settings_say_otherwise(records):
    """The default differs from SQLite's own."""
    assert "wal" == records("sqlite", LOAD)[0]["settings"]["journal_mode"]


def test_a_setting_that_sqlite_does_not_take_fails_the_run(call, config):
    """1000 is no page size: SQLite ignores it silently, the driver does not."""
    done = call("sqlite", LOAD, "--config", config("page_size = 1000\n"))

    assert (1, "failed") == (done.returncode, end(done)["status"])
    assert "page_size = 1000" in done.stderr


def test_a_missing_target_fails_the_run(ingest):
    """The run record stands, the end record gives the reason, stderr says it once."""
    words = [
        ingest,
        "--engine",
        "sqlite",
        "--target",
        "/nowhere",
        "--step",
        "l.i0:rows=1",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert (1, "failed") == (done.returncode, end(done)["status"])
    assert f"ingest: {end(done)['reason']}\n" == done.stderr


def test_a_missing_table_fails_the_run(call):
    """Steps without l.i0 need the tables of an earlier run."""
    done = call("sqlite", ["l.i1:rows=1"])

    assert (1, "failed") == (done.returncode, end(done)["status"])
    assert "begin with the step l.i0" in done.stderr


def test_indexes_of_the_other_generation_fail_the_run(call, records):
    """Queries on indexes that are not as defined would measure something else."""
    records("sqlite", [*LOAD, "l.x"])
    done = call("sqlite", ["qr100.L1:seconds=1"], "--index-set", "older")

    assert (1, "failed") == (done.returncode, end(done)["status"])
    assert "needs the three secondary indexes of --index-set older" in done.stderr


@pytest.mark.parametrize("dop", ["1", "3"])
def test_a_full_database_fails_the_run(call, config, dop):
    """No space: one sentence, the end record, no step record of the step that failed."""
    full = config("max_page_count = 50\n")
    done = call("sqlite", ["l.i0:rows=50000"], "--config", full, "--dop", dop)

    assert (1, "failed") == (done.returncode, end(done)["status"])
    assert "no space is left for the database" in done.stderr
    assert '"kind":"step"' not in done.stdout


def test_a_closed_stdout_fails_the_run(ingest):
    """Records that cannot be written are not a finished run."""
    words = [ingest, "--engine", "null", "--target", ".", "--step", "l.i0:rows=1"]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            words, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert (1, "ingest: cannot write to stdout\n") == (done.returncode, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["null", "sqlite"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_soon(ingest, tmp_path, engine, number):
    """The run stops within seconds, says so, and is not taken for a finished one."""
    words = [ingest, "--engine", engine, "--target", tmp_path, "--dop", "2"]
    driver = subprocess.Popen(
        [*words, "--step", "l.i0:rows=2000000000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    driver.stdout.readline()  # the run record: the driver handles signals from here on
    time.sleep(0.2)
    driver.send_signal(number)
    stdout, stderr = driver.communicate(timeout=20)

    assert (1, "ingest: interrupted\n") == (driver.returncode, stderr)
    assert "interrupted" == json.loads(stdout.splitlines()[-1])["reason"]


def test_help_and_list_name_every_step(ingest):
    """--help and --list are answers: exit status 0, on stdout."""
    for word, expected in (("--help", "exit status"), ("--list", "qp1000.L6")):
        done = subprocess.run([ingest, word], capture_output=True, text=True, check=False)
        assert (0, "") == (done.returncode, done.stderr)
        assert expected in done.stdout
