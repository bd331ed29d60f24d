"""bench/sampler/remote.sh: the sampler on another host, here another shell."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from places import BENCH
from servers import until

pytest_plugins = ("sampler_fixtures",)
pytestmark = pytest.mark.engine

SCRIPT = BENCH / "sampler/remote.sh"
# As ssh does it: the words, joined by blanks, for a shell in another folder.
SSH = """#!/bin/sh
test "$1" = -q && shift
test "$1" = db1 || { echo "ssh: no such host $1" >&2; exit 255; }
shift
cd "$FAR" && TMPDIR="$FAR" exec sh -c "$*"
"""


@pytest.fixture
def start(sampler, tmp_path):
    """A function that starts the script; what it leaves far away is in tmp_path/far."""
    (tmp_path / "far").mkdir()
    (tmp_path / "ssh").write_text(SSH)
    (tmp_path / "ssh").chmod(0o755)
    environ = os.environ | {
        "BENCH_SSH": f"{tmp_path}/ssh -q", "FAR": str(tmp_path / "far")
    }  # fmt: skip
    started = []

    def begin(*words, host="db1"):
        command = [SCRIPT, host, "--bin", sampler.parent, "--", *words]
        process = subprocess.Popen(
            [str(word) for word in command], env=environ, cwd=tmp_path,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def samples(file: Path) -> int:
    return file.read_text().count('"os"') if file.exists() else 0


@pytest.mark.parametrize("name", ["TERM", "INT"])
def test_lines_come_as_they_are_made_until_a_signal(start, tmp_path, name):
    """The last line is `end`; the host keeps nothing; its name is nowhere."""
    out = tmp_path / "it's mine.jsonl"
    process = start("--out", out, "--interval-ms", "10", "--folder", tmp_path / "far")
    until(lambda: samples(out) > 2)
    process.send_signal(getattr(signal, f"SIG{name}"))
    told = process.communicate(timeout=20)
    head, *_, end = map(json.loads, out.read_text().splitlines())

    assert (0, "", "") == (process.returncode, *told)
    assert ("sampler", "end") == (head["kind"], end["kind"])
    assert abs(head["offset_ns"]) < 1e9
    assert 0 != head["offset_ns"]
    assert "db1" not in out.read_text()
    assert [] == list((tmp_path / "far").iterdir())


def test_sampler_that_fails_ends_the_script(start, tmp_path):
    """Its sentence and its exit status are ours; the host keeps nothing."""
    process = start("--out", tmp_path / "out", "--pid", "2147483647")
    _, errors = process.communicate(timeout=20)

    assert 1 == process.returncode
    assert "sampler: --pid 2147483647: there is no such process\n" == errors
    assert [] == list((tmp_path / "far").iterdir())


def test_connection_that_dies_ends_the_sampler(start, tmp_path):
    """Whatever kills us, the host's shell sees its input end and removes the file."""
    out = tmp_path / "out"
    process = start("--out", out, "--interval-ms", "10")
    until(lambda: samples(out) > 2)
    process.kill()
    process.wait()

    until(lambda: not list((tmp_path / "far").iterdir()))
    until(lambda: out.read_text().splitlines()[-1].startswith('{"kind":"end"'))


def test_host_that_cannot_be_reached_is_said(start, tmp_path):
    """ssh says why, we say what follows; exit status 1."""
    process = start("--out", tmp_path / "out", host="elsewhere")
    _, errors = process.communicate(timeout=20)

    assert 1 == process.returncode
    assert errors.endswith("remote.sh: the sampler cannot be sent to the host\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [((), "--out FILE is missing"), (("--out", "x", "--clock"), "--clock is not for")],
)
def test_wrong_usage_is_one_sentence(start, words, said):
    """Exit status 2, before the host is asked for anything."""
    process = start(*words)
    _, errors = process.communicate(timeout=20)

    assert (2, 1) == (process.returncode, errors.count("\n"))
    assert said in errors
