"""A study survives kill -9 of its whole process group at any moment."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from studies import NULL_STUDY

pytestmark = pytest.mark.engine

STUDY = NULL_STUDY.replace("trials: 2", "trials: 6")
# `mv` that now and then kills the whole group, before or after it has moved.
DEADLY_MV = """#!/bin/bash
if ((RANDOM % 12 == 0)); then kill -9 0; fi
/bin/mv "$@" || exit
if ((RANDOM % 12 == 0)); then kill -9 0; fi
"""
# `benchbook load` that dies at its last step, before or after the rename.
DEADLY_LOAD = """
import os, signal, sys
from pathlib import Path
real = {name: getattr(os, name) for name in ("rename", "replace")}
when = sys.argv.pop(1)
def deadly(name):
    def moved(*args, **kwargs):
        if when == "after":
            real[name](*args, **kwargs)
        os.kill(0, signal.SIGKILL)
    return moved
for name in real:
    setattr(os, name, deadly(name))
from benchbook.cli import main
main()
"""


def killed(words, checkout, delay, **environ):
    """Start in a group of its own; after ``delay`` seconds kill the group."""
    process = subprocess.Popen(
        [sys.executable, *words], cwd=checkout.root, env=checkout.environ | environ,
        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        process.wait(timeout=delay)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def identities(checkout):
    """(indexes, trial) of every finished run."""
    specs = [json.loads((f / "spec.json").read_text()) for f in checkout.runs("s")]
    return sorted((s["dims"]["indexes"], s["trial"]) for s in specs)


def crash(checkout, times, seed):
    """Kill a study ``times`` times: in runs, inside renames, inside load."""
    checkout.study("s", STUDY)
    shims = checkout.root / "shims"
    shims.mkdir()
    (shims / "mv").write_text(DEADLY_MV)
    (shims / "mv").chmod(0o755)
    path = f"{shims}:{checkout.environ['PATH']}"
    chance = random.Random(seed)
    for number in range(times):
        if number % 4 == 3:
            when = chance.choice(["before", "after"])
            killed(["-c", DEADLY_LOAD, when, "load"], checkout, 30)
        else:
            delay = chance.uniform(0.8, 2.5)
            more = {"PATH": path} if number % 2 else {}
            killed(["-m", "benchbook", "run", "s"], checkout, delay, **more)
    checkout.ok("run", "s")
    checkout.ok("load")


def check(checkout, whole):
    """The interrupted study is the uninterrupted one but for measured values."""
    expected = [(i, t) for i in ("0", "3") for t in range(1, 7)]
    query = (
        "SELECT step, op, main, rows, errors, trial, config, dims['indexes'] AS i "
        "FROM steps WHERE study = 's' ORDER BY ALL"
    )
    leftovers = [p for p in (checkout.root / "data").rglob("*") if ".partial" in p.name]
    scratch = list((checkout.root / "data" / "scratch").iterdir())

    assert expected == identities(checkout)
    assert checkout.ok("sql", query, "--csv") == whole.ok("sql", query, "--csv")
    assert [] == leftovers
    assert [] == scratch


def _run_and_compare(make_checkout, times, seed):
    whole = make_checkout("whole")
    whole.study("s", STUDY)
    whole.ok("run", "s")
    whole.ok("load")
    crashed = make_checkout("crashed")
    crash(crashed, times, seed)
    check(crashed, whole)


@pytest.mark.slow
def test_a_run_whose_helper_was_killed_is_none(checkout):
    """run.sh goes on without what `stat` would have said: its manifest has a hole."""
    shims = checkout.root / "shims"
    shims.mkdir()
    (shims / "stat").write_text("#!/bin/bash\n[[ $* != *%s* ]] || kill -9 $$\n")
    (shims / "stat").chmod(0o755)
    checkout.study("s", STUDY)
    done = checkout.call("run", "s", PATH=f"{shims}:{checkout.environ['PATH']}")

    assert 1 == done.returncode
    assert "cannot be believed: manifest.json: " in done.stderr
    assert "nothing of it was kept, run again" in done.stderr
    assert [] == checkout.runs("s")


@pytest.mark.slow
def test_study_survives_a_few_kills(make_checkout):
    """Two kills: the same runs, none twice, the same tables."""
    _run_and_compare(make_checkout, times=2, seed=1)


@pytest.mark.slow
def test_study_survives_twenty_kills(make_checkout):
    """Twenty kills, some inside rename and some inside load."""
    _run_and_compare(make_checkout, times=20, seed=2)


@pytest.mark.slow
def test_driver_dies_with_the_measuring_process(checkout):
    """kill -9 of `benchbook run` alone leaves no driver behind."""
    checkout.study("s", STUDY.replace("l.i0:rows=20000", "l.i0:seconds=30"))
    process = subprocess.Popen(
        [sys.executable, "-m", "benchbook", "run", "s"], cwd=checkout.root,
        env=checkout.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    scratch = checkout.root / "data" / "scratch"
    deadline = time.monotonic() + 60
    while not list(scratch.glob("run-*")) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    process.kill()
    process.wait()
    time.sleep(2)

    assert [] == _processes_below(checkout.root)


def _processes_below(root):
    """Command lines of processes that name a folder."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().split(b"\0")
        except OSError:
            continue
        if any(str(root).encode() in w for w in words):
            found.append(words)
    return found
