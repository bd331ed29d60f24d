"""Faults at random moments of every verb, and what has to hold after each of them.

    make campaign MINUTES=30 SEED=7

A laboratory of its own measures four small studies once. Then, again and again: some of
its runs or files are taken away, a verb makes them anew and meets a fault, the fault is
taken back and the verb is called until it succeeds. Afterwards every run is there once,
the tables are those of before but for what a clock measured, and no process, folder,
socket or cgroup is left. The seed decides verbs, faults and moments; what a process does
at a moment is not in its hands.
"""

# ruff: noqa: E402, T201
from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path[:0] = [
    str(Path(__file__).parents[1]),
    str(Path(__file__).parents[1] / "helpers"),
]
from checkouts import checkout_below, parts_below
from places import ROOT

DISK = "size=400m,nr_inodes=8000"  # of data/
CLOCK = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
AGAIN = 4  # calls of a verb until it has to succeed
GRACE_S = 10.0  # within which what a fault left behind has ended
LIMIT_S = 120.0  # of a verb with a fault: longer is a hang
HEAD = """\
title: Does this survive?
template: inserts
noisy: it is not measured for its numbers
placement: none
trials: 2
"""
STUDIES = {
    "alone": HEAD + """\
driver: ingest
base: {indexes: 0}
engines: [{engine: sqlite}]
matrix: {indexes: [0, 3]}
steps: ["l.i0:rows=30000", "l.x"]
sampler_hz: 10
""",
    "turns": HEAD + """\
driver: ingest
base: {indexes: 0}
engines: [{engine: sqlite}]
matrix: {indexes: [0, 3]}
steps: ["l.i0:rows=30000"]
order: turns
turn_ms: 20
""",
    "command": HEAD.replace("inserts", "ab") + """\
driver: command
base: {size: 1000}
commands:
  sort:
    setup: "seq {size} > {scratch}/numbers"
    command: sort -rn {scratch}/numbers -o {scratch}/sorted
seconds: 0.3
matrix: {size: [1000, 2000]}
""",
    "server": HEAD + """\
driver: ingest
base: {indexes: 0}
engines: [{engine: postgres, version: "18.6", source: jar, config: x10a_1g}]
matrix: {indexes: [0, 3]}
steps: ["l.i0:rows=10000"]
""",
}  # fmt: skip
RESULTS = {"results": [
    {"command": name, "mean": mean, "stddev": 0.01, "median": mean, "user": mean,
     "system": 0.0, "min": mean, "max": mean, "times": [mean] * 5}
    for name, mean in (("old", 0.5), ("new", 0.6))
]}  # fmt: skip
# What a clock has no part in.
TABLES = {
    "steps": "SELECT study, step, op, main, rows, errors, trial, tag FROM steps "
             "ORDER BY ALL",
    "imported": "SELECT \"set\", version, metric, count(*), sum(value) FROM metric "
                "WHERE \"set\" = 'files' GROUP BY ALL ORDER BY ALL",
}  # fmt: skip


COUNTED = "SELECT study, tag, trial, count(DISTINCT run_id) FROM steps GROUP BY ALL"


@dataclass
class Trial:
    """One verb that meets one fault."""

    number: int
    verb: str
    fault: str
    hit: str = ""  # what of it a fault met: a process, or an exit code
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        said = "; ".join(self.problems) or "ok"
        return f"{self.number:4} {self.verb:14} {self.fault:10} {self.hit:24} {said}"


class Laboratory:
    """A checkout with its studies measured, and what is true of it then."""

    def __init__(self, folder: Path, builds: Path, studies: list[str]) -> None:
        self.checkout = checkout_below(folder, builds, "lab", "testbox")
        self.root, self.data = self.checkout.root, self.checkout.root / "data"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.checkout.environ["TMPDIR"] = str(self.temporary)
        self.is_disk = _mounted("-t", "tmpfs", "-o", DISK, "none", str(self.data))
        self.wall_clock = folder / "wall_clock.so"
        source = Path(__file__).with_name("wall_clock.c")
        subprocess.run([*CLOCK, "-o", self.wall_clock, source], check=True)
        self.files = folder / "files"
        self.files.mkdir()
        (self.files / "sorts.json").write_text(json.dumps(RESULTS))
        self.studies = []
        for slug in studies:
            self.checkout.study(slug, STUDIES[slug])
            done = self.checkout.call("run", slug)
            if done.returncode == 0:
                self.studies.append(slug)
                continue
            print(f"without {slug}: {done.stderr.strip().splitlines()[-1]}", flush=True)
            shutil.rmtree(self.root / "posts" / slug)
        self.checkout.ok("import", str(self.files), "--as", "files", "--machine", "m")
        self.checkout.ok("load")
        self.checkout.ok("post", "alone", "--no-measure")
        self.runs = self.ok_runs()
        self.tables = self.read_tables()
        self.took: dict[str, float] = {}

    def ok_runs(self) -> Counter[str]:
        """How often each trial of each cell counts."""
        lines = self.checkout.ok("sql", COUNTED, "--csv").splitlines()[1:]
        return Counter(dict(_counted(line) for line in lines))

    def read_tables(self) -> dict[str, str]:
        return {
            name: self.checkout.ok("sql", text, "--csv") for name, text in TABLES.items()
        }

    def take_away(self, verb: str, chance: random.Random) -> None:
        """What the verb then has to make."""
        name, _, slug = verb.partition(" ")
        if name == "run":
            kept = self.checkout.runs(slug)
            trial = chance.choice(kept).name.split("-")[0]
            for run in kept:  # all arms of a session
                if run.name.split("-")[0] == trial:
                    shutil.rmtree(run)
        elif name == "load":
            (self.data / "benchbook.duckdb").unlink()
        elif name == "import":
            (self.data / "imported" / "files.parquet").unlink()
        elif name == "post":
            (self.root / "posts" / slug / "index.ipynb").unlink()
        elif name == "publish":
            for made in ("evidence", "published.json"):
                place = self.root / "posts" / slug / made
                shutil.rmtree(place, ignore_errors=True)
                place.unlink(missing_ok=True)
        elif name == "site":
            shutil.rmtree(self.root / "_site", ignore_errors=True)

    def words(self, verb: str) -> list[str]:
        name, _, slug = verb.partition(" ")
        more = {
            "import": [str(self.files), "--as", "files", "--machine", "m"],
            "post": [slug, "--no-measure"],
            "run": [slug],
            "publish": [slug],
        }
        return [name, *more.get(name, [])]

    def begin(self, verb: str, stdout: int, **more: str) -> subprocess.Popen[str]:
        """In a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "benchbook", *self.words(verb)],
            cwd=self.root, env=self.checkout.environ | more, stdout=stdout,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True,
            text=True,
        )  # fmt: skip

    def clear(self) -> None:
        """Measure once more: what was killed is cleared by the next of its kind."""
        for slug in self.studies:
            self.take_away(f"run {slug}", random.Random(0))
            self.checkout.ok("run", slug)

    def left(self) -> list[str]:
        """Processes, half-written files, temporary folders."""
        hidden = [p for p in self.data.rglob("*") if ".partial" in p.name]
        scratch = self.data / "scratch"
        places = [*hidden, *(scratch.iterdir() if scratch.is_dir() else ())]
        names = [f"{p.relative_to(self.root)}" for p in places]
        names += [f"TMPDIR/{p.name}" for p in self.temporary.iterdir()]
        return names + [f"process {name}" for name in parts_below(self.root).values()]


def _counted(line: str) -> tuple[str, int]:
    """A trial of a cell, and how many runs of it count."""
    name, _, runs = line.rpartition(",")
    return name, int(runs)


def _mounted(*words: str) -> bool:
    done = subprocess.run(["mount", *words], capture_output=True, check=False)
    return done.returncode == 0


Act = Callable[[Laboratory, str, random.Random, Trial], "subprocess.Popen[str] | None"]


def _typical(lab: Laboratory, verb: str) -> float:
    """How long the verb takes undisturbed, measured once."""
    if verb not in lab.took:
        begun = time.monotonic()
        lab.checkout.call(*lab.words(verb))
        lab.took[verb] = time.monotonic() - begun
        lab.take_away(verb, random.Random(0))
    return lab.took[verb]


def killed(lab: Laboratory, verb: str, chance: random.Random, trial: Trial) -> None:
    """One process of those there are at a random moment, rare ones as often."""
    typical = _typical(lab, verb)
    process = lab.begin(verb, subprocess.DEVNULL)
    time.sleep(chance.uniform(0, typical))
    there = parts_below(lab.root) | {process.pid: "benchbook"}
    kind = chance.choice(sorted(set(there.values())))
    pid = chance.choice(sorted(p for p, name in there.items() if name == kind))
    how = chance.choices([signal.SIGKILL, signal.SIGTERM, signal.SIGINT], [4, 1, 1])[0]
    with suppress(ProcessLookupError):
        os.kill(pid, how)
        trial.hit = f"{how.name} {kind}"
    _ended(process, trial)


def all_killed(lab: Laboratory, verb: str, chance: random.Random, trial: Trial) -> None:
    """The whole process group."""
    typical = _typical(lab, verb)
    process = lab.begin(verb, subprocess.DEVNULL)
    time.sleep(chance.uniform(0, typical))
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
        trial.hit = "SIGKILL all"
    _ended(process, trial)


def no_room(lab: Laboratory, verb: str, chance: random.Random, trial: Trial) -> None:
    """Some KiB are left, or none."""
    free = shutil.disk_usage(lab.data).free
    left = int(10 ** chance.uniform(3, 6.5)) if chance.random() < 0.8 else 0
    filler = lab.data / "filler"
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(free - left, 1))
    _disturbed(lab, verb, trial)
    filler.unlink()


def no_inodes(lab: Laboratory, verb: str, chance: random.Random, trial: Trial) -> None:
    """Some files more can be made, or none."""
    folder = lab.data / "fillers"
    folder.mkdir()
    state = os.statvfs(lab.data)
    for n in range(state.f_ffree - int(10 ** chance.uniform(0, 1.7))):
        (folder / str(n)).touch()
    _disturbed(lab, verb, trial)
    shutil.rmtree(folder)


def read_only(lab: Laboratory, verb: str, chance: random.Random, trial: Trial) -> None:
    """Nothing can be written in data/."""
    if not _mounted("-o", "remount,ro", str(lab.data)):
        trial.hit = "not remounted"
        return
    _disturbed(lab, verb, trial)
    _mounted("-o", "remount,rw", str(lab.data))


def no_reader(lab: Laboratory, verb: str, chance: random.Random, trial: Trial) -> None:
    """Whoever read its output is gone."""
    reader, writer = os.pipe()
    os.close(reader)
    process = lab.begin(verb, writer)
    os.close(writer)
    _ended(process, trial, sentence=True)


def wrong_clock(lab: Laboratory, verb: str, chance: random.Random, trial: Trial) -> None:
    """The wall clock is hours off."""
    hours = chance.choice([-26, -1, 1, 26])
    off = {"LD_PRELOAD": str(lab.wall_clock), "WALL_CLOCK_OFF": str(hours * 3600)}
    _ended(lab.begin(verb, subprocess.DEVNULL, **off), trial, sentence=True)
    trial.hit = f"{hours:+} h, {trial.hit}"


def _disturbed(lab: Laboratory, verb: str, trial: Trial) -> None:
    _ended(lab.begin(verb, subprocess.DEVNULL), trial, sentence=True)


def _ended(process: subprocess.Popen[str], trial: Trial, sentence: bool = False) -> None:
    """Within the limit; with ``sentence`` what went wrong is one, no traceback."""
    try:
        said = process.communicate(timeout=LIMIT_S)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = ""
        with suppress(subprocess.TimeoutExpired):  # somebody of another group has its end
            said = process.communicate(timeout=GRACE_S)[1]
        trial.problems.append(f"hung for {LIMIT_S:.0f} s")
    trial.hit = trial.hit or f"exit {process.returncode}"
    if sentence and "Traceback" in said:
        trial.problems.append(f"a traceback: {said.strip().splitlines()[-1]}")
    if sentence and process.returncode and not said.strip():
        trial.problems.append(f"exit {process.returncode} without a word")


FAULTS = {
    "kill": (killed, 8),
    "kill all": (all_killed, 3),
    "full": (no_room, 3),
    "inodes": (no_inodes, 1),
    "read-only": (read_only, 1),
    "no reader": (no_reader, 1),
    "clock": (wrong_clock, 1),
}
VERBS = {
    "run alone": 3, "run turns": 4, "run command": 2, "run server": 6, "load": 2,
    "import": 2, "post alone": 1, "publish alone": 1, "site": 1,
}  # fmt: skip


def _checked(lab: Laboratory, trial: Trial) -> None:
    """The verb succeeds, and all is as it was."""
    for call in range(AGAIN):
        done = lab.checkout.call(*lab.words(trial.verb))
        if "Traceback" in done.stderr:
            trial.problems.append(f"a traceback: {done.stderr.strip().splitlines()[-1]}")
        if done.returncode == 0 or "published already" in done.stderr:
            break
        if call == AGAIN - 1:
            trial.problems.append(f"never again: {done.stderr.strip()[-300:]}")
            return
    loaded = lab.checkout.call("load")
    if loaded.returncode:
        said = (loaded.stdout + loaded.stderr).strip()
        trial.problems.append(f"load: {said[-300:]}")
        return
    found = lab.ok_runs()
    trial.problems += [f"lost {one}" for one in lab.runs - found]
    trial.problems += [f"doubled {one}" for one in found - lab.runs]
    tables = lab.read_tables()
    trial.problems += [
        f"{name} differs" for name in tables if tables[name] != lab.tables[name]
    ]
    end = time.monotonic() + GRACE_S
    while (left := lab.left()) and time.monotonic() < end:
        time.sleep(0.2)
    trial.problems += [f"left: {name}" for name in left]


def possible(lab: Laboratory) -> tuple[dict[str, int], dict[str, int]]:
    """Verbs and faults that can be tried here, with their weights."""
    gone = [v for v in VERBS if v.startswith("run ") and v[4:] not in lab.studies]
    faults = {name: weight for name, (_, weight) in FAULTS.items()}
    if not lab.is_disk:
        for name in ("full", "inodes", "read-only"):
            del faults[name]
    return {v: w for v, w in VERBS.items() if v not in gone}, faults


def campaign(lab: Laboratory, seconds: float, seed: int) -> Iterator[Trial]:
    """Trials until the time is over; each leaves the laboratory as it was."""
    chance = random.Random(seed)
    verbs, faults = possible(lab)
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        [verb] = chance.choices(list(verbs), list(verbs.values()))
        [fault] = chance.choices(list(faults), list(faults.values()))
        trial = Trial(number, verb, fault)
        lab.take_away(verb, chance)
        FAULTS[fault][0](lab, verb, chance, trial)
        _checked(lab, trial)
        if verb.startswith("publish"):
            lab.take_away(verb, chance)  # a frozen post would not be executed again
        yield trial


@contextmanager
def laboratory(folder: Path, builds: Path, studies: list[str]) -> Iterator[Laboratory]:
    """One in this folder; its small disk is unmounted in the end."""
    data = folder / "lab" / "data"
    try:
        yield Laboratory(folder, builds, studies)
    finally:
        while os.path.ismount(data):
            subprocess.run(["umount", "-l", str(data)], check=True)


def summary(trials: list[Trial]) -> str:
    """How many of each fault and verb, and how many of them were survived."""
    lines = []
    for what in ("fault", "verb"):
        tried = Counter(getattr(t, what) for t in trials)
        bad = Counter(getattr(t, what) for t in trials if t.problems)
        lines += [f"{name:14} {tried[name] - bad[name]:4} of {tried[name]}"
                  for name in sorted(tried)]  # fmt: skip
        lines.append("")
    return "\n".join(lines)


def _outside() -> set[Path]:
    """Sockets' folders and cgroups, which are nobody else's while nothing else runs."""
    return {*Path("/tmp").glob("bb-*"), *Path("/sys/fs/cgroup").rglob("benchbook-*")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    chosen = parser.parse_args()
    os.environ["BENCHBOOK_QUIET"] = "off"
    before, trials = _outside(), []
    builds = ROOT / "build" / "tests"
    with (
        tempfile.TemporaryDirectory(prefix="campaign-") as place,
        laboratory(Path(place), builds, list(STUDIES)) as lab,
    ):
        print(f"seed {chosen.seed}, {', '.join(lab.studies)}", flush=True)
        for trial in campaign(lab, chosen.minutes * 60, chosen.seed):
            trials.append(trial)
            print(trial, flush=True)
        lab.clear()
    left = _outside() - before
    bad = sum(bool(t.problems) for t in trials)
    print(f"\n{summary(trials)}{len(trials) - bad} of {len(trials)} survived whole")
    print("\n".join(f"left: {path}" for path in sorted(left)))
    return 1 if bad or left else 0


if __name__ == "__main__":
    sys.exit(main())
