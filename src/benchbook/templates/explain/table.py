"""Tables that explain a change: its split, CPU by part, costs, settings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import itemgetter
from typing import Literal

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    cost_name,
    decided,
    figure,
    fixed,
    note_parts,
    nothing,
    small_unit,
    table,
    text,
    with_span,
)
from benchmath.costs.causes import DEFAULT, SET, UNKNOWN
from benchmath.costs.cpu import (
    CPU_PARTS,
    NONE,
    PARTS,
    PER_OP,
    RATE,
    SPLIT,
    USED,
    WHOLE,
    SplitFrame,
)
from benchmath.costs.explanation import COST_CHANGES, CostFrame
from benchmath.frames import Kind, further_dimensions, require
from benchmath.hazard import Hazard
from benchmath.prose import joined

_signed = fixed("{:+.1f}")
_TERMS = ((RATE, "throughput"), (USED, "CPU used per second"), (PER_OP, "CPU per op"))
_HOLDS_0 = (
    "Small: 95% interval. ~ means no detectable difference: the interval includes 0."
)
_TRIALS = "Intervals of differences are over the trials: another build may add to them."
_REST = (
    "rest: the machine's CPU without that of server, client and interrupts. Below 0 "
    "it is the error of clock ticks."
)
_LOG = (
    "100 ln(compared / base), CPU per operation negated: the first number of a row is "
    "the sum of the other two. -10 is 9.5% less, +10 is 10.5% more."
)


def split_table(
    split: SplitFrame, title: str | None = None, hazards: Iterable[Hazard] = ()
) -> GT:
    """Throughput = CPU used per second - CPU per operation: takes ``analysis`` split.

    One row per step and me, in percent of the logarithm, so that the row adds up.
    """
    require(split, ("step", "me", "part", "log_pct", "log_low", "log_high", "detected"))
    keys = _keys(split, SPLIT)
    columns = [
        *map(_key_column, keys),
        *(
            Numbers(part, head, "log %", of=part, cell=partial(_log_cell, part=part),
                    notes=note_parts if part == RATE else None)
            for part, head in _TERMS
        ),
        Column("cpu", "CPU of", notes=_unrecorded),
    ]  # fmt: skip
    notes = [_LOG, _HOLDS_0, *_bases(split)]
    limits = split.groupby(keys, dropna=False)["note"].transform(_of_all_parts)
    rows = across(split.assign(note=limits), keys, "part")
    return table(rows, columns, title, notes, hazards)


def cpu_parts_table(
    parts: pd.DataFrame, title: str | None = None, hazards: Iterable[Hazard] = ()
) -> GT:
    """CPU per operation and what it changed by, part for part: one row per step and me.

    Takes the frame of ``cpu_parts``.
    """
    require(parts, ("step", "me", "part", "mean", "mean_base", "diff", "low", "high"))
    keys, compared = _keys(parts, CPU_PARTS), _compared(parts)
    there = [p for p in PARTS if p != WHOLE and (parts["part"] == p).any()]
    per_op = partial(Numbers, unit="µs per op")
    columns = [
        *map(_key_column, keys),
        per_op("mean_base", "base", of=WHOLE, show=figure),
        per_op("mean", compared, of=WHOLE, show=figure),
        *(per_op(part, spanner=f"{compared} - base", of=part, cell=_difference)
          for part in (WHOLE, *there)),
    ]  # fmt: skip
    notes = [
        "The parts add up to the whole (arithmetic means over the trials).",
        _HOLDS_0,
        *[_REST] * ("rest" in there),
        *_bases(parts),
    ]
    return table(across(parts, keys, "part"), columns, title, notes, hazards)


def costs_table(
    costs: CostFrame,
    convention: Literal["plain", "field"] = "plain",
    title: str | None = None,
    hazards: Iterable[Hazard] = (),
) -> GT:
    """What an operation costs besides CPU: base, me, difference and ratio.

    Takes the frame of ``costs``. ``plain`` shows the ratio of
    geometric means with its interval, nothing where a run had 0; ``field`` the ratio of
    the means with `1` where both are 0 and `inf` where only the base is.
    """
    require(costs, ("step", "me", "metric", "unit", "mean", "mean_base", "diff", "field"))
    if convention not in ("plain", "field"):
        raise ValueError(f"convention is plain or field, not {convention!r}")
    if costs.empty:
        return nothing("No run has recorded what an operation costs.", title)
    compared, plain = _compared(costs), convention == "plain"
    of_unit = partial(Numbers, unit="see unit")
    columns = [
        *map(_key_column, _keys(costs, COST_CHANGES)),
        Column("metric", show=lambda name: text(cost_name(str(name)))),
        Column("unit", show=small_unit),
        of_unit("mean_base", "base", show=figure),
        of_unit("mean", compared, show=figure),
        of_unit("diff", f"{compared} - base", cell=_cost_difference),
        Numbers("ratio", f"{compared} / base", "ratio",
                cell=_ratio if plain else itemgetter("field"),
                notes=note_parts if plain else None),
    ]  # fmt: skip
    field = "1: both are 0. inf: the base alone is 0."
    holds = [_HOLDS_0.replace("includes 0", "includes 0, of a ratio 1")]
    notes = [*(holds if plain else [_HOLDS_0, field]), _TRIALS, *_bases(costs)]
    return table(costs, columns, title, notes, hazards, "metric")


_ORIGINS = {SET: "the user", DEFAULT: "the version", UNKNOWN: "not known"}


def changed_settings_table(settings: pd.DataFrame, title: str | None = None) -> GT:
    """Settings that differ from the base's: ``costs.causes.changed_settings``."""
    require(settings, ("me", "setting", "base", "value", "origin"))
    keys = ["me"] * (settings["me"].nunique() > 1)
    columns = [
        *map(_key_column, keys),
        Column("setting"),
        Column("base"),
        Column("value", "value" if keys else _compared(settings)),
        Column("origin", "who decided", show=_ORIGINS.__getitem__),
    ]
    notes = [] if len(settings) else ["Both sides report the same settings."]
    return table(settings, columns, title, notes)


def _compared(frame: pd.DataFrame) -> str:
    """The name of the one value that is compared; of several the word for them."""
    names = frame["me"].astype(str).unique()
    return str(names[0]) if len(names) == 1 else "compared"


def _key_column(name: str) -> Column:
    return Column(name, "compared" if name == "me" else name)


def _keys(frame: pd.DataFrame, kind: Kind) -> list[str]:
    """step, me, and what else tells rows of one part or metric apart."""
    part = [c for c in ("part", "metric") if c in frame.columns]
    return ["step", "me", *further_dimensions(frame, kind, ["step", "me", *part])]


def _log_cell(row: Row, part: str) -> str:
    shown = _signed(row["log_pct"])
    if not shown or pd.isna(row["detected"]):
        return shown
    better = bool(row["log_pct"] > 0) if part == RATE else None
    shown = decided(shown, row["detected"], better)
    return with_span(shown, row["log_low"], row["log_high"], "{:.1f}".format)


def _difference(row: Row, between: str = "<br>") -> str:
    """A difference with its interval; a bare sign where there is none to be had."""
    if pd.isna(row["diff"]):
        return ""
    shown = _number(row["diff"])
    if pd.isna(row["low"]) or pd.isna(row["detected"]):
        return shown
    shown = decided(shown, row["detected"])
    return with_span(shown, row["low"], row["high"], _number, between)


def _cost_difference(row: Row) -> str:
    names = {"low": "diff_low", "high": "diff_high", "detected": "diff_detected"}
    return _difference({"diff": row["diff"], **{k: row[v] for k, v in names.items()}})


def _ratio(row: Row) -> str:
    if pd.isna(row["relative"]):
        return ""
    ratio = f"{row['relative']:.2f}"
    if pd.isna(row["detected"]):
        return ratio
    shown = decided(ratio, row["detected"])
    return with_span(shown, row["low"], row["high"], "{:.2f}".format)


def _number(value: float) -> str:
    """With its sign, at the precision of ``figure``; what is nothing has none."""
    shown = figure(value)
    return f"+{shown}" if value > 0 and shown[0].isdigit() else shown


def _bases(frame: pd.DataFrame) -> list[str]:
    return [f"Base: {name}." for name in dict.fromkeys(map(str, frame.get("base", [])))]


def _unrecorded(row: Row) -> list[str]:
    words = "CPU per operation was not recorded in every run"
    return [words] if row["cpu"] == NONE else []


def _of_all_parts(notes: pd.Series) -> str:
    """What limits any part of a step stands at its throughput."""
    return joined((p for note in notes for p in note_parts({"note": note})), "; ")
