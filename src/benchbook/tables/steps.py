"""One row per engine or version, one column per step: the layout that reports publish."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from great_tables import GT

from benchbook.analysis.frames import further_dimensions, label, require
from benchbook.analysis.hazard import Hazard
from benchbook.analysis.hazards.writers import SERVICE_LEVEL, ServiceFrame
from benchbook.analysis.latency.shares import LIMITS, SHARES, SharesFrame
from benchbook.analysis.ratios.relative import SUMMARY, RatioFrame, SummaryFrame
from benchbook.analysis.ratios.verdicts import VERDICTS, VerdictFrame
from benchbook.prose import joined, number, span
from benchbook.tables.comparison import legend, ratio_cell
from benchbook.tables.look import (
    Column,
    Footnote,
    hazard_notes,
    marked,
    nothing,
    small,
    styled,
    text,
)

NOT_RECORDED = "No run has recorded this."
_ROW = "row"


def ratios_by_step(
    judged: VerdictFrame | RatioFrame,
    absolute: SummaryFrame,
    base: Mapping[str, str],
    hazards: Iterable[Hazard] = (),
    title: str | None = None,
) -> GT:
    """The base's own values in the first row, below it every other cell as a ratio.

    ``judged`` is the frame of ``analysis.verdicts`` or ``relative``, ``absolute`` that of
    ``summary`` with the base's cells. A hazard of a step marks the step's column, one of
    a cell its row, one of both the number.
    """
    require(judged, ("step", "me", "relative", "low", "high", "note"))
    if judged.empty or absolute.empty:
        return nothing(NOT_RECORDED, title, _ROW)
    free = further_dimensions(judged, VERDICTS, ["me", "step"])
    chosen = pd.Series(True, index=absolute.index)
    for dimension, value in base.items():
        chosen &= absolute[dimension].astype(str) == str(value)
    own = absolute[chosen]
    own = own.assign(**{_ROW: [f"{name} (base)" for name in label(own, list(base))]})
    rows = judged.assign(**{_ROW: judged["me"].astype(str)})
    body = [(row, ratio_cell(row, "<br>")) for row in rows.to_dict("records")]
    head = [(row, _value(row)) for row in own.to_dict("records")]
    body, shared = _without_shared(body, list(hazards))
    notes = [f"First row: the base, in the unit of the column. {legend(rows)[0]}"]
    notes += [*legend(rows)[1:], *(f"All ratios: {part}." for part in shared)]
    return _grid([*head, *body], free, title, hazards, notes, ", ".join(base))


def rates_by_step(sla: ServiceFrame, by: Sequence[str], title: str | None = None) -> GT:
    """The share of their rate that the writers reached, inserts and deletes together.

    Takes the frame of ``analysis.service_level``; shown is the worse of the two, of the
    worst run.
    """
    require(sla, ("step", "op", "ratio", "failed", "target"))
    if sla.empty:
        return nothing("No step of this study has rate-limited writers.", title, _ROW)
    rows = sla.assign(**{_ROW: label(sla, list(by))}, unit="achieved / target", note="")
    free = further_dimensions(sla, SERVICE_LEVEL, [*by, "step"])
    rows = rows.sort_values("ratio", kind="stable")
    worst = rows.drop_duplicates([_ROW, *free, "step"]).sort_index()
    cells = [(row, _reached(row)) for row in worst.to_dict("records")]
    notes = ["The worse of inserts and deletes, in the worst run."]
    notes.append("Missed: less than 0.95 of the target.")
    return _grid(cells, free, title, (), notes, ", ".join(by))


def _reached(row: Mapping[str, Any]) -> str:
    ratio = f"{row['ratio']:.3f}"
    return marked(f"missed {ratio}", "worse") if row["failed"] else ratio


def _without_shared(
    cells: Sequence[tuple[dict[str, Any], str]], hazards: Sequence[Hazard]
) -> tuple[list[tuple[dict[str, Any], str]], list[str]]:
    """Notes that all numbers have are said once; the hazard of a build stands for its."""
    notes = [[n for n in str(row["note"] or "").split("; ") if n] for row, _ in cells]
    common = [n for n in notes[0] if all(n in others for others in notes)]
    unshared = []
    for (row, cell), parts in zip(cells, notes, strict=True):
        build_known = any(h.code == "build changed" and h.concerns(row) for h in hazards)
        left = [
            part
            for part in parts
            if part not in common
            and not (build_known and part.startswith("build changed too"))
        ]
        unshared.append((row | {"note": "; ".join(left)}, cell))
    return unshared, common


def values_by_step(
    absolute: SummaryFrame,
    by: Sequence[str],
    hazards: Iterable[Hazard] = (),
    title: str | None = None,
    notes: Sequence[str] = (),
) -> GT:
    """Absolute values with their intervals: takes the frame of ``analysis.summary``.

    ``by`` names the dimensions that make a row; what else varies within it gets a column.
    """
    require(absolute, ("step", "value", "unit"))
    if absolute.empty:
        return nothing(NOT_RECORDED, title, _ROW)
    rows = absolute.assign(**{_ROW: label(absolute, list(by))})
    free = further_dimensions(absolute, SUMMARY, [*by, "step"])
    cells = [(row, _value(row)) for row in rows.to_dict("records")]
    legend = "Geometric mean over the trials; small: 95% interval."
    return _grid(cells, free, title, hazards, [legend, *notes], ", ".join(by))


def calibration_table(
    pairs: pd.DataFrame, hazards: Iterable[Hazard] = (), title: str | None = None
) -> GT:
    """What the build alone makes: takes ``analysis.build_series.calibration``."""
    if pairs.empty:
        said = "No version was built in two series, nor were two neighbours."
        return nothing(said, title, _ROW, "pair")
    rows = pairs.assign(**{_ROW: pairs["pair"]})
    cells = [(row, ratio_cell(row, "<br>")) for row in rows.to_dict("records")]
    cells = [(row | {"unit": "ratio", "note": ""}, cell) for row, cell in cells]
    notes = ["Throughput of the first build over the second.", *legend(rows)[1:]]
    return _grid(cells, [], title, hazards, notes, "pair")


def shares_table(
    shares: SharesFrame, hazards: Iterable[Hazard] = (), title: str | None = None
) -> GT:
    """Percent of operations by response time: takes ``analysis.response_shares``."""
    require(shares, ("step", "op", "clock", *LIMITS, "max_ms", "count"))
    keys = SHARES.keys(shares)
    cells = shares[keys].map(text)
    columns = [Column(key, key) for key in keys]
    for name in LIMITS:
        cells[name] = [_share(v) for v in shares[name]]
        columns.append(Column(name, name, "", True, "percent of operations, up to"))
    for name, head, unit in (("max_ms", "max", "ms"), ("count", "count", "operations")):
        cells[name] = [number(v) for v in shares[name]]
        columns.append(Column(name, head, unit, True))
    footnotes = hazard_notes(shares.to_dict("records"), hazards, "op")
    legend = "Clock intended: from when the request was due; actual: from its start."
    return styled(cells, columns, title, footnotes, [legend])


def _share(percent: float) -> str:
    """Enough digits to see one operation in a hundred thousand; nothing for none."""
    if percent == 0:
        return ""
    figure = f"{percent:.3f}" if percent < 0.1 else f"{percent:.1f}"
    return marked(figure, "none") if percent < 0.1 else figure


def _grid(
    cells: Sequence[tuple[Mapping[str, Any], str]],
    free: Sequence[str],
    title: str | None,
    hazards: Iterable[Hazard],
    notes: Sequence[str],
    head: str,
) -> GT:
    """Cells in rows by name and free dimensions, in columns by step, as they come."""
    steps = list(dict.fromkeys(str(row["step"]) for row, _ in cells))
    keys = list(dict.fromkeys(_key(row, free) for row, _ in cells))
    place = {key: i for i, key in enumerate(keys)}
    columns = [Column(_ROW, head), *(Column(name, name) for name in free)]
    frame = pd.DataFrame([[text(v) for v in key] for key in keys], columns=[_ROW, *free])
    for step in steps:
        mine = {place[_key(r, free)]: cell for r, cell in cells if str(r["step"]) == step}
        frame[f"step {step}"] = [mine.get(i, "") for i in range(len(keys))]
        columns.append(Column(f"step {step}", step, _unit(cells, step), True))
    footnotes = _notes(cells, free, place, len(steps))
    footnotes += _marks(cells, free, place, list(hazards))
    return styled(frame, columns, title, footnotes, notes)


def _notes(
    cells: Sequence[tuple[Mapping[str, Any], str]],
    free: Sequence[str],
    place: Mapping[tuple[str, ...], int],
    steps: int,
) -> list[Footnote]:
    """What limits a number at the number; what limits all of a row at its name."""
    where: dict[str, dict[int, list[str]]] = {}
    for row, _ in cells:
        for part in filter(None, str(row.get("note") or "").split("; ")):
            at = where.setdefault(part, {}).setdefault(place[_key(row, free)], [])
            at.append(f"step {row['step']}")
    footnotes = []
    for part, rows in where.items():
        for index, columns in rows.items():
            whole = steps > 1 and len(columns) == steps
            footnotes += [
                Footnote(part, index, c) for c in ([_ROW] if whole else columns)
            ]
    return footnotes


def _marks(
    cells: Sequence[tuple[Mapping[str, Any], str]],
    free: Sequence[str],
    place: Mapping[tuple[str, ...], int],
    hazards: Sequence[Hazard],
) -> list[Footnote]:
    footnotes = []
    for row, _ in cells:
        index = place[_key(row, free)]
        for hazard in hazards:
            if hazard.concerns(row):
                column = f"step {row['step']}" if "step" in hazard.where else _ROW
                footnotes.append(Footnote(hazard.text, index, column))
    return footnotes


def _key(row: Mapping[str, Any], free: Sequence[str]) -> tuple[str, ...]:
    return (str(row[_ROW]), *(str(row[name]) for name in free))


def _unit(cells: Sequence[tuple[Mapping[str, Any], str]], step: str) -> str:
    return joined(r["unit"] for r, _ in cells if str(r["step"]) == step)


def _value(row: Mapping[str, Any]) -> str:
    value = number(row["value"])
    if pd.isna(row.get("low")):
        return value
    interval = span(row["low"], row["high"], number)
    return f"{value}<br>{small(interval)}"
