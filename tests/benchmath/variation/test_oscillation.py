"""A cycle in the seconds of runs: found where it is planted, not in noise."""

import numpy as np
import pandas as pd
import pytest

from benchmath.variation.oscillation import (
    cycle_of,
    findable_depth,
    fitted_cycle,
    oscillations,
    peak,
)

pytestmark = pytest.mark.unit


def sawtooth(n=120, period=12, depth=0.5, rise=0.15, noise=0.05, seed=1):
    """Fast up, slowly down, around 100."""
    phase = (np.arange(n) / period) % 1
    wave = np.where(phase < rise, phase / rise, (1 - phase) / (1 - rise))
    random = np.random.default_rng(seed)
    return 100 * (1 + depth * (wave - 0.5) + noise * random.normal(size=n))


def red(phi, n=120, seed=1):
    random = np.random.default_rng(seed)
    values = [random.normal()]
    for shock in random.normal(size=n - 1) * np.sqrt(1 - phi**2):
        values.append(phi * values[-1] + shock)
    return 100 + 10 * np.array(values)


def frame(*runs, case="a"):
    parts = [
        pd.DataFrame({"case": case, "step": "overwrite", "op": "insert", "rate": rate,
                      "run_id": f"{case}{i}", "interval_ns": 10**9})
        for i, rate in enumerate(runs)
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def test_planted_sawtooth_is_found_with_its_period_and_depth():
    """12 seconds, half the mean from trough to peak, a seventh of the period up."""
    rate = sawtooth()
    near, p, _ = peak(rate)
    cycle = fitted_cycle(rate, near)

    assert p < 0.01
    assert 12 == pytest.approx(cycle.period, rel=0.02)
    assert 0.5 == pytest.approx(cycle.depth, rel=0.15)
    assert 0.3 > cycle.rise


def test_sine_rises_for_half_of_its_period():
    """No sawtooth is made of it."""
    rate = 100 + 20 * np.sin(2 * np.pi * np.arange(120) / 15)

    assert 0.5 == pytest.approx(fitted_cycle(rate, peak(rate).period).rise, abs=0.02)


def test_a_period_just_over_two_samples_is_found():
    """2.4 seconds, a tenth of the mean up and down, in each of three runs."""
    random = np.random.default_rng(1)
    wave = 10 * np.sin(2 * np.pi * np.arange(120) / 2.4)
    rates = 100 + wave + 8 * random.normal(size=(3, 120))
    near, p, _ = peak(rates)
    cycle = fitted_cycle(rates[0], near)

    assert p < 0.01
    assert 2.4 == pytest.approx(cycle.period, rel=0.01)
    assert 0.2 == pytest.approx(cycle.depth, rel=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("phi", [-0.6, 0.0, 0.6, 0.9])
def test_noise_is_seldom_taken_for_a_cycle(phi):
    """Of 60 series 3 are expected at 5%; more than 7 come once in a hundred times."""
    found = sum(peak(red(phi, seed=s), draws=199).p <= 0.05 for s in range(60))

    assert 7 >= found


def test_runs_of_a_case_are_tested_together():
    """A cycle too shallow for each of three runs is in all of them."""
    runs = [sawtooth(depth=0.14, noise=0.1, seed=s) for s in (1, 2, 3)]
    together = peak(np.array(runs)).p

    assert together < min(peak(run).p for run in runs)
    assert together < 0.05


def test_cases_are_told_with_intervals_over_their_runs():
    """One case with a cycle, one without: q holds both."""
    up = frame(*(sawtooth(seed=s) for s in (1, 2, 3)), case="up")
    level = frame(*(red(0.3, seed=s) for s in (4, 5, 6)), case="level")
    cases = oscillations(pd.concat([up, level])).cases.set_index("case")

    found = cases.loc["up"]
    assert [True, False] == list(cases["found"])
    assert found["period_low"] <= 12 <= found["period_high"]
    assert "fast rise, slow fall" == found["shape"]
    assert np.isnan(cases.loc["level", "depth"])
    assert 0 < cases.loc["level", "findable"] < 0.5


def test_short_or_level_runs_are_not_tested():
    """20 seconds are too few; the same rate in all seconds has no periodogram."""
    short, level = (oscillations(frame(r)).cases.iloc[0] for r in (
        sawtooth(n=20), np.full(60, 5.0),
    ))  # fmt: skip

    assert "20 samples: too few for a period" == short["note"]
    assert "the rate of a run is the same in all seconds" == level["note"]
    assert not short["found"]
    assert not level["found"]


def test_cycle_taken_off_leaves_the_noise():
    """What is left of a planted sine is nothing."""
    rate = 100 + 20 * np.sin(2 * np.pi * np.arange(120) / 15)

    assert 1 > np.abs(rate - 100 - cycle_of(rate, 15.0)).max()


def test_findable_depth_falls_with_longer_runs():
    """Four times the seconds, half the depth, about."""
    random = np.random.default_rng(1)
    depths = [findable_depth(100 + 10 * random.normal(size=n), 8.0) for n in (100, 1600)]

    assert 4 == pytest.approx(depths[0] / depths[1], rel=0.3)
