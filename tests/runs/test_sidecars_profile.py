"""Captures of perf: their stacks, what perf report says, and what is left out of them."""

from __future__ import annotations

import pytest
from make_runs import START_NS
from make_sidecars import MS, Shelf, capture, profiled

pytestmark = pytest.mark.unit

SHELF = Shelf()
run = SHELF.add


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    report = SHELF.load(tmp_path_factory.mktemp("checkout"))

    assert [] == report.refused
    return SHELF


# The slice is from 1.0 to 2.0 s: the first and the last sample lie outside.
SCRIPT = """\
prog 77/78  0.999999999:       9 cpu-clock:
\t          40af10 early+0x1a (/usr/bin/prog)

prog 77/78  1.000000000:       2 cpu-clock:
\t          40af10 leaf+0x1a (/usr/bin/prog)
\t          40af20 main (/usr/bin/prog)

prog 77/78  1.500000000:       3 cpu-clock:
\t          40af11 leaf+0x1b (/usr/bin/prog)
\t          40af20 main (/usr/bin/prog)

prog 77/79  2.000000000:       4 cpu-clock:
\tffffffff81001408 write ([kernel.kallsyms])
\t          40af20 main (/usr/bin/prog)

prog 77/78  2.000000001:       9 cpu-clock:
\t          40af10 late (/usr/bin/prog)

"""
REPORT = """\
# Samples: 3  of event 'cpu-clock'
#
# Overhead       Samples  Command   Shared Object      Symbol
# ........  ............  ........  .................  .........
#
    50.00%             2  prog      prog               [.] leaf
    25.00%             1  prog      [kernel.kallsyms]  [k] write
    25.00%             1  other     prog               [.] leaf
"""
WHOLE = run(profiled(SCRIPT, REPORT))


def test_a_capture_is_a_row(shelf: Shelf):
    """As its line says."""
    assert [
        ("l.i0", "client", "cpu-clock", 999, START_NS, START_NS + 1000 * MS, 3, 0, "ok")
    ] == shelf.rows(
        WHOLE, "profiles",
        "step, tree, event, hz, start_ns, end_ns, samples, lost, status",
    )  # fmt: skip
    assert [] == shelf.warnings(WHOLE)


def test_samples_of_the_slice_are_added_up_by_stack(shelf: Shelf):
    """Weights 2 and 3 are one stack of 5; samples before and after are left out."""
    columns = "comm, frames, kinds, state, weight, samples"

    assert [
        ("prog", "main;leaf", "uu", "", 5, 2),
        ("prog", "main;write", "uk", "", 4, 1),
    ] == shelf.rows(WHOLE, "stacks", columns)


def test_shares_of_perf_report_are_those_of_all_commands(shelf: Shelf):
    """leaf has 50% in one command and 25% in another: 0.75."""
    assert [("leaf", "prog", 0.75), ("write", "[kernel.kallsyms]", 0.25)] == shelf.rows(
        WHOLE, "leaf_reports", "symbol, dso, share"
    )


OFF_CPU = """\
prog 77/78  1.100000000:       1 context-switches:
\tffffffff81001408 schedule ([kernel.kallsyms])
\t          40af20 main (/usr/bin/prog)

prog 77/78  1.100000000: PERF_RECORD_SWITCH OUT
prog 77/78  1.103000000: PERF_RECORD_SWITCH IN
"""
WAITS = run(profiled(OFF_CPU, "", capture(event="off-cpu", report="", hz=0)))


def test_off_cpu_time_weighs_until_the_thread_is_back(shelf: Shelf):
    """Out at 1.100 s, in at 1.103 s: 3 ms."""
    assert [("off-cpu", "main;schedule", "blocked", 3 * MS, 1)] == shelf.rows(
        WAITS, "stacks", "event, frames, state, weight, samples"
    )


FAILED = run(
    profiled("", "", capture(status="failed", reason="perf is missing", script=""))
)


def test_a_capture_that_failed_keeps_its_reason(shelf: Shelf):
    """And has no stacks."""
    assert [("failed", "perf is missing")] == shelf.rows(
        FAILED, "profiles", "status, reason"
    )
    assert [] == shelf.rows(FAILED, "stacks") + shelf.warnings(FAILED)


HURT = run(profiled(SCRIPT.replace("40af11", "wrong"), REPORT))


def test_a_damaged_sample_is_left_out_and_told(shelf: Shelf):
    """Its stack would be another's; the rest is there."""
    assert ["profile-l.i0-client.script line 9: not a frame: its sample is left out"] == [
        text.replace(".script.zst", ".script") for text in shelf.warnings(HURT)
    ]
    assert [2, 4] == [weight for (weight,) in shelf.rows(HURT, "stacks", "weight")]


GONE = run(profiled(SCRIPT, REPORT, capture(script="elsewhere.script")))


def test_a_file_that_is_not_there_costs_its_capture_only(shelf: Shelf):
    """The report of the same capture is read."""
    assert ["profile.jsonl line 1: no file elsewhere.script here"] == shelf.warnings(GONE)
    assert 2 == len(shelf.rows(GONE, "leaf_reports"))


UNKNOWN = run(profiled(SCRIPT, REPORT, capture() | {"new": 1}))


def test_an_unknown_key_refuses_the_profiles(shelf: Shelf):
    """File and line are named; the run counts."""
    assert [
        "profile.jsonl line 1: unknown key 'new' in a profile record; the run counts "
        "without it"
    ] == shelf.warnings(UNKNOWN)
    assert 100.0 == shelf.values(UNKNOWN)["ips"]
