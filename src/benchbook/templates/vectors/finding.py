"""What a recall costs, in sentences: rates at equal recall, and what building costs."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchbook.finding import Draft, Finding, Row, chosen, names_as_data
from benchmath.prose import listed

_LEAD = ("recall 0.95", "recall 0.9", "recall 0.99")  # the first that is there leads
MOST = 0.99  # a recall that is asked for


@names_as_data
def vectors_finding(
    judged: pd.DataFrame,
    fronts: pd.DataFrame,
    built: pd.DataFrame,
    aged: pd.DataFrame | None = None,
    filtered: pd.DataFrame | None = None,
) -> Finding:
    """Each of what is compared against the base, at equal recall; what age does to it.

    ``judged`` is ``at_recall``, ``fronts`` ``search_frontiers``, ``built`` the verdicts
    on the rate of the step that makes the index, ``aged`` and ``filtered`` the frames of
    these names.
    """
    if fronts.empty:
        return Finding("No run has a recall: nothing can be said yet.")
    best = fronts.loc[fronts.groupby("cell", sort=False)["recall"].idxmax()]
    said = Draft(judged=judged, best=best[["cell", "step", "recall"]], built=built)
    if aged is not None and len(aged):
        said.frames["aged"] = aged
        ends = {"change_low": "low", "change_high": "high"}
        said.frames["moved"] = aged.drop(columns=["low", "high"]).rename(columns=ends)
    known = judged[judged["relative"].notna()]  # else one of them has not that recall
    sentences = [_compared(said, part) for _, part in known.groupby("me", sort=False)]
    later = said.frames.get("aged", pd.DataFrame({"me": [], "step": []}))
    age = later["step"].astype(str).str.rstrip("0123456789")
    sentences += [_aged(said, of) for _, of in later.groupby(["me", age], sort=False)]
    if filtered is not None and len(filtered):
        said.frames["filtered"] = filtered
        ends = {"recall_low": "low", "recall_high": "high"}
        found = filtered[["me", "base", "step", "recall", "recall_base", *ends]]
        said.frames["found"] = found.rename(columns=ends)
        groups = filtered.groupby("me", sort=False)
        sentences += [_filtered(said, of) for _, of in groups]
    if not sentences:
        reach = listed([_reach(said, row) for row in best.to_dict("records")])
        alone = len(best) == 1
        lead = "The most that is found" if alone else "No two of them reach one recall"
        sentences = [f"{lead}: {reach}."]
    sentences += [_built(said, row) for row in built.to_dict("records")]
    several = fronts.groupby("cell")["step"].transform("size") > 1
    short = best[(best["recall"] < MOST) & best["cell"].isin(fronts.loc[several, "cell"])]
    sentences += [_missed(said, row) for row in short.to_dict("records")]
    said.given("interval", 95, unit="%")
    return said.finding(" ".join(sentences))


def _compared(said: Draft, rows: pd.DataFrame) -> str:
    """`At recall 0.95 **mariadb** answers 1.9 times [1.8, 2.0] as many ...`"""
    by_step = {str(row["step"]): row for row in rows.to_dict("records")}
    first = next(step for step in (*_LEAD, *by_step) if step in by_step)
    lead = by_step.pop(first)
    ratio = f"{_ratio(said, lead)} times as many queries per second as {lead['base']}"
    text = f"At {_recall(said, first)} **{lead['me']}** answers {ratio}."
    if lead["low"] <= 1 <= lead["high"]:
        text = f"At {_recall(said, first)} **{lead['me']}** is not told apart: {ratio}."
    others = [f"{_ratio(said, row)} at {_recall(said, s)}" for s, row in by_step.items()]
    return f"{text} It is {listed(others)}." if others else text


def _ratio(said: Draft, row: Row) -> str:
    where = {key: str(row[key]) for key in ("me", "step")}
    return said.ratio("judged", row, keys=where, subject=f"{row['me']} {row['step']}")


def _recall(said: Draft, step: str) -> str:
    said.given("recall", float(step.split()[-1]))
    return step


def _built(said: Draft, row: Row) -> str:
    where = {key: str(row[key]) for key in ("me", "step")}
    ratio = said.ratio("built", row, keys=where, subject=f"{row['me']} index")
    return f"**{row['me']}** builds its index at {ratio} times the rate of {row['base']}."


def _aged(said: Draft, rows: pd.DataFrame) -> str:
    """Where recall moved most: `In aged40 the recall of **a** differs from that ...`

    And the rate there, and where it moved most of those that are told apart.
    """
    row = rows.loc[rows["change"].abs().idxmax()].to_dict()
    where = {key: str(row[key]) for key in ("me", "step")}
    subject = f"{row['me']} {row['step']}"
    (moved,) = chosen(said.frames["moved"], where).to_dict("records")
    change = said.value(
        "moved",
        moved,
        "change",
        "{:+.3f}".format,
        keys=where,
        subject=f"{subject} recall",
    )
    differs, by = "differs from", " by"
    if moved["low"] <= 0 <= moved["high"]:
        differs, by = "is not told apart from", ":"
    text = (
        f"In {row['step']} the recall of **{row['me']}** {differs} that in "
        f"{row['before']}{by} {change}. "
        f"It answers {_rate(said, row)} times as many queries."
    )
    apart = rows[(rows["low"] > 1) | (rows["high"] < 1)]
    if apart.empty:
        return text
    most = apart.loc[np.log(apart["relative"]).abs().idxmax()].to_dict()
    if most["step"] == row["step"]:
        return text
    return f"{text} In {most['step']} it answers {_rate(said, most)} times as many."


def _filtered(said: Draft, rows: pd.DataFrame) -> str:
    """Where recalls differ most: `In filter1 **a** finds 0.94 of the nearest, b 0.05.`"""
    far = (rows["recall"] - rows["recall_base"]).abs().idxmax()
    row = rows.loc[far].to_dict()
    where = {key: str(row[key]) for key in ("me", "step")}
    (found,) = chosen(said.frames["found"], where).to_dict("records")
    show, subject = "{:.3f}".format, f"{row['me']} {row['step']}"
    finds = said.value(
        "found", found, "recall", show, keys=where, subject=f"{subject} recall"
    )
    base = said.value(
        "found", found, "recall_base", show, interval=False, ends=(), keys=where,
        subject=f"{row['base']} {row['step']} recall",
    )  # fmt: skip
    rate = said.ratio("filtered", row, keys=where, subject=subject)
    return (
        f"In {row['step']} **{row['me']}** finds {finds} of the nearest, {row['base']} "
        f"{base}. It answers {rate} times as many queries per second there."
    )


def _rate(said: Draft, row: Row) -> str:
    where = {key: str(row[key]) for key in ("me", "step")}
    return said.ratio("aged", row, keys=where, subject=f"{row['me']} {row['step']}")


def _reach(said: Draft, row: Row) -> str:
    return f"{row['cell']} {_most(said, row)}"


def _missed(said: Draft, row: Row) -> str:
    said.given("recall", MOST)
    most = _most(said, row)
    where = f"its most is {most}, in {row['step']}"
    return f"**{row['cell']}** does not reach {MOST} by these settings: {where}."


def _most(said: Draft, row: Row) -> str:
    return said.value(
        "best", row, "recall", "{:.3f}".format, interval=False, ends=(),
        keys={"cell": str(row["cell"])}, subject=f"{row['cell']} recall",
    )  # fmt: skip
