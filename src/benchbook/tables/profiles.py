"""Tables of profiles: frames that explain a change, and perf report as their judge."""

import math
from collections.abc import Sequence
from functools import partial
from html import escape

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    decided,
    fixed,
    interval,
    marked,
    table,
    text,
    varying,
    warned,
)
from benchmath.frames import require
from benchmath.profiles.checks import GOAL_POINTS
from benchmath.prose import Show, number

_APART = ("machine", "engine", "test", "tree", "event", "me", "base")
_RUN = ("machine", "engine", "version", "build", "config", "trial")
_CAPTURE = ("run_id", "step", "tree", "event")
_UNITS = {"us": "µs/op", "events": "events/op"}
_DETECTED = (
    "Cost of a function itself, without its callees; in small type its callers with "
    "their part of the difference. ~: does not stand out from noise "
    "(Benjamini-Hochberg at 5% over the functions with 5 samples and more)."
)
_SHARES = "Shares of the change add up to 100% over all functions, those that fell too."
_NO_SHARES = "No shares: the change of the whole does not stand out from noise."
_NAMED = 2  # callers of a frame
_points = fixed("{:.2f}")


def frames_table(
    explained: pd.DataFrame, title: str | None = None, limit: int = 15
) -> GT:
    """One row per function, the largest change of a comparison first.

    Takes the frame of ``explained``; of each comparison ``limit`` rows.
    """
    require(explained, ("rank", "frame", "kind", "value", "value_base", "difference"))
    require(explained, ("low", "high", "detected", "share", "callers", "interval"))
    largest = explained[explained["rank"] <= limit]
    signed = partial(_signed, digits=_digits(explained["difference"]))
    plain = f"{{:,.{_digits(explained['difference'])}f}}".format
    unit = ", ".join(_UNITS.get(u, f"{u}/op") for u in dict.fromkeys(explained["unit"]))
    columns = [
        *(Column(c, "step" if c == "test" else c) for c in varying(explained, _APART)),
        Numbers("rank", show=str),
        Column(
            "frame", "function", "and what calls it", cell=partial(_named, show=signed)
        ),
        Numbers("value_base", _only(explained, "base") or "base", unit, show=plain),
        Numbers("value", _only(explained, "me") or "compared", unit, show=plain),
        Numbers("difference", unit=unit, cell=partial(_difference, show=signed)),
        interval(unit, signed),
        Numbers("share", "share", "of the change", show=_percent),
    ]
    return table(largest, columns, title, _notes(explained, limit))


def validation_table(validation: pd.DataFrame, title: str | None = None) -> GT:
    """One row per capture: how far its leaves are from perf report's, at most.

    Takes the frame of ``validation``, if need be with dimensions of the runs.
    """
    require(validation, ("samples", "largest", "where", "counted", "holds"))
    goal = ", ".join(f"{g:g}" for g in dict.fromkeys(validation["goal"]))
    largest = partial(Numbers, unit="points", spanner="largest difference", show=_points)
    columns = [
        *(_captures(validation) or [Column("step")]),
        Numbers("samples", show=number),
        largest("largest", "weighted"),
        largest("counted"),
        Column("where", "at", show=_function),
        Numbers("renamed", "other names", "%", show=_points),
        Column("holds", f"within {goal or 'the goal'}", show=_holds),
    ]
    note = (
        "Difference of a leaf's share from what perf report says, in percent points. "
        "What perf report calls by another name is compared as a sum."
    )
    return table(validation, columns, title, [note])


def weights_table(weights: pd.DataFrame, title: str | None = None, limit: int = 12) -> GT:
    """One row per leaf: its share weighted, counted, and as perf report says it.

    Takes the frame of ``weighted_against_not``; of each capture the ``limit``
    leaves with the largest share; what perf report alone names is one of its own.
    """
    names = ("leaf", "weighted_pct", "counted_pct", "report_pct", "counted_error")
    require(weights, names)
    size = weights[["weighted_pct", "counted_pct", "report_pct"]].max(axis="columns")
    by = [weights[c] for c in _CAPTURE]
    largest = weights[size.groupby(by).rank(ascending=False, method="first") <= limit]
    columns = [
        *_captures(weights, largest),
        Column("leaf", show=_function),
        Numbers("weighted_pct", "weighted by period", "%", show=_points),
        Numbers("counted_pct", "samples counted", "%", show=_points),
        Numbers("report_pct", "perf report", "%", show=_points),
        Numbers("counted_error", "counting is off by", "points", show=_off),
    ]
    judge = weights["report_pct"].notna().any()
    notes = [
        "Difference from perf report." if judge else "Difference from the weighted share."
    ]
    if judge and weights["report_pct"].isna().any():
        notes.append(
            "perf report may call a function by another of its names: then each name has "
            "a line, and the shares agree."
        )
    return table(largest, columns, title, notes)


def _captures(frame: pd.DataFrame, rows: pd.DataFrame | None = None) -> list[Column]:
    """What tells captures apart: dimensions where the frame has them, else the run.

    Runs by number as the ``rows`` name them, for their ids fill a page.
    """
    keys = varying(frame, (*_RUN, *_CAPTURE[1:]))
    captures = frame[[*_CAPTURE, *keys]].drop_duplicates()
    distinct = len(captures[keys].drop_duplicates()) if keys else 1
    columns = [*map(Column, keys)]
    if distinct != len(captures):
        runs = dict.fromkeys((frame if rows is None else rows)["run_id"])
        order = {run: str(n) for n, run in enumerate(runs, 1)}
        columns.insert(0, Column("run_id", "profile", show=order.__getitem__))
    return columns


def _notes(explained: pd.DataFrame, limit: int) -> list[str]:
    if explained.empty:
        return ["No function was seen on either side."]
    notes = [_DETECTED, _SHARES if explained["share"].notna().any() else _NO_SHARES]
    first = explained.iloc[0]
    if (explained["interval"] != "trials").any():
        notes.append(
            "A single profile on a side: the interval covers the noise of sampling alone "
            "and is too narrow wherever runs differ."
        )
    else:
        notes.append(
            f"Intervals: from the spread of {first['n_base']} and {first['n']} profiles, "
            "never below the noise of sampling."
        )
    if (explained["rank"] > limit).any():
        notes.append(f"The {limit} largest changes.")
    return notes


def _named(row: Row, show: Show) -> str:
    """Name, kind where it is not the usual one, and the callers that matter."""
    callers: Sequence[tuple[str, float]] = row["callers"]
    most = max((abs(cost) for _, cost in callers), default=0.0)
    named = [pair for pair in callers[:_NAMED] if abs(pair[1]) >= most / 10]
    words = [f"{_cut(name)} {show(cost)}" for name, cost in named]
    words = words if row["kind"] == "user" else [f"[{row['kind']}]", *words]
    below = '<span class="bb-wrap bb-small" style="max-width:19em">{}</span>'
    line = below.format(escape(", ".join(words), quote=False).replace("], ", "] "))
    return _function(row["frame"]) + (f"<br>{line}" if words else "")


def _difference(row: Row, show: Show) -> str:
    return decided(show(row["difference"]), row["detected"], row["difference"] <= 0)


def _holds(holds: bool) -> str:
    return marked("yes", "none") if holds else marked("no", "worse")


def _digits(differences: pd.Series) -> int:
    """Decimals that show three digits of the largest one; all numbers have as many."""
    most = float(differences.abs().max()) if len(differences) else 0.0
    return max(0, min(2 - math.floor(math.log10(most)), 9)) if most > 0 else 2


def _function(name: str) -> str:
    return text(_cut(name))


def _cut(name: str) -> str:
    """A name of C++ may be longer than a page is wide."""
    return name if len(name) <= 90 else f"{name[:60]}…{name[-29:]}"


def _signed(value: float, digits: int) -> str:
    if pd.isna(value):
        return ""
    figure = f"{value:+,.{digits}f}".replace("-", "−")
    return figure[1:] if float(figure[1:].replace(",", "")) == 0 else figure


def _percent(share: float) -> str:
    return "" if pd.isna(share) else f"{100 * share:.0f}%".replace("-", "−")


def _off(value: float) -> str:
    return warned(_signed(value, 2), abs(value) >= GOAL_POINTS)


def _only(frame: pd.DataFrame, column: str) -> str:
    values = frame[column].unique() if column in frame else []
    return str(values[0]) if len(values) == 1 else ""
