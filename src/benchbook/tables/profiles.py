"""Tables of profiles: frames that explain a change, and perf report as their judge."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, marked, small, styled, text, varying
from benchmath.frames import require
from benchmath.profiles.checks import GOAL_POINTS
from benchmath.prose import number, span, unsure

_APART = ("machine", "engine", "step", "tree", "event", "me", "base")
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


def frames_table(
    explained: pd.DataFrame, title: str | None = None, limit: int = 15
) -> GT:
    """One row per function, the largest change of a comparison first.

    Takes the frame of ``explained``; of each comparison ``limit`` rows.
    """
    require(explained, ("rank", "frame", "kind", "value", "value_base", "difference"))
    require(explained, ("low", "high", "detected", "share", "callers", "interval"))
    largest = explained[explained["rank"] <= limit]
    keys = varying(explained, _APART)
    rows = largest.to_dict("records")
    cells = largest[keys].map(text).reset_index(drop=True)
    digits = _digits(explained["difference"])
    cells["rank"] = [str(row["rank"]) for row in rows]
    cells["frame"] = [_named(row, digits) for row in rows]
    for name in ("value_base", "value"):
        cells[name] = [f"{row[name]:,.{digits}f}" for row in rows]
    cells["difference"] = [_difference(row, digits) for row in rows]
    cells["interval"] = [small(_bounds(row, digits)) for row in rows]
    cells["share"] = [_percent(row["share"]) for row in rows]
    unit = ", ".join(_UNITS.get(u, f"{u}/op") for u in dict.fromkeys(explained["unit"]))
    one = [_only(explained, side) for side in ("base", "me")]
    columns = [
        *(Column(key, key) for key in keys),
        Column("rank", "rank", right=True),
        Column("frame", "function", "and what calls it"),
        Column("value_base", one[0] or "base", unit, True),
        Column("value", one[1] or "compared", unit, True),
        Column("difference", "difference", unit, True),
        Column("interval", "95% interval", unit, True),
        Column("share", "share", "of the change", True),
    ]
    return styled(cells, columns, title, notes=_notes(explained, limit))


def validation_table(validation: pd.DataFrame, title: str | None = None) -> GT:
    """One row per capture: how far its leaves are from perf report's, at most.

    Takes the frame of ``validation``, if need be with dimensions of the runs.
    """
    require(validation, ("samples", "largest", "where", "counted", "holds"))
    keys = _capture_keys(validation) or ["step"]
    rows = validation.to_dict("records")
    cells = _key_cells(validation, keys)
    cells["samples"] = [number(row["samples"]) for row in rows]
    for name in ("largest", "counted"):
        cells[name] = [_points(row[name]) for row in rows]
    cells["where"] = [_function(row["where"]) for row in rows]
    cells["holds"] = [
        marked("yes", "none") if row["holds"] else marked("no", "worse") for row in rows
    ]
    goal = ", ".join(f"{g:g}" for g in dict.fromkeys(validation["goal"]))
    cells["renamed"] = [_points(row["renamed"]) for row in rows]
    columns = [
        *_key_columns(keys),
        Column("samples", "samples", "", True),
        Column("largest", "weighted", "points", True, "largest difference"),
        Column("counted", "counted", "points", True, "largest difference"),
        Column("where", "at"),
        Column("renamed", "other names", "%", True),
        Column("holds", f"within {goal or 'the goal'}"),
    ]
    note = (
        "Difference of a leaf's share from what perf report says, in percent points. "
        "What perf report calls by another name is compared as a sum."
    )
    return styled(cells, columns, title, notes=[note])


def weights_table(weights: pd.DataFrame, title: str | None = None, limit: int = 12) -> GT:
    """One row per leaf: its share weighted, counted, and as perf report says it.

    Takes the frame of ``weighted_against_not``; of each capture the ``limit``
    leaves with the largest share; what perf report alone names is one of its own.
    """
    names = ("leaf", "weighted_pct", "counted_pct", "report_pct", "counted_error")
    require(weights, names)
    keys = _capture_keys(weights)
    size = weights[["weighted_pct", "counted_pct", "report_pct"]].max(axis="columns")
    by = [weights[c] for c in _CAPTURE]
    largest = weights[size.groupby(by).rank(ascending=False, method="first") <= limit]
    rows = largest.to_dict("records")
    cells = _key_cells(largest, keys)
    cells["leaf"] = [_function(row["leaf"]) for row in rows]
    for name in names[1:4]:
        cells[name] = [_points(row[name]) for row in rows]
    cells["counted_error"] = [_off(row["counted_error"]) for row in rows]
    columns = [
        *_key_columns(keys),
        Column("leaf", "leaf"),
        Column("weighted_pct", "weighted by period", "%", True),
        Column("counted_pct", "samples counted", "%", True),
        Column("report_pct", "perf report", "%", True),
        Column("counted_error", "counting is off by", "points", True),
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
    return styled(cells, columns, title, notes=notes)


def _capture_keys(frame: pd.DataFrame) -> list[str]:
    """What tells captures apart: dimensions where the frame has them, else the run."""
    keys = varying(frame, (*_RUN, *_CAPTURE[1:]))
    captures = frame[[*_CAPTURE, *keys]].drop_duplicates()
    distinct = len(captures[keys].drop_duplicates()) if keys else 1
    return keys if distinct == len(captures) else ["run_id", *keys]


def _key_cells(captures: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """What tells captures apart as text; runs by number, for their ids fill a page."""
    cells = captures[[*keys]].map(text).reset_index(drop=True)
    if "run_id" in keys:
        order = {run: str(n) for n, run in enumerate(dict.fromkeys(cells["run_id"]), 1)}
        cells["run_id"] = cells["run_id"].map(order)
    return cells


def _key_columns(keys: Sequence[str]) -> list[Column]:
    return [Column(key, "profile" if key == "run_id" else key) for key in keys]


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


def _named(row: Mapping[str, Any], digits: int) -> str:
    """Name, kind where it is not the usual one, and the callers that matter."""
    callers: Sequence[tuple[str, float]] = row["callers"]
    most = max((abs(cost) for _, cost in callers), default=0.0)
    named = [pair for pair in callers[:_NAMED] if abs(pair[1]) >= most / 10]
    words = [f"{_cut(name)} {_signed(cost, digits)}" for name, cost in named]
    words = words if row["kind"] == "user" else [f"[{row['kind']}]", *words]
    below = '<span class="bb-wrap bb-small" style="max-width:19em">{}</span>'
    line = below.format(escape(", ".join(words), quote=False).replace("], ", "] "))
    return _function(row["frame"]) + (f"<br>{line}" if words else "")


def _difference(row: Mapping[str, Any], digits: int) -> str:
    figure = _signed(row["difference"], digits)
    if not row["detected"]:
        return marked(unsure(figure, False), "none")
    return marked(figure, "worse" if row["difference"] > 0 else "better")


def _bounds(row: Mapping[str, Any], digits: int) -> str:
    return span(row["low"], row["high"], lambda bound: _signed(bound, digits))


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


def _points(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.2f}"


def _off(value: float) -> str:
    if pd.isna(value):
        return ""
    figure = _signed(value, 2)
    return marked(figure, "worse") if abs(value) >= GOAL_POINTS else figure


def _only(frame: pd.DataFrame, column: str) -> str:
    values = frame[column].unique() if column in frame else []
    return str(values[0]) if len(values) == 1 else ""
