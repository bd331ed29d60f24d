"""Commands of a user's own, measured in turns: a slower revision, one that fails."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict

import pytest

from benchbook.sets.bisect import bisection_of, sessions_on_record
from benchbook.study.study import load_study
from benchmath.changes.bisect import Session

pytestmark = pytest.mark.engine
STUDY = """\
title: Is the new one slower?
template: ab
driver: command
base: {revision: v1}
folder: FOLDER
build: printf 'ms=%s\\n' {ms} > settings
commands:
  work:
    prepare: sleep 0.02
    command: |
      . ./settings
      . ./factor
      sleep $(echo $ms $factor | awk '{print $1 * $2}')
seconds: 0.5
trials: 2
turn_ms: 50
options: {ms: "0.01"}
matrix: {revision: [v1, HEAD]}
"""


@pytest.fixture
def repository(tmp_path):
    """HEAD takes twice as long as v1."""
    folder = tmp_path / "mine"
    folder.mkdir()
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for text, words in (("1", ("tag", "v1")), ("2", ("tag", "v2"))):
        (folder / "factor").write_text(f"factor={text}\n")
        for call in (("init", "-q"), ("add", "."), ("commit", "-qm", text), words):
            subprocess.run(["git", "-C", str(folder), *who, *call], check=True)
    return folder


def test_slower_revision_is_seen(checkout, repository):
    """Each builds in a checkout of its own; what prepares a run is not its time."""
    checkout.study("s", STUDY.replace("FOLDER", str(repository)))
    checkout.ok("run", "s")
    value = (
        "SELECT avg(value) FROM metric WHERE metric = 'rps' AND dims['revision'] = '{}'"
    )
    rates = [
        float(checkout.ok("sql", value.format(name), "--csv").splitlines()[1])
        for name in ("v1", "HEAD")
    ]

    assert 1.1 < rates[0] / rates[1] < 4  # 2 on a machine that does nothing else


@pytest.mark.slow
def test_turns_end_with_a_run(checkout, repository):
    """No turn has a part of one: each has operations, and its time is theirs."""
    checkout.study("s", STUDY.replace("FOLDER", str(repository)))
    checkout.ok("run", "s")
    text = checkout.ok("sql", "SELECT min(ops) AS o FROM turns WHERE round > 1", "--csv")

    assert 1 <= int(text.splitlines()[1])


@pytest.mark.slow
def test_command_that_fails_is_a_failed_run(checkout, repository):
    """It is kept with the reason, and the call says so."""
    broken = STUDY.replace("FOLDER", str(repository)).replace("sleep $(", "exit 3 $(")
    checkout.study("s", broken)
    done = checkout.call("run", "s")
    [first, *_] = checkout.runs("s")
    manifest = json.loads((first / "manifest.json").read_text())

    assert 0 != done.returncode
    assert ("failed", "command: step work: its command ended with exit code 3") == (
        manifest["status"], manifest["reason"],
    )  # fmt: skip


PRINTS = """\
title: How many rows?
template: ab
driver: command
base: {size: 10}
commands:
  count: {command: "echo rate $((1000 / {size})) rows/s", numbers: RULE}
steps: ["count:events=4"]
trials: 1
turn_ms: 20
matrix: {size: [10, 20]}
"""


@pytest.mark.slow
def test_number_that_a_command_prints_is_compared(checkout):
    """Its unit says which direction is better."""
    checkout.study("s", PRINTS.replace("RULE", "lines"))
    checkout.ok("run", "s")
    told = checkout.ok("compare", "--study", "s", "10", "20", "--metric", "rate")

    assert "rate, higher is better" in told
    figures = told.split("count")[1].split()
    assert {"100", "50"} <= set(figures[:6])


@pytest.mark.slow
def test_number_that_is_not_printed_is_said(checkout):
    """The run is kept, and what it lacks is told when it is loaded."""
    rule = '{json: {"rate rows/s": speed}}'
    checkout.study("s", PRINTS.replace("RULE", rule))
    done = checkout.call("run", "s")
    text = (
        "count.said, the output of step count: run 1 of the command: it printed no JSON"
    )

    assert text in done.stdout + done.stderr + checkout.call("load").stderr
    assert 2 == len(checkout.runs("s"))


TOOLS = """\
title: Which is faster?
template: ab
driver: command
base: {tool: ./a.sh}
commands: {work: "{tool}"}
steps: ["work:events=5"]
trials: 1
turn_ms: 20
matrix: {tool: [./a.sh, ./b.sh]}
"""


@pytest.mark.slow
def test_another_program_under_the_same_value_is_another_cell(checkout):
    """The session is made again: what b.sh was stands in no cell with what it is now."""
    folder = checkout.study("s", TOOLS).parent
    for name in ("a.sh", "b.sh"):
        (folder / name).write_text("#!/bin/sh\nsleep 0.01\n")
        (folder / name).chmod(0o755)
    checkout.ok("run", "s")
    (folder / "b.sh").write_text("#!/bin/sh\nsleep 0.02\n")
    checkout.ok("run", "s")
    cells = defaultdict(set)
    for run in checkout.runs("s"):
        spec = json.loads((run / "spec.json").read_text())
        cells[spec["dims"]["tool"]].add(spec["cell_id"])

    assert {"./a.sh": 1, "./b.sh": 2} == {tool: len(ids) for tool, ids in cells.items()}
    assert "every run is there" in checkout.ok("run", "s")


HISTORY = """\
title: Since when?
template: ab
driver: command
base: {revision: good}
folder: FOLDER
build: sh build.sh
commands: {work: sh work.sh}
seconds: 0.3
turn_ms: 50
matrix: {revision: [good, HEAD]}
"""


@pytest.mark.slow
def test_commit_that_made_it_slower_is_found(checkout, tmp_path):
    """The fourth of six, next to one that does not build; again it measures nothing."""
    folder = tmp_path / "mine"
    folder.mkdir()
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for number in range(1, 7):
        (folder / "work.sh").write_text(f"sleep {0.01 if number < 4 else 0.05}\n")
        (folder / "build.sh").write_text(f"exit {int(number == 2)} # {number}\n")
        for call in (("init", "-q"), ("add", "."), ("commit", "-qm", f"change {number}")):
            subprocess.run(["git", "-C", str(folder), *who, *call], check=True)
    subprocess.run(["git", "-C", str(folder), "tag", "good", "HEAD~5"], check=True)
    checkout.study("s", HISTORY.replace("FOLDER", str(folder)))
    words = ("bisect", "s", "--good", "good", "--bad", "HEAD")
    said = checkout.ok(*words).splitlines()
    made = len(checkout.runs("s.bisect"))

    assert "first bad, with probability " in said[0]
    assert "change 4" in said[1]
    assert "slower in work, " in said[2]
    assert said[1] in checkout.ok(*words)
    assert made == len(checkout.runs("s.bisect"))
    assert made == sum(
        len(sessions_of(checkout)[at]) * (3 if at else 2) for at in range(5)
    )
    checkout.study(
        "s", HISTORY.replace("FOLDER", str(folder)).replace("k.sh}", "k.sh 1}")
    )
    assert [] == [one for of in sessions_of(checkout).values() for one in of]


def sessions_of(checkout) -> dict[int, list[Session]]:
    """Those on record of what study.yml says now, by the commit that they are about."""
    study = load_study(checkout.root / "posts/s")
    asked = bisection_of(study, "good", "HEAD", "", checkout.project)
    found = defaultdict(list)
    for one in sessions_on_record(asked):
        found[one.at].append(one)
    return found


@pytest.mark.slow
def test_ends_that_are_alike_are_not_bisected(checkout, repository):
    """The older one has to be the faster one; and a later one is no ancestor."""
    checkout.study("s", STUDY.replace("FOLDER", str(repository)))
    turned = checkout.call("bisect", "s", "--good", "HEAD", "--bad", "v1")

    assert 2 == turned.returncode
    assert "HEAD is no ancestor of v1" in turned.stderr
