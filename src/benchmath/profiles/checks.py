"""Weighted shares beside counted ones, and both beside what perf report says.

Frequency sampling varies the period, so a sample stands for as many events as its period
says; counting samples gives wrong shares wherever hot code runs in phases. perf report
weights, and so judges.

perf report names the code that ran, never what was inlined into it: a stack's leaf is
here its last frame that is no inlined one.
"""

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.profiles.costs import CAPTURE
from benchmath.profiles.names import reported_name

GOAL_POINTS = 0.5  # by which a leaf's share may differ from perf report's
ALIASES = "(other names)"
_KEYS = [*CAPTURE, "leaf"]
_SHARES = ("weight", "samples", "weighted_pct", "counted_pct", "report_pct",
           "weighted_error", "counted_error")  # fmt: skip


def weighted_against_not(
    stacks: pd.DataFrame, leaves: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Per capture and leaf its share by weight, by count, and as perf report says it.

    ``stacks`` as in ``profiles.frame_costs``; ``leaves``: run_id, step, tree, event,
    symbol, dso, share (0 to 1). Columns: those of a capture, leaf, weight, samples,
    weighted_pct, counted_pct, report_pct, weighted_error and counted_error, the points by
    which each share differs from perf report's. What only one side names is NaN on the
    other; so is all of perf report without ``leaves``, where counted_error is counted -
    weighted. Largest weighted share first. No row where nothing was recorded.
    """
    if stacks.empty and (leaves is None or leaves.empty):
        return pd.DataFrame(columns=[*_KEYS, *_SHARES])
    require(stacks, (*CAPTURE, "frames", "weight", "samples"))
    named = _text(stacks).assign(leaf=_leaf(stacks))
    table = named.groupby(_KEYS, sort=False)[["weight", "samples"]].sum().reset_index()
    for column, name in (("weight", "weighted_pct"), ("samples", "counted_pct")):
        whole = table.groupby(list(CAPTURE))[column].transform("sum")
        table[name] = 100 * table[column] / whole
    if leaves is None:
        table = table.assign(report_pct=np.nan)
    else:
        captures = table[[*CAPTURE]].drop_duplicates()
        report = _reported(leaves).merge(captures, on=list(CAPTURE))
        table = table.merge(report, on=_KEYS, how="outer")
    judge = table["weighted_pct"] if leaves is None else table["report_pct"]
    table["weighted_error"] = table["weighted_pct"] - table["report_pct"]
    table["counted_error"] = table["counted_pct"] - judge
    order = [*CAPTURE, "weighted_pct", "report_pct", "leaf"]
    rising = [True] * len(CAPTURE) + [False, False, True]
    return table.sort_values(order, ascending=rising).reset_index(drop=True)


def validation(
    stacks: pd.DataFrame, leaves: pd.DataFrame | None, goal_points: float = GOAL_POINTS
) -> pd.DataFrame:
    """Per capture how far its leaves are from perf report's, at most.

    A function may have several names, of which perf script and perf report take different
    ones (``__GI___libc_malloc`` and ``malloc``): what only one of them names is compared
    as a sum, and how much that is, is told.

    Columns: run_id, step, tree, event, samples, leaves, largest (points, of the weighted
    shares), where (that leaf), counted (points, had the samples been counted), renamed
    (percent, named by the stacks alone), goal, holds. A capture without a report has NaN
    and does not hold.
    """
    table = weighted_against_not(stacks, leaves)
    made = []
    for values, rows in table.groupby(list(CAPTURE), sort=False):
        weighted, renamed = _compared(rows, "weighted")
        counted, _ = _compared(rows, "counted")
        reported = bool(rows["report_pct"].notna().any())
        largest = float(weighted.max()) if reported else np.nan
        made.append(
            {
                **dict(zip(CAPTURE, values, strict=True)),
                "samples": int(rows["samples"].sum()),
                "leaves": int(rows["weight"].notna().sum()),
                "largest": largest,
                "where": str(weighted.idxmax()) if reported else "",
                "counted": float(counted.max()) if reported else np.nan,
                "renamed": renamed if reported else np.nan,
                "goal": goal_points,
                "holds": largest <= goal_points,
            }
        )
    columns = [*CAPTURE, "samples", "leaves", "largest", "where", "counted", "renamed"]
    return pd.DataFrame(made, columns=[*columns, "goal", "holds"])


def _compared(rows: pd.DataFrame, name: str) -> tuple[pd.Series, float]:
    """Distance by leaf, those of one side alone as a sum; the sum of our own of these."""
    off = rows.set_index("leaf")[f"{name}_error"].abs().dropna()
    ours = float(rows.loc[rows["report_pct"].isna(), f"{name}_pct"].sum())
    theirs = float(rows.loc[rows["weight"].isna(), "report_pct"].sum())
    off.loc[ALIASES] = abs(ours - theirs)
    return off, ours


def _leaf(stacks: pd.DataFrame) -> pd.Series:
    """The last frame that is no inlined one."""
    frames = stacks["frames"].astype(str)
    kinds = stacks["kinds"].astype(str) if "kinds" in stacks else frames.map(lambda _: "")
    pairs = list(zip(frames, kinds, strict=True))
    leaves = {pair: _leaf_of(*pair) for pair in dict.fromkeys(pairs)}
    return pd.Series([leaves[pair] for pair in pairs], index=stacks.index, dtype=object)


def _leaf_of(frames: str, kinds: str) -> str:
    names = frames.split(";")
    end = len(kinds.rstrip("i")) if kinds.endswith("i") else len(names)
    return names[max(end, 1) - 1]


def _reported(leaves: pd.DataFrame) -> pd.DataFrame:
    require(leaves, (*CAPTURE, "symbol", "dso", "share"))
    pairs = zip(leaves["symbol"].fillna(""), leaves["dso"].fillna(""), strict=True)
    named = _text(leaves).assign(
        leaf=[reported_name(str(symbol), str(dso)) for symbol, dso in pairs],
        report_pct=100 * leaves["share"].astype(float),
    )
    return named.groupby(_KEYS, sort=False)["report_pct"].sum().reset_index()


def _text(frame: pd.DataFrame) -> pd.DataFrame:
    """Dictionary columns as plain text."""
    return frame.astype(dict.fromkeys(CAPTURE, str))
