"""The benchmark of suites in turns: its noise, and that shared luck widens intervals."""

import sys

import numpy as np
import pytest
from places import ROOT

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import suite_loads

pytestmark = pytest.mark.unit


def test_steps_of_a_load_correlate():
    """Of 400 loads .3, and each varies by 2%."""
    frame = suite_loads.loads_of(np.random.default_rng(1), 1, 400, 0.3)
    logs = frame.pivot(index="session", columns="step", values="log")
    off = logs.corr().to_numpy()[~np.eye(suite_loads.STEPS, dtype=bool)]

    assert 0.3 == pytest.approx(off.mean(), abs=0.05)
    assert 0.02 == pytest.approx(logs.std().mean(), rel=0.05)


def test_what_steps_share_widens_the_interval():
    """With r = .5 of 46 steps the mean varies nearly five times as much as of r = 0."""
    frame = suite_loads.loads_of(np.random.default_rng(1), 2, 6, 0.5)
    half = {s: (t["high"] / t["low"]).mean() - 1
            for s, t in suite_loads.judged(frame).items()}  # fmt: skip

    assert half[True] > 3 * half[False]
