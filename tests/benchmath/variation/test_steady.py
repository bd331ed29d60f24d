"""Warm-up, trend and stalls of a run's seconds."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmath.variation.steady import steady_state

pytestmark = pytest.mark.unit

SECOND = 1_000_000_000
EVEN = [1010, 990] * 30  # a minute that alternates by 1%


def samples(rows, run_id="r1", op="insert", interval=SECOND):
    """One run's samples, with the rows that each inserted."""
    return pd.DataFrame(
        {
            "run_id": run_id,
            "step": "l.i1",
            "op": op,
            "t_ns": interval * np.arange(1, len(rows) + 1),
            "interval_ns": interval,
            "ops": rows,
            "rows": rows,
        }
    )


def judged(rows, **options):
    """The one row of a run."""
    return steady_state(samples(rows, **options)).iloc[0]


def changed(seconds, rows=EVEN):
    """A minute with some of its seconds replaced."""
    return [seconds.get(i, r) for i, r in enumerate(rows)]


def test_even_seconds_are_steady():
    """A minute around 1000 rows/s: nothing to note, all seconds count."""
    row = judged(EVEN)

    assert row["steady"]
    assert (60, 0, 0, 0, 0) == tuple(
        row[["seconds", "warmup_s", "stalls", "stalled_s", "longest_stall_s"]]
    )
    assert 60 == row["n_effective"]
    assert "" == row["note"]


def test_equal_seconds_are_steady():
    """A rate-limited client does exactly the same every second."""
    row = judged([100] * 60)

    assert row["steady"]
    assert (0, 0, 0) == tuple(row[["trend_pct", "trend_low", "trend_high"]])


def test_trend_is_least_squares_with_students_interval():
    """+10, -10, ...: slope -300 / 17995 per s, residual variance 5995 / 58, 58 df."""
    slope = -300 / 17995
    half = 2.0017174830 * math.sqrt((6000 - 300**2 / 17995) / 58 / 17995)
    percent = 100 * 60 / (1000 - 30 * slope)

    row = judged(EVEN)

    assert math.isclose(percent * slope, row["trend_pct"])
    assert math.isclose(percent * (slope - half), row["trend_low"], rel_tol=1e-6)
    assert math.isclose(percent * (slope + half), row["trend_high"], rel_tol=1e-6)


def test_falling_rate_is_a_trend():
    """From 1001 rows/s at the start by 2 rows/s each second: 120 / 1001 = 12.0%."""
    row = judged([1000 - 2 * i for i in range(60)])

    assert not row["steady"]
    assert math.isclose(-12000 / 1001, row["trend_pct"])
    assert (0, "falls 12% over the step") == (row["warmup_s"], row["note"])


def test_sure_trend_below_a_percent_is_none():
    """.06 a second is 3.6 in 1000: surely there, not worth a flag."""
    row = judged([100_000 + 6 * i for i in range(60)])

    assert 0 < row["trend_low"] <= row["trend_high"] < 1
    assert row["steady"]


def test_slow_start_is_warmup():
    """Seven seconds at 70%, and the trend is that of the rest."""
    row = judged(changed({i: 700 for i in range(7)}))

    assert not row["steady"]
    assert (7, "warm-up of 7 s") == (row["warmup_s"], row["note"])
    assert abs(row["trend_pct"]) < 1


def test_warmup_counts_in_seconds_not_in_samples():
    """Seven samples of 5 s each: 35 s."""
    row = judged(changed({i: 700 for i in range(7)}), interval=5 * SECOND)

    assert (300, 35) == (row["seconds"], row["warmup_s"])


def test_fast_start_is_warmup_too():
    """Writes that a cache takes for 10 s are not the rate of the step."""
    assert 10 == judged(changed({i: 1500 for i in range(10)}))["warmup_s"]


def test_warmup_before_a_trend():
    """Ten seconds at 70% and a fall of 12%: both are found."""
    falling = [r - 2 * i for i, r in enumerate(EVEN)]

    row = judged([r * 7 // 10 for r in falling[:10]] + falling[10:])

    assert 10 == row["warmup_s"]
    assert row["note"].startswith("warm-up of 10 s; falls ")


def test_fall_that_slows_down_is_no_warmup():
    """1000 / (1 + t / 90) for a minute: it falls all the time."""
    row = judged([round(1e6 / (1 + i / 90)) for i in range(60)])

    assert 0 == row["warmup_s"]
    assert row["note"].startswith("falls ")


def test_one_slow_second_is_no_warmup():
    """A dip to 60% in the fourth second says nothing about the first three."""
    row = judged(changed({3: 600}))

    assert (0, 0) == (row["warmup_s"], row["stalls"])


def test_stalls_are_counted():
    """Below 500: seconds 20, 30 to 33 and 50; 500 itself is none."""
    slow = {20: 0, 30: 499, 31: 10, 32: 0, 33: 100, 40: 500, 50: 3}

    row = judged(changed(slow, [1000] * 60))

    assert (3, 6, 4) == tuple(row[["stalls", "stalled_s", "longest_stall_s"]])
    assert "3 stalls, the longest 4 s" == row["note"]
    assert not row["steady"]


def test_single_stall_at_the_end():
    """The last two seconds: one stall."""
    assert "1 stall of 2 s" == judged(changed({58: 0, 59: 0}))["note"]


def test_slow_seconds_at_the_very_start_are_no_stall():
    """Five seconds at 10% are warm-up."""
    row = judged(changed({i: 100 for i in range(5)}))

    assert (0, 5, "warm-up of 5 s") == (row["stalls"], row["warmup_s"], row["note"])


def test_warmup_of_half_the_step_may_be_longer():
    """Nothing after the middle tells how long it would have gone on."""
    row = judged(changed({i: 700 for i in range(30)}))

    assert "warm-up of 30 s or more" == row["note"]


def test_few_ups_and_downs_wander():
    """20 s at each of two levels by turns: the mean rests on 3 turns, not 60 seconds."""
    row = judged([1000] * 20 + [800] * 20 + [1000] * 20)

    assert not row["steady"]
    assert row["n_effective"] < 10
    assert row["note"].startswith("wanders: 60 seconds are worth ")


def test_short_steps_cannot_be_judged():
    """24 seconds: no flag, and the note says why."""
    row = judged([1000] * 24)

    assert pd.isna(row["steady"]) and pd.isna(row["stalls"])
    assert math.isnan(row["warmup_s"]) and math.isnan(row["trend_pct"])
    assert (24, "24 seconds: too few to judge") == (row["seconds"], row["note"])


def test_idle_step_cannot_be_judged():
    """An op that did nothing in most seconds has no usual rate."""
    row = judged([0] * 40 + [100] * 20)

    assert pd.isna(row["steady"])
    assert "nothing done in most seconds" == row["note"]


def test_runs_and_ops_keep_apart():
    """One row for each op of each run, in the order of the samples."""
    both = [samples(EVEN), samples(EVEN[:9], op="query"), samples(EVEN, run_id="r2")]

    table = steady_state(pd.concat(both))

    expected = [("r1", "insert"), ("r2", "insert"), ("r1", "query")]
    assert sorted(expected) == sorted(zip(table["run_id"], table["op"], strict=True))
    assert [True, True, pd.NA] == list(table.sort_values("seconds")["steady"])[::-1]


def test_no_samples_no_rows():
    """A study without samples gets an empty frame with all columns."""
    table = steady_state(samples([]))

    assert 0 == len(table)
    assert "boolean" == str(table["steady"].dtype)


def test_correlated_noise_is_seldom_flagged():
    """200 runs of 120 s, 2% noise, correlation .5: at most one in ten is flagged."""
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 0.02 * math.sqrt(1 - 0.5**2), (200, 140))
    for i in range(1, 140):
        noise[:, i] += 0.5 * noise[:, i - 1]
    runs = [
        samples(np.round(1e6 * (1 + row[20:])), run_id=f"r{i}")
        for i, row in enumerate(noise)
    ]

    flagged = ~steady_state(pd.concat(runs))["steady"]

    assert flagged.mean() <= 0.1
