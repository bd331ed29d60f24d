"""What others took while arms took turns, and which rounds do not count for it."""

from __future__ import annotations

import pandas as pd
import pytest

from benchmath.turns.quiet import disturbed, loudness, too_loud

pytestmark = pytest.mark.unit


MS = 1_000_000


def turns(*others_ms: int, quiet: int = 50) -> pd.DataFrame:
    """Two arms, a turn of 100 ms of one CPU each in every round; others in the first."""
    rows = [
        {
            "run_id": run, "session": "s", "step": "l.i1", "op": "insert",
            "round": number, "machine_cpu_ns": (100 + (ms if run == "a" else 0)) * MS,
            "steal_ns": 0, "others_ns": (ms if run == "a" else 0) * MS, "quiet": quiet,
        }
        for number, ms in enumerate(others_ms, start=1)
        for run in ("a", "b")
    ]  # fmt: skip
    return pd.DataFrame(rows)


def stolen(*steal_ms: int, busy_ms: int = 90) -> pd.DataFrame:
    """One arm that uses so much in each round, of which the hypervisor takes the rest."""
    return pd.DataFrame({
        "run_id": "a", "session": "s", "step": "l.i1", "op": "insert",
        "round": range(1, len(steal_ms) + 1), "machine_cpu_ns": busy_ms * MS,
        "steal_ns": [ms * MS for ms in steal_ms], "others_ns": 0, "quiet": 50,
    })  # fmt: skip


def test_a_round_is_left_out_for_both_arms():
    """20 of 220 ms are more than 5%, 10 of 210 are not."""
    assert [False] * 2 + [True] * 2 + [False] * 2 == [*disturbed(turns(10, 20, 0))]


def test_what_the_hypervisor_took_is_part_of_the_share():
    """10 of 190 ms."""
    assert loudness(stolen(10, 0)).iloc[0]["share"] == pytest.approx(10 / 190)


def test_ticks_of_the_hypervisor_are_judged_with_the_rounds_around():
    """40 of 130 ms are a lot of one round; less a tick it is 30 of 850 of nine."""
    assert not disturbed(stolen(*[0] * 8, 40, *[0] * 8)).any()


def test_all_rounds_around_a_burst_of_the_hypervisor_are_left_out():
    """90 of 180 ms: less a tick 80 of 540 of the first five; after the fifth none."""
    assert [True] * 5 + [False] * 15 == [*disturbed(stolen(90, *[0] * 19))]


def test_one_tick_is_no_share_of_what_hardly_runs():
    """10 of 15 ms may have been anybody's."""
    assert not disturbed(stolen(10, 0, 0, 0, 0, 0, 0, busy_ms=1)).any()


def test_nothing_is_left_out_where_nobody_asked():
    assert not disturbed(turns(90, 90, 0, quiet=0)).any()


def test_a_step_that_is_mostly_loud_stays_whole():
    assert not disturbed(turns(90, 90, 0)).any()


def test_lines_of_several_ops_are_one_turn():
    each = turns(10, 0)
    both = pd.concat([each, each.assign(op="delete")], ignore_index=True)
    assert loudness(each).iloc[0]["share"] == loudness(both).iloc[0]["share"]


def test_loudness_is_that_of_the_rounds_that_count():
    """10 of 610 busy ms in three rounds; the loud one is left out."""
    [row] = loudness(turns(10, 100, 0, 0)).to_dict("records")
    assert (10 / 610, 4, 1) == (row["share"], row["rounds"], row["left_out"])


def test_nothing_is_known_of_old_evidence():
    assert loudness(turns(10, 20).drop(columns="others_ns")).empty


def sessions(*others_ms: int, arms: tuple[str, ...] = ("a", "b")) -> pd.DataFrame:
    """Sessions of two rounds in each of which others took so much of 200 ms and that."""
    each = [
        turns(ms, ms).assign(session=f"s{number}").replace(
            {"run_id": {"a": f"a{number}", "b": f"{arms[1]}{number}"}}
        )
        for number, ms in enumerate(others_ms, start=1)
    ]  # fmt: skip
    return pd.concat(each, ignore_index=True)


def left_out(turns_of_all: pd.DataFrame) -> list[tuple[str, str, float]]:
    """The cell of a run is its name's first letter."""
    names = turns_of_all["run_id"].unique()
    table = too_loud(turns_of_all, {name: name[0] for name in names}, 0.1)
    return list(table[["session", "step", "share"]].itertuples(index=False, name=None))


def test_a_loud_step_need_not_count_where_three_sessions_were_quieter():
    """50 of 250 ms are more than 10%, 20 of 220 are not."""
    assert [("s2", "l.i1", 0.2)] == left_out(sessions(0, 50, 20, 0))


def test_a_loud_step_stays_where_two_sessions_were_quieter():
    assert [] == left_out(sessions(0, 50, 0))


def test_the_quieter_sessions_are_those_of_the_same_arms():
    """Arm a has three of them, c only the loud one."""
    both = sessions(0, 0, 0)
    other = sessions(50, arms=("a", "c")).assign(session="s4")
    other["run_id"] = other["run_id"].str[0] + "4"
    assert [] == left_out(pd.concat([both, other], ignore_index=True))
