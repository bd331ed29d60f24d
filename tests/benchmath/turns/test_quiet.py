"""What others took while arms took turns, and which rounds do not count for it."""

from __future__ import annotations

import pandas as pd
import pytest

from benchmath.turns.quiet import disturbed, loudness

pytestmark = pytest.mark.unit


def turns(*others_ns: int, quiet: int = 50, steal_ns: int = 0) -> pd.DataFrame:
    """Two arms, a turn of 100 ms of one CPU each in every round; others in the first."""
    rows = [
        {
            "run_id": run, "session": "s", "step": "l.i1", "op": "insert",
            "round": number, "machine_cpu_ns": 100 + (ns if run == "a" else 0),
            "steal_ns": steal_ns, "others_ns": ns if run == "a" else 0, "quiet": quiet,
        }
        for number, ns in enumerate(others_ns, start=1)
        for run in ("a", "b")
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_a_round_is_left_out_for_both_arms():
    """20 of 220 ns are more than 5%, 10 of 210 are not."""
    assert [False] * 2 + [True] * 2 + [False] * 2 == [*disturbed(turns(10, 20, 0))]


def test_what_the_hypervisor_took_counts_as_well():
    assert [False] * 4 == [*disturbed(turns(0, 0, steal_ns=5))]
    assert loudness(turns(0, 0, steal_ns=5)).iloc[0]["share"] == pytest.approx(10 / 210)


def test_nothing_is_left_out_where_nobody_asked():
    assert not disturbed(turns(90, 90, 0, quiet=0)).any()


def test_a_step_that_is_mostly_loud_stays_whole():
    assert not disturbed(turns(90, 90, 0)).any()


def test_lines_of_several_ops_are_one_turn():
    each = turns(10, 0)
    both = pd.concat([each, each.assign(op="delete")], ignore_index=True)
    assert loudness(each).iloc[0]["share"] == loudness(both).iloc[0]["share"]


def test_loudness_is_that_of_the_rounds_that_count():
    """10 of 610 busy ns in three rounds; the loud one is left out."""
    [row] = loudness(turns(10, 100, 0, 0)).to_dict("records")
    assert (10 / 610, 4, 1) == (row["share"], row["rounds"], row["left_out"])


def test_nothing_is_known_of_old_evidence():
    assert loudness(turns(10, 20).drop(columns="others_ns")).empty
