"""A workload's answer: all steps together, then in which of them."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data, together
from benchbook.findings.verdicts import verdict_finding
from benchmath.prose import listed, number
from benchmath.ratios.suite import SUITE
from benchmath.ratios.verdicts import tests_of

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
    return together([means_finding(suite, _in_order(means, newest).head(MOST)), steps])


@names_as_data
def means_finding(suite: pd.DataFrame, told: pd.DataFrame) -> Finding:
    """`In the geometric mean of 40 tests **9.7** reaches 0.80 [0.77, 0.83] of ...`.

    ``told`` are the rows of ``suite`` that are said, in their order.
    """
    said, first = Draft(suite=suite), told.iloc[0]
    settings = tests_of(told.assign(step="")).str.strip()  # of one step, which is all
    ratios: list[str] = []
    counts = []
    for at, row in told.iterrows():
        ratio = said.ratio("suite", row, "{:.2f}".format)
        name = f"**{row['me']}**{f' ({settings[at]})' if settings[at] else ''}"
        ratios.append(f"{name} {'reaches ' * (not ratios)}{ratio}")
        counts.append(said.value("suite", row, "steps", number, "tests", ends=()))
    return said.finding(
        f"In the geometric mean of {counts[0]} tests {listed(ratios)} of the throughput "
        f"of {first['base']}."
    )


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
