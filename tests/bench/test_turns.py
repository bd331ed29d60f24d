"""bench/referee: arms of a session take turns, and a frozen one's clock stands still."""

from __future__ import annotations

import itertools
import json
import mmap
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from ingest_fixtures import SANITIZE
from places import BENCH
from servers import alive, compiled, naming, until

pytest_plugins = ("server_fixtures",)
QUERIES = ("l.i0:rows=20000", "l.x", "qr100.L1:seconds=1")
SLACK_NS = 20_000_000  # of a loaded machine, for what has a duration of its own


@dataclass(frozen=True)
class Session:
    """A call of the referee in a folder of its own."""

    process: subprocess.Popen[str]
    folder: Path

    @property
    def scratch(self) -> Path:
        return self.folder / "data" / "scratch"

    def client(self) -> int:
        """Process id of an arm's driver once its queries have begun."""
        [page, *_] = until(lambda: self._pages(b"qr100.L1"))
        return int.from_bytes(page.read_bytes()[PID_AT : PID_AT + 4], "little")

    def _pages(self, step: bytes) -> list[Path]:
        pages = self.scratch.glob("session-*/arm*/page")
        return sorted(page for page in pages if step in page.read_bytes())

    def folders(self) -> dict[int, Path]:
        """The arms' run folders by number."""
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode in (0, 3), err
        rows = (line.split("\t") for line in out.splitlines())
        return {int(number): Path(folder) for number, _, folder in rows}

    def check_nothing_left(self) -> None:
        until(lambda: not naming(self.folder))
        assert [] == list(self.scratch.glob("*"))
        assert [] == list(self.folder.glob("data/raw/*/*/*/.partial-*"))


PID_AT = (
    8 + 7 * 8 + 3 * 4
)  # behind away_ns, elsewhere, state, go and over of struct arm_page


@pytest.fixture(scope="module")
def programs(builds) -> Path:
    for goal in ("ingest", "sql", "command", "keeper", "now"):
        folder = compiled(builds, goal)
    return folder


@pytest.fixture(scope="module")
def referee(tmp_path_factory) -> Path:
    """Compiled with sanitizers: a wrong access or a leak fails its run."""
    out = tmp_path_factory.mktemp("referee")
    words = ["make", "-s", "-C", str(BENCH), f"OUT={out}", f"OPT={SANITIZE}", "referee"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return out / "referee"


@pytest.fixture
def start(programs, referee, tmp_path) -> Iterator[Callable[..., Session]]:
    """A function that starts a session of two arms on SQLite."""
    begun = []

    def start(
        *steps: str,
        turn_ms: int = 50,
        apart: bool = False,
        quiet: int = 0,
        patience: int = 0,
        line: Sequence[str] = ("ingest", "--engine", "sqlite", "--target", "{target}"),
        **environ: str,
    ) -> Session:
        (tmp_path / "data" / "scratch").mkdir(parents=True, exist_ok=True)
        words = [referee, "--keeper", programs / "keeper", "--session", "s1"]
        words += ["--dir", tmp_path / "data/scratch", "--turn-ms", turn_ms]
        words += ["--quiet", quiet, "--patience", patience, "--"]
        line = [*line, *(word for step in steps for word in ("--step", step))]
        for arm in ("a", "b"):
            words += ["--and"] if arm == "b" else []
            words += [BENCH / "run.sh", "--bin", programs, "{}"]
            words += [tmp_path / f"data/raw/s/m/{arm}/dop1.t1", *line]
        process = subprocess.Popen(
            [*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | environ, process_group=0 if apart else None,
        )  # fmt: skip
        begun.append(process)
        return Session(process, tmp_path)

    start.folder = tmp_path
    yield start
    for process in begun:
        process.terminate()
        process.communicate(timeout=60)


def lines(folder: Path, name: str) -> list[dict]:
    packed = (folder / f"{name}.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(packed).read().decode()
    return [json.loads(line) for line in text.splitlines()]


def turns(folder: Path, step: str = "qr100.L1", op: str = "query") -> list[dict]:
    told = [r for r in lines(folder, "turns") if r["kind"] == "turn"]
    return [r for r in told if (r["step"], r["op"]) == (step, op)]


def step_of(folder: Path) -> dict:
    records = lines(folder, "driver")
    [step] = [r for r in records if r["kind"] == "step" and r.get("op") == "query"]
    return step


@pytest.mark.parametrize("by_signals", [False, True])
def test_one_arm_is_active_at_a_time(start, by_signals):
    how = {"BENCH_FREEZE_BY_SIGNALS": "1"} if by_signals else {}
    folders = start(*QUERIES, **how).folders()
    both = [turns(folder) for folder in folders.values()]
    spans = sorted(
        (t["begin_ns"], t["begin_ns"] + t["active_ns"]) for arm in both for t in arm
    )
    assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))
    assert {0, 1} == {t["place"] for t in both[0]}


@pytest.mark.slow
def test_the_clock_of_a_frozen_arm_stands_still(start):
    folders = start(*QUERIES).folders()
    step, mine = step_of(folders[1]), turns(folders[1])
    took = step["end_ns"] - step["start_ns"]
    assert abs(took - 1_000_000_000) < SLACK_NS
    assert mine[-1]["begin_ns"] - mine[0]["begin_ns"] > 1.7e9  # by the machine's
    assert abs(sum(t["active_ns"] for t in mine) - took) < 2 * SLACK_NS


@pytest.mark.slow
def test_the_turns_hold_what_the_step_did(start):
    folders = start(*QUERIES).folders()
    assert step_of(folders[2])["ops"] == sum(t["ops"] for t in turns(folders[2]))


OUTSIDE, IN_STEP = 0, 2  # of enum arm_state
FIELDS = ("state", "go", "over", "seq", "again_ns")
OFFSETS = '#include "common/arm.h"\n#include <stddef.h>\n#include <stdio.h>\n'
OFFSETS += 'int main(void) { printf("%zu", sizeof(struct arm_page));'
OFFSETS += "".join(
    f'printf(" %zu", offsetof(struct arm_page, {name}));' for name in FIELDS
)


def refereed(program: Path, folder: Path, again_s: float, words: list[str]) -> list[dict]:
    """What a driver says that always has its turn, its timed steps so much longer."""
    (folder / "offsets.c").write_text(f"{OFFSETS} }}\n")
    build = ["cc", "-std=c11", "-D_GNU_SOURCE", f"-I{BENCH}", "-o", folder / "offsets"]
    subprocess.run([*build, folder / "offsets.c"], check=True)
    told = subprocess.check_output([folder / "offsets"], text=True)
    size, state, go, over, seq, again = map(int, told.split())
    (folder / "page").write_bytes(bytes(size))
    with (folder / "page").open("r+b") as file, mmap.mmap(file.fileno(), size) as page:
        driver = subprocess.Popen(
            [str(program), *words], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"BENCH_ARM": str(folder)},
        )  # fmt: skip
        while driver.poll() is None:
            step = page[seq : seq + 4]
            page[go : go + 4] = step
            if page[state] == OUTSIDE:  # its turns are recorded
                page[over : over + 4] = step
            elif page[state] == IN_STEP:
                page[again : again + 8] = round(again_s * 1e9).to_bytes(8, "little")
            time.sleep(0.002)
        assert driver.stdout
        return [json.loads(line) for line in driver.stdout.read().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("again_s, rows", [(0.5, 150), (2.0, 200)])
def test_writers_keep_their_rate_while_disturbed_rounds_are_done_again(
    programs, tmp_path, again_s, rows
):
    """A step of 1 s that lasts longer: 100 rows/s, for no more than as long again.

    Writers who are behind make a step long: what is disturbed then must not add to it.
    """
    (tmp_path / "db").mkdir()
    words = ["--engine", "sqlite", "--target", str(tmp_path / "db")]
    for step in ("l.i0:rows=20000", "l.x", "qr100.L1:seconds=1"):
        words += ["--step", step]
    said = refereed(programs / "ingest", tmp_path, again_s, words)
    steps = [r for r in said if r["kind"] == "step" and r["step"] == "qr100.L1"]

    assert {"insert": rows, "delete": rows} == {
        r["op"]: r["rows"] for r in steps if r["op"] != "query"
    }


@pytest.mark.slow
def test_queries_beside_a_number_of_rows_end_with_their_writers(programs, tmp_path):
    """100 rows at 100/s take 1 s, and no query goes on alone for what was disturbed."""
    (tmp_path / "db").mkdir()
    words = ["--engine", "sqlite", "--target", str(tmp_path / "db")]
    for step in ("l.i0:rows=20000", "l.x", "qr100.L1:rows=100"):
        words += ["--step", step]
    said = refereed(programs / "ingest", tmp_path, 2.0, words)
    [step] = [r for r in said if r["kind"] == "step" and r.get("main")
              and r["step"] == "qr100.L1"]  # fmt: skip

    assert step["end_ns"] - step["start_ns"] < 2e9


@pytest.mark.slow
def test_each_round_gives_each_arm_a_turn(start):
    one, other = start(*QUERIES).folders().values()
    rounds = [[t["round"] for t in turns(folder)] for folder in (one, other)]
    together = min(map(len, rounds))
    assert rounds[0][:together] == rounds[1][:together] == [*range(1, together + 1)]


@pytest.mark.slow
def test_turns_are_recorded_before_the_next_step_counts(start):
    """Steps that end within a turn, one after the other: no turn is of its successor.

    Each is warmed up first, so that it is long known by its number before it begins.
    """
    names = [f"s{i}" for i in range(40)]
    tiny = "workload tiny\nstatement one\n  sql SELECT 1\n"
    tiny += "".join(f"step {name}\n  do one\n" for name in names)
    workload = start.folder / "workload"
    workload.write_text(tiny)
    steps = [f"{name}:events=2000:warmup=0.01" for name in names]
    line = ("sql", "--engine", "null", "--target", ".", "--workload", str(workload))
    folders = start(*steps, turn_ms=20, line=line).folders()
    for folder in folders.values():
        for name in names:
            mine = turns(folder, name)
            assert [*range(1, len(mine) + 1)] == [t["round"] for t in mine]
            assert 2000 == sum(t["ops"] for t in mine)


PREPARING = """
import mmap, os, struct, sys, time
page = mmap.mmap(os.open(os.path.join(os.environ["BENCH_ARM"], "page"), os.O_RDWR), 0)
struct.pack_into("<i", page, {pid}, os.getpid())
struct.pack_into("<I", page, {seq}, 7)  # a step is being prepared; we are outside still
time.sleep(0.2)
print(struct.unpack_from("<I", page, {over})[0], flush=True)
"""


def test_a_step_that_is_being_prepared_is_not_over(programs, referee, tmp_path):
    """An arm names a step before it is ready; then the one before may not be over."""
    code = PREPARING.format(pid=PID_AT, seq=PID_AT + 4, over=PID_AT - 4)
    arm = [sys.executable, "-c", code]
    words = [referee, "--keeper", programs / "keeper", "--dir", tmp_path, "--"]
    words += [*arm, "--and", *arm]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=60)

    assert ["1\t0\t0", "2\t0\t0"] == sorted(done.stdout.splitlines()), done.stderr


@pytest.mark.slow
def test_cpu_time_of_a_turn_is_of_the_arm(start):
    mine = turns(start(*QUERIES).folders()[1])
    cpu = sum(t["client_cpu_ns"] for t in mine)
    assert 0 < cpu <= 1.2 * sum(t["active_ns"] for t in mine)


@pytest.mark.slow
def test_cpu_time_of_ended_processes_is_in_the_turns_without_cgroups(start):
    """The driver uses hardly any itself: it is that of commands, which it waits for."""
    commands = start.folder / "commands"
    loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    commands.write_text(f"spin\tcommand\t{loop}\n")
    line = ("command", "--target", "{target}", "--workload", str(commands))
    session = start("spin:events=8", line=line, BENCH_FREEZE_BY_SIGNALS="1")
    for folder in session.folders().values():
        assert "stop" == lines(folder, "turns")[0]["frozen"]
        [step] = [r for r in lines(folder, "driver") if r["kind"] == "step"]
        in_turns = sum(t["client_cpu_ns"] for t in turns(folder, "spin", "run"))
        assert step["cpu_ns"] > 200_000_000
        assert in_turns == pytest.approx(step["cpu_ns"], rel=0.2)


@pytest.mark.slow
def test_the_header_says_how_it_was_frozen(start):
    folder = start(*QUERIES, BENCH_FREEZE_BY_SIGNALS="1").folders()[2]
    assert {
        "schema": 1, "kind": "session", "id": "s1", "arm": 2, "arms": 2, "turn_ms": 50,
        "seed": 1, "quiet": 0, "frozen": "stop",
    } == lines(folder, "turns")[0]  # fmt: skip


@pytest.mark.slow
def test_a_killed_client_fails_its_arm_alone(start):
    session = start("l.i0:rows=20000", "l.x", "qr100.L1:seconds=2")
    os.kill(session.client(), signal.SIGKILL)
    said = [json.loads((f / "manifest.json").read_text()) for f in
            session.folders().values()]  # fmt: skip
    assert ["failed", "ok"] == sorted(one["status"] for one in said)
    session.check_nothing_left()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_stays_of_a_session_that_is_ended(start, how):
    session = start("l.i0:rows=20000", "l.x", "qr100.L1:seconds=60")
    client = session.client()
    session.process.send_signal(how)
    session.process.wait(timeout=30)
    session.check_nothing_left()
    assert not alive(client)
    assert [] == list(session.folder.glob("data/raw/*/*/*/dop*"))


def cgroups(pid: int) -> list[Path]:
    return list(Path("/sys/fs/cgroup").rglob(f"benchbook-{pid}-*"))


@pytest.mark.slow
def test_what_a_killed_group_leaves_goes_with_the_next_session(start):
    """Nobody is there to remove cgroups, folders of runs and of the session."""
    killed = start("l.i0:rows=20000", "l.x", "qr100.L1:seconds=60", apart=True)
    client, had = killed.client(), cgroups(killed.process.pid)
    os.killpg(killed.process.pid, signal.SIGKILL)
    killed.process.wait(timeout=30)
    until(lambda: not alive(client) and not naming(killed.folder))
    assert list(killed.scratch.glob("*"))
    assert had == cgroups(killed.process.pid)
    session = start("l.i0:rows=1")
    assert {1, 2} == set(session.folders())
    session.check_nothing_left()
    assert not cgroups(killed.process.pid)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--dir", ".", "--keeper", "k", "--", "one"], "two commands or more"),
        (["--keeper", "k", "--", "one", "--and", "two"], "--dir and --keeper"),
        (["--turn-ms", "0", "--", "one", "--and", "two"], "from 1 to 60000"),
    ],
)
def test_usage(referee, words, said):
    done = subprocess.run([referee, *words], capture_output=True, text=True, check=False)
    assert (2, True) == (done.returncode, said in done.stderr)


def shares_of_rounds(arms: list[list[dict]]) -> dict[int, float]:
    """What others took of the busy time of each round, the hypervisor of the last nine.

    Of what the hypervisor took one tick of 10 ms may be anybody's.
    """
    rounds: dict[int, Counter] = {}
    for turn in (turn for arm in arms for turn in arm):
        of_round = rounds.setdefault(turn["round"], Counter())
        of_round.update(busy=turn["machine_cpu_ns"] + turn["steal_ns"],
                        others=turn["others_ns"], steal=turn["steal_ns"])  # fmt: skip
    shares = {}
    for number, own in rounds.items():
        last = [rounds[n] for n in range(max(1, number - 8), number + 1)]
        steal = max(sum(r["steal"] for r in last) - 10_000_000, 0)
        busy = max(sum(r["busy"] for r in last), 1)
        shares[number] = own["others"] / max(own["busy"], 1) + steal / busy
    return shares


@pytest.mark.slow
def test_what_others_disturb_is_done_again(start):
    """Whatever else runs here: as much as was disturbed, but no more than was not."""
    session = start(*QUERIES, quiet=300)
    session.client()
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        time.sleep(0.7)
        other.kill()
    folders = session.folders()
    arms = [turns(folder) for folder in folders.values()]
    shares = shares_of_rounds(arms)
    loud = [sum(t["active_ns"] for t in arms[0] if (shares[t["round"]] > 0.3) is is_loud)
            for is_loud in (True, False)]  # fmt: skip
    step = step_of(folders[1])
    again = step["end_ns"] - step["start_ns"] - 1_000_000_000
    assert abs(again - min(loud)) < 150_000_000  # that of the last rounds is too late


@pytest.mark.slow
def test_all_rest_until_others_are_gone(start):
    """2 s of another's work meet rests of .1, .2, .4 s and so on, of 3 s in all."""
    session = start(*QUERIES, quiet=300, patience=3)
    session.client()
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        time.sleep(2)
        other.kill()
    told = [line for folder in session.folders().values()
            for line in lines(folder, "turns") if line["kind"] == "turn"]  # fmt: skip
    told.sort(key=lambda turn: turn["begin_ns"])
    gaps = [later["begin_ns"] - turn["begin_ns"]
            for turn, later in itertools.pairwise(told)
            if turn["step"] == later["step"]]  # fmt: skip
    assert 400_000_000 <= max(gaps)


@pytest.mark.slow
def test_before_and_after_each_step_the_machine_is_told(start):
    told = lines(start(*QUERIES).folders()[2], "turns")
    told = [(r["step"], r["when"]) for r in told if r["kind"] == "machine"]
    steps = ("l.i0", "l.x", "qr100.L1")
    assert [(step, when) for step in steps for when in ("before", "after")] == told
