"""What an operation costs, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data
from benchbook.findings.causes import beside, clause
from benchmath.costs.cpu import WHOLE
from benchmath.prose import listed, number

OF_ALL = "Server, client and kernel together; brackets are {} intervals."


@names_as_data
def costs_finding(
    cpu: pd.DataFrame,
    by: str = "engine",
    changed: pd.DataFrame | None = None,
    steps: Sequence[str] = ("l.i0", "l.i1"),
) -> Finding:
    """Whose CPU time per operation is least, by the frame of ``cpu_costs``.

    Says the whole of each value of ``by`` in the steps that are there, cheapest first.
    ``changed``, the frame of ``costs.causes.differences``, has what else changed.
    """
    whole = cpu[(cpu["metric"] == WHOLE) & cpu["step"].isin(steps)]
    said, parts = Draft(whole=whole), []
    for step in steps:
        rows = whole[whole["step"] == step].sort_values("mean", kind="stable")
        costs = [
            said.value("whole", row, "mean", number, "us", after=" µs")
            + f" with **{row[by]}**{clause(changed, str(row[by]))}"
            for _, row in rows.iterrows()
        ]
        if costs:
            parts.append(f"In {step} the CPU time per row is {listed(costs)}.")
    if not parts:
        return Finding("No run has recorded the CPU time of an insert.")
    parts.append(OF_ALL.format(said.share("interval", 0.95)))
    return beside(said.finding(" ".join(parts)), changed)
