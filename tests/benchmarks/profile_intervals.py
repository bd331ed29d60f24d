"""How often do intervals of functions hold the truth, and a new function of 3% get found?

Profiles of 2000 samples over 250 functions (Zipf) without any difference; those of one
side then with a function of 3% more. Runs differ by more than sampling: each function by
``drift`` of itself, the cost of the whole by ``cost``.

    .venv/bin/python tests/benchmarks/profile_intervals.py --trials 3
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from script import show

from benchmath.profiles.noise import Side, differences

FUNCTIONS, SAMPLES, ADDED = 250, 2000, 0.03


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=300)
    return parser.parse_args()


def side(
    rng: np.random.Generator, truth: np.ndarray, trials: int, drift: float, cost: float
) -> Side:
    """Profiles of functions with these costs."""
    shape = (trials, truth.size)
    varied = truth * rng.gamma(1 / drift**2, drift**2, shape) if drift else truth
    costs = np.broadcast_to(varied, shape)
    counts = np.array([rng.multinomial(SAMPLES, c / c.sum()) for c in costs])
    shares = counts / SAMPLES
    errors = np.sqrt(shares * (1 - shares) / SAMPLES)
    whole = truth.sum() * rng.lognormal(0, cost, trials)
    return Side(shares, np.maximum(errors, 1 / SAMPLES), counts.astype(float), whole)


def row_of(trials: int, repeats: int, drift: float, cost: float) -> dict[str, object]:
    rng = np.random.default_rng(7)
    truth = 1 / np.arange(1, FUNCTIONS + 1) ** 1.1
    truth /= truth.sum()
    more = truth + np.eye(FUNCTIONS)[-1] * ADDED
    false = held = tested = found = 0
    for _ in range(repeats):
        base = side(rng, truth, trials, drift, cost)
        same = differences(side(rng, truth, trials, drift, cost), base)
        known = same["p"].notna()
        false += bool(same["detected"].any())
        held += int((known & (same["low"] <= 0) & (same["high"] >= 0)).sum())
        tested += int(known.sum())
        new = differences(side(rng, more, trials, drift, cost), base)
        found += bool(new["detected"].iloc[-1])
    return {
        "trials": trials, "drift": drift, "cost": cost, "comparisons with a false find":
        f"{false / repeats:.1%}", "intervals that hold 0": f"{held / tested:.1%}",
        "3% found": f"{found / repeats:.1%}",
    }  # fmt: skip


def main() -> None:
    """Print the table."""
    asked = arguments()
    rows = [
        row_of(asked.trials, asked.repeats, drift, cost)
        for drift in (0, 0.05, 0.15)
        for cost in (0.01, 0.08)
    ]
    show("Differences of functions between profiles", pd.DataFrame(rows))


if __name__ == "__main__":
    main()
