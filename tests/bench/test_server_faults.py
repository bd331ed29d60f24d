"""What may go wrong in a run on a server: one clear message, and nothing is left."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from servers import BENCH, ROOT_ONLY, alive, naming, until

pytest_plugins = ("server_fixtures",)
pytestmark = pytest.mark.engine

LOAD = ["l.i0:rows=200000", "l.x"]
# Each kind of step, and the steps to run before it.
BEFORE = {
    "l.i0:rows=9000000": [],
    "l.x": LOAD[:1],
    "l.i1:seconds=60": LOAD,
    "cleanup:seconds=60": LOAD,
    "qr100.L1:seconds=60": LOAD,
    "qp100.L2:seconds=60": LOAD,
    "scan": LOAD,
}


@dataclass
class Run:
    """A call of run.sh in a folder of its own."""

    process: subprocess.Popen[str]
    folder: Path
    sockets: set[Path]

    @property
    def scratch(self) -> Path:
        return self.folder / "data" / "scratch"

    def server(self) -> int:
        """Process id of the server, once it is there."""
        file = until(lambda: next(self.scratch.glob("*/server.pid"), None))
        self.sockets.add(Path((file.parent / "server.sockets").read_text().strip()))
        return int(file.read_text().split()[0])

    def wait_for(self, step: str) -> None:
        """Until a step has ended, or a later one of it has begun."""
        pattern = f'"kind":"step","step":"{step.split(":")[0]}"'
        files = self.folder.glob
        until(
            lambda: any(
                pattern in f.read_text() for f in files("data/raw/**/driver.jsonl")
            ),
            60,
        )

    def reason(self) -> str:
        """Why the run failed, according to its folder; nothing else may be there."""
        assert 1 == self.process.wait(timeout=60)
        made = Path(self.process.stdout.read().strip())
        manifest = json.loads((made / "manifest.json").read_text())
        assert "failed" == manifest["status"]
        self.check_nothing_left()
        return manifest["reason"]

    def check_nothing_left(self) -> None:
        until(lambda: not naming(self.folder))
        assert not any(folder.exists() for folder in self.sockets)
        assert [] == [p for p in self.scratch.glob("*") if p.name != "lost+found"]
        assert [] == list(self.folder.glob("data/raw/*/*/*/.partial-*"))


@pytest.fixture
def start(drivers, tmp_path, request) -> Iterator[Callable[..., Run]]:
    """A function that starts a run of steps on an engine."""
    begun = []

    def start(engine: str, *steps: str, config: str = "") -> Run:
        tree = request.getfixturevalue("postgres" if engine == "postgres" else "mariadb")
        name = config or str(
            BENCH
            / "configs"
            / engine
            / ("x10a_256m" if engine == "postgres" else "z11a_256m")
        )
        words = [
            BENCH / "run.sh",
            "--bin",
            drivers,
            "--server",
            engine,
            "--basedir",
            tree,
        ]
        words += ["--config", name, "{}", tmp_path / "data/raw/s/m/tag/dop1.t1", "ingest"]
        words += ["--engine", engine, "--target", "{server}"]
        words += [word for step in steps for word in ("--step", step)]
        begun.append(
            Run(
                subprocess.Popen(
                    [*map(str, words)],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                ),
                tmp_path,
                set(),
            )
        )
        return begun[-1]

    yield start
    for run in begun:
        run.process.terminate()
        run.process.communicate(timeout=60)


def children(pid: int) -> list[int]:
    try:
        return [
            int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []


def runs(pid: int, name: str) -> bool:
    """Whether that is the program, or the script that bash runs."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return name in [word.rpartition("/")[2] for word in words[:2]]


def below(pid: int, name: str) -> int:
    """The process of a program below another, once it is there."""

    def find(pid: int) -> int:
        for child in children(pid):
            if runs(child, name) or (child := find(child)):
                return child
        return 0

    return until(lambda: find(pid))


def killed_server(run: Run, step: str) -> str:
    """Why the run failed whose server is killed within a step."""
    pid = run.server()
    before = BEFORE[step]
    if before:
        run.wait_for(before[-1])
    else:
        below(run.process.pid, "ingest")
    os.kill(pid, signal.SIGKILL)
    return run.reason()


@pytest.mark.parametrize(
    ("engine", "step"),
    [("mariadb", "l.i0:rows=9000000")]
    + [
        pytest.param(engine, step, marks=pytest.mark.slow)
        for engine in ("postgres", "mariadb", "myrocks")
        for step in BEFORE
        if (engine, step) != ("mariadb", "l.i0:rows=9000000")
    ],
)
def test_kill_9_of_the_server_is_told(start, engine, step):
    """Whatever step it is in: that the server died, how, and what it said last."""
    config = str(BENCH / "configs/myrocks/zr_256m") if engine == "myrocks" else ""
    reason = killed_server(start(engine, *BEFORE[step], step, config=config), step)

    assert reason.startswith("server.sh: the server died (killed by signal 9)")


def test_kill_9_of_the_client_stops_the_server(start):
    """The run failed by a signal; the server ended in order."""
    run = start("mariadb", "l.i0:rows=9000000")
    server = run.server()
    os.kill(below(run.process.pid, "ingest"), signal.SIGKILL)

    assert "killed by signal 9" in run.reason()
    assert not alive(server)


@pytest.mark.slow
def test_kill_9_of_run_sh_leaves_nothing(start):
    """Not even the unfinished run folder: whoever is left removes it."""
    run = start("mariadb", "l.i0:rows=9000000")
    server = run.server()
    run.process.kill()
    run.process.wait()

    until(lambda: not alive(server))
    until(lambda: not any(run.scratch.iterdir()))
    run.check_nothing_left()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["server.sh", "keeper"])
def test_kill_9_of_a_helper_leaves_nothing(start, name):
    """Neither server nor client outlive what keeps them."""
    run = start("postgres", "l.i0:rows=9000000")
    server = run.server()
    client = below(run.process.pid, "ingest")
    os.kill(below(run.process.pid, name), signal.SIGKILL)

    assert "killed by signal 9" in run.reason()
    assert not alive(server)
    assert not alive(client)


@pytest.mark.slow
def test_terminated_run_stops_the_server_and_leaves_nothing(start):
    """Ctrl-C and TERM: no run folder, no server."""
    run = start("postgres", "l.i0:rows=9000000")
    server = run.server()
    below(run.process.pid, "ingest")
    run.process.terminate()
    run.process.wait(timeout=30)

    assert not alive(server)
    run.check_nothing_left()


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Callable[[int], None]]:
    """A function that puts the scratch folder on a disk of so many MB."""
    scratch = tmp_path / "data" / "scratch"

    def mount(megabytes: int) -> None:
        scratch.mkdir(parents=True)
        words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "benchbook", scratch]
        if subprocess.run(words, capture_output=True, check=False).returncode:
            pytest.skip("cannot mount a small disk here")

    yield mount
    subprocess.run(["umount", "--lazy", scratch], capture_output=True, check=False)


@ROOT_ONLY
@pytest.mark.parametrize(
    ("engine", "megabytes"),
    [
        ("postgres", 20),  # too small for a new data folder
        pytest.param("postgres", 150, marks=pytest.mark.slow),
        pytest.param("mariadb", 300, marks=pytest.mark.slow),
    ],
)
def test_full_disk_is_told(start, small_disk, engine, megabytes):
    """That the disk is full, in the words of the server."""
    small_disk(megabytes)

    assert re.search(
        "[Nn]o space|[Dd]isk.*full|is full",
        start(engine, "l.i0:rows=9000000").reason(),
    )


@pytest.mark.slow
def test_lost_connection_is_told(start):
    """A session that the server ends at its work: the run fails, with the reason."""
    run = start("postgres", "l.i0:rows=9000000")
    server = run.server()
    below(run.process.pid, "ingest")

    def session() -> int:
        for child in children(server):
            if b" ib [local] INSERT" in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
        return 0

    os.kill(until(session), signal.SIGTERM)

    assert re.search("terminating connection|connection", run.reason())


@pytest.mark.slow
@ROOT_ONLY
def test_wrong_password_is_told_without_it(drivers, postgres, tmp_path):
    """The server's refusal, and nothing of what was sent."""
    script = """
        sed -i s/trust/password/ "$BENCH_SERVER_DIR/pg_hba.conf"
        kill -HUP $BENCH_SERVER_PID; sleep 0.3
        PLACE=$(echo '{server}' | sed s/user=postgres/user=me/)
        export PLACE="$PLACE password=opensesame"
        exec ingest --engine postgres --target env:PLACE --step l.i0:rows=10
    """
    words = [BENCH / "server.sh", "run", "--engine", "postgres", "--basedir", postgres]
    words += ["--dir", tmp_path / "dir", "--bin", drivers, "--", "sh", "-c", script]
    done = subprocess.run(
        [*map(str, words)], capture_output=True, text=True, check=False,
        env=os.environ | {"PATH": f"{drivers}:{os.environ['PATH']}"},
    )  # fmt: skip

    assert 1 == done.returncode
    assert "password authentication failed" in done.stderr
    assert "opensesame" not in done.stdout + done.stderr
    assert [] == list(tmp_path.iterdir())


@pytest.mark.slow
def test_setting_that_the_server_does_not_know_is_told(start, tmp_path):
    """The run fails in the words of its log."""
    (tmp_path / "my.conf").write_text("no_such_setting = 1\n")
    run = start("postgres", "l.i0:rows=10", config=str(tmp_path / "my.conf"))

    assert 'unrecognized configuration parameter "no_such_setting"' in run.reason()
