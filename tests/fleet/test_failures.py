"""Hosts whose disk is full, that are another machine than before, whose clock is off."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from checkouts import parts_below
from studies import NULL_STUDY

pytestmark = [pytest.mark.engine, pytest.mark.slow]
LONG = NULL_STUDY.replace("rows=20000", "rows=3000000").replace(
    "[0, 3]", "[0, 3]\n  price: [int, real]"
)
TURNS = NULL_STUDY.replace("trials: 2", "trials: 1\norder: turns")
DRIVER = "data/raw/*/*/*/.partial-*/driver.jsonl"
FAKETIME = "/usr/lib/*/faketime/libfaketime.so.1"


@pytest.fixture
def small_disk() -> Iterator[Callable[[Path], None]]:
    """Puts an empty disk of its own where a folder is."""
    mounted = []

    def mount(folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        words = ["mount", "-t", "tmpfs", "-o", "size=96m", "none", str(folder)]
        done = subprocess.run(words, capture_output=True, check=False)
        if done.returncode:
            pytest.skip(f"no disk can be mounted: {done.stderr.decode().strip()}")
        mounted.append(folder)

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Take all the room there is; whoever deletes the file gives it back."""
    filler = folder / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (2**20, 4096, 1):
            try:
                while file.write(b"x" * size) == size:
                    pass
            except OSError:
                continue
    return filler


def keep(hosts, *names: str) -> str:
    """hosts.yml with these hosts alone."""
    lines = hosts.file.read_text().splitlines()
    own = [li for li in lines if "{name" not in li or any(f" {n}," in li for n in names)]
    file = hosts.folder / "some.yml"
    file.write_text("\n".join([*own, ""]))
    return str(file)


def begin(checkout, slug: str, file: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "benchbook", "run", slug, "--on", file]
    return subprocess.Popen(
        words, cwd=checkout.root, env=checkout.environ, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for(found: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def made(checkout, slug: str) -> Counter[tuple[str, str, str, int]]:
    """The good runs of a study: machine, its id, cell and trial of each."""
    good = [
        json.loads((run / "spec.json").read_text())
        for run in checkout.runs(slug)
        if json.loads((run / "manifest.json").read_text())["status"] == "ok"
    ]
    keys = ("machine", "machine_id", "declared_id", "trial")
    return Counter(tuple(spec[key] for key in keys) for spec in good)


def is_whole(checkout, hosts, slug: str, runs: int) -> None:
    """Each run is there once, no half of one, and nothing is left on a host."""
    counted = Counter(key[2:] for key in made(checkout, slug).elements())
    assert runs == len(counted) == counted.total()
    assert [] == list((checkout.root / "data" / "raw").glob(".arriving*"))
    left = [p for n in hosts.ports for p in (hosts.folder / n / "lab/fleet").glob("*")]
    assert [] == left
    assert [] == [p for p in parts_below(hosts.folder).values() if p == "ingest"]


def is_used_again(checkout, hosts) -> None:
    """bee measures all of a study."""
    checkout.study("later", NULL_STUDY)
    checkout.ok("run", "later", "--on", keep(hosts, "bee"))
    is_whole(checkout, hosts, "later", 4)


def test_disk_that_is_full_from_the_start(checkout, hosts, small_disk):
    """The host says so once and gives up; with space it is used again."""
    small_disk(hosts.folder / "bee" / "lab")
    filler = fill(hosts.folder / "bee" / "lab")
    checkout.study("nothing", NULL_STUDY)
    done = checkout.call("run", "nothing", "--on", str(hosts.file))

    assert 0 == done.returncode, done.stderr
    assert 1 == done.stderr.count("bee: no space is left there: ")
    assert "no space is left there" in checkout.ok("status")
    filler.unlink()
    is_whole(checkout, hosts, "nothing", 4)
    is_used_again(checkout, hosts)


def test_disk_that_is_full_when_a_job_starts(checkout, hosts, small_disk):
    """Prepared, but no room for the job: it is made elsewhere."""
    lab = hosts.folder / "bee" / "lab"
    small_disk(lab)
    checkout.study("nothing", LONG)
    checkout.ok("run", "nothing", "--on", keep(hosts, "bee"))
    filler = fill(lab)
    checkout.study("nothing", LONG.replace("trials: 2", "trials: 3"))
    done = checkout.call("run", "nothing", "--on", keep(hosts, "bee", "wasp"))

    assert 0 == done.returncode, done.stderr
    assert 1 == done.stderr.count("bee: no space is left there: ")
    filler.unlink()
    is_whole(checkout, hosts, "nothing", 12)
    is_used_again(checkout, hosts)


@pytest.mark.parametrize("sign", ["fleet/*/pid", DRIVER])
def test_disk_that_fills_up_while_a_job_runs(checkout, hosts, small_disk, sign):
    """While programs are made, or while it is measured: its jobs are made elsewhere."""
    lab = hosts.folder / "bee" / "lab"
    small_disk(lab)
    checkout.study("nothing", LONG)
    with begin(checkout, "nothing", keep(hosts, "bee", "wasp")) as process:
        wait_for(lambda: list(lab.glob(sign)))
        while process.poll() is None:  # what is removed there gives no room
            filler = fill(lab)
            time.sleep(0.02)
        _, said = process.communicate()

    assert 0 == process.returncode, said
    assert 1 == said.count("bee: no space is left there: "), said
    assert "no space is left there" in checkout.ok("status")
    filler.unlink()
    is_whole(checkout, hosts, "nothing", 8)
    is_used_again(checkout, hosts)


def reimage(hosts, name: str, small_disk) -> None:
    """Kill what runs there, and put another disk, so another machine, in its place."""
    lab = hosts.folder / name / "lab"
    for _ in range(2):
        for pid, name in parts_below(lab).items():
            if name not in ("ssh", "rsync"):  # of the coordinator
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        shutil.rmtree(lab, ignore_errors=True)
    small_disk(lab)


def test_host_that_is_another_machine_in_the_next_call(checkout, hosts, small_disk):
    """Both arms of all trials are of the new one; the old one's run is told apart."""
    file = keep(hosts, "bee")
    checkout.study("turns", TURNS)
    checkout.ok("run", "turns", "--on", file)
    [old] = {key[1] for key in made(checkout, "turns")}
    reimage(hosts, "bee", small_disk)
    checkout.study("turns", TURNS.replace("trials: 1", "trials: 3"))
    done = checkout.call("run", "turns", "--on", file)

    assert 0 == done.returncode, done.stderr
    assert "bee: is another machine than before" in done.stderr
    assert "turns: 6 runs made, 0 failed, 0 left" in done.stdout
    of = Counter(key[1] for key in made(checkout, "turns").elements())
    assert [2, 6] == [of.pop(old), *of.values()]
    assert "every run is there" in checkout.ok("run", "turns", "--on", file)
    assert "2 machines are called bee" in checkout.ok("load")
    mixed = checkout.call("compare", "turns", "indexes=0", "indexes=3").stderr
    assert "mixes machine_id" in mixed and old in mixed


def test_host_that_becomes_another_machine_while_a_job_runs(
    checkout, hosts, small_disk
):  # fmt: skip
    """It is prepared anew, and what the old one made in this call is made again."""
    checkout.study("turns", LONG.replace("trials: 2", "trials: 3\norder: turns"))
    raw = checkout.root / "data" / "raw" / "turns"
    with begin(checkout, "turns", keep(hosts, "bee")) as process:
        wait_for(lambda: list(raw.glob("*/*/dop1.t1-*/manifest.json")))
        lab = hosts.folder / "bee" / "lab"
        wait_for(lambda: list(lab.glob(DRIVER)))
        reimage(hosts, "bee", small_disk)
        out, said = process.communicate(timeout=240)

    assert 0 == process.returncode, said
    assert "bee: is another machine than before" in said
    of = Counter(key[1] for key in made(checkout, "turns").elements())
    assert [2, 12] == sorted(of.values()), out
    assert 1 == max(made(checkout, "turns").values())


def test_host_whose_folder_is_gone_is_prepared_anew(checkout, hosts):
    """The same machine: what it made before counts."""
    checkout.study("turns", LONG.replace("trials: 2", "trials: 2\norder: turns"))
    raw = checkout.root / "data" / "raw" / "turns"
    with begin(checkout, "turns", keep(hosts, "bee")) as process:
        wait_for(lambda: list(raw.glob("*/*/dop1.t1-*/manifest.json")))
        reimage(hosts, "bee", lambda folder: None)
        _, said = process.communicate(timeout=240)

    assert 0 == process.returncode, said
    is_whole(checkout, hosts, "turns", 8)


def test_host_with_another_key(checkout, hosts):
    """What ssh says of it is passed on; others make its jobs."""
    checkout.study("nothing", NULL_STUDY)
    hosts.stop("bee")
    for file in (hosts.folder / "bee").glob("key*"):
        file.unlink()
    key = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", hosts.folder / "bee/key"]
    subprocess.run(key, check=True)
    hosts.start("bee")
    done = checkout.call("run", "nothing", "--on", keep(hosts, "bee", "wasp"))

    assert 0 == done.returncode, done.stderr
    assert "bee: Host key verification failed." in done.stderr
    is_whole(checkout, hosts, "nothing", 4)
    assert {"wasp"} == {key[0] for key in made(checkout, "nothing")}


@pytest.mark.parametrize("off", ["+1h", "-1h"])
def test_clock_that_is_an_hour_off(checkout, hosts, off):
    """Said once; runs come home, are believed and compared as any others."""
    library = next(Path("/").glob(FAKETIME[1:]), None)
    if library is None:
        pytest.skip("needs libfaketime: apt-get install faketime")
    for left in Path("/dev/shm").glob(
        "*faketime_*_*"
    ):  # by who was killed: it fails whom
        if not Path("/proc", left.name.rpartition("_")[2]).exists():  # has the id next
            left.unlink(missing_ok=True)
    config = hosts.folder / "bee" / "sshd_config"
    own = f"LD_PRELOAD={library} FAKETIME={off} FAKETIME_DONT_FAKE_MONOTONIC=1"
    config.write_text(f"{config.read_text()}SetEnv {own}\n")
    hosts.stop("bee")
    hosts.start("bee")
    for order in ("", "\norder: turns"):
        slug = "turns" if order else "nothing"
        checkout.study(slug, NULL_STUDY.replace("trials: 2", f"trials: 3{order}"))
        done = checkout.call("run", slug, "--on", keep(hosts, "bee"))
        assert 0 == done.returncode, done.stderr
        assert 1 == done.stderr.count("bee: its clock is "), done.stderr
        is_whole(checkout, hosts, slug, 6)
        assert "not loaded" not in done.stderr
        env = json.loads((checkout.runs(slug)[0] / "env.json").read_text())
        began = datetime.fromisoformat(env["started_utc"])
        assert 1800 < abs((began - datetime.now(UTC)).total_seconds())
        assert "l.i0" in checkout.ok("compare", slug, "indexes=0", "indexes=3")
        assert "every run is there" in checkout.ok(
            "run", slug, "--on", keep(hosts, "bee")
        )
    loaded = checkout.call("load")
    assert "refused" not in loaded.stdout + loaded.stderr
