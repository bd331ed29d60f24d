"""What an operation costs, in a sentence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

from benchbook.finding import Claim, Finding, amount, names_as_data
from benchbook.findings.causes import beside, clause
from benchmath.costs.cpu import WHOLE
from benchmath.prose import listed, number, with_interval

OF_ALL = "Server, client and kernel together; brackets are 95% intervals."


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
    whole = cpu[cpu["metric"] == WHOLE]
    said = []
    for step in steps:
        rows = whole[whole["step"] == step].sort_values("mean", kind="stable")
        if rows.empty:
            continue
        costs = [_cost(row, by, changed) for row in rows.to_dict("records")]
        said.append(f"In {step} the CPU time per row is {listed(costs)}.")
    if not said:
        return Finding("No run has recorded the CPU time of an insert.")
    rows = whole[whole["step"].isin(steps)]
    claims = [amount(rows, row, "mean", "whole", unit="us") for _, row in rows.iterrows()]
    claims.append(Claim("interval", "given", 95, unit="%"))
    text = f"{' '.join(said)} {OF_ALL}"
    return beside(Finding(text, claims, {"whole": rows}), changed)


def _cost(row: Mapping[Hashable, Any], by: str, changed: pd.DataFrame | None) -> str:
    mean = with_interval(f"{number(row['mean'])} µs", row["low"], row["high"], number)
    return f"{mean} with **{row[by]}**{clause(changed, str(row[by]))}"
