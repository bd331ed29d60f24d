"""Stacks and costs of profiles, small enough to add up by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

RUNS = pd.DataFrame({"run_id": ["b1", "b2", "m1", "m2"], "version": ["1", "1", "2", "2"]})
BASE, ME = {"version": "1"}, {"version": "2"}


def stacks(run: str, weights: Mapping[str, float], kinds: str = "", **more):
    """Stacks of one run, a sample per unit of weight."""
    rows = [
        {
            "run_id": run, "step": "l.i0", "tree": "server", "event": "cpu-clock",
            "comm": "db", "frames": frames, "weight": weight,
            "kinds": kinds or "u" * len(frames.split(";")), "samples": weight,
        } | more
        for frames, weight in weights.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def joined(*parts: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True)


def costs(**cpu_o: float) -> pd.DataFrame:
    """us of CPU per operation of each run."""
    return pd.DataFrame(
        {"run_id": [*cpu_o], "step": "l.i0", "cpu_o": [float(c) for c in cpu_o.values()]}
    )


def two_versions() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Version 2 spins 2 us where 1 does not; work costs 8 us in both, twice each."""
    made = joined(
        *(stacks(run, {"main;work": 800}) for run in ("b1", "b2")),
        *(stacks(run, {"main;work": 800, "main;work;spin": 200}) for run in ("m1", "m2")),
    )
    return made, costs(b1=8, b2=8, m1=10, m2=10)
