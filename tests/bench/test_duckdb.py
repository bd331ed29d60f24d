"""bench/ingest on DuckDB: right rows after every step, and what is refused, in words."""

import json
import subprocess

import pytest
from ingest_answers import by_op, kind, refused
from servers import install_tree

pytest_plugins = ("ingest_fixtures",)
pytestmark = pytest.mark.engine

LOAD = ["l.i0:rows=1230", "l.x", "l.i1:rows=420", "l.i2:rows=23"]
QUERIES = ["cleanup", "qr1000.L5:seconds=0.2", "qp1000.L6:seconds=0.2", "scan"]
OLDEST, NEWEST = "1.1.3", "1.5.6"
each_way = pytest.mark.parametrize("options", [[], ["--no-prepare", "--price", "real"]])


@pytest.fixture
def newest(monkeypatch):
    """The driver finds the newest release of the catalogue."""
    use(NEWEST, monkeypatch)


def use(version, monkeypatch):
    tree = install_tree("duckdb", version, "npm")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))


def check_load(found, clients):
    """Every row was inserted once, and as many were deleted as came after l.x."""
    steps = by_op(found, "step")
    assert steps["l.i0", "insert"]["rows"] == 1230 * clients
    assert {"ops": 3, "rows": 1230 * clients} == steps["l.x", "index"]
    for step in ("l.i1", "l.i2"):
        assert steps[step, "insert"] == steps[step, "delete"]
    assert steps["qr1000.L5", "query"]["ops"] > 0 < steps["qp1000.L6", "query"]["ops"]
    assert not any(step["errors"] for step in kind(found, "step"))


@each_way
def test_every_step_is_right(newest, records, options):
    """Two clients at one table; answers are checked by the driver, and rows here."""
    found = records("duckdb", [*LOAD, *QUERIES], "--dop", "2", *options)

    check_load(found, clients=2)
    assert NEWEST == found[0]["version"]


@pytest.mark.slow
@each_way
def test_every_step_is_right_on_the_oldest_release(records, options, monkeypatch):
    """The same functions are called of 1.1 as of 1.5."""
    use(OLDEST, monkeypatch)

    check_load(records("duckdb", [*LOAD, *QUERIES], "--dop", "2", *options), clients=2)


@pytest.mark.slow
def test_the_database_of_an_earlier_run_is_used(newest, records, call):
    """Rows, indexes and the type of the price are looked at before a step begins."""
    records("duckdb", ["l.i0:rows=200"])
    found = records("duckdb", ["l.x", "qp100.L2:seconds=0.1"])
    other = refused(call("duckdb", ["qp100.L2:seconds=0.1"], "--price", "real"))

    assert {"ops": 3, "rows": 200} == by_op(found, "step")["l.x", "index"]
    assert "its column price is not real, as --price asks" in other


def test_cleanup_empties_the_log(newest, records):
    """What was in the log is in the file: its bytes are counted, and the log is gone."""
    steps = kind(records("duckdb", ["l.i0:rows=500", "cleanup"]), "step")

    assert steps[-1]["bytes"] > 0


def test_settings_are_recorded_without_places(newest, records):
    """One thread unless a settings file says otherwise; no folder of this machine."""
    settings = records("duckdb", ["l.i0:rows=10"])[0]["settings"]

    assert ("1", "false") == (
        settings["threads"], settings["autoinstall_known_extensions"]
    )  # fmt: skip
    assert {"memory_limit", "wal_autocheckpoint", "source_id"} <= settings.keys()
    assert not [name for name in settings if "director" in name or "secret" in name]


@pytest.mark.slow
def test_threads_of_its_own_are_in_the_cpu_time(newest, records, tmp_path):
    """With a second thread the step's CPU time is still all that the process used."""
    config = tmp_path / "settings"
    config.write_text("threads = 2\n")
    found = records("duckdb", ["l.i0:rows=20000", "scan.q1"], "--config", str(config))
    (use,) = [r for r in kind(found, "use") if r["step"] == "l.i0"]
    (step,) = [r for r in kind(found, "step") if r["step"] == "l.i0"]

    assert "2" == found[0]["settings"]["threads"]
    assert 0.9 * use["client_cpu_ns"] < step["cpu_ns"] <= use["client_cpu_ns"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nope = 1", "options were not recognized: nope"),
        ("threads = many", "does not take the setting threads = many"),
        ("access_mode = read_only", "read-only mode"),
    ],
)
def test_a_setting_that_is_none_is_refused(newest, call, tmp_path, line, message):
    """Before anything is opened, in the words of the release."""
    config = tmp_path / "settings"
    config.write_text(line + "\n")
    done = call("duckdb", ["l.i0:rows=10"], "--config", str(config))
    (sentence,) = done.stderr.splitlines()

    assert (2, "") == (done.returncode, done.stdout)
    assert sentence.startswith(f"ingest: {config}: ") and message in sentence


@pytest.mark.slow
def test_another_process_at_the_file_is_one_sentence(newest, ingest, call, tmp_path):
    """A file of DuckDB has one writing process."""
    call("duckdb", ["l.i0:rows=10"])
    words = ["--engine", "duckdb", "--target", tmp_path, "--step", "l.i1:seconds=20"]
    with subprocess.Popen([ingest, *words], stdout=subprocess.PIPE) as holder:
        while b'"begin"' not in holder.stdout.readline():
            pass
        told = refused(call("duckdb", ["scan.q1"]))
        holder.terminate()
        end = json.loads(holder.communicate()[0].splitlines()[-1])

    assert told.startswith("cannot open the database: IO Error: Could not set lock")
    assert "failed" == end["status"]


def test_a_library_that_is_too_old_is_named(call, tmp_path, monkeypatch):
    """The sentence says which function it lacks."""
    empty = tmp_path / "empty.c"
    empty.write_text("int nothing;\n")
    library = tmp_path / "libduckdb.so"
    subprocess.run(["cc", "-shared", "-o", library, empty], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = call("duckdb", ["l.i0:rows=10"])

    assert (2, "") == (done.returncode, done.stdout)
    assert done.stderr == (
        "ingest: libduckdb.so has no duckdb_library_version: it is older than "
        "DuckDB 1.1\n"
    )
