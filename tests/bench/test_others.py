"""bench/tools/quiet.c: what other processes use, and how fast the machine is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from servers import compiled

pytest_plugins = ("server_fixtures", "sampler_fixtures")
BURN = [sys.executable, "-c", "while True: pass"]


@pytest.fixture(scope="module")
def quiet(builds) -> Path:
    return compiled(builds, "quiet") / "quiet"


@pytest.fixture
def burning() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(BURN) as process:
        yield process
        process.kill()


@pytest.fixture
def resting() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def look(quiet: Path, *words: object) -> dict:
    line = [str(quiet), "1000", *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_busy_process_that_is_not_ours_is_seen(quiet, burning, resting):
    """Ours are what descends from the resting one, and its ancestors."""
    assert look(quiet, resting.pid)["others_ns"] >= 200_000_000


@pytest.mark.slow
def test_what_descends_from_ours_is_no_other(quiet, burning):
    """The same process again, as the root: what is left is that of the machine."""
    seen = [look(quiet, burning.pid)["others_ns"] for _ in range(3)]
    without = [look(quiet)["others_ns"] for _ in range(3)]
    assert abs(min(seen) - min(without)) < 500_000_000


@pytest.mark.slow
def test_the_name_of_the_busiest_is_told(quiet, burning, resting):
    assert look(quiet, resting.pid)["busiest"]


@pytest.mark.slow
def test_work_takes_time(quiet):
    assert 100_000 < look(quiet)["work_ns"] < 1_000_000_000


@pytest.mark.parametrize("words", [[], ["x"], ["60001"], ["1", "y"], ["1", "2", "3"]])
def test_wrong_words_are_refused(quiet, words):
    done = subprocess.run([quiet, *words], capture_output=True, text=True, check=False)
    assert (2, True) == (done.returncode, done.stderr.startswith("usage: quiet"))


@pytest.mark.slow
def test_a_sampler_of_many_samples_sees_others_soon(run, burning, resting):
    """At 10 Hz a busy process is seen oftener than once in .9 s, loaded or not."""
    lines = run("--run", resting.pid, ms=100)
    lines.next()  # what is sampled
    seen = [lines.next()["others_ns"] for _ in range(30)]
    lines.stop()

    growing = sum(later > earlier for earlier, later in pairwise(seen))
    assert growing > 4, seen
