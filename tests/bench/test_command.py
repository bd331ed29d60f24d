"""bench/command: shell commands as steps, their records, values and ends."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from ingest_answers import kind

from benchbook.runs.records import check_record, kinds_of_file
from benchmath.latency.buckets import bucket_lower

pytestmark = pytest.mark.engine
ROOT = Path(__file__).parents[2]
FLAGS = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The driver, built with sanitizers."""
    out = tmp_path_factory.mktemp("command")
    make = ("make", "-s", "-C", ROOT / "bench", f"OUT={out}", f"OPT={FLAGS}", "command")
    subprocess.run(make, check=True)
    return out / "command"


@pytest.fixture
def call(program, tmp_path):
    """Runs steps of a text of commands in a folder of their own."""

    def run(text: str, *words: str, step: str = "a:events=3"):
        (tmp_path / "commands").write_text(text)
        (tmp_path / "here").mkdir(exist_ok=True)
        said = ["--workload", tmp_path / "commands", "--target", tmp_path / "here"]
        return subprocess.run(
            [program, *said, "--step", step, *words],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    return run


def records(done) -> list[dict]:
    assert 0 == done.returncode, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = kinds_of_file(found[0])
    for record in found:
        check_record(record, kinds)
    return found


def test_repetitions_are_operations(call, tmp_path):
    """Three runs of the command, each after its prepare; setup and cleanup once."""
    keys = {"setup": "S", "prepare": "P", "command": "C", "cleanup": "E"}
    text = "".join(f"a\t{k}\tprintf {letter} >> log\n" for k, letter in keys.items())
    found = records(call(text))

    assert "SPCPCPCE" == (tmp_path / "here/log").read_text()
    assert [3] == [step["ops"] for step in kind(found, "step")]
    assert [3] == [sum(n for _, n in hist["counts"]) for hist in kind(found, "hist")]
    assert 3 == sum(sample["ops"] for sample in kind(found, "sample"))


def test_wall_and_cpu_time_are_those_of_the_command(call):
    """A sleep of 50 ms takes that long and hardly any CPU; the shell is left out."""
    found = records(call("a\tcommand\tsleep 0.05\n"))
    (step,) = kind(found, "step")

    assert 3 * 45e6 <= step["end_ns"] - step["start_ns"] < 3 * 500e6
    assert step["cpu_ns"] < 3 * 25e6


@pytest.mark.parametrize("value", ["$(touch x); rm -rf \"'", "a b", "`id`", "-n"])
def test_value_of_a_placeholder_is_never_syntax(call, tmp_path, value):
    """It arrives as one word, as it is."""
    text = "a\tcommand\tprintf '%s|' {v} >> log\n"
    records(call(text, "--set", f"v={value}", step="a:events=1"))

    assert f"{value}|" == (tmp_path / "here/log").read_text()
    assert not (tmp_path / "here/x").exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\tcommand\texit 3\n", "step a: its command ended with exit code 3"),
        ("a\tcommand\tkill -9 $$\n", "step a: its command was killed by signal 9"),
        (
            "a\tprepare\tfalse\na\tcommand\t:\n",
            "step a: its prepare ended with exit code 1",
        ),
        (
            "a\tcommand\tsleep 60\na\ttimeout\t0.2\n",
            "step a: its command did not end within 0.2 s and was killed",
        ),
    ],
)
def test_command_that_fails_fails_the_run(call, text, sentence):
    """One sentence, in the end record too."""
    done = call(text)
    end = json.loads(done.stdout.splitlines()[-1])

    assert (1, "failed", sentence) == (done.returncode, end["status"], end["reason"])
    assert f"command: {sentence}" == done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "step", "sentence"),
    [
        ("b\tcommand\t:\n", "a", "has no command of step a"),
        ("a\tsetup\t:\n", "a", "has no command of step a"),
        (
            "a\tcommand\t:\na\ttimeout\tsoon\n",
            "a",
            "step a: its timeout is soon, not seconds up to a day",
        ),
        ("a\tcommand\t:\n", "a:events=0", "step a: what is events=0?"),
    ],
)
def test_what_cannot_be_run_is_refused_at_once(call, text, step, sentence):
    """Nothing runs, nothing is on record."""
    done = call(text, step=step)

    assert (2, "") == (done.returncode, done.stdout)
    assert sentence in done.stderr


def test_output_is_bounded(call):
    """Of 10 MB printed 64 KiB are kept, and the command is not held up."""
    done = call("a\tcommand\thead -c 10000000 /dev/zero\n", step="a:events=1")

    assert 0 == done.returncode
    assert 65536 == len(done.stderr)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("yes | head -c 1048577", "printed more than 1048576 bytes, which is the most"),
        ("printf 'a\\\\0b 1 s'", "printed a NUL byte, which ends what numbers are"),
    ],
)
def test_numbers_that_would_not_be_read_fail_the_run(call, tmp_path, command, words):
    """A part of what was printed is not taken for the whole."""
    numbers = 'a\tnumbers\t"lines"\n'
    done = call(f"a\tcommand\t{command}\n{numbers}", "--out", str(tmp_path))
    end = json.loads(done.stdout.splitlines()[-1])

    assert (1, "failed") == (done.returncode, end["status"])
    assert f"step a: its command {words}" in end["reason"]


def test_numbers_are_read_up_to_the_limit(call, tmp_path):
    """All that was printed is kept, each run on a line of its own."""
    text = 'a\tcommand\tyes | head -c 1048576\na\tnumbers\t"lines"\n'
    records(call(text, "--out", str(tmp_path), step="a:events=2"))
    lines = (tmp_path / "a.said").read_text().splitlines()

    assert [1048576] * 2 == [len(json.loads(line)["text"]) for line in lines]


def test_what_a_command_leaves_behind_is_ended(call, tmp_path):
    """A process in the background is no part of the next repetition."""
    records(call("a\tcommand\tsleep 60 & echo $! > pid\n", step="a:events=1"))
    stat = Path("/proc", (tmp_path / "here/pid").read_text().strip(), "stat")
    for _ in range(50):
        if not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            break
        time.sleep(0.05)
    else:
        pytest.fail("it is still there")


def is_alive(pid: str) -> bool:
    """A process that has ended may still be a zombie."""
    stat = Path("/proc", pid.strip(), "stat")
    return stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def daemon(file: str, does: str = "exec sleep 60") -> str:
    """A command that ends when its daemon, out of its process group, is in the file."""
    wait = f"while [ ! -s {file} ]; do :; done"
    return f"setsid sh -c 'echo $$ > {file}; {does}' & {wait}\n"


def test_daemon_of_a_command_is_ended_before_its_next_run(call):
    """Each run finds none of the one before; the step says what was ended."""
    look = "a\tprepare\t[ ! -f pid ] || ! kill -0 $(cat pid) && rm -f pid\n"
    found = records(call(f"{look}a\tcommand\t{daemon('pid')}"))
    notes = [note["text"] for note in kind(found, "note")]

    assert [True] == ["3 in all, sleep among them" in n for n in notes if "behind" in n]


@pytest.mark.slow
def test_daemon_that_ignores_sigterm_is_killed(call, tmp_path):
    """A second after it was asked."""
    ignores = "trap : TERM; while :; do sleep 0.01; done"
    records(call(f"a\tcommand\t{daemon('pid', ignores)}", step="a:events=1"))

    assert not is_alive((tmp_path / "here/pid").read_text())


def test_daemon_of_a_setup_lives_until_the_run_ends(call, tmp_path):
    """A server that the commands ask; they may have daemons of their own."""
    look = "kill -0 $(cat server)"
    done = call(
        f"a\tsetup\t{daemon('server')}"
        f"a\tcommand\t{look} && {daemon('pid')}a\tcleanup\t{look}\n"
    )
    records(done)

    assert not is_alive((tmp_path / "here/server").read_text())
    assert "left behind: 1 in all, sleep among them" in done.stderr


def test_only_the_command_is_timed(call):
    """What prepares it takes a tenth of a second and stands in no time."""
    found = records(call("a\tprepare\tsleep 0.1\na\tcommand\tsleep 0.01\n"))
    (step,) = kind(found, "step")

    assert step["end_ns"] - step["start_ns"] < 3 * 100e6
    assert 3 * 8e6 < step["end_ns"] - step["start_ns"]


@pytest.mark.slow
def test_what_the_shell_waits_for_others_is_not_left_out(call):
    """Beside busy processes empty commands wait, which no command is to gain by.

    Less the mean of empty ones the shortest sleep seems one of 44 to 47 ms.
    """
    own, one = os.sched_getaffinity(0), min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {one})
    loop = ["sh", "-c", "while :; do :; done"]
    busy = [subprocess.Popen(loop) for _ in range(4)]
    try:
        found = records(call("a\tcommand\tsleep 0.05\n", step="a:events=20"))
    finally:
        os.sched_setaffinity(0, own)
        for process in busy:
            process.kill()
            process.wait()
    (hist,) = kind(found, "hist")

    assert 48e6 < bucket_lower(hist["counts"][0][0], hist["sub_bits"])


@pytest.mark.slow
def test_step_of_no_size_is_ten_runs_and_three_seconds(call):
    """Whichever takes longer."""
    found = records(call("a\tcommand\tsleep 0.4\n", step="a"))
    (step,) = kind(found, "step")

    assert 10 == step["ops"]
