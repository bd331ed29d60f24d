"""What profiles say, in sentences; each number is a cell of a table beside them."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Claim, Finding, amount, names_as_data, tally
from benchbook.findings.causes import beside, clause
from benchmath.prose import counted, interval, listed

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
    said = []
    for (me, base), mine in rows.groupby(["me", "base"], sort=False):
        whole = mine.iloc[0]
        than = f"CPU with {me}{clause(changed, str(me))} than with {base}"
        head = f"In {step} an operation takes {_amount(whole)} {than}"
        detected = mine[mine["detected"].fillna(False).astype(bool)]
        names = [
            f"`{row['frame']}` {row['difference']:+.2g} µs"
            for row in detected.head(_MOST).to_dict("records")
        ]
        rest = (
            f" (of {counted(len(detected), 'function')})" if len(detected) > _MOST else ""
        )
        part = _part(detected, whole, len(names))
        named = f"{part} in {listed(names)}{rest}" if names else (
            "no function's change stands out from noise"
        )  # fmt: skip
        said.append(f"{head}; {named}.")
    detected = rows[rows["detected"].fillna(False).astype(bool)]
    claims = [
        amount(rows, mine.iloc[0], "whole", "frames", unit="us",
               bounds=("whole_low", "whole_high"))
        for _, mine in rows.groupby(["me", "base"], sort=False)
    ]  # fmt: skip
    for (me, _), mine in detected.groupby(["me", "base"], sort=False):
        where, n = {"me": str(me)}, mine.head(_MOST).iterrows()
        claims += [amount(rows, row, "difference", "frames", unit="us") for _, row in n]
        claims.append(tally(rows, "frames", {"detected": "True"}, where, f"{me} sure"))
    claims += _shares(detected)
    return beside(Finding("\n\n".join(said), claims, {"frames": rows}), changed)


def _part(detected: pd.DataFrame, whole: pd.Series, named: int) -> str:
    """`most of it` where the functions named make more than half of the whole change."""
    share = detected["difference"].head(_MOST).sum() / whole["whole"]
    if not 0 < share < float("inf"):
        one = "the only detectable change is"
        return one if named == 1 else "the largest detectable changes are"
    return "most of it" if _is_most(share) else f"{share:.0%} of it"


def _is_most(share: float) -> bool:
    return 0.5 < share <= 1.5


def _shares(detected: pd.DataFrame) -> list[Claim]:
    """Which share of the whole the functions named make: most of it, or not."""
    claims = []
    for me, mine in detected.groupby("me", sort=False):
        share = mine["difference"].head(_MOST).sum() / mine["whole"].iloc[0]
        quantifier = "most" if _is_most(share) else ""
        claims.append(
            Claim(str(me), "share", float(share), count=min(_MOST, len(mine)),
                  quantifier=quantifier, frame="frames", rows={"me": str(me)},
                  column="difference")
        )  # fmt: skip
    return claims


def _amount(row: pd.Series) -> str:
    """`0.28 µs [0.2, 0.36] less`; without an interval where there is none."""
    low, high = sorted(abs(row[side]) for side in ("whole_low", "whole_high"))
    crosses = row["whole_low"] < 0 < row["whole_high"]
    bounds = f" {interval(low, high, '{:.2g}'.format)}"
    if crosses:
        bounds = f" [{row['whole_low']:+.2g}, {row['whole_high']:+.2g}: includes 0]"
    interval_text = "" if pd.isna(row["whole_low"]) or low == high else bounds
    word = "more" if row["whole"] > 0 else "less"
    return f"{abs(row['whole']):.2g} µs{interval_text} {word}"


@names_as_data
def weights_finding(weights: pd.DataFrame) -> Finding:
    """How far counting samples is from perf report, by ``weighted_against_not``."""
    judged = weights.dropna(subset=["weighted_pct", "report_pct"])
    if judged.empty:
        return Finding("No capture has both stacks and a report to judge them.")
    said, claims = [], []
    for event, rows in judged.groupby("event", sort=False):
        by_count, by_weight = rows["counted_error"].abs(), rows["weighted_error"].abs()
        worst, where = rows.loc[by_count.idxmax()], {"event": str(event)}
        said.append(
            f"With the event `{event}`, counting samples is wrong by up to "
            f"**{by_count.max():.2g} points**: `{worst['leaf']}` has "
            f"{worst['report_pct']:.3g}% of the events by `perf report`, and "
            f"{worst['counted_pct']:.3g}% of the samples. Weighting by the period "
            f"differs from `perf report` by {by_weight.max():.2g} points at most."
        )
        claims += [
            Claim(str(event), "largest size", float(size.max()), unit="points",
                  frame="weights", column=column, where=where)
            for size, column in (
                (by_count, "counted_error"), (by_weight, "weighted_error"),
            )
        ]  # fmt: skip
        claims += [
            amount(judged, worst, column, "weights", unit="%")
            for column in ("report_pct", "counted_pct")
        ]
    return Finding(" ".join(said), claims, {"weights": judged})
