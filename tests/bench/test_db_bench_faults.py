"""What goes wrong under db_bench: one sentence, a failed run, and no process left."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from places import BENCH

TREES = Path.home() / ".cache" / "benchbook" / "engines"
BINARIES = [*TREES.glob("rocksdb-*/lib/db_bench")]
if shutil.which("db_bench"):
    BINARIES.append(Path(shutil.which("db_bench")))
pytestmark = [
    pytest.mark.engine,
    pytest.mark.slow,
    pytest.mark.skipif(not BINARIES, reason="no db_bench: rocksdb-tools, or a built one"),
]
NOW = '#!/bin/sh\necho \'{"mono_ns":1,"real_ns":2,"boot_id":"b"}\'\n'
SMALL = (
    "--write-buffer-size", "500000", "--target-file-size-base", "500000",
    "--max-bytes-for-level-base", "1000000", "--cache-size", "10000000",
)  # fmt: skip


@pytest.fixture
def command(tmp_path):
    """A function that makes the driver's command and environment for some steps."""
    for name in ("database", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "now").write_text(NOW)
    (tmp_path / "now").chmod(0o755)
    places = {"LD_LIBRARY_PATH": str(BINARIES[0].parent), "BENCH_BIN": str(tmp_path)}

    def make(*steps, num=20000, options=SMALL):
        words = [str(BENCH / "db_bench.sh"), "--engine", "rocksdb", "--num", str(num)]
        words += ["--target", str(tmp_path / "database"), "--out", str(tmp_path / "out")]
        words += [word for step in steps for word in ("--step", step)]
        environ = os.environ | places | {"BENCH_PATIENCE": "20"}
        return [*words, *options], environ

    return make


def run(command, *steps, **more):
    """What the driver's last record says, and what it says to people."""
    words, environ = command(*steps, **more)
    done = subprocess.run(
        words, env=environ, capture_output=True, text=True, check=False, timeout=120
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, lines, done.stderr


def left(folder):
    """Processes whose command names the folder."""
    commands = (
        p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()
    )
    return [text for text in commands if f"--db={folder}".encode() in text]


def test_db_bench_killed_in_a_compaction_fails_the_run(command, tmp_path):
    """The steps before it are whole; nothing claims that this one was done."""
    words, environ = command("fillseq", "overwriteandwait:seconds=60")
    with subprocess.Popen(
        words, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        victim = compacting(tmp_path / "database" / "db_bench")
        os.kill(victim, signal.SIGKILL)
        said, complaint = process.communicate(timeout=30)
    lines = [json.loads(line) for line in said.splitlines()]

    reason = "db_bench was killed in step overwriteandwait"
    assert (1, f"db_bench.sh: {reason}\n") == (process.returncode, complaint)
    assert ("failed", reason) == (lines[-1]["status"], lines[-1]["reason"])
    assert ["fillseq"] == [x["step"] for x in lines if x["kind"] == "step"]
    assert [] == left(tmp_path / "database")


def compacting(database):
    """The process that overwrites, once a compaction of it has begun."""
    for _ in range(600):
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            text = entry.read_bytes() if entry.exists() else b""
            mine = f"--db={database}".encode() in text and b"=overwrite" in text
            if mine and Path(text.split(b"\0")[0].decode()).name == "db_bench":
                log = database / "LOG"
                if log.exists() and "compaction_started" in log.read_text("latin-1"):
                    return int(entry.parent.name)
        time.sleep(0.05)
    raise AssertionError("no compaction began in 30 s")


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("readrandom", "db_bench failed in step readrandom: Get returned an error: Corr"),
        # A seek that lands in the damage ends db_bench, one that runs into it ends early.
        ("fwdrange", "in step fwdrange: "),
        ("fwdrangewhilewriting", "in step fwdrangewhilewriting: "),
    ],
)
def test_reads_of_a_damaged_file_are_not_counted(command, tmp_path, step, why):
    """Half of the largest file is other bytes."""
    assert 0 == run(command, "fillseq")[0]
    files = (tmp_path / "database" / "db_bench").glob("*.sst")
    largest = max(files, key=lambda file: file.stat().st_size)
    content = bytearray(largest.read_bytes())
    middle = len(content) // 4
    content[middle : 3 * middle] = b"\xa5" * (2 * middle)
    largest.write_bytes(content)

    code, lines, complaint = run(command, f"{step}:seconds=1")

    assert (1, "failed") == (code, lines[-1]["status"])
    assert why in lines[-1]["reason"]
    assert complaint == f"db_bench.sh: {lines[-1]['reason']}\n"
    assert [] == [line for line in lines if line["kind"] == "step"]
    assert [] == left(tmp_path / "database")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_fails_the_run(command, tmp_path):
    """It has room for the load, not for what is written over it."""
    words, environ = command("fillseq", "overwriteandwait:seconds=15", num=40000)
    place = tmp_path / "database"
    script = f"mount -t tmpfs -o size=24m none {place} && exec {' '.join(words)}"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], env=environ, check=False,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("no mount namespace can be made here")
    lines = [json.loads(line) for line in done.stdout.splitlines()]

    assert (1, "failed") == (done.returncode, lines[-1]["status"])
    assert "No space left on device" in lines[-1]["reason"]
    assert 1 == len(done.stderr.splitlines())
    assert ["fillseq"] == [x["step"] for x in lines if x["kind"] == "step"]
    assert [] == left(tmp_path / "database")


@pytest.mark.parametrize(
    ("option", "why"),
    [
        (("--num-levels", "many"), "refuses the flags of step fillseq"),
        (("--compression-type", "best"), "refuses the flags of step fillseq"),
    ],
)
def test_a_value_that_the_binary_refuses_is_refused_by_plan(command, option, why):
    """It opens an empty database with it; nothing is on stdout, nothing left."""
    words, environ = command("fillseq", options=(*SMALL, *option))
    done = subprocess.run(
        [*words, "--dry-run"], env=environ, capture_output=True, text=True, check=False
    )

    assert 2 == done.returncode
    assert why in done.stderr
    assert 1 == len(done.stderr.splitlines())
