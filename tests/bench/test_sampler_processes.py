"""bench/sampler on this machine: processes that begin, burn, and end."""

import os
import signal
import subprocess
import sys

import pytest

pytest_plugins = ("sampler_fixtures",)
pytestmark = pytest.mark.engine

# Each is one process that says where it is, and goes on when it gets a line.
BEGIN = """
import os, signal, sys, time

def say(word):
    print(word, flush=True)
    input()

def write_pid():
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(f"{os.getpid()}\\n")
    os.rename(file.name, sys.argv[1])

def wait_for_pid():
    while not os.path.exists(sys.argv[1]):
        time.sleep(0.01)

def burn():
    end = time.process_time() + 0.15
    while time.process_time() < end:
        pass

"""
BURNED_NS = (100_000_000, 400_000_000)  # at least and at most, in clock ticks
SERVER_OF_64 = """
for _ in range(64):
    if not os.fork():
        signal.pause()
say("ready")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.killpg(0, signal.SIGTERM)
for _ in range(64):
    os.wait()
say("done")
"""
CHILD_BURNS = """
say("ready")
if not os.fork():
    burn()
    say("burned")
    os._exit(0)
os.wait()
say("done")
"""
NOBODY_WAITS = """
say("ready")
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if not os.fork():
    burn()
    say("burned")
    os._exit(0)
try:
    os.wait()
except ChildProcessError:
    say("done")
"""
SERVER_ENDS = """
server = os.fork()
if not server:
    burn()
    write_pid()
    signal.pause()
wait_for_pid()
say("ready")
os.kill(server, signal.SIGKILL)
os.wait()
say("done")
"""
BOTH_BURN = """
server = os.fork()
if not server:
    signal.signal(signal.SIGUSR1, lambda *_: [burn() for _ in range(2)])
    write_pid()
    while True:
        signal.pause()
wait_for_pid()
say("ready")
os.kill(server, signal.SIGUSR1)
if not os.fork():
    burn()
    os._exit(0)
os.wait()
say("done")
"""


@pytest.fixture
def root(tmp_path):
    """A function that starts the root of a tree, and waits until it is ready."""
    started = []

    def start(code: str) -> subprocess.Popen[str]:
        words = [sys.executable, "-S", "-c", BEGIN + code, tmp_path / "pid"]
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        started.append(process)
        assert "ready\n" == process.stdout.readline()
        return process

    yield start
    for process in started:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def go_on(process: subprocess.Popen[str], until: str = "done") -> None:
    """To the next word it says."""
    process.stdin.write("\n")
    process.stdin.flush()
    assert f"{until}\n" == process.stdout.readline()


def cpu_ns(line: dict, tree: str = "client") -> int:
    return line["trees"][tree]["user_ns"] + line["trees"][tree]["system_ns"]


def test_server_of_64_children(run, root, tmp_path):
    """All are found and counted once, and dropped when they end."""
    server = root(SERVER_OF_64)
    (tmp_path / "pid").write_text(f"{server.pid}\n")
    sampling = run("--server-file", tmp_path / "pid")
    many = sampling.next(2)["trees"]
    go_on(server)
    sampling.wait_for(lambda line: line["trees"]["server"]["processes"] == 1)
    sampling.stop()

    assert {"server"} == set(many)
    assert 65 == many["server"]["processes"]


@pytest.mark.parametrize(
    "code", [CHILD_BURNS, NOBODY_WAITS], ids=["waited for", "nobody waits"]
)
def test_child_that_burned_and_ended_stays_counted(run, root, code):
    """In its parent's account, or if SIGCHLD was ignored in none; the sum never falls."""
    parent = root(code)
    sampling = run("--pid", parent.pid)
    before = sampling.next(2)
    go_on(parent, until="burned")
    sampling.wait_for(lambda line: cpu_ns(line) - cpu_ns(before) > BURNED_NS[0])
    go_on(parent)
    lines = sampling.stop()[1:-1]
    told = [cpu_ns(line) for line in lines]

    assert BURNED_NS[0] < told[-1] - cpu_ns(before) < BURNED_NS[1]
    assert told == sorted(told)
    assert 1 == lines[-1]["trees"]["client"]["processes"]


def test_time_of_a_server_that_ended_is_not_the_clients(run, root, tmp_path):
    """Who waits for the server has its time in his account, and is of the client."""
    parent = root(SERVER_ENDS)
    sampling = run("--pid", parent.pid, "--server-file", tmp_path / "pid")
    before = sampling.next(2)
    go_on(parent)
    after = sampling.wait_for(lambda line: "server" not in line["trees"])
    sampling.stop()

    assert BURNED_NS[0] < cpu_ns(before, "server")
    assert cpu_ns(after) - cpu_ns(before) < BURNED_NS[0]


def test_counters_of_client_and_server_stand_apart(run, root, tmp_path):
    """The client's 0.15 s are of a child that ended; the server's are twice that.

    Stolen time is counted too, so there is no upper bound.
    """
    parent = root(BOTH_BURN)
    sampling = run(
        "--pid", parent.pid, "--server-file", tmp_path / "pid", "--counters"
    )  # fmt: skip
    head = sampling.next()
    if "task-clock" not in head["events"]:
        pytest.skip(head["unsupported"]["task-clock"])
    sampling.next()
    go_on(parent)
    found = sampling.wait_for(
        lambda line: line["counters"]["server"]["task-clock"][0] > 0.29e9
    )["counters"]
    sampling.stop()
    client, server = (found[tree]["task-clock"][0] for tree in ("client", "server"))

    assert 0.29e9 < server
    assert 0.13e9 < client < 0.8 * server
    assert set(head["events"]) == set(found["client"]) == set(found["server"])
    assert 12 == len(head["events"]) + len(head["unsupported"])
