"""Servers for tests: their programs and trees, and what is left of them."""

from __future__ import annotations

import os
import pwd
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from places import BENCH

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
T = TypeVar("T")
END = '{"kind":"end","status":"ok"}'


def compiled(builds: Path, goal: str) -> Path:
    """The folder of a program of bench/, which make brings up to date."""
    out = builds / "servers"
    out.parent.mkdir(parents=True, exist_ok=True)
    words = ["flock", f"{out}.lock", "make", "-s", "-j2", "-C", BENCH, f"OUT={out}", goal]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return out


def install_tree(engine: str, version: str, source: str) -> Path:
    """The install tree of a line of engines.tsv; skips the test if it cannot be had."""
    words = [BENCH / "install.sh", engine, version, source]
    if source == "built":
        words = [BENCH / "install.sh", "--built", engine, version, "gcc", "-O2"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["install.sh failed"]
        pytest.skip(f"{engine} {version} {source}: {said[-1]}")
    return Path(done.stdout.strip())


@contextmanager
def held_server(
    engine: str, tree: Path, home: Path, config: str, helpers: Path
) -> Iterator[tuple[str, Path]]:
    """A server as bench/server.sh starts it: its connection words and its data folder.

    home/run keeps its log.
    """
    (home / "config").write_text(config)
    (home / "run").mkdir()
    words = [
        BENCH / "server.sh", "run", "--engine", engine, "--basedir", tree,
        "--config", home / "config", "--dir", home / "server", "--run", home / "run",
        "--bin", helpers, "--",
        "bash", "-c", 'echo "$1"; echo "$BENCH_SERVER_DIR"; cat', "-", "{server}",
    ]  # fmt: skip
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        target, data = (process.stdout.readline().strip() for _ in range(2))
        yield target, Path(data)
        process.stdin.close()
    assert 0 == process.returncode


def until(find: Callable[[], T], seconds: float = 20) -> T:
    """What find() gives as soon as that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := find():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


def alive(pid: int) -> bool:
    """Whether there is a process of that id that has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def naming(text: str | Path) -> list[str]:
    """The command lines of all processes that hold a text."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(text) in line and int(file.parent.name) != os.getpid():
            found.append(line)
    return found


def sockets_of(folder: Path) -> list[Path]:
    """The socket folder of the server whose data lie below folder."""
    return [Path(p.read_text().strip()) for p in folder.rglob("server.sockets")]


def nobody() -> str:
    """Who servers run as."""
    return "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
