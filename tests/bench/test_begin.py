"""bench/ingest: a step says when its clock starts, at once."""

from __future__ import annotations

import json
import subprocess

import pytest
from ingest_answers import kind

pytest_plugins = ("ingest_fixtures",)
pytestmark = [pytest.mark.engine, pytest.mark.slow]  # what they start takes long

STEPS = ["l.i0:rows=500", "l.x", "l.i1:rows=50", "cleanup", "q100.1:seconds=0.1", "scan"]


def test_every_step_says_when_it_begins(records):
    """One begin for each step, with the start_ns of its step records."""
    found = records("null", STEPS, "--dop", "2")
    starts = {s["step"]: s["start_ns"] for s in kind(found, "step")}

    assert 6 == len(starts)
    assert starts == {b["step"]: b["t_ns"] for b in kind(found, "begin")}
    assert 6 == len(kind(found, "begin"))


def test_a_step_begins_before_all_else_is_known_of_it(records):
    """In the order of the lines: begin, then the step's samples and what follows them."""
    found = [r for r in records("null", STEPS) if "step" in r]
    first = {r["step"]: r["kind"] for r in reversed(found)}

    assert {"begin"} == set(first.values())


def test_the_begin_is_printed_while_the_step_runs(ingest, tmp_path):
    """Who watches the run hears of it at once, not when the step is over."""
    words = [ingest, "--engine", "null", "--target", tmp_path]
    with subprocess.Popen(
        [*words, "--step", "l.i0:rows=2000000000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as driver:  # fmt: skip
        driver.stdout.readline()  # the run record
        second = json.loads(driver.stdout.readline())
        running = driver.poll() is None
        driver.terminate()
        driver.communicate(timeout=20)

    assert ("begin", "l.i0", True) == (second["kind"], second["step"], running)
