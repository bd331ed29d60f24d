"""Profiles by the real perf, beside a small program whose shares are known."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pandas as pd
import pytest
from folded_stacks import leaf_shares
from profiled import (
    BEGUN,
    CLOCK,
    FRAMES,
    SOURCE,
    Work,
    build_for_perf,
    processes_about,
    wait_for,
)

from benchbook.runs.profiles import off_cpu
from benchformats.parsed import TextFile
from benchformats.profilers import perf_report, perf_script

pytestmark = pytest.mark.engine

KEYS = ["kind", "step", "tree", "event", "hz", "call_graph", "start_ns", "end_ns",
        "samples", "lost", "script", "report", "status", "reason"]  # fmt: skip
LATE = "the step ended before its slice began"


@pytest.fixture(scope="module", name="program")
def program_for_perf() -> Path:
    """The folder of the program and the clock."""
    return build_for_perf()


@pytest.fixture(scope="module")
def work(program, tmp_path_factory):
    """A whole run: a step too short, one with both slices, one that never comes."""
    begun_ns = time.monotonic_ns()
    with Work(program, tmp_path_factory.mktemp("work")) as work:
        work.tells("begin", "short")
        work.tells("begin", "a")
        profile = work.profile(
            *CLOCK, "--steps", "short a never", "--trees", "server client",
            "--seconds", "0.6", "--after-s", "0.1", "--off-cpu",
        )  # fmt: skip
        work.captured(4)
        work.tells("step", "a")
        work.tells("end")
        said = profile.communicate(timeout=60)[1]
        work.window = (begun_ns, time.monotonic_ns())
    assert (0, "") == (profile.returncode, said)
    return work


def stacks(work: Work, tree: str) -> pd.DataFrame:
    """Samples of the step a."""
    parsed = perf_script.read(work.text(work.lines()["a", tree, "cpu"]["script"]))
    assert [] == parsed.problems
    return parsed.series["stacks"].to_pandas()


@pytest.mark.parametrize("tree", ["server", "client"])
def test_a_line_per_capture(work, tree):
    """Its keys, and the slice on the run's clock: 0.6 s at least, within the run."""
    line = work.lines()["a", tree, "cpu"]
    named = {key: line[key] for key in ("event", "hz", "call_graph", "status", "reason")}

    assert KEYS == list(line)
    assert named == {"event": "cpu-clock", "hz": 999, "call_graph": "fp",
                     "status": "ok", "reason": ""}  # fmt: skip
    assert work.window[0] < line["start_ns"] <= line["end_ns"] - 590_000_000
    assert line["end_ns"] < work.window[1]


@pytest.mark.parametrize("tree", ["server", "client"])
def test_samples_lie_in_the_slice(work, tree):
    """As many as the line says, their times on the same clock."""
    line, table = work.lines()["a", tree, "cpu"], stacks(work, tree)

    assert line["samples"] == len(table) > 0
    assert table["time_s"].min() >= line["start_ns"] / 1e9 - 1e-6
    assert table["time_s"].max() <= line["end_ns"] / 1e9 + 1e-6


def test_trees_are_apart(work):
    """serve() is the server's, hot() and cold() are the client's."""
    server, client = (
        set(leaf_shares(stacks(work, t))["leaf"]) for t in ("server", "client")
    )

    assert ({"serve"}, {"hot", "cold"}) == (
        server & {"serve", "hot", "cold"}, client & {"serve", "hot", "cold"},
    )  # fmt: skip


def test_whole_stacks(work):
    """From main to the function, root first, and the kernel's frames marked."""
    table = stacks(work, "client")
    hot = table[table["frames"].astype(str).str.endswith("main;hot")]

    assert len(hot) > 0
    assert {"u"} == set("".join(hot["kinds"]))


def test_shares_are_those_of_perf_report(work):
    """Each leaf's share of our weighted samples within 0.5 points of its own."""
    table = perf_report.read(work.text(work.lines()["a", "client", "cpu"]["report"]))
    report = table.series["perf_report"].to_pandas()
    theirs = report.groupby("symbol")["overhead_pct"].sum()
    ours = leaf_shares(stacks(work, "client")).set_index("leaf")["share"] * 100

    for name in ("hot", "cold"):
        assert ours[name] == pytest.approx(theirs[name], abs=0.5)


def test_off_cpu_time(work):
    """The thread that rests is off the CPU nearly all the slice, and blocked.

    Between two rests it may be preempted like any other: rarely, and not for long.
    """
    line = work.lines()["a", "client", "off-cpu"]
    parsed = perf_script.read(work.text(line["script"]))
    tables = (parsed.series[name].to_pandas() for name in ("stacks", "switches"))
    found = off_cpu(*tables, line["end_ns"])
    resting = found[found["frames"].astype(str).str.contains("rest")]

    assert ("ok", 0, "") == (line["status"], line["hz"], line["report"])
    assert resting.groupby("state")["weight"].sum().idxmax() == "blocked"
    assert 0.5 < resting["weight"].sum() / (line["end_ns"] - line["start_ns"]) < 1.01


@pytest.mark.parametrize(
    "step, reason", [("short", LATE), ("never", "the step did not begin")]
)
def test_steps_without_a_slice(work, step, reason):
    """A line each that says why."""
    lines = [line for key, line in work.lines().items() if key[0] == step]

    assert [("failed", reason, 0, "")] * 4 == [
        (one["status"], one["reason"], one["samples"], one["script"]) for one in lines
    ]


def test_nothing_else_is_left(work):
    """No perf.data, no scratch folder: the files that the lines name."""
    named = {line[key] for line in work.lines().values() for key in ("script", "report")}

    assert named - {""} | {"driver.jsonl", "profile.jsonl"} == {
        path.name for path in work.run.iterdir()
    }


@pytest.mark.slow
def test_a_slice_ends_with_its_step(program, tmp_path):
    """30 s were asked for; perf.data stays where that was asked for."""
    with Work(program, tmp_path) as work:
        profile = work.profile(
            *CLOCK, "--steps", "a b", "--trees", "client", "--seconds", "30",
            "--after-s", "0", "--keep-data",
        )  # fmt: skip
        work.tells("begin", "a")
        work.captured(1, BEGUN)
        time.sleep(0.2)
        work.tells("begin", "b")
        work.captured(1)
        work.tells("end")
        profile.communicate(timeout=60)
    line = work.lines()["a", "client", "cpu"]

    assert "ok" == line["status"]
    assert 0.15e9 < line["end_ns"] - line["start_ns"] < 20e9
    assert (work.run / "profile-a-client.data").stat().st_size > 0


@pytest.mark.parametrize(
    "end", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_nothing_outlives_its_parent(program, tmp_path, end):
    """Neither profile.sh nor perf nor what they wait with, in the middle of a slice."""
    with Work(program, tmp_path) as work:
        words = work.words("profile/profile.sh", *CLOCK, "--steps", "a",
                           "--trees", "client", "--after-s", "0",
                           "--seconds", "30")  # fmt: skip
        parent = subprocess.Popen(
            ["bash", "-c", '"$@" & wait', "parent", *words],
            env=os.environ | {"BENCH_BIN": str(program)},
        )
        work.tells("begin", "a")
        work.captured(1, BEGUN)
        assert len(processes_about(str(work.run))) > 3
        parent.send_signal(end)
        parent.wait()
        wait_for(lambda: not processes_about(str(work.run)), 10)


# As perf 6.1 printed it of a program with debug information: deep() is part of outer(),
# __libc_start_main_impl() is only another name of what the symbol table calls otherwise.
INLINED = """\
inl 16066/16066 16153.975532596:    1001001 cpu-clock:
\t            1197 deep+0x17 (inlined)
\t            1197 outer+0x17 (/tmp/inl)
\t           27304 __libc_start_main_impl+0x84 (inlined)
\t            10b0 _start+0x20 (/tmp/inl)

"""


@pytest.mark.slow
@pytest.mark.parametrize(("flags", "asked"), [((), False), (("-g",), True)])
def test_inlined_frames_are_looked_for_where_lines_are(program, tmp_path, flags, asked):
    """addr2line searches a program without them for minutes, so it is not asked."""
    own, mark = tmp_path / "bin", tmp_path / "asked"
    shutil.copytree(program, own)
    words = [
        "gcc",
        "-O1",
        *FRAMES,
        *flags,
        "-pthread",
        "-x",
        "c",
        "-",
        "-o",
        own / "work",
    ]
    subprocess.run(words, input=SOURCE, text=True, check=True)
    (own / "addr2line").write_text(
        f'#!/bin/sh\ntouch {mark}\nexec /usr/bin/addr2line "$@"\n'
    )
    (own / "addr2line").chmod(0o755)
    with Work(own, tmp_path / "work") as work:
        work.tells("begin", "a")
        profile = work.profile(
            *CLOCK, "--steps", "a", "--seconds", "0.5", "--after-s", "0.1",
            "--call-graph", "dwarf", PATH=f"{own}:{os.environ['PATH']}",
        )  # fmt: skip
        work.captured(1)
        work.tells("end")
        profile.communicate(timeout=60)

    assert "ok" == work.lines()["a", "server", "cpu"]["status"]
    assert asked == mark.exists()


def test_inlined_or_only_another_name():
    """An inlined function has the address of the one that holds it."""
    parsed = perf_script.read(TextFile("perf.script", INLINED))
    (stack,) = parsed.series["stacks"].to_pylist()

    assert ("_start;__libc_start_main_impl;outer;deep", "uuui") == (
        stack["frames"], stack["kinds"],
    )  # fmt: skip
