"""A workload's answer: all steps together, then in which of them."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Finding, amount, names_as_data
from benchbook.findings.verdicts import verdict_finding
from benchmath.prose import listed, with_interval
from benchmath.ratios.suite import SUITE

MOST = 4  # compared values whose mean is told


@names_as_data
def workload_finding(
    judged: pd.DataFrame, suite: pd.DataFrame, changed: pd.DataFrame | None = None
) -> Finding:
    """The geometric means over all steps, then in which steps what is faster or slower.

    ``suite`` is the frame of ``workload_suite``; the rest as in ``verdict_finding``. Of
    versions the last one comes first, and its steps alone are told. A workload of one
    step, or whose cells have none in common, has no such mean.
    """
    newest = _newest(judged)
    if newest is None:
        steps = verdict_finding(judged, changed)
    else:
        of_newest = judged[judged["me"] == newest]
        steps = verdict_finding(of_newest, changed, among=judged)
    means = suite[(suite["group"] == SUITE) & suite["low"].notna()]
    if judged["step"].nunique() < 2 or means.empty:
        return steps
    first = means_finding(suite, _in_order(means, newest).head(MOST))
    text = f"{first.data} {steps.data}"
    return Finding(text, (*first.claims, *steps.claims), {**steps.frames, **first.frames})


@names_as_data
def means_finding(suite: pd.DataFrame, told: pd.DataFrame) -> Finding:
    """`In the geometric mean of 40 tests **9.7** reaches 0.80 [0.77, 0.83] of ...`.

    ``told`` are the rows of ``suite`` that are said, in their order.
    """
    claims = [
        claim
        for _, row in told.iterrows()
        for claim in (
            amount(suite, row, "relative", "suite"),
            amount(suite, row, "steps", "suite", unit="tests", bounds=("", "")),
        )
    ]
    return Finding(_sentence(told), claims, {"suite": suite})


def _newest(judged: pd.DataFrame) -> str | None:
    """The last of several versions, where versions are what is compared."""
    mes = judged["me"].astype(str)
    if "version" not in judged or not mes.eq(judged["version"].astype(str)).all():
        return None
    return str(mes.iloc[-1]) if mes.nunique() > 1 else None


def _in_order(means: pd.DataFrame, newest: str | None) -> pd.DataFrame:
    """The newest version first, and back in time; else what is farthest from 1 first."""
    if newest is not None:
        return means.iloc[::-1]
    away = (means["relative"] - 1).abs()
    return means.loc[away.sort_values(ascending=False, kind="stable").index]


def _sentence(told: pd.DataFrame) -> str:
    """`**9.7** reaches 0.80 [0.77, 0.83] of the throughput of 5.6 in the mean of ...`."""
    first = told.iloc[0]
    ratios = [
        f"**{row['me']}** {'reaches ' * (row['me'] == first['me'])}"
        + with_interval(f"{row['relative']:.2f}", row["low"], row["high"])
        for _, row in told.iterrows()
    ]
    return (
        f"In the geometric mean of {first['steps']:.0f} tests {listed(ratios)} of the "
        f"throughput of {first['base']}."
    )
