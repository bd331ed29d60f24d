"""Ratios of engines that took turns: measures, heads, loads, notes."""

import numpy as np
import pandas as pd
import pytest
from turn_frames import TURN_NS, session, sessions

from benchmath.turns.estimate import TURN_RATIOS, turn_ratios

pytestmark = pytest.mark.unit

OLD = {"version": "old"}
HUNDRED = [100] * 20
NINETY = [90] * 20


def clock(table: pd.DataFrame) -> pd.Series:
    return table[table["measure"] == "throughput"].iloc[0]


def noisy(rate, seed, rounds=60):
    noise = 0.02 * np.random.default_rng(seed).standard_normal(rounds)
    return np.round(rate * np.exp(noise)).astype(int).tolist()


def test_ratio_by_the_clock_and_per_cpu_second():
    """90 of 100 in the same time; per CPU second too, as both used half of it."""
    table = turn_ratios(*session("a", {"old": HUNDRED, "new": NINETY}), OLD)

    assert ["throughput", "ops per CPU second"] == table["measure"].tolist()
    assert pytest.approx([0.9, 0.9]) == table["relative"].tolist()
    assert [18, 18] == table["rounds"].tolist()
    assert ("new", "old", "this load") == tuple(clock(table)[["me", "base", "covers"]])


def test_per_cpu_second_hears_no_neighbour():
    """Half of the operations in half of the CPU time: as good per CPU second."""
    turns, runs = session("a", {"old": HUNDRED, "new": [50] * 20})
    turns.loc[turns["arm"] == 2, ["client_cpu_ns", "server_cpu_ns"]] = TURN_NS // 8
    table = turn_ratios(turns, runs, OLD)

    assert pytest.approx([0.5, 1.0]) == table["relative"].tolist()


def test_start_of_a_step_and_its_cut_end_are_left_out():
    """The first and the last turn of the arm hold next to nothing."""
    table = turn_ratios(*session("a", {"old": HUNDRED, "new": [1, *NINETY[2:], 1]}), OLD)

    assert pytest.approx(0.9) == clock(table)["relative"]


def test_cold_heads_are_cut():
    """A head of 5 in place of 9.5, 81 in the rest: 0.9 of the base's 10 and 90."""
    turns, runs = session("a", {"old": HUNDRED, "new": [86] * 20})
    turns["head_ops"] = np.where(turns["arm"] == 2, 5, 10)
    row = clock(turn_ratios(turns, runs, OLD))

    assert "rest" == row["part"]
    assert pytest.approx((0.9, 0.86, 0.9)) == tuple(row[["relative", "whole", "rest"]])
    assert pytest.approx(100 * (1 - 86 / 90)) == row["head"]
    assert pytest.approx(0, abs=1e-9) == row["head_base"]


def test_ratio_per_cpu_second_says_that_cold_heads_are_in_it():
    """CPU time is known of whole turns only."""
    turns, runs = session("a", {"old": HUNDRED, "new": [86] * 20})
    turns["head_ops"] = np.where(turns["arm"] == 2, 5, 10)

    notes = turn_ratios(turns, runs, OLD)["note"].tolist()
    assert ["", "the cold start of turns is in it"] == notes


def test_heads_of_long_operations_tell_nothing():
    """With less than two operations in a head, a head's rate is chance."""
    turns, runs = session("a", {"old": HUNDRED, "new": NINETY}, head_ops=1)
    row = clock(turn_ratios(turns, runs, OLD))

    assert "turn" == row["part"]
    assert np.isnan(row["head"])


def test_few_operations_have_no_interval_within_a_load():
    """One operation of 12 turns beside one of 10, first and last turn included."""
    ten, twelve = [0] * 9 + [1], [0] * 11 + [1]
    row = clock(turn_ratios(*session("a", {"old": ten, "new": twelve}), OLD))

    assert pytest.approx(10 / 12) == row["relative"]
    assert np.isnan(row["low"])
    assert "few operations or rounds: no interval within a load" == row["note"]


def test_few_operations_have_the_spread_between_loads():
    """10 turns beside 10, 11 and 12: the spread of three logarithms."""
    ten = [0] * 9 + [1]
    loads = {
        n: {"old": ten, "new": [0] * (k - 1) + [1]}
        for n, k in zip("abc", (10, 11, 12), strict=True)
    }
    row = clock(turn_ratios(*sessions(**loads), OLD))

    logs = np.log([1.0, 10 / 11, 10 / 12])
    assert pytest.approx(np.exp(logs.mean())) == row["relative"]
    assert pytest.approx(logs.std(ddof=1) / np.sqrt(3)) == row["se"]
    assert (2, "loads", 3) == tuple(row[["df", "covers", "sessions"]])


def test_three_loads_carry_what_loads_differ_by():
    """Loads 5% apart make an interval that rounds of 2% alone would not."""
    rates = {"a": 900, "b": 950, "c": 1000}
    loads = {
        n: {"old": noisy(1000, i), "new": noisy(rate, i + 10)}
        for i, (n, rate) in enumerate(rates.items())
    }
    row = clock(turn_ratios(*sessions(**loads), OLD))

    assert "loads" == row["covers"]
    assert 0.02 < row["se"] < 0.05


def test_two_loads_far_apart_are_said_to_be():
    """90% in one load and 100% in the other; rounds tell each to a percent."""
    loads = {
        "a": {"old": noisy(1000, 1), "new": noisy(900, 2)},
        "b": {"old": noisy(1000, 3), "new": noisy(1000, 4)},
    }
    row = clock(turn_ratios(*sessions(**loads), OLD))

    assert "these loads" == row["covers"]
    assert row["note"].startswith("the two loads are 1")


def test_turns_alone_are_counted():
    """The base ended after 20 of 40 rounds."""
    row = clock(turn_ratios(*session("a", {"old": HUNDRED, "new": [50] * 40}), OLD))

    assert pytest.approx(0.5) == row["relative"]
    assert "20 turns have no partner: the other side had ended" == row["note"]


def test_no_turns_make_no_rows():
    """A study of whole runs has an empty frame, of the same columns."""
    turns, runs = session("a", {"old": HUNDRED, "new": NINETY})
    table = turn_ratios(turns.iloc[:0], runs, OLD)

    assert [] == table["relative"].tolist()
    assert ["version", "step", "op", *TURN_RATIOS.columns] == table.columns.tolist()


def test_true_ratio_is_in_the_interval():
    """0.97, of turns that vary by 2%."""
    arms = {"old": noisy(1000, 1, 200), "new": noisy(970, 2, 200)}
    row = clock(turn_ratios(*session("a", arms), OLD))

    assert row["low"] < 0.97 < row["high"]
    assert row["high"] - row["low"] < 0.02
