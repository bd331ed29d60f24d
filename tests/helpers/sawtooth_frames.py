"""Rates that go up and down or do not, with files of L0 and stalls beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchbook.templates.sawtooth.analysis import Sawtooth
from benchmath.lsm.activity import beside_rate
from benchmath.variation.oscillation import oscillations


def run(case, trial, depth, n=60):
    """A sine of 10 seconds around 100 in noise of 5%, with files of L0 that follow it."""
    random = np.random.default_rng([trial, len(case)])
    wave = np.sin(2 * np.pi * np.arange(n) / 10)
    rate = 100 * (1 + depth / 2 * wave + 0.05 * random.normal(size=n))
    files = np.rint(5 - 4 * wave) if depth else 4 + random.integers(0, 3, size=n)
    return pd.DataFrame({
        "case": case, "step": "overwrite", "op": "insert", "run_id": f"{case}{trial}",
        "second": np.arange(1.0, n + 1), "interval_ns": 10**9, "rate": rate,
        "l0_files": files, "compacting": (wave < 0).astype(float),
    })  # fmt: skip


def told(n=60, trials=3, stall=12.5, **depths):
    """Cases by name with the depth of their cycle."""
    runs = [run(c, t, d, n) for c, d in depths.items() for t in range(1, trials + 1)]
    seconds = pd.concat(runs, ignore_index=True)
    found = oscillations(seconds)
    stalls = pd.DataFrame([
        {"case": case, "step": "overwrite", "n": trials, "value": stall, "low": stall,
         "high": stall, "still_s": 0.0, "cause": "l0_delays" if stall else ""}
        for case in depths
    ])  # fmt: skip
    files = oscillations(seconds.assign(rate=seconds["l0_files"])).cases
    return Sawtooth(
        cases=found.cases, runs=found.runs, shown=found.runs, files=files,
        beside=beside_rate(seconds), stalls=stalls, seconds=seconds, rates=seconds,
    )  # fmt: skip


SHAPES = {
    "one case": told(up=0.5),
    "one run": told(trials=1, up=0.5),
    "found and not": told(level=0.0, up=0.5),
    "none found": told(level=0.0, other=0.0),
    "nothing stalled": told(stall=0.0, up=0.5),
    "too short": told(n=20, up=0.5),
}
