"""One measuring process per machine."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from benchbook.errors import UserError
from benchbook.measure.lock import beside_measuring, holder, measuring

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


def test_work_beside_a_measurement_is_warned_of(other):
    """One sentence with the study and since when; nobody is stopped."""
    told = []
    beside_measuring(False, told.append)

    [sentence] = told
    assert sentence.startswith("warning: this machine is measuring (study other, process")
    assert "since 2" in sentence and "--wait" in sentence


def test_work_beside_a_measurement_may_wait(other):
    """With --wait it begins when the holder is gone."""
    told = []
    threading.Timer(0.3, other.kill).start()
    beside_measuring(True, told.append)

    assert "" == holder()
    assert ["waiting: study other"] == [text.split(",")[0] for text in told]


def test_nothing_is_said_where_nobody_measures():
    """No warning without a measurement."""
    told = []
    beside_measuring(False, told.append)

    assert [] == told


@pytest.mark.parametrize("verb", [["post", "s", "--no-measure"], ["site"]])
def test_post_and_site_warn(checkout, tmp_path, other, verb):
    """Both say whose figures they disturb."""
    checkout.study("s")
    done = checkout.call(*verb)

    assert "warning: this machine is measuring (study other" in done.stderr
