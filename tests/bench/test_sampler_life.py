"""bench/sampler: how it begins and ends, and what it says when it cannot."""

import json
import os
import pwd
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from servers import ROOT_ONLY, alive, until

pytest_plugins = ("sampler_fixtures",)
pytestmark = pytest.mark.engine


def lines_of(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def call(*words, **options):
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False,
        timeout=20, **options,
    )  # fmt: skip


def test_kill_9_leaves_whole_lines(sampler, tmp_path):
    """The file ends with the last line that was written, whatever happens."""
    out = tmp_path / "out"
    process = subprocess.Popen([sampler, "--out", out, "--interval-ms", "10"])
    until(lambda: out.exists() and out.read_text().count("\n") > 5)
    process.kill()
    process.wait()

    assert out.read_text().endswith("}\n")
    assert {"sampler", "os"} == {line["kind"] for line in lines_of(out)}


def test_it_ends_with_its_parent(sampler, tmp_path):
    """Killed with signal 9, the parent takes it along; the file is complete."""
    out = tmp_path / "out"
    code = (
        "import subprocess, sys, time;"
        "print(subprocess.Popen(sys.argv[1:]).pid, flush=True); time.sleep(60)"
    )
    words = [sys.executable, "-S", "-c", code, sampler, "--out", out]
    parent = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    until(lambda: out.exists() and out.read_text().count("\n") > 1)
    parent.kill()
    parent.communicate()
    until(lambda: not alive(pid))

    assert ["sampler", "os", "os", "end"] == [line["kind"] for line in lines_of(out)]


def test_ticks_that_passed_are_missed(run):
    """Stopped for 0.2 s at 100 Hz, it goes on at the next tick of the same grid."""
    sampling = run()
    sampling.next(4)
    sampling.process.send_signal(signal.SIGSTOP)
    time.sleep(0.2)
    sampling.process.send_signal(signal.SIGCONT)
    sampling.next(5)
    _, *samples, end = sampling.stop()
    ticks = (samples[-1]["t_ns"] - samples[0]["t_ns"]) / 10_000_000

    assert 15 <= end["missed"]
    # The last sample is that of TERM, between two ticks.
    assert -2 < len(samples) - 1 + end["missed"] - ticks < 2


def test_full_disk_is_one_sentence(sampler):
    """Exit 1, and what could not be written is named."""
    done = call(sampler, "--out", "/dev/full")

    assert (1, "sampler: cannot write /dev/full: No space left on device\n") == (
        done.returncode,
        done.stderr,
    )


def test_what_a_full_disk_took_of_a_line_is_taken_back(sampler, tmp_path):
    """The file has whole lines only: here a limit ends it in the middle of one."""
    out = tmp_path / "out"
    done = call(
        sampler, "--out", out, "--interval-ms", "10", restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)),
    )  # fmt: skip

    assert (1, 1) == (done.returncode, done.stderr.count("\n"))
    assert f"cannot write {out}: File too large" in done.stderr
    assert 1000 < out.stat().st_size < 5000
    assert "sampler" == lines_of(out)[0]["kind"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "--out is missing"),
        (["--out", "x", "--interval-ms", "9"], 2, "a whole number from 10 to 3600000"),
        (["--out", "x", "--folder", "/no"], 2, "--folder /no: there is no such folder"),
        (["--out", "x", "--root", "/tmp", "--counters"], 2, "have no counters"),
        (["--out", "x", "y"], 2, "unexpected word y"),
        (["--out", "/no/x"], 1, "cannot write /no/x: No such file or directory"),
        (["--out", "x", "--pid", "2147483647"], 1, "there is no such process"),
        (["--out", "x", "--root", "/usr"], 1, "cannot read /usr/proc/stat"),
        (["--offset", "true"], 1, "the other clock does not answer"),
    ],
)
def test_errors_are_one_sentence(sampler, tmp_path, words, code, said):
    """What, where, and an exit status; no file is left."""
    done = call(sampler, *words, cwd=tmp_path)

    assert (code, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert said in done.stderr
    assert [] == list(tmp_path.iterdir())


@ROOT_ONLY
def test_counters_that_are_not_permitted_say_what_permits_them(sampler):
    """As the user nobody, of a process of root."""
    paranoid = int(Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    nobody = pwd.getpwnam("nobody").pw_uid
    with tempfile.TemporaryDirectory() as folder:  # one that nobody may enter
        Path(folder).chmod(0o755)
        shutil.copy(sampler, folder)
        process = subprocess.Popen(
            [f"{folder}/sampler", "--out", "-", "--pid", str(os.getpid()), "--counters"],
            stdout=subprocess.PIPE, text=True, user=nobody, cwd="/",
        )  # fmt: skip
        head, found = (json.loads(process.stdout.readline()) for _ in range(2))
        process.terminate()
        process.communicate()
    said = head["unsupported"]["task-clock"]

    assert [] == head["events"]
    assert "counters" not in found
    assert "read_bytes" not in found["trees"]["client"]
    if paranoid > 1:
        assert said == (
            f"not permitted: perf_event_paranoid is {paranoid}; "
            "kernel.perf_event_paranoid=1 permits it"
        )
    else:
        assert "it is a process of another user" in said


def test_clock_answers_each_line(sampler):
    """Two lines, two readings of CLOCK_MONOTONIC in nanoseconds."""
    begun = time.monotonic_ns()
    done = call(sampler, "--clock", input="\n\n")
    first, second = map(int, done.stdout.split())

    assert begun < first < second < time.monotonic_ns()


def test_offset_of_our_own_clock_is_within_the_round_trip(sampler):
    """Zero, give or take half the shortest round trip."""
    done = call(sampler, "--offset", sampler, "--clock")
    offset, round_trip = map(int, done.stdout.split())

    assert 0 == done.returncode
    assert abs(offset) <= round_trip / 2
