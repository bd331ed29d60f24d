"""One measuring process per machine."""

import contextlib
import fcntl
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from benchbook.measure.lock import beside_measuring, holder, measuring
from benchmath.errors import UserError

HOLD = """
import sys, time
from benchbook.measure.lock import measuring
with measuring("other", False, print):
    print("held", flush=True)
    time.sleep(60)
"""
NOBODY = 65534


@pytest.fixture(autouse=True)
def lock_file(tmp_path, monkeypatch):
    """A lock of the test's own: tests do not compete with a real study."""
    monkeypatch.setenv("BENCHBOOK_LOCK", str(tmp_path / "lock"))
    return tmp_path / "lock"


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("verb", [["post", "s", "--no-measure"], ["site"]])
def test_post_and_site_warn(checkout, tmp_path, other, verb):
    """Both say whose figures they disturb."""
    checkout.study("s")
    done = checkout.call(*verb)

    assert "warning: this machine is measuring (study other" in done.stderr


@pytest.fixture
def shared_folder():
    """A folder as /tmp is: everybody may write, nobody removes what is another's."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o1777)
        yield Path(folder)


@contextlib.contextmanager
def held_by_another_user():
    """The lock, taken by a process of the user nobody."""
    if os.getuid() != 0:
        pytest.skip("only root can become another user")

    def hold(pipe):
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        os.umask(0o077)
        with measuring("theirs", False, quiet):
            pipe.send(os.getpid())
            pipe.recv()

    fork = multiprocessing.get_context("fork")
    mine, theirs = fork.Pipe()
    process = fork.Process(target=hold, args=(theirs,))
    process.start()
    assert mine.poll(10), "the other user did not get the lock"
    yield mine.recv()
    mine.send("enough")
    process.join(10)
    assert 0 == process.exitcode


def test_two_users_exclude_each_other(shared_folder, monkeypatch):
    """Whoever made the file, with whatever umask: the other is told who measures."""
    path = shared_folder / "lock"
    monkeypatch.setenv("BENCHBOOK_LOCK", str(path))
    with held_by_another_user() as pid:  # the file is theirs
        with (
            pytest.raises(UserError, match="--wait") as caught,
            measuring("m", False, quiet),
        ):
            pass
        assert f"study theirs, process {pid}, since 2" in str(caught.value)
        assert "user nobody" in str(caught.value) and "user nobody" in holder()

    with measuring("mine", False, quiet):  # locked by root, though not root's
        assert holder().startswith("study mine, process")


def test_another_user_is_kept_out(shared_folder, monkeypatch):
    """The same where the file is root's, and root has measured before."""
    path = shared_folder / "lock"
    monkeypatch.setenv("BENCHBOOK_LOCK", str(path))
    with measuring("mine", False, quiet):
        pass

    with held_by_another_user() as pid:
        assert f"study theirs, process {pid}, since 2" in holder()


def _link(path, victim):
    path.symlink_to(victim)


def _second_name(path, victim):
    path.hardlink_to(victim)


def _pipe(path, victim):
    os.mkfifo(path)


def _folder(path, victim):
    path.mkdir()


@pytest.mark.parametrize("lay", [_link, _second_name, _pipe, _folder])
def test_nothing_else_is_taken_for_the_lock(lock_file, tmp_path, lay):
    """What somebody laid in its place is refused in a sentence, and left as it was."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    lay(lock_file, victim)

    with pytest.raises(UserError, match=r"measuring lock .*: remove it"):
        holder()
    with pytest.raises(UserError, match=": remove it"), measuring("mine", False, quiet):
        pass
    assert "precious" == victim.read_text()


@pytest.mark.parametrize("lay", [_link, _second_name])
def test_a_note_replaces_what_was_laid_in_its_place(lock_file, tmp_path, lay):
    """The holder's words go into a new file: a link leads nowhere, and is not read."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    lay(lock_file.with_name(f"lock.{os.getuid()}"), victim)

    with measuring("mine", False, quiet):
        assert holder().startswith("study mine, process")
    assert "precious" == victim.read_text()


@pytest.mark.parametrize(
    "text", [b"", b'{"a":1}', b"[1]", b"\xff\x00\x1b[2J", b"[" * 2**20]
)
def test_any_text_is_read(lock_file, text):
    """Neither the lock's file nor a note can break who asks; nothing reaches a screen."""
    for path in (lock_file, lock_file.with_name(f"lock.{os.getuid()}")):
        path.write_bytes(text)
    with lock_file.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = holder()

    assert said.isprintable() and len(said) <= 300 and said
    with measuring("mine", False, quiet):
        assert text == lock_file.read_bytes()


def test_status_says_what_is_wrong_with_the_lock(checkout):
    """One sentence in place of who measures; what was measured is told all the same."""
    Path(checkout.environ["BENCHBOOK_LOCK"]).mkdir()
    done = checkout.call("status")

    assert 0 == done.returncode
    assert "is no plain file" in done.stdout and "no study has been" in done.stdout
