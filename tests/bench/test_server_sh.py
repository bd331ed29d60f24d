"""bench/server.sh: a server is there for one command, and nothing of it afterwards."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from servers import BENCH, ROOT_ONLY, alive, naming, nobody, until

pytest_plugins = ("server_fixtures",)
pytestmark = pytest.mark.engine

SERVER = BENCH / "server.sh"
# What the command of a run sees, as lines `name value`.
LOOK = """
echo "words {server}"
echo "pid $BENCH_SERVER_PID"
echo "folder $BENCH_SERVER_DIR"
echo "file $(cat "$BENCH_SERVER_DIR/../server.pid")"
echo "owner $(stat -c %U /proc/$BENCH_SERVER_PID) $(stat -c %U "$BENCH_SERVER_DIR")"
cpus() { taskset -cp $1 | sed 's/.*: //'; }
echo "cpus $(cpus $BENCH_SERVER_PID) $(cpus $$)"
echo "cgroup $(grep memory /proc/$BENCH_SERVER_PID/cgroup)"
echo "environment $(tr '\\0' '\\n' </proc/$BENCH_SERVER_PID/environ | grep ^OF_)" $OF_TEXT
echo "caller cgroup $(grep memory /proc/$$/cgroup)"
exit 3
"""
LIMIT = 400 << 20
# Of somebody's own server: nothing of it may be touched.
OWN = {
    "postgres": "#initdb:-k\n#\tenvironment: OF_TEXT=1\n"
    "work_mem = 5MB\nport = 1\nhba_file = '/elsewhere/hba'\n",
    "mariadb": "# environment: OF_TEXT=1\n"
    "sort_buffer_size = 1M\ndatadir = /elsewhere\nlog-bin = /elsewhere/bin\n"
    "innodb_log_group_home_dir = /elsewhere\nsocket=/elsewhere/s\n",
}


def call(*words: object, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SERVER, *map(str, words)], capture_output=True, text=True, check=False, **options
    )


def link(source: str, target: str) -> None:
    """A tree has many megabytes, so hard links where that can be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def run_words(helpers, engine, tree, folder, *options) -> list[object]:
    words = ["run", "--engine", engine, "--basedir", tree, "--dir", folder]
    return [*words, "--bin", helpers, *options, "--"]


@pytest.fixture(scope="module", params=["postgres", "mariadb"])
def looked(request, helpers, tmp_path_factory):
    """One run of each engine: its name, what its command saw, its folder, the process."""
    engine = request.param
    tree = request.getfixturevalue(engine)
    home = tmp_path_factory.mktemp(engine) / "home"
    home.mkdir(mode=0o700)
    # The tree and the data lie where only their owner may look.
    shutil.copytree(tree, home / "tree", symlinks=True, copy_function=link)
    (home / "run").mkdir()
    (home / "my.conf").write_text(OWN[engine])
    options = ["--run", home / "run", "--config", home / "my.conf", "--cpus", "0"]
    options += ["--memory", LIMIT] * (os.geteuid() == 0)
    words = run_words(helpers, engine, home / "tree", home / "dir", *options)
    done = call(*words, "sh", "-c", LOOK)
    seen = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    return engine, seen, home, done


def test_command_has_its_server_and_its_exit_code(looked):
    """Connection words, process id and data folder are real; the code is its own."""
    engine, seen, home, done = looked

    assert (3, "") == (done.returncode, done.stderr)
    assert seen["folder"] == str(home / "dir" / "data")
    assert seen["file"].split()[0] == seen["pid"]
    assert seen["words"].startswith(
        {"postgres": "host=/tmp/bb-"}.get(engine, "socket=/tmp/bb-")
    )


def test_server_runs_as_an_unprivileged_user(looked):
    """Below a folder that only root may search, as nobody, or as oneself."""
    assert " ".join([nobody()] * 2) == looked[1]["owner"]


def test_server_is_pinned_and_its_caller_is_not(looked):
    """--cpus is the server's list alone."""
    server, caller = looked[1]["cpus"].split()

    assert "0" == server
    assert caller == ",".join(caller.split(",")) != "0" or os.cpu_count() == 1


def test_environment_of_the_settings_is_the_servers_alone(looked):
    """A line `# environment:` sets what the server has and its caller has not."""
    assert "OF_TEXT=1" == looked[1]["environment"]


@ROOT_ONLY
def test_memory_limit_is_the_servers_alone(looked):
    """It has a memory cgroup of its own; the command has not."""
    seen = looked[1]

    assert "benchbook-" in seen["cgroup"]
    assert "benchbook-" not in seen["caller"]


def test_nothing_is_left_of_a_run(looked):
    """No process, no data, no socket folder; the run folder keeps log and settings."""
    _, seen, home, _ = looked

    assert not alive(int(seen["pid"]))
    assert [] == naming(home)
    assert not Path("/tmp", re.findall(r"bb-[\w-]+", seen["words"])[0]).exists()
    assert ["my.conf", "run", "tree"] == sorted(p.name for p in home.iterdir())
    assert ["server.conf", "server.log"] == sorted(
        p.name for p in (home / "run").iterdir()
    )


def test_settings_are_kept_and_point_nowhere_else(looked):
    """server.conf holds the user's settings; where files lie is not theirs to say."""
    engine, _, home, _ = looked
    conf = (home / "run" / "server.conf").read_text()
    last = {"postgres": "port = 5432", "mariadb": "# left out: datadir = /elsewhere"}

    assert OWN[engine].splitlines()[0] in conf
    assert last[engine] in conf.splitlines()
    assert not Path("/elsewhere").exists()


def test_version_is_the_programs_own(looked):
    """Digits and dots, from the program's --version."""
    engine, _, home, _ = looked
    done = call("version", engine, home / "tree")
    major = {"postgres": "15", "mariadb": "10.11"}[engine]

    assert 0 == done.returncode
    assert done.stdout.startswith(f"{major}.")
    assert done.stdout.strip().replace(".", "").isdigit()


@pytest.mark.slow
def test_unknown_setting_is_told_in_the_logs_words(helpers, mariadb, tmp_path):
    """A server that does not start: one sentence with the log's errors, nothing left."""
    config = tmp_path / "my.conf"
    config.write_text("no_such_setting = 1\n")
    words = run_words(helpers, "mariadb", mariadb, tmp_path / "dir", "--config", config)
    done = call(*words, "true")

    assert 1 == done.returncode
    assert 1 == done.stderr.count("\n")
    assert "no_such_setting" in done.stderr
    assert [config] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--engine", "oracle"], "no engine oracle"),
        (["--basedir", "/no/tree"], "the install tree /no/tree is not a folder"),
        (["--basedir", "/proc/self"], "no program postgres in"),
        (["--config", "{empty}"], "is empty: it sets nothing"),
        (["--config", "{wordy}"], "'# environment:' takes NAME=VALUE, not fast"),
        (["--dir", "{taken}"], "is there already"),
        (["--colour", "red"], "unknown option --colour"),
    ],
)
def test_wrong_usage_is_one_sentence(helpers, postgres, tmp_path, options, said):
    """Exit 2 before anything is made."""
    (tmp_path / "empty").write_text("# a comment\n[mysqld]\n\n")
    (tmp_path / "wordy").write_text("# environment: fast\nwork_mem = 5MB\n")
    (tmp_path / "taken" / "data").mkdir(parents=True)
    places = {name: tmp_path / name for name in ("empty", "wordy", "taken")}
    options = [word.format(**places) for word in options]
    done = call(
        *run_words(helpers, "postgres", postgres, tmp_path / "dir", *options), "true"
    )

    assert 2 == done.returncode
    assert 1 == done.stderr.count("\n")
    assert said in done.stderr
    assert not (tmp_path / "dir").exists()


def test_engine_of_another_family_is_refused(mariadb):
    """A MariaDB called a MySQL is not run under the wrong name."""
    done = call("version", "mysql", mariadb)

    assert 2 == done.returncode
    assert "is a MariaDB: its engine is mariadb or myrocks" in done.stderr


@pytest.mark.slow
def test_next_run_clears_the_sockets_of_a_killed_group(helpers, postgres, tmp_path):
    """Those in /tmp, which no folder of a run or of a study tells of."""
    (tmp_path / "killed").mkdir()
    words = run_words(helpers, "postgres", postgres, tmp_path / "killed")
    process = subprocess.Popen(
        [*map(str, [SERVER, *words, "sh", "-c", "echo {server}; exec sleep 60"])],
        stdout=subprocess.PIPE, text=True, process_group=0,
    )  # fmt: skip
    sockets = Path(re.findall(r"/tmp/bb-[\w-]+", process.stdout.readline())[0])
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=10)
    until(lambda: not naming(tmp_path))
    assert sockets.is_dir()
    done = call(*run_words(helpers, "postgres", postgres, tmp_path / "next"), "true")
    assert (0, "") == (done.returncode, done.stderr)
    assert not sockets.exists()


def test_reap_ends_what_was_left_and_nothing_else(tmp_path):
    """The process with that id and start time, its children, its two folders."""
    folder, sockets = tmp_path / "dir", Path(f"/tmp/bb-test-{os.getpid()}")
    (folder / "data").mkdir(parents=True)
    sockets.mkdir()
    process = subprocess.Popen(["sh", "-c", "sleep 60 & wait"])
    child = until(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text)
    start = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
    (folder / "server.sockets").write_text(f"{sockets}\n")
    (folder / "server.pid").write_text(f"{process.pid} {int(start) + 1}\n")

    # The kernel has given its id to another process since.
    shutil.copytree(folder, tmp_path / "other")
    assert 0 == call("reap", tmp_path / "other").returncode
    assert alive(process.pid)

    (folder / "server.pid").write_text(f"{process.pid} {start}\n")
    reaper = subprocess.Popen([SERVER, "reap", folder])
    process.wait(timeout=10)
    assert 0 == reaper.wait(timeout=10)
    assert not alive(int(child))
    assert not folder.exists()
    assert not sockets.exists()


def test_reap_refuses_a_folder_that_is_no_servers(tmp_path):
    """Nothing is removed by mistake."""
    (tmp_path / "letter").write_text("dear")
    done = call("reap", tmp_path)

    assert 2 == done.returncode
    assert "holds no server.pid" in done.stderr
    assert (tmp_path / "letter").exists()


@pytest.mark.slow
def test_server_that_never_answers_is_given_up(helpers, postgres, tmp_path):
    """After the time limit: one sentence, nothing left."""
    tree = tmp_path / "tree"
    shutil.copytree(postgres, tree, symlinks=True)
    program = next(tree.rglob("bin/postgres"))
    program.rename(program.with_name("real"))
    # It initialises as ever, and then only seems to run.
    program.write_text(
        '#!/bin/bash\n[[ $1 == -D ]] || exec -a "$0" "${0%/*}/real" "$@"\nsleep 100\n'
    )
    program.chmod(0o755)
    words = run_words(helpers, "postgres", tree, tmp_path / "dir")
    begun = time.monotonic()
    done = call(*words, "true", env=os.environ | {"BENCHBOOK_START_S": "2"})

    assert 1 == done.returncode
    assert "did not answer within 2 s" in done.stderr
    assert time.monotonic() - begun < 30
    assert not (tmp_path / "dir").exists()
