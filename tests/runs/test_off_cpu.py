"""How long threads were off the CPU, by the stack at which they left it."""

from __future__ import annotations

import pandas as pd
import pytest
from folded_stacks import leaf_shares

from benchbook.runs.profiles import off_cpu

pytestmark = pytest.mark.unit

END_NS = 20_000_000_000  # the slice ends 20 s after boot


def left(*rows: tuple[float, int, str]) -> pd.DataFrame:
    """Samples: a thread leaves the CPU with a stack."""
    table = pd.DataFrame(rows, columns=["time_s", "tid", "frames"])
    return table.assign(event="context-switches", comm="prog", weight=1)


def switched(*rows: tuple[float, int, str]) -> pd.DataFrame:
    """The kernel's own records."""
    return pd.DataFrame(rows, columns=["time_s", "tid", "way"])


def weights(stacks: pd.DataFrame, switches: pd.DataFrame) -> list[tuple]:
    """(frames, ns, state) of each time."""
    found = off_cpu(stacks, switches, END_NS)
    return list(found[["frames", "weight", "state"]].itertuples(index=False, name=None))


def test_until_it_is_back():
    """Left at 10.001 s, back at 10.004 s: 3 ms."""
    stacks = left((10.001, 7, "main;read"))
    switches = switched((10.001001, 7, "out"), (10.004, 7, "in"))

    assert [("main;read", 3_000_000, "blocked")] == weights(stacks, switches)


def test_threads_do_not_mix():
    """Each is back when it is itself back, whatever the order of the lines."""
    stacks = left((10.002, 8, "main;poll"), (10.001, 7, "main;read"))
    switches = switched((10.003, 8, "in"), (10.002, 8, "out"), (10.001, 7, "out"),
                        (10.010, 7, "in"))  # fmt: skip

    assert [
        ("main;read", 9_000_000, "blocked"), ("main;poll", 1_000_000, "blocked"),
    ] == weights(stacks, switches)  # fmt: skip


def test_who_could_have_run_did_not_wait():
    """Another one was given the CPU: preempted, which is apart."""
    stacks = left((10.0, 7, "main;sort"))
    switches = switched((10.0, 7, "preempted"), (10.5, 7, "in"))

    assert [("main;sort", 500_000_000, "preempted")] == weights(stacks, switches)


def test_a_wait_that_outlasts_the_slice():
    """Counts to the slice's end, even if a record tells of a later return."""
    stacks = left((19.0, 7, "main;sleep"), (19.5, 8, "main;sleep"))
    switches = switched((19.0, 7, "out"), (19.5, 8, "out"), (20.25, 8, "in"))

    assert [1_000_000_000, 500_000_000] == [ns for _, ns, _ in weights(stacks, switches)]


def test_a_lost_return():
    """It left again before it was back: nobody knows how long it was off; left out."""
    stacks = left((10.0, 7, "main;read"), (11.0, 7, "main;write"))
    switches = switched((10.0, 7, "out"), (11.0, 7, "out"), (11.5, 7, "in"))

    assert [("main;write", 500_000_000, "blocked")] == weights(stacks, switches)


def test_a_lost_departure():
    """How long is known, and not why."""
    stacks = left((10.0, 7, "main;read"), (12.0, 7, "main;read"))
    switches = switched((11.0, 7, "in"), (12.0, 7, "preempted"), (13.0, 7, "in"))

    assert [
        ("main;read", 1_000_000_000, "unknown"),
        ("main;read", 1_000_000_000, "preempted"),
    ] == weights(stacks, switches)


def test_shares_of_it():
    """What ``benchmath.profiles`` takes: 3 s and 1 s are 75% and 25%."""
    stacks = left((10.0, 7, "main;read"), (14.0, 7, "main;write"))
    switches = switched((10.0, 7, "out"), (13.0, 7, "in"), (14.0, 7, "out"),
                        (15.0, 7, "in"))  # fmt: skip
    found = off_cpu(stacks, switches, END_NS)

    assert ["off-cpu"] == list(found["event"].unique())
    assert {"read": 0.75, "write": 0.25} == dict(
        leaf_shares(found)[["leaf", "share"]].itertuples(index=False, name=None)
    )


def test_nothing_switched():
    """No rows, the same columns."""
    found = off_cpu(left(), switched(), END_NS)

    assert ([], True) == (found["weight"].to_list(), "state" in found)
