"""`benchbook run` on the null engine: every run once, failures kept, resume."""

import json
import shutil
import subprocess
import time

import pytest
from studies import NULL_STUDY

pytestmark = pytest.mark.engine


def specs(checkout, slug):
    return [json.loads((f / "spec.json").read_text()) for f in checkout.runs(slug)]


def test_study_makes_every_run_of_its_matrix_once(checkout):
    """Two cells and two trials are four runs; a second call makes none."""
    checkout.study("s")
    checkout.ok("run", "s")
    first = checkout.runs("s")
    again = checkout.ok("run", "s")

    assert 4 == len(first)
    assert first == checkout.runs("s")
    assert "every run is there" in again


@pytest.mark.slow
def test_order_is_recorded(checkout):
    """Each run knows its position: cells A B, then B A."""
    checkout.study("s")
    checkout.ok("run", "s")
    found = sorted(specs(checkout, "s"), key=lambda s: s["position"])

    assert [("0", 1), ("3", 1), ("3", 2), ("0", 2)] == [
        (s["dims"]["indexes"], s["trial"]) for s in found
    ]


@pytest.mark.slow
def test_spec_holds_no_path_of_this_machine(checkout):
    """A spec could run on another host."""
    checkout.study("s")
    checkout.ok("run", "s", "--trials", "1")

    assert str(checkout.root) not in json.dumps(specs(checkout, "s"))


@pytest.mark.slow
def test_only_makes_the_named_cells_and_resume_the_rest(checkout):
    """--only is a part of the study, not a different one."""
    checkout.study("s")
    checkout.ok("run", "s", "--only", "indexes=3")
    assert ["3", "3"] == [s["dims"]["indexes"] for s in specs(checkout, "s")]
    checkout.ok("run", "s")

    assert 4 == len(checkout.runs("s"))


@pytest.mark.slow
def test_overridden_runs_are_never_the_studys_own(checkout):
    """After --set the study still has all its runs to make."""
    checkout.study("s")
    checkout.ok("run", "s", "--set", "dop=2", "--trials", "1")
    plan = checkout.ok("plan", "s")

    assert all(s["overridden"] for s in specs(checkout, "s"))
    assert "4 to make" in plan


@pytest.mark.slow
def test_unknown_value_of_only_is_one_sentence(checkout):
    """The sentence lists the values there are."""
    checkout.study("s")
    done = checkout.call("run", "s", "--only", "indexes=9")

    assert 2 == done.returncode
    assert "no cell of s has it; available: 0, 3" in done.stderr
    assert "Traceback" not in done.stderr


def test_failed_run_is_kept_reported_and_tried_once_more(checkout):
    """A run that fails twice is given up; the others are made."""
    text = 'engines:\n  - {engine: "null"}\n  - {engine: sqlite, config: broken}\n'
    file = checkout.study(
        "s", NULL_STUDY.replace('engines:\n  - {engine: "null"}\n', text)
    )
    (file.parent / "configs").mkdir()
    (file.parent / "configs" / "broken").write_text("no_such_pragma = 1\n")
    first = checkout.call("run", "s")
    second = checkout.call("run", "s")
    third = checkout.call("run", "s")
    attempts = [s["attempt"] for s in specs(checkout, "s") if s["engine"] == "sqlite"]

    assert 1 == first.returncode == second.returncode == third.returncode
    assert "no_such_pragma" in first.stdout
    assert [1, 1, 1, 1, 2, 2, 2, 2] == sorted(attempts)
    assert "0 left" in third.stdout


@pytest.mark.slow
def test_budget_stops_before_it_is_used_up(checkout):
    """No run is started that would end after the budget."""
    checkout.study("s")
    out = checkout.ok("run", "s", "--budget", "0.1s")

    assert "4 left" in out
    assert [] == checkout.runs("s")


@pytest.mark.slow
def test_missing_compiler_is_one_sentence(checkout):
    """A compiler of the matrix that is not installed is named with what to do."""
    checkout.study("s", NULL_STUDY.replace("matrix:\n", "matrix:\n  compiler: [gcc-1]\n"))
    done = checkout.call("run", "s")

    assert 2 == done.returncode
    assert "no compiler gcc-1 on this machine: install it" in done.stderr


@pytest.mark.slow
def test_data_that_cannot_be_written_is_one_sentence(checkout):
    """A file where data/raw should be stops the study before anything is measured."""
    checkout.study("s")
    (checkout.root / "data" / "raw").write_text("")
    done = checkout.call("run", "s")

    assert 2 == done.returncode
    assert "cannot write in" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_status_tells_from_another_shell(checkout):
    """done, failed, left of every study."""
    checkout.study("s")
    checkout.ok("run", "s", "--trials", "1")
    out = checkout.ok("status")

    assert "nothing is being measured" in out
    assert "finished" in out


@pytest.mark.slow
def test_detached_run_finishes_by_itself(checkout):
    """--detach returns at once; the runs appear."""

    checkout.study("s")
    said = checkout.ok("run", "s", "--detach")
    deadline = time.monotonic() + 60
    while len(checkout.runs("s")) < 4 and time.monotonic() < deadline:
        time.sleep(0.2)

    assert "benchbook status" in said
    assert 4 == len(checkout.runs("s"))


@pytest.mark.slow
def test_pasted_command_writes_the_same_run_folder(checkout):
    """The lines of `plan --commands`, run by bash alone, are the study's runs."""

    checkout.study("s")
    lines = checkout.ok("plan", "s", "--commands")
    subprocess.run(["bash", "-e"], input=lines, text=True, check=True,
                   env=checkout.environ, capture_output=True)  # fmt: skip

    assert 4 == len(checkout.runs("s"))
    assert "every run is there" in checkout.ok("run", "s")


@pytest.mark.slow
def test_our_own_checksums_need_no_fetched_source(checkout):
    """Engine `ours` of micro is built from bench/ alone, here and by the pasted lines."""
    checkout.study(
        "own",
        "title: How fast is a table?\ntemplate: ab\ndriver: micro\n"
        "base: {block_size: 64}\nengines: [{engine: ours, version: '1'}]\n"
        "matrix: {block_size: [64]}\nsteps: ['crc32c-table:rows=10']\ntrials: 1\n",
    )

    assert "fetch.sh" not in checkout.ok("plan", "own", "--commands")
    assert "1 runs made, 0 failed" in checkout.ok("run", "own")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("db_bench"), reason="no db_bench: rocksdb-tools")
def test_third_party_tool_takes_the_same_path(checkout):
    """db_bench's own output is kept, and its counters reach the view metric."""
    checkout.study(
        "tool",
        "title: How fast is the packaged crc32c?\n"
        "template: compilers\ndriver: db_bench\nbase: {block_size: 4096}\n"
        "engines:\n  - {engine: rocksdb}\nmatrix: {block_size: [4096]}\n"
        "steps: [crc32c]\ntrials: 1\n",
    )
    checkout.ok("run", "tool")
    rows = checkout.ok(
        "sql", "SELECT step, unit, value > 0 FROM metric WHERE main", "--csv"
    )

    assert ["crc32c,MB/s,True"] == rows.splitlines()[1:]
