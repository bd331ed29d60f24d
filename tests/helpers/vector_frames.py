"""Searches of vectors by two engines, and what the template `vectors` says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchbook.finding import Finding
from benchbook.templates.vectors.finding import vectors_finding
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts
from benchmath.recall import at_recalls, frontiers

BASE = {"engine": "postgres"}
Points = Sequence[tuple[float, float]]  # recall and queries/s of each setting
HERE: Points = ((0.80, 4000), (0.92, 2000), (0.97, 1000), (0.995, 400))
FASTER: Points = ((0.85, 7000), (0.94, 3800), (0.98, 1900), (0.996, 800))
LOW: Points = ((0.60, 9000), (0.75, 5000), (0.93, 1500))
BARELY: Points = ((0.30, 9000), (0.50, 5000))
CASES: Mapping[str, Mapping[str, Points]] = {
    "two": {"postgres": HERE, "mariadb": FASTER},
    "one never reaches": {"postgres": HERE, "mariadb": LOW},
    "the base never reaches": {"postgres": LOW, "mariadb": FASTER},
    "the same": {"postgres": HERE, "mariadb": HERE},
    "no recall in common": {"postgres": HERE, "mariadb": BARELY},
    "three": {"postgres": HERE, "mariadb": FASTER, "duckdb": LOW},
}


def frame(engines: Mapping[str, Points], runs: int = 3) -> pd.DataFrame:
    """A metric frame: recall and rate of settings, and the rate of index."""
    noise = np.random.default_rng(1).normal(1, 0.01, 1000)
    rows, n = [], 0
    for place, (engine, points) in enumerate(engines.items()):
        for trial in range(1, runs + 1):
            named = {
                "engine": engine, "trial": trial, "run_id": f"{engine}{trial}",
                "clock": "", "direction": "higher",
            }  # fmt: skip
            for seq, (recall, qps) in enumerate(points):
                n += 2
                of = named | {"step": f"ef{10 * 2**seq}", "op": "query", "seq": seq}
                share = {"metric": "recall", "unit": "ratio", "main": False}
                rate = {"metric": "qps", "unit": "queries/s", "main": True}
                moved = min(recall + 0.1 * (noise[n] - 1), 1.0)
                rows += [
                    of | share | {"value": moved},
                    of | rate | {"value": qps * noise[n + 1]},
                ]
            made = {"step": "index", "op": "index", "seq": 0, "metric": "ips"}
            value = 2000 * (1 + place) * noise[n]
            rows.append(named | made | {"unit": "rows/s", "main": True, "value": value})
    return pd.DataFrame(rows)


def fronts(engines: Mapping[str, Points], runs: int = 3) -> pd.DataFrame:
    table = frontiers(frame(engines, runs))
    return table.assign(cell=table["engine"])


def finding(engines: Mapping[str, Points]) -> Finding:
    rows = frame(engines)
    rates = at_recalls(rows)
    judged = verdicts(relative(rates, BASE), 0.02)
    built = verdicts(relative(rows[rows["step"] == "index"], BASE), 0.02)
    return vectors_finding(judged, fronts(engines), built)


def older(points: Mapping[str, tuple[float, float]]) -> Finding:
    """By step: how recall and rate moved, each with an interval of .01 around it."""
    rows = [
        {"me": "a", "step": step, "before": "rebuilt", "n": 3, "relative": rate,
         "low": rate - 0.01, "high": rate + 0.01, "change": change,
         "change_low": change - 0.01, "change_high": change + 0.01}
        for step, (change, rate) in points.items()
    ]  # fmt: skip
    engines = CASES["two"]
    judged = verdicts(relative(at_recalls(frame(engines)), BASE), 0.02)
    return vectors_finding(judged, fronts(engines), judged[:0], pd.DataFrame(rows))


def filtering(steps: Mapping[str, tuple[float, float, float]]) -> Finding:
    """By step: what is found, what the base finds, and the ratio of their rates."""
    rows = [
        {"me": "a", "base": "b", "step": step, "relative": rate, "low": rate - 0.01,
         "high": rate + 0.01, "recall": mine, "recall_low": mine - 0.01,
         "recall_high": mine + 0.01, "recall_base": theirs}
        for step, (mine, theirs, rate) in steps.items()
    ]  # fmt: skip
    one = fronts(CASES["two"]).groupby("cell").head(1)
    none = verdicts(relative(at_recalls(frame(CASES["two"])), BASE), 0.02)[:0]
    return vectors_finding(none, one, none, filtered=pd.DataFrame(rows))


def nothing() -> Finding:
    return vectors_finding(pd.DataFrame(), pd.DataFrame(), pd.DataFrame())
