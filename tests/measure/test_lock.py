"""One measuring process per machine."""

import os
import signal
import subprocess
import sys
import time

import pytest

from benchbook.errors import UserError
from benchbook.measure.lock import holder, measuring

HOLD = """
import sys, time
from benchbook.measure.lock import measuring
with measuring("other", False, print):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def lock_file(tmp_path, monkeypatch):
    """A lock of the test's own: tests do not compete with a real study."""
    monkeypatch.setenv("BENCHBOOK_LOCK", str(tmp_path / "lock"))


@pytest.fixture
def other():
    """Another process that holds the lock until it is killed."""
    words = [sys.executable, "-c", HOLD]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert "held\n" == process.stdout.readline()
    yield process
    process.kill()
    process.wait()


def quiet(text):
    """Progress nobody reads."""


def test_second_process_is_told_who_measures(other):
    """The refusal names the study, the process and since when."""
    with pytest.raises(UserError) as caught, measuring("mine", False, quiet):
        pass

    assert f"study other, process {other.pid}, since 2" in str(caught.value)
    assert "--wait" in str(caught.value)


def test_killed_holder_frees_the_machine(other):
    """The kernel releases the lock of a process that dies without a word."""
    os.kill(other.pid, signal.SIGKILL)
    other.wait()

    with measuring("mine", False, quiet):
        assert "" != holder()


def test_wait_queues_behind_the_holder(other):
    """--wait says whom it waits for and goes on when the machine is free."""
    said = []

    def say(text):
        said.append(text)
        other.kill()

    with measuring("mine", True, say):
        pass

    assert said[0].startswith("waiting: study other")


def test_nobody_holds_a_released_lock():
    """Afterwards `status` says that nothing is being measured."""
    with measuring("mine", False, quiet):
        time.sleep(0)

    assert "" == holder()
