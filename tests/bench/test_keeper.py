"""bench/keeper: nothing of what it runs outlives it, its parent or its command."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from servers import ROOT_ONLY, alive, until

pytest_plugins = ("server_fixtures",)
pytestmark = pytest.mark.engine

LAST_PID = Path("/proc/sys/kernel/ns_last_pid")
CGROUPS = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")


@pytest.fixture
def keep(helpers, tmp_path):
    """A function that starts keeper with a command of sh."""

    def start(script: str, *options: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [helpers / "keeper", *options, "--", "sh", "-c", script],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        )  # fmt: skip

    return start


def pids_in(file: Path, count: int) -> list[int]:
    """The process ids that a script writes to a file, once they are all there."""
    return until(lambda: found if len(found := read_pids(file)) == count else [])


def read_pids(file: Path) -> list[int]:
    return [int(word) for word in file.read_text().split()] if file.exists() else []


def none_alive(pids: list[int]) -> bool:
    return not any(alive(pid) for pid in pids)


@pytest.mark.parametrize(("script", "code"), [("exit 3", 3), ("kill -9 $$", 137)])
def test_exit_code_is_the_commands(keep, script, code):
    """Its own, or 128 and the signal's number."""
    assert code == keep(script).wait(timeout=10)


def test_command_that_cannot_run_is_one_sentence(helpers):
    """Exit 125 tells our failures from those of the command."""
    done = subprocess.run(
        [helpers / "keeper", "--", "/no/such"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (125, "keeper: cannot run /no/such: No such file or directory\n") == (
        done.returncode,
        done.stderr,
    )


def test_daemon_ends_with_the_command(keep, tmp_path):
    """A grandchild in a session of its own does not survive its parent."""
    keep("setsid sleep 60 & echo $! > pids").wait(timeout=10)

    assert none_alive(pids_in(tmp_path / "pids", 1))


def test_kill_9_of_the_parent_ends_all(helpers, tmp_path):
    """Command, daemon and keeper end; the folders of --remove go."""
    folder = tmp_path / "scratch"
    (folder / "data").mkdir(parents=True)
    script = "cd $0; (setsid sleep 60 & echo $! >> pids); echo $$ >> pids; sleep 60"
    code = (
        "import subprocess, sys, time;"
        "subprocess.Popen(sys.argv[1:]); time.sleep(60)"
    )  # fmt: skip
    parent = subprocess.Popen(
        [sys.executable, "-c", code, helpers / "keeper", "--remove", folder, "--",
         "sh", "-c", script, tmp_path]
    )  # fmt: skip
    pids = pids_in(tmp_path / "pids", 2)
    parent.kill()
    parent.wait()

    until(lambda: none_alive(pids))
    until(lambda: not folder.exists())


@pytest.mark.skipif(not os.access(LAST_PID, os.W_OK), reason="chooses process ids")
def test_kill_9_of_the_parent_ends_a_command_before_its_child(helpers, tmp_path):
    """Ids begin anew at times: who waits for a child of a lower one must not go on."""
    script = f"echo 500 > {LAST_PID}; sleep 60 & echo $$ $! > pids; wait; echo on > on"
    for _ in range(5):
        starter = "import subprocess as s, sys; s.call(sys.argv[1:])"
        words = [helpers / "keeper", "--", "sh", "-c", script]
        parent = subprocess.Popen([sys.executable, "-c", starter, *words], cwd=tmp_path)
        pids = pids_in(tmp_path / "pids", 2)
        parent.kill()
        parent.wait()
        until(lambda pids=pids: none_alive(pids))
        (tmp_path / "pids").unlink()

    assert not (tmp_path / "on").exists()


@pytest.mark.parametrize("which", ["outer", "inner"])
def test_kill_9_of_one_keeper_ends_all(keep, tmp_path, which):
    """The other of the two ends command and daemon."""
    keeper = keep("setsid sleep 60 & echo $! $$ $PPID > pids; sleep 60")
    *pids, inner = pids_in(tmp_path / "pids", 3)
    os.kill(keeper.pid if which == "outer" else inner, signal.SIGKILL)
    keeper.wait(timeout=10)

    until(lambda: none_alive([*pids, inner]))


def folders(parent: Path, *names: str) -> list[Path]:
    made = [parent / name for name in names]
    for folder in made:
        (folder / "some").mkdir(parents=True)
    return made


@pytest.fixture
def dead() -> str:
    """The mark of a process that is no more: its id is taken, by one that began later."""
    return f"{os.getpid()}-{int(process_mark().split('-')[1]) - 1}"


def process_mark() -> str:
    """Of this process, as common/leftovers.h has it."""
    words = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    return f"{os.getpid()}-{words[19]}"


def test_what_the_dead_left_beside_a_folder_of_remove_goes(keep, tmp_path, dead):
    """Of the same stem; not what is alive, has no mark, or another's name."""
    mark = process_mark()
    own, *kept = folders(
        tmp_path, f"run-{mark}-a", f"run-{mark}", f"run-x-{dead}", f"other-{dead}",
        f"run-{dead}x", "run-2024",
    )  # fmt: skip
    left = folders(tmp_path, f"run-{dead}-b", f"run-{dead}", "run-1-1-c")
    (tmp_path / f"run-{dead}-file").touch()
    (tmp_path / f"run-{dead}-link").symlink_to(kept[0])
    keep("true", "--remove", own).wait(timeout=10)

    assert not any(folder.exists() for folder in left)
    assert all((folder / "some").is_dir() for folder in [own, *kept])
    assert (tmp_path / f"run-{dead}-file").exists()


def test_a_folder_without_a_living_mark_clears_nothing(keep, tmp_path, dead):
    """A name that only looks like one of ours, such as a date, is nobody's stem."""
    made = folders(tmp_path, "run-2024-11-26", f"run-{dead}-a", "data", "data2")
    for folder in made:
        keep("true", "--remove", folder).wait(timeout=10)

    assert all(folder.exists() for folder in made)


@ROOT_ONLY
def test_what_another_user_left_stays(keep, tmp_path, dead):
    """Its owner is not that of the folder which is ours."""
    own, other = folders(tmp_path, f"run-{process_mark()}-a", f"run-{dead}-b")
    os.chown(other, 65534, 65534)
    keep("true", "--remove", own).wait(timeout=10)

    assert other.exists()


def test_folder_of_remove_stays_while_the_parent_lives(keep, tmp_path):
    """After an ordinary end the parent may want it."""
    (tmp_path / "data").mkdir()
    keep("true", "--remove", tmp_path / "data").wait(timeout=10)

    assert (tmp_path / "data").is_dir()


@pytest.mark.parametrize("name", ["INT", "TERM"])
def test_stop_signal_is_the_one_asked_for(keep, tmp_path, name):
    """TERM to keeper becomes --stop-signal to the command, which may take its time."""
    script = (
        f"trap 'sleep 0.2; exit 7' {name}; echo $$ > pids; while :; do sleep 0.05; done"
    )
    keeper = keep(script, "--stop-signal", name)
    pids_in(tmp_path / "pids", 1)
    keeper.terminate()

    assert 7 == keeper.wait(timeout=10)


@pytest.mark.slow
def test_grace_is_the_time_until_the_kill(keep, tmp_path):
    """A command that ignores the stop signal is killed after --grace seconds."""
    keeper = keep(
        "trap '' TERM; echo $$ > pids; while :; do sleep 1; done", "--grace", "1"
    )
    pids = pids_in(tmp_path / "pids", 1)
    begun = time.monotonic()
    keeper.terminate()

    assert 137 == keeper.wait(timeout=10)
    assert 0.9 < time.monotonic() - begun < 4
    assert none_alive(pids)


def test_pid_file_names_one_process(keep, tmp_path):
    """Process id and start time, as /proc tells them."""
    keeper = keep("echo $$ > pids; sleep 60", "--pid-file", tmp_path / "pid")
    pid, start = until(lambda: read_pids(tmp_path / "pid"))
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    told = pids_in(tmp_path / "pids", 1)
    keeper.terminate()
    keeper.wait(timeout=10)

    assert told == [pid]
    assert start == int(stat[19])


def test_log_is_added_to(keep, tmp_path):
    """Output and errors of the command go to the end of --log; ours to stderr."""
    (tmp_path / "log").write_text("before\n")
    keep("echo out; echo err >&2", "--log", tmp_path / "log").wait(timeout=10)

    assert "before\nout\nerr\n" == (tmp_path / "log").read_text()


@ROOT_ONLY
def test_user_reads_what_root_may_and_writes_nothing(keep, tmp_path):
    """Below a folder of mode 0700: programs look with access(), open and search."""
    hidden = tmp_path / "home"
    hidden.mkdir(mode=0o700)
    (hidden / "file").write_text("content")
    keeper = keep(
        "id -un; test -r home/file && cat home/file; touch home/mine", "--user", "nobody"
    )

    assert ("nobody\ncontent", 1) == (
        keeper.communicate(timeout=10)[0],
        keeper.returncode,
    )


@ROOT_ONLY
def test_unknown_user_is_one_sentence(keep):
    """Nothing runs as root instead."""
    keeper = keep("id -un", "--user", "no-such-user")

    assert ("", "keeper: there is no user no-such-user\n") == keeper.communicate(
        timeout=10
    )


def cgroups() -> set[Path]:
    return {p for root in CGROUPS if root.is_dir() for p in root.rglob("benchbook-*")}


@ROOT_ONLY
def test_memory_is_limited_and_the_cgroup_removed(keep):
    """Who needs more is killed, keeper says why, and no cgroup is left."""
    before = cgroups()
    keeper = keep(
        f"{sys.executable} -c 'x = bytes([1]) * (300 << 20)'", "--memory", str(100 << 20)
    )
    _, errors = keeper.communicate(timeout=20)
    if "cannot limit the memory" in errors:
        pytest.skip(errors)

    assert keeper.returncode
    assert "needed more than the 104857600 bytes of --memory" in errors
    assert cgroups() <= before


@ROOT_ONLY
def test_memory_that_cannot_be_had_is_one_sentence(helpers):
    """A user who may make no cgroup is told so, and nothing runs unlimited."""
    keeper = helpers / "keeper"
    words = [keeper, "--user", "nobody", "--", keeper, "--memory", "1000000", "--"]
    done = subprocess.run(
        [*words, "echo", "ran"], capture_output=True, text=True, check=False
    )

    assert "" == done.stdout
    assert done.stderr.startswith("keeper: cannot limit the memory to 1000000 bytes")
