"""One row per engine or version, one column per step: the layout that reports publish.

Where that does not fit the page, a row per step and a column per engine or version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from great_tables import GT

from benchbook.tables.columns import PAGE, READABLE, width
from benchbook.tables.comparison import legend, ratio_cell
from benchbook.tables.look import (
    Column,
    Footnote,
    figure,
    hazard_notes,
    marked,
    nothing,
    shown_unit,
    small,
    styled,
    text,
)
from benchmath.frames import further_dimensions, label, require
from benchmath.hazard import Hazard
from benchmath.hazards.writers import SERVICE_LEVEL, ServiceFrame
from benchmath.latency.histogram import LIMITS, SHARES, SharesFrame
from benchmath.prose import joined, number, span
from benchmath.ratios.relative import SUMMARY, RatioFrame, SummaryFrame
from benchmath.ratios.verdicts import VERDICTS, VerdictFrame

NOT_RECORDED = "No run has recorded this."
_ROW = "row"
_BASE_ROW = "First row: the base, in the unit of the column."
_BASE_COLUMN = "First column: the base, in the unit of the step."
_Parts = tuple[pd.DataFrame, list[Column], list[Footnote]]


def ratios_by_step(
    judged: VerdictFrame | RatioFrame,
    absolute: SummaryFrame,
    base: Mapping[str, str],
    hazards: Iterable[Hazard] = (),
    title: str | None = None,
) -> GT:
    """The base's own values in the first row, below it every other cell as a ratio.

    ``judged`` is the frame of ``verdicts`` or ``relative``, ``absolute`` that of
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
    notes = [*legend(rows), *(f"All ratios: {part}." for part in shared)]
    grid = _Grid([*head, *body], free, ", ".join(base), list(hazards), base_first=True)
    return grid.table(title, notes)


def rates_by_step(sla: ServiceFrame, by: Sequence[str], title: str | None = None) -> GT:
    """The share of their rate that the writers reached, inserts and deletes together.

    Takes the frame of ``service_level``; shown is the worse of the two, of the
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
    return _Grid(cells, free, ", ".join(by)).table(title, notes)


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
    """Absolute values with their intervals: takes the frame of ``summary``.

    ``by`` names the dimensions that make a row; what else varies within it gets a column.
    """
    require(absolute, ("step", "value", "unit"))
    if absolute.empty:
        return nothing(NOT_RECORDED, title, _ROW)
    rows = absolute.assign(**{_ROW: label(absolute, list(by))})
    free = further_dimensions(absolute, SUMMARY, [*by, "step"])
    cells = [(row, _value(row)) for row in rows.to_dict("records")]
    legend = "Geometric mean over the trials; small: 95% interval."
    grid = _Grid(cells, free, ", ".join(by), list(hazards))
    return grid.table(title, [legend, *notes])


def calibration_table(
    pairs: pd.DataFrame, hazards: Iterable[Hazard] = (), title: str | None = None
) -> GT:
    """What the build alone makes: takes ``calibration``."""
    if pairs.empty:
        said = "No version was built in two series, nor were two neighbours."
        return nothing(said, title, _ROW, "pair")
    rows = pairs.assign(**{_ROW: pairs["pair"]})
    cells = [(row, ratio_cell(row, "<br>")) for row in rows.to_dict("records")]
    cells = [(row | {"unit": "ratio", "note": ""}, cell) for row, cell in cells]
    notes = ["Throughput of the first build over the second.", *legend(rows)[1:]]
    return _Grid(cells, [], "pair", list(hazards)).table(title, notes)


def shares_table(
    shares: SharesFrame, hazards: Iterable[Hazard] = (), title: str | None = None
) -> GT:
    """Percent of operations by response time: takes ``response_shares``."""
    require(shares, ("step", "op", "clock", *LIMITS, "max_ms", "count"))
    keys = SHARES.keys(shares)
    cells = shares[keys].map(text)
    columns = [Column(key, key) for key in keys]
    reached = [name for name in LIMITS if (shares[name] > 0).any()]
    for name in reached:
        cells[name] = [_share(v) for v in shares[name]]
        columns.append(
            Column(name, _limit(name), "", True, "percent of operations, up to")
        )
    for name, head, unit in (("max_ms", "max", "ms"), ("count", "count", "operations")):
        cells[name] = [number(v) for v in shares[name]]
        columns.append(Column(name, head, unit, True))
    footnotes = hazard_notes(shares.to_dict("records"), hazards, "op")
    legend = "Clock intended: from when the request was due; actual: from its start."
    return styled(cells, columns, title, footnotes, [legend])


def _limit(name: str) -> str:
    return "over" if name == "gt" else name.replace("us", "µs")


def _share(percent: float) -> str:
    """Enough digits to see one operation in a hundred thousand; nothing for none."""
    if percent == 0:
        return ""
    shown = f"{percent:.3f}" if percent < 0.1 else f"{percent:.1f}"
    return marked(shown, "none") if percent < 0.1 else shown


@dataclass(frozen=True)
class _Grid:
    """Finished cells by name and free dimensions, and by step, as they come."""

    cells: Sequence[tuple[Mapping[str, Any], str]]
    free: Sequence[str]
    head: str
    hazards: Sequence[Hazard] = ()
    base_first: bool = False

    def table(self, title: str | None, notes: Sequence[str]) -> GT:
        """Steps as columns; as rows where they would not fit the page."""
        frame, columns, footnotes = self._steps_as_columns()
        turned = self._steps_as_rows(columns, footnotes)
        wide, other = (width(f, c, READABLE) for f, c, _ in
                       ((frame, columns, footnotes), turned))  # fmt: skip
        rows = wide > PAGE and other < wide
        first = [_BASE_ROW if not rows else _BASE_COLUMN] if self.base_first else []
        if rows:
            frame, columns, footnotes = turned
        return styled(frame, columns, title, footnotes, [*first, *notes])

    def _steps(self) -> list[str]:
        return list(dict.fromkeys(str(row["step"]) for row, _ in self.cells))

    def _keys(self) -> list[tuple[str, ...]]:
        return list(dict.fromkeys(_key(row, self.free) for row, _ in self.cells))

    def _steps_as_columns(self) -> _Parts:
        keys = self._keys()
        place = {key: i for i, key in enumerate(keys)}
        names = [_ROW, *self.free]
        frame = pd.DataFrame([[text(v) for v in key] for key in keys], columns=names)
        columns = [Column(_ROW, self.head), *(Column(name, name) for name in self.free)]
        steps = self._steps()
        for step in steps:
            at = {_key(r, self.free): c for r, c in self.cells if str(r["step"]) == step}
            frame[f"step {step}"] = [at.get(key, "") for key in keys]
            columns.append(Column(f"step {step}", step, _unit(self.cells, step), True))
        footnotes = _notes(self.cells, self.free, place, len(steps))
        footnotes += _marks(self.cells, self.free, place, self.hazards)
        return frame, columns, footnotes

    def _steps_as_rows(
        self, columns: Sequence[Column], footnotes: Sequence[Footnote]
    ) -> _Parts:
        """The same turned round; the unit stands at the step's name."""
        steps, keys = self._steps(), self._keys()
        units = {c.name: c.unit for c in columns}
        shared = joined(units[f"step {step}"] for step in steps)
        alike = len({units[f"step {step}"] for step in steps}) == 1
        at = {(str(r["step"]), _key(r, self.free)): cell for r, cell in self.cells}
        frame = pd.DataFrame({"step": [
            text(step) if alike else _with_unit(step, units[f"step {step}"])
            for step in steps
        ]})  # fmt: skip
        turned, over = [Column("step", "step")], shown_unit(shared) if alike else ""
        for i, key in enumerate(keys):
            frame[f"cell {i}"] = [at.get((step, key), "") for step in steps]
            name = " ".join(key)
            turned.append(Column(f"cell {i}", name, "", True, over))
        return frame, turned, _turned(footnotes, steps, len(keys))


def _with_unit(step: str, unit: str) -> str:
    return f"{text(step)} {small(shown_unit(unit))}"


def _turned(
    footnotes: Sequence[Footnote], steps: Sequence[str], rows: int
) -> list[Footnote]:
    """Of a row's name: of its column. Of all of a step: of its name."""
    places = {f"step {step}": i for i, step in enumerate(steps)}
    whole = Counter((f.text, f.column) for f in dict.fromkeys(footnotes))
    turned = []
    for note in dict.fromkeys(footnotes):
        if note.column not in places:
            turned += [
                Footnote(note.text, i, f"cell {note.row}") for i in places.values()
            ]
        elif rows > 1 and whole[note.text, note.column] == rows:
            turned.append(Footnote(note.text, places[note.column], "step"))
        else:
            at = places[note.column]
            turned.append(Footnote(note.text, at, f"cell {note.row}"))
    return list(dict.fromkeys(turned))


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
    value = figure(row["value"])
    if pd.isna(row.get("low")):
        return value
    interval = span(row["low"], row["high"], figure)
    return f"{value}<br>{small(interval)}"
