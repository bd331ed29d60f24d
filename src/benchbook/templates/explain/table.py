"""Tables that explain a change: its split, CPU by part, costs, settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Footnote,
    cost_name,
    figure,
    hazard_notes,
    marked,
    nothing,
    shown_unit,
    small,
    styled,
    text,
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
    PartsFrame,
    SplitFrame,
)
from benchmath.costs.explanation import COST_CHANGES, CostFrame
from benchmath.frames import Kind, further_dimensions, require
from benchmath.hazard import Hazard
from benchmath.prose import span, unsure

_TERMS = ((RATE, "throughput"), (USED, "CPU used per second"), (PER_OP, "CPU per op"))
_HOLDS_0 = (
    "Small: 95% interval. ~ means no detectable difference: the interval includes 0."
)
_TRIALS = "Intervals of differences are over the trials: another build may add to them."
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
    rows = _wide(split, keys, "part")
    cells = pd.DataFrame([[text(row[k]) for k in keys] for row, _ in rows], columns=keys)
    columns = [_key_column(k) for k in keys]
    for part, head in _TERMS:
        cells[part] = [_log_cell(parts.get(part), part) for _, parts in rows]
        columns.append(Column(part, head, "log %", True))
    cells["cpu"] = [text(row["cpu"]) for row, _ in rows]
    columns.append(Column("cpu", "CPU of"))
    footnotes = _one_by_one(rows)
    footnotes += hazard_notes([row for row, _ in rows], hazards, keys[0])
    return styled(cells, columns, title, footnotes, [_LOG, _HOLDS_0, *_bases(split)])


def cpu_parts_table(
    parts: pd.DataFrame, title: str | None = None, hazards: Iterable[Hazard] = ()
) -> GT:
    """CPU per operation and what it changed by, part for part: one row per step and me.

    Takes the frame of ``cpu_parts``.
    """
    require(parts, ("step", "me", "part", "mean", "mean_base", "diff", "low", "high"))
    keys = _keys(parts, CPU_PARTS)
    rows = _wide(parts, keys, "part")
    there = [p for p in PARTS if p != WHOLE and (parts["part"] == p).any()]
    cells = pd.DataFrame([[text(row[k]) for k in keys] for row, _ in rows], columns=keys)
    columns = [_key_column(k) for k in keys]
    whole = [of.get(WHOLE, {}) for _, of in rows]
    for name, head in (("mean_base", "base"), ("mean", _compared(parts))):
        cells[name] = [figure(row.get(name, float("nan"))) for row in whole]
        columns.append(Column(name, head, "µs per op", True))
    for part in (WHOLE, *there):
        cells[part] = [_difference(of.get(part)) for _, of in rows]
        spanner = f"{_compared(parts)} - base"
        columns.append(Column(part, part, "µs per op", True, spanner))
    notes = [
        "The parts add up to the whole (arithmetic means over the trials).",
        _HOLDS_0,
    ]
    notes += [_rest_note()] if "rest" in there else []
    footnotes = hazard_notes([row for row, _ in rows], hazards, keys[0])
    return styled(cells, columns, title, footnotes, [*notes, *_bases(parts)])


def cpu_of_step_table(parts: PartsFrame, title: str | None = None) -> GT:
    """One step in full: base, me and difference of each part, and what it costs in rate.

    Takes the rows of ``cpu_parts`` of a step (see ``of_step``).
    """
    keys = [k for k in _keys(parts, CPU_PARTS) if parts[k].nunique(dropna=False) > 1]
    cells = parts[[*keys, "part"]].map(text).reset_index(drop=True)
    for name in ("mean_base", "mean"):
        cells[name] = [figure(v) for v in parts[name]]
    records = parts.to_dict("records")
    cells["diff"] = [_difference(row, " ") for row in records]
    cells["log_pct"] = [_signed(row["log_pct"]) for row in records]
    compared = _compared(parts)
    columns = [_key_column(k) for k in (*keys, "part")]
    columns += [
        Column("mean_base", "base", "µs per op", True),
        Column("mean", compared, "µs per op", True),
        Column("diff", f"{compared} - base", "µs per op", True),
        Column("log_pct", "adds to throughput", "log %", True),
    ]
    notes = [_HOLDS_0, _TRIALS]
    notes += [_rest_note()] if (parts["part"] == "rest").any() else []
    return styled(cells, columns, title, notes=[*notes, *_bases(parts)])


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
    keys = _keys(costs, COST_CHANGES)
    records = costs.to_dict("records")
    cells = costs[[*keys, "metric"]].map(text).reset_index(drop=True)
    cells["metric"] = [text(cost_name(str(m))) for m in costs["metric"]]
    cells["unit"] = [small(shown_unit(str(u))) for u in costs["unit"]]
    for name in ("mean_base", "mean"):
        cells[name] = [figure(v) for v in costs[name]]
    cells["diff"] = [_cost_difference(row) for row in records]
    plain = convention == "plain"
    cells["ratio"] = [_ratio(row) if plain else row["field"] for row in records]
    compared = _compared(costs)
    columns = [_key_column(k) for k in (*keys, "metric", "unit")]
    columns += [
        Column("mean_base", "base", "see unit", True),
        Column("mean", compared, "see unit", True),
        Column("diff", f"{compared} - base", "see unit", True),
        Column("ratio", f"{compared} / base", "ratio", True),
    ]
    noted = [
        Footnote(note, i, "ratio")
        for i, row in enumerate(records)
        for note in filter(None, str(row["note"] or "").split("; "))
    ]
    field = "1: both are 0. inf: the base alone is 0."
    notes = [_HOLDS_0.replace("includes 0", "includes 0, of a ratio 1")]
    notes = [*(notes if plain else [_HOLDS_0, field]), _TRIALS]
    footnotes = [*(noted if plain else []), *hazard_notes(records, hazards, "metric")]
    return styled(cells, columns, title, footnotes, [*notes, *_bases(costs)])


_ORIGINS = {SET: "the user", DEFAULT: "the version", UNKNOWN: "not known"}


def changed_settings_table(settings: pd.DataFrame, title: str | None = None) -> GT:
    """Settings that differ from the base's: ``costs.causes.changed_settings``."""
    require(settings, ("me", "setting", "base", "value", "origin"))
    keys = ["me"] * (settings["me"].nunique() > 1)
    names = [*keys, "setting", "base", "value", "origin"]
    heads = {"setting": "setting", "base": "base"}
    heads |= {"origin": "who decided"}
    heads |= {"me": "compared", "value": "value" if keys else _compared(settings)}
    note = [] if len(settings) else ["Both sides report the same settings."]
    columns = [Column(c, heads[c]) for c in names]
    rows = settings.assign(origin=settings["origin"].map(_ORIGINS))
    return styled(rows[names].map(text), columns, title, notes=note)


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


def _wide(
    frame: pd.DataFrame, keys: Sequence[str], by: str
) -> list[tuple[dict[str, Any], dict[str, dict[str, Any]]]]:
    """For each row of the table its first record, and its records by part."""
    by_key: dict[tuple[str, ...], tuple[dict[str, Any], dict[str, dict[str, Any]]]] = {}
    for record in frame.to_dict("records"):
        row = {str(k): v for k, v in record.items()}
        key = tuple(str(row[k]) for k in keys)
        by_key.setdefault(key, (row, {}))[1][str(row[by])] = row
    return list(by_key.values())


def _log_cell(row: Mapping[str, Any] | None, part: str) -> str:
    if row is None or pd.isna(row["log_pct"]):
        return ""
    if pd.isna(row["detected"]):
        return _signed(row["log_pct"])
    shown = unsure(_signed(row["log_pct"]), row["detected"])
    beside = small(span(row["log_low"], row["log_high"], "{:.1f}".format))
    if not row["detected"]:
        return f"{marked(shown, 'none')}<br>{beside}"
    kind = "better" if row["log_pct"] > 0 else "worse"
    return f"{marked(shown, kind) if part == RATE else shown}<br>{beside}"


def _difference(row: Mapping[str, Any] | None, between: str = "<br>") -> str:
    """A difference with its interval; a bare sign where there is none to be had."""
    if row is None or pd.isna(row["diff"]):
        return ""
    shown = _number(row["diff"])
    if pd.isna(row["low"]) or pd.isna(row["detected"]):
        return shown
    bounds = small(span(row["low"], row["high"], _number))
    shown = shown if row["detected"] else marked(unsure(shown, False), "none")
    return f"{shown}{between}{bounds}"


def _cost_difference(row: Mapping[str, Any]) -> str:
    names = {"low": "diff_low", "high": "diff_high", "detected": "diff_detected"}
    return _difference({"diff": row["diff"], **{k: row[v] for k, v in names.items()}})


def _ratio(row: Mapping[str, Any]) -> str:
    if pd.isna(row["relative"]):
        return ""
    ratio = f"{row['relative']:.2f}"
    if pd.isna(row["detected"]):
        return ratio
    ratio = ratio if row["detected"] else marked(unsure(ratio, False), "none")
    return f"{ratio}<br>{small(span(row['low'], row['high']))}"


def _number(value: float) -> str:
    """With its sign, at the precision of ``figure``; what is nothing has none."""
    shown = figure(value)
    return f"+{shown}" if value > 0 and shown[0].isdigit() else shown


def _signed(value: float) -> str:
    return "" if pd.isna(value) else f"{value:+.1f}"


def _rest_note() -> str:
    return (
        "rest: the machine's CPU without that of server, client and interrupts. Below 0 "
        "it is the error of clock ticks."
    )


def _bases(frame: pd.DataFrame) -> list[str]:
    return [f"Base: {name}." for name in dict.fromkeys(map(str, frame.get("base", [])))]


def _one_by_one(
    rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Mapping[str, Any]]]],
) -> list[Footnote]:
    """What limits a number stands at it; a step without recorded CPU says so."""
    footnotes = []
    for index, (row, parts) in enumerate(rows):
        if row["cpu"] == NONE:
            words = "CPU per operation was not recorded in every run"
            footnotes.append(Footnote(words, index, "cpu"))
        notes = dict.fromkeys(str(p["note"] or "") for p in parts.values())
        for note in (n for text_of in notes for n in text_of.split("; ") if n):
            footnotes.append(Footnote(note, index, RATE))
    return footnotes
