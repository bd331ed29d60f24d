"""The driver ingest, compiled with sanitizers, for the tests that run it."""

from __future__ import annotations

import json
import subprocess

import pytest
from places import BENCH

SANITIZE = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"


@pytest.fixture(scope="session")
def ingest(tmp_path_factory):
    """The driver, compiled with sanitizers: a wrong access or a leak fails its run."""
    out = tmp_path_factory.mktemp("ingest")
    words = ["make", "-s", "-j2", "-C", str(BENCH), f"OUT={out}", f"OPT={SANITIZE}"]
    done = subprocess.run([*words, "ingest"], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return out / "ingest"


@pytest.fixture
def call(ingest, tmp_path):
    """A function that runs steps on an engine and gives the finished process."""

    def run(engine, steps, *options):
        words = [word for step in steps for word in ("--step", step)]
        return subprocess.run(
            [ingest, "--engine", engine, "--target", tmp_path, *words, *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


@pytest.fixture
def records(call):
    """A function that runs steps, insists on success and gives the records."""

    def run(engine, steps, *options):
        done = call(engine, steps, *options)
        assert (0, "") == (done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run
