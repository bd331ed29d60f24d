"""What profiles say, in sentences; each number is a cell of a table beside them."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, names_as_data, sure
from benchbook.findings.causes import beside, clause
from benchmath.prose import counted, interval, listed, signed, two_digits

_MOST = 3


@names_as_data
def profile_finding(
    frames: pd.DataFrame, step: str, changed: pd.DataFrame | None = None
) -> Finding:
    """Which functions explain the change of one step, by the frame of ``explained``.

    Only functions whose difference is told from noise are named, the largest first.
    ``changed``, the frame of ``costs.causes.differences``, has what else changed.
    """
    rows = frames[frames["step"] == step]
    if rows.empty:
        return Finding(f"Step {step} was not profiled on both sides.")
    said, parts = Draft(frames=rows), []
    for (test, me, base), mine in rows.groupby(["test", "me", "base"], sort=False):
        whole, detected = mine.iloc[0], sure(mine)
        than = f"CPU with {me}{clause(changed, str(me))} than with {base}"
        named = _named(said, detected, whole)
        parts.append(
            f"In {test} an operation takes {_amount(said, whole)} {than}; {named}."
        )
    return beside(said.finding("\n\n".join(parts)), changed)


def _named(said: Draft, detected: pd.DataFrame, whole: Row) -> str:
    """`most of it in ...`: what is named makes more than half of the whole change."""
    if detected.empty:
        return "no function's change stands out from noise"
    first = detected.head(_MOST)
    names = [
        f"`{row['frame']}` "
        + said.value("frames", row, "difference", lambda v: f"{signed(v)} µs", "us",
                     interval=False)
        for _, row in first.iterrows()
    ]  # fmt: skip
    of = {column: str(whole[column]) for column in ("test", "me")}
    name = " ".join(of.values())
    said.count("frames", {"detected": "True"}, of, f"{name} sure")
    share = float(first["difference"].sum() / whole["whole"])
    most = 0.5 < share <= 1.5
    said.claim(name, "share", share, count=len(first), quantifier="most" if most else "",
               frame="frames", rows=of, column="difference")  # fmt: skip
    part = "most of it" if most else f"{share:.0%} of it"
    if not 0 < share < float("inf"):
        part = "the largest detectable changes are"
        part = "the only detectable change is" if len(names) == 1 else part
    more = f" (of {counted(len(detected), 'function')})" if len(detected) > _MOST else ""
    return f"{part} in {listed(names)}{more}"


def _amount(said: Draft, row: Row) -> str:
    """`0.28 µs [0.2, 0.36] less`; without an interval where there is none."""
    size = said.value("frames", row, "whole", lambda v: f"{two_digits(abs(v))} µs", "us",
                      ends=("whole_low", "whole_high"), interval=False)  # fmt: skip
    low, high = sorted(abs(row[side]) for side in ("whole_low", "whole_high"))
    bounds = f" {interval(low, high, two_digits)}"
    if row["whole_low"] < 0 < row["whole_high"]:
        ends = (signed(row[side]) for side in ("whole_low", "whole_high"))
        bounds = f" [{', '.join(ends)}: includes 0]"
    shown = "" if pd.isna(row["whole_low"]) or low == high else bounds
    return f"{size}{shown} {'more' if row['whole'] > 0 else 'less'}"


@names_as_data
def weights_finding(weights: pd.DataFrame) -> Finding:
    """How far counting samples is from perf report, by ``weighted_against_not``."""
    judged = weights.dropna(subset=["weighted_pct", "report_pct"])
    if judged.empty:
        return Finding("No capture has both stacks and a report to judge them.")
    said, parts = Draft(weights=judged), []
    for event, rows in judged.groupby("event", sort=False):
        worst = rows.loc[rows["counted_error"].abs().idxmax()]
        sizes = []
        for column in ("counted_error", "weighted_error"):
            size = float(rows[column].abs().max())
            said.claim(str(event), "largest size", size, unit="points", frame="weights",
                       column=column, where={"event": str(event)})  # fmt: skip
            sizes.append(f"{size:.2g} points")
        report, counts = (
            said.value("weights", worst, column, "{:.3g}%".format, "%")
            for column in ("report_pct", "counted_pct")
        )
        parts.append(
            f"With the event `{event}`, counting samples is wrong by up to "
            f"**{sizes[0]}**: `{worst['leaf']}` has {report} of the events by "
            f"`perf report`, and {counts} of the samples. Weighting by the period "
            f"differs from `perf report` by {sizes[1]} at most."
        )
    return said.finding(" ".join(parts))
