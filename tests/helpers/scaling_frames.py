"""Runs at so many clients around a law, and a set of them for each answer."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchbook.findings.scaling import scaling_finding
from benchmath.ratios.relative import relative, summary
from benchmath.scaling import efficiency, scaling

DOPS = (1, 2, 4, 8, 16, 32)


def runs(sigma, kappa, dops=DOPS, noise=0.01, off=None, trials=3, **changed):
    """Seeded rows around Gunther's law; ``off`` has factors by dop."""
    row = {
        "machine": "m1", "machine_id": "id1", "engine": "null", "placement": "none",
        "step": "point-query", "op": "query", "main": True, "clock": "", "metric": "qps",
        "unit": "queries/s", "direction": "higher",
    } | changed  # fmt: skip
    random = np.random.default_rng(1)
    rows = []
    for n in dops:
        rate = 1000 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))
        for t in range(1, trials + 1):
            shaken = rate * (off or {}).get(n, 1) * np.exp(noise * random.normal())
            name = f"{sorted(changed.items())} {n} t{t}"
            rows.append(row | {"dop": n, "value": shaken, "trial": t, "run_id": name})
    return rows


def finding(*parts, cpus=2):
    """The finding of some runs, all on as many CPUs."""
    frame = pd.DataFrame([row for part in parts for row in part])
    law = scaling(frame, dict.fromkeys(frame["run_id"], cpus))
    return scaling_finding(law, efficiency(relative(frame, {"dop": "1"}), summary(frame)))


ANSWERS = {
    "peaks": runs(0.3, 0.02),
    "still gains": runs(0.02, 0.0004, dops=(1, 2, 4, 8, 12, 16), noise=0.001),
    "levels off": runs(0.3, 0.003, dops=(1, 2, 4, 8, 12, 16), noise=0.03),
    "later, or never": runs(0.1, 0.0, noise=0.03),
    "in proportion": runs(0.0, 0.0, noise=0.001),
    "gains nothing detectable": runs(1.0, 0.0),
    "cannot be judged": runs(0.5, 0.0, noise=0.8),
    "is fastest with": runs(0.0, 0.0, off={4: 0.5, 8: 0.25, 16: 1 / 8, 32: 1 / 16}),
    "has no law": runs(0.1, 0.01, dops=(1, 2, 4)),
}
