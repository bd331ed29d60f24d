"""Histories of small suites, as the template `history` makes them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd

from benchbook.templates.history.analysis import Histories, histories

ROW = {
    "set": "s", "machine": "m", "op": "query", "main": True, "clock": "", "dop": 1,
    "metric": "ns_op", "unit": "ns/op", "direction": "lower", "origin": "published",
    "trial": 1,
}  # fmt: skip


def suite(**levels: tuple[float, float]) -> Histories:
    """The history of tests over 30 commits, whose level changes at the 20th (c19)."""
    noise = np.random.default_rng(1).normal(1, 0.005, (len(levels), 30))
    rows = [
        ROW | {"step": step, "commit": f"c{n:02}", "run_id": f"{step}{n}",
               "started": f"2026-01-{n + 1:02} 00:00:00",
               "value": (before if n < 19 else after) * noise[place, n]}
        for place, (step, (before, after)) in enumerate(levels.items())
        for n in range(30)
    ]  # fmt: skip
    study = SimpleNamespace(slug="s", listed=lambda dimension: [])
    return histories(SimpleNamespace(study=study, metric=pd.DataFrame(rows)))


CASES = {
    "two of three": suite(get=(100, 120), put=(50, 50), scan=(10, 9)),
    "all": suite(get=(100, 120)),
    "none": suite(get=(100, 100), put=(50, 50)),
}
