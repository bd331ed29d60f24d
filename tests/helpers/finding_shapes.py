"""Every sentence that findings can say, made of frames of every shape.

`python tests/helpers/finding_shapes.py` prints them, to be read aloud.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from history_frames import CASES
from job_frames import BASE, CLIENTS, JOBS, runs
from study_shapes import OF_STUDIES

from benchbook.finding import Finding
from benchbook.findings.profiles import profile_finding, weights_finding
from benchbook.findings.variation import (
    drift_finding,
    gains_finding,
    instructions_finding,
    variation_finding,
)
from benchbook.findings.verdicts import (
    aa_finding,
    changes_finding,
    old_to_new_finding,
    planning_finding,
    verdict_finding,
)
from benchbook.findings.workload import workload_finding
from benchbook.templates.background_jobs.finding import jobs_finding
from benchbook.templates.db_bench_versions.finding import releases_finding
from benchbook.templates.history.finding import history_finding
from benchbook.templates.insert_cost.finding import costs_finding, log_finding
from benchmath.ratios.averaged import averaged_pairs
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

NAN = math.nan
FASTER, SLOWER = ("improved", 1.12, 1.08, 1.16), ("regressed", 0.30, 0.26, 0.34)
SAME, OPEN = ("equivalent", 1.0, 0.99, 1.01), ("undecided", 1.03, 0.95, 1.11)
ALONE = ("no interval", 1.5, NAN, NAN)
LOG_SHARES = (("read of written", 1), ("log_rkb_o", 0.01))
Test = tuple[str, float, float, float]
TESTS: Mapping[str, Sequence[Sequence[Test]]] = {  # by value, then by test
    "one version": [[FASTER, SLOWER, SAME]],
    "one test": [[SLOWER]],
    "two tests": [[SLOWER, OPEN]],
    "forty versions": [[FASTER, SLOWER, OPEN, SAME]] * 39 + [[SAME] * 4],
    "nothing decided": [[OPEN, OPEN, OPEN]] * 3,
    "everything decided": [[FASTER] * 3, [SLOWER] * 3, [SAME] * 3],
    "missing cells": [[FASTER, ALONE], [ALONE, ALONE], [OPEN]],
    "nothing": [],
}


def judged(values: Sequence[Sequence[Test]]) -> pd.DataFrame:
    """The frame of ``verdicts``: so many versions against `5.5`."""
    columns = ["me", "version", "base", "step", "verdict", "relative", "low", "high"]
    rows = [
        (f"8.0.{i}", f"8.0.{i}", "5.5", f"q{chr(97 + n)}", *test)
        for i, tests in enumerate(values, 1)
        for n, test in enumerate(tests)
    ]
    frame = pd.DataFrame(rows, columns=columns).assign(
        margin=0.02, unit="rows/s", direction="higher"
    )
    known = frame["low"].notna()
    apart = (frame["low"] > 1) | (frame["high"] < 1)
    p = np.where(known, np.where(apart, 0.001, 0.5), NAN)
    further = frame["verdict"].eq("undecided").map({True: 9, False: pd.NA})
    detected = apart.astype("boolean").where(known)
    return frame.assign(p=p, q=p, further_runs=further, detected=detected)


def suite(frame: pd.DataFrame) -> pd.DataFrame:
    """A mean of all steps for each version."""
    means = frame.drop_duplicates("me").assign(step="suite", group="suite", steps=3)
    return means.assign(low=means["low"].fillna(means["relative"] - 0.1),
                        high=means["high"].fillna(means["relative"] + 0.1))  # fmt: skip


def boundaries(n: int, shared: int = 0) -> pd.DataFrame:
    columns = ["boundary", "after", "at", "hit", "of", "shared", "up", "down", "median"]
    rows = [
        (f"8.{i}→8.{i + 1}", f"8.{i}", f"8.{i + 1}", 3, 6, shared, 1, 2, -20.0 - i)
        for i in range(n)
    ]
    return pd.DataFrame(rows, columns=columns).assign(members=[("qa", "qb", "qc")] * n)


def covs(*verdicts_: str) -> pd.DataFrame:
    rows = [("none", f"q{n}", 0.02, 0.01, 0.05, v) for n, v in enumerate(verdicts_)]
    columns = ["placement", "step", "cov", "low", "high", "verdict"]
    return pd.DataFrame(rows, columns=columns).assign(limit=0.03)


def drift(*changes: float) -> pd.DataFrame:
    rows = [(f"q{n}", c, abs(c) > 5) for n, c in enumerate(changes)]
    frame = pd.DataFrame(rows, columns=["step", "change_pct", "detected"])
    return frame.astype({"detected": "boolean"})


def needed(*runs_: float) -> pd.DataFrame:
    rows = [(f"q{n}", 0.01 * (n + 1), many) for n, many in enumerate(runs_)]
    frame = pd.DataFrame(rows, columns=["step", "cov", "3%"])
    return frame.astype({"3%": "Int64"})


def builds(**counts: int) -> pd.DataFrame:
    zero = dict.fromkeys(("crc32", "pclmul", "xmm", "ymm", "zmm"), 0)
    rows = [
        {"step": "crc32c", "build": f"gcc-{n}"} | zero | {"all": 100, name: many}
        for n, (name, many) in enumerate(counts.items(), 11)
    ]
    return pd.DataFrame(rows, columns=["step", "build", *zero, "all"])


def frames(whole: float, *differences: float, test: str = "l.i0") -> pd.DataFrame:
    """A profile of one step: the change of the whole, and of each function's own."""
    rows = [
        {"step": "l.i0", "test": test, "me": "8.0", "base": "5.5", "frame": f"f{n}",
         "difference": d, "low": d - 0.01, "high": d + 0.01, "detected": True,
         "whole": whole,
         "whole_low": whole - 0.05, "whole_high": whole + 0.05}
        for n, d in enumerate(differences)
    ]  # fmt: skip
    columns = ["step", "test", "me", "base", "frame", "difference", "low", "high",
               "detected", "whole", "whole_low", "whole_high"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def weights(n: int) -> pd.DataFrame:
    rows = [("page-faults", f"f{i}", 25.0, 59.0 - i, 25.0, 34.0 - i, 0.0)
            for i in range(n)]  # fmt: skip
    return pd.DataFrame(rows, columns=["event", "leaf", "report_pct", "counted_pct",
                        "weighted_pct", "counted_error", "weighted_error"])  # fmt: skip


def cpu(*engines: str) -> pd.DataFrame:
    rows = [(engine, step, "whole", 5.0 + n, 4.5 + n, 5.5 + n)
            for step in ("l.i0", "l.i1") for n, engine in enumerate(engines)]  # fmt: skip
    columns = ["engine", "step", "metric", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def logs(*shares: float) -> pd.DataFrame:
    rows = [(f"engine{n}", "l.i2", metric, times * share, times * (share - 0.2),
             times * (share + 0.2))
            for n, share in enumerate(shares)
            for metric, times in LOG_SHARES]  # fmt: skip
    columns = ["engine", "step", "metric", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def jobs(gains: Mapping[str, float], noise: float = 0.003, trials: int = 3) -> Finding:
    rows = runs(gains, noise=noise, trials=trials)
    pairs = averaged_pairs(rows, JOBS, CLIENTS)
    return jobs_finding(pairs, verdicts(relative(rows, BASE)))


def _of_tests(values: Sequence[Sequence[Test]]) -> dict[str, Callable[[], Finding]]:
    frame = judged(values)
    return {
        "verdict_finding": lambda: verdict_finding(frame),
        "workload_finding": lambda: workload_finding(frame, suite(frame)),
        "old_to_new_finding": lambda: old_to_new_finding(frame, boundaries(2)),
        "releases_finding": lambda: releases_finding(frame, suite(frame), boundaries(1)),
        "aa_finding": lambda: aa_finding(frame),
        "gains_finding": lambda: gains_finding(frame, 0.02),
    }


def of_histories() -> dict[str, Callable[[], Finding]]:
    return {
        f"history_finding: {name}": partial(history_finding, case)
        for name, case in CASES.items()
    }


SHAPES: dict[str, Callable[[], Finding]] = (
    {
        f"{name}: {shape}": made
        for shape, values in TESTS.items()
        for name, made in _of_tests(values).items()
    }
    | of_histories()
    | {
        "changes_finding: none": lambda: changes_finding(boundaries(0)),
        "changes_finding: one": lambda: changes_finding(boundaries(1)),
        "changes_finding: four": lambda: changes_finding(boundaries(4)),
        "changes_finding: forty": lambda: changes_finding(boundaries(40, shared=2)),
        "variation_finding: one": lambda: variation_finding(
            covs("under 3%"), ["placement"]
        ),
        "variation_finding: all kinds": lambda: variation_finding(
            covs("under 3%", "over 3%", "cannot tell with 3 trials"), ["placement"]
        ),
        "variation_finding: nothing": lambda: variation_finding(covs(), ["placement"]),
        "drift_finding: none": lambda: drift_finding(drift(1.0, -2.0)),
        "drift_finding: one": lambda: drift_finding(drift(1.0, -9.0)),
        "drift_finding: all": lambda: drift_finding(drift(8.0, -9.0)),
        "planning_finding: some": lambda: planning_finding(needed(3, 9, 400), 0.03),
        "planning_finding: never": lambda: planning_finding(needed(pd.NA, pd.NA), 0.03),
        "planning_finding: one never": lambda: planning_finding(needed(3, pd.NA), 0.03),
        "instructions_finding: some": lambda: instructions_finding(
            builds(crc32=9, xmm=3)
        ),
        "instructions_finding: wide": lambda: instructions_finding(builds(zmm=9, ymm=3)),
        "instructions_finding: none": lambda: instructions_finding(builds()),
        "profile_finding: most": lambda: profile_finding(frames(0.2, 0.18, 0.01), "l.i0"),
        "profile_finding: a part": lambda: profile_finding(
            frames(-0.35, -0.05, -0.03, -0.02, -0.02), "l.i0"
        ),
        "profile_finding: against": lambda: profile_finding(frames(0.2, -0.1), "l.i0"),
        "profile_finding: two placements": lambda: profile_finding(
            pd.concat(
                [
                    frames(0.2, 0.18, test="l.i0 placement=same"),
                    frames(0.4, 0.01, test="l.i0 placement=split"),
                ]
            ),
            "l.i0",
        ),
        "profile_finding: nothing": lambda: profile_finding(frames(0.2), "l.i0"),
        "weights_finding: some": lambda: weights_finding(weights(3)),
        "weights_finding: nothing": lambda: weights_finding(weights(0)),
        "costs_finding: one": lambda: costs_finding(cpu("sqlite")),
        "costs_finding: four": lambda: costs_finding(cpu("sqlite", "a", "b", "c")),
        "costs_finding: nothing": lambda: costs_finding(cpu()),
        "log_finding: some": lambda: log_finding(logs(41.0, 0.02, 1.1)),
        "log_finding: none": lambda: log_finding(logs(0.02)),
        "jobs_finding: alike": lambda: jobs({"2": 1.0, "4": 1.0, "8": 1.0}),
        "jobs_finding: more": lambda: jobs({"2": 1.0, "4": 1.3, "8": 1.5}),
        "jobs_finding: open": lambda: jobs({"2": 1.0, "8": 1.0}, noise=0.2),
        "jobs_finding: one run": lambda: jobs({"2": 1.0, "8": 1.2}, trials=1),
    }
    | OF_STUDIES
)


if __name__ == "__main__":
    for title, made in SHAPES.items():
        sys.stdout.write(f"{title}\n  {made().data}\n\n")
