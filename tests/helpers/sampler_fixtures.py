"""The sampler, compiled with sanitizers, for the tests that run it."""

from __future__ import annotations

import fcntl
import json
import subprocess
from pathlib import Path

import pytest
from places import BENCH

SANITIZE = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"


@pytest.fixture(scope="session")
def sampler(builds) -> Path:
    """The program: a wrong access or a leak fails its run."""
    out = builds / "sampler"
    out.mkdir(parents=True, exist_ok=True)
    words = ["make", "-s", "-j2", "-C", BENCH, f"OUT={out}", f"OPT={SANITIZE}", "sampler"]
    with (out / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the two workers of a session
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return out / "sampler"


class Running:
    """A sampler that writes to a pipe."""

    def __init__(self, words: list[str | Path]) -> None:
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[dict] = []

    def next(self, count: int = 1) -> dict:
        """The last of the next lines."""
        for _ in range(count):
            self.lines.append(json.loads(self.process.stdout.readline()))
        return self.lines[-1]

    def wait_for(self, good) -> dict:
        """The next os line that is as wanted."""
        for _ in range(500):
            line = self.next()
            if good(line):
                return line
        raise AssertionError(f"never came: {self.lines[-1]}")

    def stop(self) -> list[dict]:
        """TERM; all lines, after an exit without a complaint."""
        if not self.lines:
            self.next()  # before the first line it would end without any
        self.process.terminate()
        # Not communicate(), which does not see what readline() has read ahead.
        self.lines += [json.loads(line) for line in self.process.stdout]
        errors = self.process.stderr.read()
        assert (0, "") == (self.process.wait(timeout=20), errors)
        return self.lines


@pytest.fixture
def run(sampler):
    """A function that starts the sampler, at 100 Hz unless told otherwise."""
    started: list[Running] = []

    def start(*options: object, ms: int = 10) -> Running:
        words = [sampler, "--out", "-", "--interval-ms", str(ms), *map(str, options)]
        started.append(Running(words))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.communicate()
