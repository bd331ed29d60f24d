"""A workload's answer: all steps together, then in which of them."""

from __future__ import annotations

import pandas as pd

from benchbook.analysis.ratios.suite import SUITE
from benchbook.finding import Finding, amount
from benchbook.findings.verdicts import verdict_finding
from benchbook.prose import interval

MOST = 3  # compared values that are named


def workload_finding(
    judged: pd.DataFrame, suite: pd.DataFrame, changed: pd.DataFrame | None = None
) -> Finding:
    """The geometric mean over all steps of each compared value, then the steps.

    ``suite`` is the frame of ``workload_suite``; the rest as in ``verdict_finding``. A
    workload of one step, or whose cells have none in common, has no such mean.
    """
    steps = verdict_finding(judged, changed, MOST)
    means = suite[(suite["group"] == SUITE) & suite["low"].notna()]
    if judged["step"].nunique() < 2 or means.empty:
        return steps
    farthest = (means["relative"] - 1).abs().sort_values(ascending=False).index
    told = means.loc[farthest].head(MOST)
    claims = [
        claim
        for _, row in told.iterrows()
        for claim in (
            amount(suite, row, "relative", "suite"),
            amount(suite, row, "steps", "suite", unit="tests", bounds=("", "")),
        )
    ]
    text = " ".join(_sentence(row) for _, row in told.iterrows())
    return Finding(
        f"{text} {steps.data}", (*claims, *steps.claims), {**steps.frames, "suite": suite}
    )


def _sentence(row: pd.Series) -> str:
    """`**9.7** reaches 0.80 [0.77, 0.83] of the throughput of 5.6 in the mean of ...`."""
    return (
        f"**{row['me']}** reaches {row['relative']:.2f} "
        f"{interval(row['low'], row['high'])} of the throughput of {row['base']} in the "
        f"geometric mean of {row['steps']:.0f} tests."
    )
