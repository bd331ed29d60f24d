"""How far does our driver sql lie from sysbench and pgbench that send the same?

On one server, two databases with equal tables, which the other tool has made. Both
clients send as fast as they can and take turns of 80 ms in random order: the one that
rests is frozen by SIGSTOP. Client and server have one CPU. A table of ratios, ours over
theirs, with 95% intervals over sessions, each of connections of its own:

* throughput: events in active time. A tool counts its events itself; its time is ended
  while it is frozen. A run of one event before each session says what start and end take;
* client CPU of a statement: of the process, without that of the run of one event;
* server CPU of a statement: what the server took in a client's turns, without the first.

What that costs: a client that is stopped may be in the middle of a statement, whose rest
the server does while nobody is counted; a start that differs from the one before it by
1 ms is an error of 0.1%. The databases are two because a client stopped in a transaction
keeps its locks; which client has which changes from session to session.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd
from scipy import stats
from script import show

from benchbook.measure.lock import measuring

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
INSTALLS = {"postgres": ("15", "x10a_1g"), "mariadb": ("10.11", "z11a_1g")}
DATABASES = ("one", "two")
SIDES = ("ours", "theirs")
TURN_S = 0.08
REST_S = 0.002  # the server's, after a client was stopped: its last statement ends
SETUP = "workload setup\n" + "".join(
    f"statement {name}\n  sql CREATE DATABASE {name}\n  text\nstep {name}\n  do {name}\n"
    for name in DATABASES
)
PGSQL_OF = {"host": "-h", "port": "-p", "user": "-U"}


@dataclass(frozen=True)
class Case:
    """The same events by two clients; ``theirs``: sysbench's script, pgbench's words."""

    name: str
    tool: str
    theirs: tuple[str, ...]
    workload: str
    step: str
    rest: str  # the step that vacuums and analyzes
    statements: int  # of an event, BEGIN and COMMIT among them
    prepared: bool = True
    engines: tuple[str, ...] = ("postgres",)


def _sysbench(script: str, step: str, statements: int) -> Case:
    return Case(
        script, "sysbench", (script,), "sysbench", step, "postwrite.pre", statements,
        engines=("mariadb", "postgres"),
    )  # fmt: skip


def _pgbench(options: str, step: str, statements: int) -> Case:
    words = tuple(options.split())
    return Case(
        f"pgbench {options}".strip(), "pgbench", words, "tpcb", step, "postwrite",
        statements, "prepared" in words,
    )  # fmt: skip


CASES = {
    case.name: case
    for case in (
        _sysbench("oltp_point_select", "point-query.range100", 1),
        _sysbench("oltp_read_only", "read-only.range100", 16),
        _sysbench("oltp_update_index", "update-index.range100", 1),
        _pgbench("-S", "select-only", 1),
        _pgbench("-S -M prepared", "select-only", 1),
        _pgbench("", "tpcb-like", 7),
        _pgbench("-M prepared", "tpcb-like", 7),
    )
}


@dataclass(frozen=True)
class Server:
    """Where a server is and what is measured there; of ``words`` by database."""

    engine: str
    target: str
    asked: argparse.Namespace

    def place(self, database: str) -> dict[str, str]:
        """The connection by name."""
        words = dict(word.split("=", 1) for word in self.target.split())
        return words | {"dbname": database}

    def ours(self, database: str, workload: object, *words: object) -> list[str]:
        """A command of the driver sql."""
        target = " ".join("=".join(item) for item in self.place(database).items())
        command = [self.asked.bin / "sql", "--engine", self.engine, "--target", target,
                   "--workload", workload, *words]  # fmt: skip
        return [str(word) for word in command]

    def sysbench(self, database: str, script: str, *words: str) -> list[str]:
        """A command of sysbench."""
        place = self.place(database)
        driver = "pgsql" if self.engine == "postgres" else "mysql"
        at = [f"--{driver}-{name}={place[name]}" for name in
              ("host", "port", "socket", "user") if name in place]  # fmt: skip
        return ["sysbench", script, f"--db-driver={driver}", *at,
                f"--{driver}-db={database}", "--rand-type=uniform",
                f"--table-size={self.asked.rows}", *words]  # fmt: skip

    def pgbench(self, database: str, *words: str) -> list[str]:
        """A command of pgbench."""
        place = self.place(database)
        at = [word for name, option in PGSQL_OF.items() for word in (option, place[name])]
        return ["pgbench", *at, "-n", *words, database]

    def make_tables(self, case: Case, database: str) -> list[str]:
        """The other tool's command that makes its tables."""
        if case.tool == "pgbench":
            return self.pgbench(database, "-i", "-q", "-s", "1")
        return self.sysbench(database, *case.theirs, "prepare")

    def client(self, case: Case, side: str, database: str, seconds: int) -> list[str]:
        """The command of one side, for so many seconds; of 0, one event."""
        if side == "theirs" and case.tool == "pgbench":
            size = ["-T", str(seconds)] if seconds else ["-t", "1"]
            return self.pgbench(database, *case.theirs, *size)
        if side == "theirs":
            events = 0 if seconds else 1
            size = [f"--time={seconds}", f"--events={events}", "run"]
            return self.sysbench(database, *case.theirs, *size)
        step = f"{case.step}:" + (f"seconds={seconds}" if seconds else "events=1")
        return self.step(case, database, step)

    def step(self, case: Case, database: str, step: str) -> list[str]:
        """The command of a step of ours."""
        sets = ["--set", f"table_size={self.asked.rows}"]
        return self.ours(
            database, BENCH / "workloads" / case.workload / "workload", "--step", step,
            *(sets if case.tool == "sysbench" else ()),
            *(() if case.prepared else ("--no-prepare",)),
        )  # fmt: skip


def events(said: str) -> int:
    """How many events a client says that it ran."""
    if found := re.search(r"(?:transactions: +|actually processed: )(\d+)", said):
        return int(found[1])
    records = [json.loads(line) for line in said.splitlines()]
    ops = {r["op"]: r["ops"] for r in records if r["kind"] == "step"}
    return int(ops.get("transaction", ops["query"]))


def server_cpu_ns(pid: int) -> int:
    """What a server has taken: all threads of its process and of those below it."""
    total = 0
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                total += int((task / "schedstat").read_text().split()[0])
                children = (task / "children").read_text().split()
                total += sum(server_cpu_ns(int(child)) for child in children)
    return total


@dataclass
class Client:
    """A process that runs or rests, and what it took: wall time while it ran, CPU."""

    process: subprocess.Popen[str]
    output: IO[str]
    active_s: float = 0.0
    cpu_s: float = 0.0
    server_ns: int = 0
    turns_s: float = 0.0  # of turns in which the server was looked at
    _since: float = field(default_factory=time.monotonic)

    def stop(self) -> None:
        """Freeze it; it is still when this returns."""
        self.process.send_signal(signal.SIGSTOP)
        self._wait(os.WUNTRACED)

    def turn(self, server_pid: int) -> None:
        """Let it run for a while."""
        before, so_far = server_cpu_ns(server_pid), self.active_s
        self.go_on()
        time.sleep(TURN_S)
        self.stop()
        time.sleep(REST_S)
        self.server_ns += server_cpu_ns(server_pid) - before
        self.turns_s += self.active_s - so_far

    def go_on(self) -> None:
        """Thaw it."""
        self._since = time.monotonic()
        self.process.send_signal(signal.SIGCONT)

    def finish(self) -> int:
        """Wait for its end, which must be a good one; how many events it ran."""
        self._wait(0)
        self.output.seek(0)
        said = self.output.read()
        if self.process.returncode:
            sys.exit(f"clients_in_turns: {self.process.args!r} failed: {said}")
        return events(said)

    def _wait(self, options: int) -> None:
        _, status, usage = os.wait4(self.process.pid, options)
        self.active_s += time.monotonic() - self._since
        if not os.WIFSTOPPED(status):
            self.process.returncode = os.waitstatus_to_exitcode(status)
            self.cpu_s = usage.ru_utime + usage.ru_stime


@contextmanager
def started(words: list[str], cpu: int) -> Iterator[Client]:
    """A client that runs on a CPU; it does not outlive what goes wrong here."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            ["taskset", "-c", str(cpu), *words],
            stdout=output, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        try:
            yield Client(process, output)
        finally:
            if process.returncode is None:
                process.kill()
                process.wait()


def session(server: Server, case: Case, number: int, order: random.Random) -> None:
    """Both clients in turns, once; prints what each did, per event."""
    asked, pid = server.asked, int(os.environ["BENCH_SERVER_PID"])
    own = dict(zip(SIDES, DATABASES[:: 1 if number % 2 else -1], strict=True))
    alone = {}
    for side in order.sample(SIDES, 2):
        with started(server.client(case, side, own[side], 0), asked.cpu) as client:
            client.finish()
            alone[side] = client
    words = {side: server.client(case, side, own[side], asked.seconds) for side in SIDES}
    end = time.monotonic() + asked.seconds
    with started(words["ours"], asked.cpu) as ours:
        time.sleep(TURN_S)
        ours.stop()
        with started(words["theirs"], asked.cpu) as theirs:
            time.sleep(TURN_S)
            theirs.stop()
            clients = {"ours": ours, "theirs": theirs}
            while time.monotonic() < end - 3 * TURN_S:
                for side in order.sample(SIDES, 2):
                    clients[side].turn(pid)
            time.sleep(max(end - time.monotonic(), 0) + 4 * TURN_S)
            for side in order.sample(SIDES, 2):
                clients[side].go_on()
                _tell(server, case, number, side, clients[side], alone[side])


def _tell(
    server: Server, case: Case, number: int, side: str, client: Client, alone: Client
) -> None:
    """Print what a client's events took, without start and end."""
    more = client.finish() - 1
    active_s = client.active_s - alone.active_s
    row = {
        "engine": server.engine, "case": case.name, "session": number, "side": side,
        "throughput": more / active_s,
        "client": 1e6 * (client.cpu_s - alone.cpu_s) / more / case.statements,
        "server": client.server_ns / 1e3 / client.turns_s * active_s / more
        / case.statements,
        "start_ms": 1e3 * alone.active_s,
    }  # fmt: skip
    print(json.dumps(row), flush=True)  # noqa: T201


def quiet(words: list[str]) -> None:
    """Run a command that has to succeed."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"clients_in_turns: {words[0]} failed: {done.stderr or done.stdout}")


def inside(server: Server) -> None:
    """All sessions on a server that runs, as lines of JSON."""
    asked = server.asked
    os.sched_setaffinity(0, asked.referee or {asked.cpu})
    with tempfile.NamedTemporaryFile("w+") as setup:
        setup.write(SETUP)
        setup.flush()
        steps = [word for name in DATABASES for word in ("--step", f"{name}:events=1")]
        quiet(server.ours("ib", setup.name, *steps))
    cases = [CASES[name] for name in asked.case if server.engine in CASES[name].engines]
    for case in {case.tool: case for case in cases}.values():
        for database in DATABASES:
            quiet(server.make_tables(case, database))
            quiet(server.step(case, database, case.rest))
    order = random.Random(asked.seed)
    for number in range(1, asked.sessions + 1):
        for case in cases:
            session(server, case, number, order)


def measure(engine: str, asked: argparse.Namespace) -> pd.DataFrame:
    """The sessions on one engine; a server is started for them."""
    version, config = INSTALLS[engine]
    with tempfile.TemporaryDirectory(prefix="clients-") as work:
        Path(work).chmod(0o755)  # the server is another user
        tree = _printed(BENCH / "install.sh", engine, version, "debian").strip()
        # Debian's /usr/bin/pgbench is a script in Perl that finds this one.
        programs = f"{tree}/usr/lib/postgresql/{version}/bin"
        again = [f"--{name}={getattr(asked, name)}" for name in
                 ("rows", "sessions", "seconds", "seed", "bin", "cpu")]  # fmt: skip
        again += [f"--case={name}" for name in asked.case]
        text = _printed(
            BENCH / "server.sh", "run", "--engine", engine, "--basedir", tree,
            "--config", BENCH / "configs" / engine / config, "--dir", f"{work}/server",
            "--cpus", asked.cpu, "--bin", asked.bin, "--",
            "env", f"PATH={programs}:{os.environ['PATH']}",
            sys.executable, __file__, "--inside", engine, "--target", "{server}", *again,
        )  # fmt: skip
    return pd.DataFrame([json.loads(line) for line in text.splitlines()])


def _printed(*words: object) -> str:
    done = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"clients_in_turns: {words[0]} failed with exit code {done.returncode}")
    return done.stdout


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201


def ratio(ours: pd.Series, theirs: pd.Series) -> str:
    """The ratio of geometric means with its 95% interval, pairs being sessions."""
    logs = np.log(ours.to_numpy() / theirs.to_numpy())
    half = (
        stats.t.ppf(0.975, logs.size - 1) * stats.sem(logs) if logs.size > 1 else np.nan
    )
    low, mid, high = np.exp([logs.mean() - half, logs.mean(), logs.mean() + half])
    return f"{mid:.3f} [{low:.3f}, {high:.3f}]"


def table(sessions: pd.DataFrame) -> pd.DataFrame:
    """A row per engine and case: ratios, and microseconds of a statement."""
    rows = []
    for (engine, case), part in sessions.groupby(["engine", "case"], sort=False):
        wide = part.pivot(index="session", columns="side")
        row: dict[str, object] = {"engine": engine, "theirs": case}
        for what in ("throughput", "client", "server"):
            row[what] = ratio(wide[what]["ours"], wide[what]["theirs"])
        for what in ("client", "server"):
            us = wide[what].mean()
            row[f"{what} µs"] = f"{us['ours']:.1f} / {us['theirs']:.1f}"
        rows.append(row)
    return pd.DataFrame(rows)


def arguments() -> argparse.Namespace:
    """What is measured; --inside and --target are for the call within a server's life."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument(
        "--engine", action="append", choices=INSTALLS, help="default: all"
    )
    parser.add_argument("--case", action="append", choices=CASES, help="default: all")
    parser.add_argument("--sessions", type=int, default=6, help="default 6")
    parser.add_argument("--seconds", type=int, default=3, help="of a session, default 3")
    parser.add_argument("--rows", type=int, default=100_000, help="default 100000")
    parser.add_argument("--seed", type=int, default=1, help="of the order, default 1")
    parser.add_argument("--bin", type=Path, help="compiled already; default: compile")
    parser.add_argument("--cpu", type=int, help="default: the last one")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--target", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    cpus = os.sched_getaffinity(0)
    asked.cpu = max(cpus) if asked.cpu is None else asked.cpu
    asked.referee = cpus - {asked.cpu}
    asked.case = asked.case or list(CASES)
    return asked


def main() -> None:
    """Print the table."""
    asked = arguments()
    if asked.inside:
        inside(Server(asked.inside, asked.target, asked))
        return
    if not shutil.which("sysbench"):
        sys.exit("clients_in_turns: sysbench is missing: install the package sysbench")
    engines = asked.engine or list(INSTALLS)
    with (
        tempfile.TemporaryDirectory(prefix="clients-bin-") as out,
        measuring("clients_in_turns", True, _say),
    ):
        if not asked.bin:
            asked.bin = Path(out)
            quiet(["make", "-s", "-C", str(BENCH), f"OUT={out}", "sql", "keeper"])
        sessions = pd.concat(measure(engine, asked) for engine in engines)
    show(
        f"Ours over theirs, {asked.sessions} sessions of {asked.seconds} s; µs of a "
        "statement: ours / theirs",
        table(sessions),
    )


if __name__ == "__main__":
    main()
