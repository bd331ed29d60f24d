"""A log on a device of its own: what it writes there, and that nothing of it stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from servers import BENCH, ROOT_ONLY, alive, compiled, install_tree, naming, until

pytest_plugins = ("server_fixtures",)
pytestmark = [pytest.mark.engine, ROOT_ONLY]

CONFIGS = {
    "mariadb": "innodb_buffer_pool_size = 64M\ninnodb_flush_log_at_trx_commit = 1\n",
    "myrocks": "rocksdb_flush_log_at_trx_commit = 1\n",
    "postgres": "shared_buffers = 64MB\n",
}
SIZE = 256 << 20
CACHED = 'fincore -nb -o RES "${BENCH_SERVER_DIR%/data}"/log/wal/ib_logfile0'


def loops() -> str:
    """The loop devices there are, but for those of other tests."""
    done = subprocess.run(["losetup", "-a"], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def begin(builds, drivers, tmp_path):
    """A function that starts run.sh with a server whose log has a device."""
    compiled(builds, "sampler")

    def start(engine: str, *options: str, size: int = SIZE):
        tree = install_tree(*{
            "postgres": ("postgres", "15", "debian"),
        }.get(engine, ("mariadb", "10.11", "debian")))  # fmt: skip
        config = tmp_path / "config"
        config.write_text(CONFIGS[engine])
        words = [BENCH / "run.sh", "--bin", drivers, "--server", engine]
        words += ["--basedir", tree, "--config", config, "--log-device", size]
        words += ["--sample", "100", '{"schema":1}']
        words += [tmp_path / "data/raw/s/m" / engine / "dop1.t1", "ingest"]
        words += ["--engine", engine, "--target", "{server}"]
        words += [word for step in options for word in ("--step", step)]
        return subprocess.Popen(
            [*map(str, words)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    return start


def sampled(made: Path) -> list[dict]:
    words = ["zstd", "-dcf", made / "sampler.jsonl.zst"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def written(records: list[dict], device: str) -> int:
    """Sectors by the first and the last line that have the device."""
    head, *lines = records
    names = [*head["devices"], *(n for s in lines for n in s.get("new_devices", []))]
    place = names.index(device)
    seen = [d[7] for s in lines for d in s.get("dev", []) if d[0] == place]
    return seen[-1] - seen[0]


@pytest.mark.parametrize("engine", CONFIGS)
def test_log_is_written_on_its_device(begin, tmp_path, engine):
    """Every transaction reaches it; no device, mount, process or file is left."""
    said, complaint = begin(engine, "l.i0:rows=2000").communicate(timeout=120)
    made = Path(said.strip())
    assert "" == complaint
    assert '"status":"ok"' in (made / "manifest.json").read_text()
    records = sampled(made)
    device = records[0]["log_device"]

    assert device.startswith("loop")
    assert written(records, device) > 20 * 8  # 20 transactions, a block of 4 KB each
    assert [] == list((tmp_path / "data/scratch").iterdir())
    assert str(tmp_path) not in loops() + Path("/proc/mounts").read_text()
    assert [] == naming(tmp_path)


def test_device_of_a_run_that_is_killed_is_let_go(begin, tmp_path):
    """Killed at once are run.sh, or the server's guard with it."""
    with begin("mariadb", "l.i0:rows=2000000") as process:
        pid = until(
            lambda: [p for p in tmp_path.rglob("server.pid") if p.read_text().strip()]
        )
        server = int(pid[0].read_text().split()[0])
        assert str(tmp_path) in loops()
        process.kill()
    until(lambda: not alive(server))
    until(lambda: str(tmp_path) not in loops())
    until(lambda: not naming(tmp_path))


def test_device_outlives_no_guard(begin, tmp_path):
    """server.sh killed: its keeper ends the server, and the device goes with it."""
    with begin("mariadb", "l.i0:rows=2000000") as process:
        until(lambda: [p for p in tmp_path.rglob("server.pid") if p.read_text().strip()])
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            line = file.read_bytes().split(b"\0")
            if any(w.endswith(b"/server.sh") for w in line[:3]) and str(
                tmp_path
            ).encode() in b" ".join(line):
                os.kill(int(file.parent.name), signal.SIGKILL)
        process.communicate(timeout=60)
    until(lambda: str(tmp_path) not in loops())
    assert [] == list((tmp_path / "data/scratch").iterdir())


def test_server_alone_leaves_its_folder_empty(drivers, tmp_path):
    """Its mount goes before the folder that it stood in. Of the log, which was made where
    no limit holds, nothing is cached where one does.
    """
    tree = install_tree("mariadb", "10.11", "debian")
    image = tmp_path / "image"
    image.write_bytes(b"")
    os.truncate(image, SIZE)
    device = subprocess.run(
        ["losetup", "--find", "--show", image], capture_output=True, text=True, check=True
    ).stdout.strip()
    try:
        subprocess.run(["mkfs.ext4", "-q", device], check=True)
        words = [BENCH / "server.sh", "run", "--engine", "mariadb", "--basedir", tree]
        words += ["--dir", tmp_path / "server", "--bin", drivers, "--memory", f"{SIZE}"]
        words += ["--log-device", device, "--", "bash", "-c", CACHED]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)

    assert ("", 0) == (done.stderr, done.returncode)
    assert int(done.stdout) < 1 << 20
    assert not (tmp_path / "server").exists()


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (1000, "mkfs.ext4 makes no file system of 1000 bytes for the log"),
        (1 << 60, "there is no room for a log device of 1152921504606846976 bytes"),
    ],
)
def test_size_that_cannot_be_is_one_sentence(begin, tmp_path, size, said):
    """Before the server is started; nothing is left."""
    process = begin("mariadb", "l.i0:rows=1", size=size)
    out, complaint = process.communicate(timeout=60)

    assert (3, "") == (process.returncode, out)
    assert said in complaint
    assert 1 == len(complaint.splitlines())
    assert [] == list((tmp_path / "data/scratch").iterdir())
    assert str(tmp_path) not in loops()
