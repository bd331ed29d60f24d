"""Findings on costs of background jobs, of runs made for each answer."""

from __future__ import annotations

import pandas as pd
from job_frames import BASE, CLIENTS, JOBS, runs

from benchbook.templates.background_jobs.busy import rule_finding
from benchbook.templates.background_jobs.stalls import stalls_finding
from benchmath.costs.busy import busy_threads
from benchmath.costs.ranges import ranges
from benchmath.ratios.averaged import averaged_pairs
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

SAME = {"2": 1.0, "4": 1.0, "8": 1.0}
FASTER = {"2": 1.0, "4": 1.3, "8": 1.3}
SLOWER = {"2": 1.0, "4": 0.8, "8": 0.7}


def rule(frame, cpus=2):
    busy = busy_threads(frame, dict.fromkeys(frame["run_id"], cpus), CLIENTS, JOBS)
    return rule_finding(busy, verdicts(relative(frame, BASE)))


def sampled(frame):
    costs = [
        frame.assign(metric=name, value=400.0, unit="us", main=False)
        for name in ("client_user_o", "client_system_o")
    ]
    return pd.concat([frame, *costs], ignore_index=True)


RULES = {
    "It does not hold here: of 8 comparisons": runs(FASTER),
    "As far as it is tested it holds: of 8 comparisons": runs(SLOWER),
    "More jobs than that cost nothing here: of 8 comparisons": runs(SAME, noise=0.001),
    "Whether it holds here is not decided: of 8 comparisons": runs(SAME, noise=0.2),
    "none keeps it on 2 CPUs (they have 3 to 16 threads)": runs(SAME),
    "Clients and background jobs together used 0.8": sampled(runs(SAME, noise=0.0001)),
}


def tails(explained, more=(4.0, -6.0)):
    """Two comparisons with 8 jobs, at 1 and 2 clients."""
    return pd.DataFrame({
        "step": "overwrite", "dop": ["1", "2"], JOBS: "8", "me": "max_background_jobs=8",
        "verdict": "improved", "q": 0.01, "relative": 1.4,
        "mean": 10.0, "mean_base": 14.0,
        "p50": 3.0, "p50_base": 3.1, "p99": 9.0, "p99_base": 9.1, "slow": 5.0,
        "slow_base": 9.0, "slowest_pct": 50.0, "slowest_pct_base": 64.3,
        "p50_ratio": 0.97, "p99_ratio": 0.99, "more": more, "of_slow_pct": [80.0, 120.0],
        "changed": True, "explained": explained,
    })  # fmt: skip


def stalled(values):
    """A stalled share of each run of two cells, and their write amplification."""
    frame = runs({"2": 1.0, "8": 1.0}, dops=[1])
    share = frame.assign(metric="stall_pct", unit="%", main=False, value=values)
    written = frame.assign(metric="write_amp", unit="ratio", main=False,
                           direction="lower")  # fmt: skip
    written = written.assign(value=written["value"] / 200)
    return pd.concat([frame, share, written], ignore_index=True)


def stalls(values):
    frame = stalled(values)
    table = ranges(frame, ["stall_pct"], [CLIENTS, JOBS])
    written = frame[frame["metric"] == "write_amp"]
    return stalls_finding(table, averaged_pairs(written, JOBS, CLIENTS, "write_amp"))
