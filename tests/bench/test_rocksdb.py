"""bench/ingest on RocksDB: right rows after every step, faults, and what is refused."""

import json
import os
import shutil
import signal
import subprocess

import pytest
from ingest_answers import by_op, kind, refused
from places import BENCH
from servers import ROOT_ONLY, compiled, install_tree

pytest_plugins = ("ingest_fixtures",)
pytestmark = pytest.mark.engine

LOAD = ["l.i0:rows=1230", "l.x", "l.i1:rows=420", "l.i2:rows=23"]
QUERIES = ["cleanup", "qr1000.L5:seconds=0.2", "qp1000.L6:seconds=0.2", "scan"]
COUNTED = ["qr100.L1:queries=50", "qp100.L2:queries=50"]
JARS = (
    "4.13.5", "5.18.4", "6.29.5", "7.10.2", "8.11.4", "9.11.2", "10.10.1", "11.8.1",
)  # fmt: skip
SMALL = BENCH / "configs" / "rocksdb" / "lz4_64m"
each_way = pytest.mark.parametrize(
    "options", [[], ["--index-set", "older"]], ids=["2023", "older"]
)


def use(version, source, monkeypatch):
    tree = install_tree("rocksdb", version, source)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tree / "lib"))


@pytest.fixture
def debian(monkeypatch):
    """The driver finds Debian's library."""
    use("7.8", "debian", monkeypatch)


def check_load(found, clients):
    """Every row was inserted once, and as many were deleted as came after l.x."""
    steps = by_op(found, "step")
    assert steps["l.i0", "insert"]["rows"] == 1230 * clients
    assert {"ops": 3, "rows": 1230 * clients} == steps["l.x", "index"]
    for step in ("l.i1", "l.i2"):
        assert steps[step, "insert"] == steps[step, "delete"]
    assert not any(step["errors"] for step in kind(found, "step"))


@each_way
@pytest.mark.slow
def test_every_step_is_right(debian, records, options):
    """Two clients at one table; answers are checked by the driver, and rows here."""
    found = records("rocksdb", [*LOAD, *QUERIES], "--dop", "2", *options)
    steps = by_op(found, "step")

    check_load(found, clients=2)
    assert steps["qr1000.L5", "query"]["ops"] > 0 < steps["qp1000.L6", "query"]["ops"]
    assert "7.8.3" == found[0]["version"]


@pytest.mark.slow
def test_every_release_gives_the_same_answers(records, monkeypatch):
    """One client and one settings file; rows of each step are those of the oldest."""
    answers = {}
    for version in JARS:
        use(version, "jar", monkeypatch)
        found = records("rocksdb", [*LOAD, *COUNTED, "scan"], "--config", str(SMALL))
        check_load(found, clients=1)
        assert version == found[0]["version"]
        answers[version] = by_op(found, "step")

    assert [answers[JARS[0]]] * len(JARS) == list(answers.values())
    assert 500 == answers[JARS[0]]["qr100.L1", "query"]["rows"]


def test_the_database_of_an_earlier_run_is_used(debian, records, call):
    """Rows, indexes and the type of the price are looked at before a step begins."""
    records("rocksdb", ["l.i0:rows=200"])
    found = records("rocksdb", ["l.x", "l.i1:rows=100", "qp100.L2:queries=9"])
    other = refused(call("rocksdb", ["qp100.L2:seconds=0.1"], "--price", "real"))

    assert {"ops": 3, "rows": 200} == by_op(found, "step")["l.x", "index"]
    assert "its column price is not real, as --price asks" in other


def test_indexes_of_another_definition_are_none(debian, records, call):
    """Those of --index-set older are not those of 2023."""
    records("rocksdb", ["l.i0:rows=200", "l.x"], "--index-set", "older", "--price", "int")

    told = refused(call("rocksdb", ["qr100.L1:seconds=0.1"]))
    assert "table pi1 has 1 of them" in told  # pdc is the same in both


def test_cleanup_leaves_nothing_in_memory(debian, records):
    """What was flushed is counted; the log that held it is gone, the tables are there."""
    found = records("rocksdb", ["l.i0:rows=5000", "cleanup"])
    sizes = [r["bytes"] for r in kind(found, "size")]

    assert kind(found, "step")[-1]["bytes"] > 0
    assert 0 < sizes[1] < sizes[0]


def test_settings_are_recorded_without_places(debian, records, tmp_path):
    """RocksDB's own options as it took them, how it was built, and no folder."""
    found = records("rocksdb", ["l.i0:rows=10"], "--config", str(SMALL))
    settings = found[0]["settings"]

    assert ("table", "false", "32M") == (
        settings["crc32c"], settings["write.sync"], settings["table.block_cache"]
    )  # fmt: skip
    assert ("4194304", "kLZ4Compression", "bloomfilter:10:false") == (
        settings["write_buffer_size"], settings["compression"],
        settings["table.filter_policy"],
    )  # fmt: skip
    assert not [value for value in settings.values() if str(tmp_path) in value]


def test_the_log_of_writes_is_counted(debian, records, tmp_path):
    """More than the rows take; nothing where it is switched off."""
    (tmp_path / "settings").write_text("write.disable_wal = true\n")
    on = records("rocksdb", ["l.i0:rows=1000"])
    off = records("rocksdb", ["l.i0:rows=1000"], "--config", str(tmp_path / "settings"))

    assert kind(on, "use")[0]["log_bytes"] > 1000 * 40
    assert "log_bytes" not in kind(off, "use")[0]
    assert "true" == off[0]["settings"]["write.disable_wal"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nope = 1", " line 1: RocksDB does not take nope = 1: Invalid argument: Could"),
        ("table.nope = 1", " line 1: RocksDB does not take table.nope = 1: Invalid"),
        ("write_buffer_size = lots", "does not take write_buffer_size = lots: Invalid"),
        ("write.sync = 1", " line 1: write.sync = 1 is neither true nor false"),
        ("read.ahead = 1", "there is no setting read.ahead; available: write.sync, "),
        ("wal_dir = /elsewhere", " line 1: wal_dir names a folder"),
        ("compression = kXpressCompression", "Xpress is not linked with the binary"),
    ],
)
def test_a_setting_that_is_none_is_refused(debian, call, tmp_path, line, message):
    """Before anything is opened, with the line, in the words of the release."""
    config = tmp_path / "settings"
    config.write_text(line + "\n")
    done = call("rocksdb", ["l.i0:rows=10"], "--config", str(config))
    (sentence,) = done.stderr.splitlines()

    assert (2, "") == (done.returncode, done.stdout)
    assert sentence.startswith(f"ingest: {config}") and message in sentence


def test_a_library_that_is_too_old_is_named(call, tmp_path, monkeypatch):
    """The sentence says which function it lacks."""
    empty = tmp_path / "empty.c"
    empty.write_text("int nothing;\n")
    library = tmp_path / "librocksdb.so"
    subprocess.run(["cc", "-shared", "-o", library, empty], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = call("rocksdb", ["l.i0:rows=10"])

    assert (2, "") == (done.returncode, done.stdout)
    assert done.stderr == (
        "ingest: librocksdb.so has no rocksdb_free: it is older than RocksDB 4.13\n"
    )


def hold(ingest, tmp_path, steps, *options):
    """A run that goes on, once its last step has begun."""
    words = [word for step in steps for word in ("--step", step)]
    process = subprocess.Popen(
        [ingest, "--engine", "rocksdb", "--target", tmp_path, *words, *options],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    begun = 0
    while begun < len(steps):
        begun += '"begin"' in process.stdout.readline()
    return process


def test_another_process_at_the_folder_is_one_sentence(debian, ingest, call, tmp_path):
    """A database of RocksDB has one process."""
    with hold(ingest, tmp_path, ["l.i0:seconds=20"]) as holder:
        told = refused(call("rocksdb", ["scan.q1"]))
        holder.terminate()
        end = json.loads(holder.communicate()[0].splitlines()[-1])

    assert told.startswith("cannot open the database: IO error: ") and "LOCK" in told
    assert "failed" == end["status"]


def damage(folder):
    """Turn the bytes in the middle of every table file."""
    for file in folder.glob("benchbook.rocksdb/*.sst"):
        content = bytearray(file.read_bytes())
        middle = len(content) // 2
        content[middle : middle + 64] = bytes(255 - b for b in content[middle:][:64])
        file.write_bytes(content)


def test_a_damaged_table_is_one_sentence(debian, records, call, tmp_path):
    """The block's checksum tells, and no row is made up."""
    records("rocksdb", ["l.i0:rows=5000", "l.x", "cleanup"])
    damage(tmp_path)

    told = refused(call("rocksdb", ["scan"]))
    assert "Corruption: block checksum mismatch" in told


@pytest.mark.slow
def test_a_killed_run_loses_nothing(debian, ingest, records, tmp_path):
    """Killed while it compacts: counted rows are there, with all their entries."""
    steps = ["l.i0:rows=4000", "l.x", "l.i1:seconds=20"]
    config = tmp_path / "settings"
    config.write_text(SMALL.read_text() + "write_buffer_size = 256K\n")
    with hold(ingest, tmp_path, steps, "--config", config, "--no-delete") as process:
        rows = 0
        while not rows:
            record = json.loads(process.stdout.readline())
            rows += record.get("rows", 0) if record["kind"] == "sample" else 0
        process.send_signal(signal.SIGKILL)
    found = records("rocksdb", ["scan", "qp100.L2:queries=20", "qr100.L1:queries=20"])

    scanned = by_op(found, "step")["scan", "scan"]["rows"]
    assert scanned >= 5 * (4000 + rows)


@pytest.mark.slow
@ROOT_ONLY
@pytest.mark.parametrize("version", ["4.13.5", "8.11.4", "11.8.1"])
def test_a_full_disk_is_one_sentence(ingest, tmp_path, monkeypatch, version):
    """Also where the release itself would wait for space, for ever."""
    use(version, "jar", monkeypatch)
    script = (
        f"mount -t tmpfs -o size=24m none {tmp_path} && exec {ingest} --engine rocksdb "
        f"--target {tmp_path} --config {SMALL} --step l.i0:rows=9000000"
    )
    if not shutil.which("unshare"):
        pytest.skip("no mount namespace can be made here")
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True,
        check=False, timeout=60, env=os.environ | {"TMPDIR": "/tmp"},
    )  # fmt: skip
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("no mount namespace can be made here")

    told = refused(done)
    assert "step l.i0: no space is left for the database (IO error: No space" in told


def arm(programs, folder, version):
    """The words of a run of one release."""
    tree = install_tree("rocksdb", version, "jar")
    return [
        BENCH / "run.sh", "--bin", programs, "--lib", tree / "lib", "--config", SMALL,
        '{"schema":1}', folder / "data/raw/study/machine" / version / "dop1.t1",
        "ingest", "--engine", "rocksdb", "--target", "{target}", "--config", "{config}",
        "--step", "l.i0:rows=2000", "--step", "l.x", "--step", "qr100.L1:seconds=0.5",
    ]  # fmt: skip


@pytest.mark.slow
def test_releases_take_turns_under_one_client(builds, tmp_path):
    """The oldest and the newest, threads of their own and all."""
    for goal in ("ingest", "keeper", "now", "referee"):
        programs = compiled(builds, goal)
    (tmp_path / "data" / "scratch").mkdir(parents=True)
    words = [
        programs / "referee", "--keeper", programs / "keeper",
        "--dir", tmp_path / "data" / "scratch", "--turn-ms", "50", "--",
        *arm(programs, tmp_path, JARS[0]), "--and", *arm(programs, tmp_path, JARS[-1]),
    ]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    folders = [line.split("\t")[2] for line in done.stdout.splitlines()]

    assert 0 == done.returncode, done.stderr
    for folder in folders:
        turns = subprocess.run(
            ["zstd", "-dcf", f"{folder}/turns.jsonl.zst"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        assert turns.count('"step":"qr100.L1"') > 5
