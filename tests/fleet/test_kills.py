"""Kill -9 of whatever part of a fleet: no run is lost, none is there twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from checkouts import parts_below
from studies import NULL_STUDY

pytestmark = [pytest.mark.engine, pytest.mark.slow]

KILLS = int(os.environ.get("BENCHBOOK_KILLS", "12"))
TRIALS = 6


def test_whatever_is_killed_nothing_is_lost_or_doubled(checkout, hosts):
    """The coordinator, ssh, rsync, sshd, run.sh and the driver, each at random moments.

    sshd is started anew a second later, the coordinator at once; a job whose driver dies
    is made again. BENCHBOOK_KILLS says how many.
    """
    text = NULL_STUDY.replace("rows=20000", "rows=1000000")
    checkout.study("nothing", text.replace("trials: 2", f"trials: {TRIALS}"))
    call = [sys.executable, "-m", "benchbook", "run", "nothing", "--on", str(hosts.file)]
    folder, chance, killed = hosts.folder.parent, random.Random(1), Counter[str]()

    def begin() -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            call, cwd=checkout.root, env=checkout.environ, stdout=quiet, stderr=quiet
        )

    coordinator = begin()
    deadline = time.monotonic() + 30 + 10 * KILLS
    while killed.total() < KILLS and time.monotonic() < deadline:
        time.sleep(chance.uniform(0.05, 1.0))
        for name, daemon in hosts.daemons.items():
            if daemon.poll() is not None:
                hosts.start(name)
        there = parts_below(folder)
        kind = chance.choice(sorted(set(there.values())) or [""])  # rare ones as often
        pid = chance.choice([p for p, name in there.items() if name == kind] or [0])
        if pid:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            killed[kind] += 1
        if coordinator.poll() is not None:
            coordinator = begin()
    coordinator.kill()
    coordinator.wait()
    for name, daemon in hosts.daemons.items():
        if daemon.poll() is not None:
            hosts.start(name)
    for _ in range(3):  # of a job whose driver was killed twice
        checkout.call("run", "nothing", "--on", str(hosts.file))
    runs = [json.loads((run / "manifest.json").read_text())["status"]
            for run in checkout.runs("nothing")]  # fmt: skip
    cells = Counter(
        (run.parent.name, run.name.split("-")[0])
        for run in checkout.runs("nothing")
        if json.loads((run / "manifest.json").read_text())["status"] == "ok"
    )

    print(f"killed: {dict(killed)}; runs: {dict(Counter(runs))}")  # noqa: T201
    assert 2 * TRIALS == len(cells) == cells.total()
    left = [p for n in hosts.ports for p in (hosts.folder / n / "lab/fleet").glob("*")]
    assert [] == left
    assert [] == list((checkout.root / "data" / "raw").glob(".arriving*"))
    drivers = [name for name in parts_below(folder).values() if name == "ingest"]
    assert [] == drivers
