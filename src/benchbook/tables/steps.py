"""One row per engine or version, one column per step: the layout that reports publish.

Where that does not fit the page, a row per step and a column per engine or version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter

import pandas as pd
from great_tables import GT

from benchbook.tables.comparison import legend, ratio_cell
from benchbook.tables.look import (
    Column,
    Numbers,
    Parts,
    Row,
    across,
    figure,
    marked,
    note_parts,
    notes_at,
    nothing,
    records_across,
    records_of,
    shown_unit,
    small_unit,
    table,
    text,
    turned,
    with_span,
)
from benchbook.tables.measurements import CLOCKS
from benchmath.frames import further_dimensions, label, require
from benchmath.hazard import Hazard
from benchmath.hazards.writers import SERVICE_LEVEL, ServiceFrame
from benchmath.latency.histogram import FINER, LIMITS, SHARES, SharesFrame
from benchmath.prose import joined, number
from benchmath.ratios.relative import SUMMARY, RatioFrame, SummaryFrame
from benchmath.ratios.verdicts import VERDICTS, VerdictFrame

NOT_RECORDED = "No run has recorded this."
_ROW = "row"
_BASE_ROW = "First row: the base, in the unit of the column."
_BASE_COLUMN = "First column: the base, in the unit of the step."
_CELL = "cell"  # of a row: finished


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
    body, shared = _without_shared(_celled(rows, ratio_cell), list(hazards))
    notes = [*legend(rows), *(f"All ratios: {part}." for part in shared)]
    cells = [*_celled(own, _value), *body]
    return _grid(cells, free, ", ".join(base), title, notes, hazards, base_first=True)


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
    notes = ["The worse of inserts and deletes, in the worst run."]
    notes.append("Missed: less than 0.95 of the target.")
    return _grid(_celled(worst, _reached), free, ", ".join(by), title, notes)


def _reached(row: Row) -> str:
    ratio = f"{row['ratio']:.3f}"
    return marked(f"missed {ratio}", "worse") if row["failed"] else ratio


def _without_shared(
    cells: Sequence[Row], hazards: Sequence[Hazard]
) -> tuple[list[Row], list[str]]:
    """Notes that all numbers have are said once; the hazard of a build stands for its."""
    notes = [note_parts(row) for row in cells]
    common = [n for n in notes[0] if all(n in others for others in notes)]
    unshared: list[Row] = []
    for row, parts in zip(cells, notes, strict=True):
        build_known = any(h.code == "build changed" and h.concerns(row) for h in hazards)
        left = [
            part
            for part in parts
            if part not in common
            and not (build_known and part.startswith("build changed too"))
        ]
        unshared.append({**row, "note": "; ".join(left)})
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
    notes = ["Geometric mean over the trials; small: 95% interval.", *notes]
    return _grid(_celled(rows, _value), free, ", ".join(by), title, notes, hazards)


def calibration_table(
    pairs: pd.DataFrame, hazards: Iterable[Hazard] = (), title: str | None = None
) -> GT:
    """What the build alone makes: takes ``calibration``."""
    if pairs.empty:
        said = "No version was built in two series, nor were two neighbours."
        return nothing(said, title, _ROW, "pair")
    rows = pairs.assign(**{_ROW: pairs["pair"]}, unit="ratio", note="")
    notes = ["Throughput of the first build over the second.", *legend(rows)[1:]]
    return _grid(_celled(rows, ratio_cell), [], "pair", title, notes, hazards)


def shares_table(
    shares: SharesFrame, hazards: Iterable[Hazard] = (), title: str | None = None
) -> GT:
    """Percent of operations by response time: takes ``response_shares``."""
    require(shares, ("step", "op", "clock", *LIMITS, "max_ms", "count"))
    there = [name for name in (*FINER, *LIMITS) if name in shares]
    reached = [name for name in there if (shares[name] > 0).any()]
    columns = [
        *map(Column, SHARES.keys(shares)),
        *(
            Numbers(name, _limit(name), spanner="percent of operations, up to",
                    show=_share)
            for name in reached
        ),
        Numbers("max_ms", "max", "ms", show=number),
        Numbers("count", "count", "operations", show=number),
    ]  # fmt: skip
    return table(shares, columns, title, [CLOCKS], hazards, "op")


def _limit(name: str) -> str:
    return "over" if name == "gt" else name.replace("us", "µs")


def _share(percent: float) -> str:
    """Enough digits to see one operation in a hundred thousand; nothing for none."""
    if percent == 0:
        return ""
    shown = f"{percent:.3f}" if percent < 0.1 else f"{percent:.1f}"
    return marked(shown, "none") if percent < 0.1 else shown


def _celled(frame: pd.DataFrame, cell: Callable[[Row], str]) -> list[Row]:
    return [{**row, _CELL: cell(row)} for row in records_of(frame)]


def _grid(
    cells: Sequence[Row],
    free: Sequence[str],
    head: str,
    title: str | None,
    notes: Sequence[str],
    hazards: Iterable[Hazard] = (),
    base_first: bool = False,
) -> GT:
    """Finished cells by name, ``free`` dimensions and step, as they come.

    Steps are columns, or rows where they would not fit the page.
    """
    keys, hazards = [_ROW, *free], list(hazards)
    cells = _with_marks(cells, keys, hazards)
    steps = list(dict.fromkeys(str(row["step"]) for row in cells))
    rows = across(cells, keys, "step")
    columns = [
        Column(_ROW, head, notes=itemgetter("of_row")),
        *(Column(key, show=lambda value: text(str(value))) for key in free),
        *(
            Numbers(f"step {step}", step, _unit(cells, step),
                    of=step, cell=itemgetter(_CELL), notes=itemgetter("own"))
            for step in steps
        ),
    ]  # fmt: skip
    by_step = _steps_as_rows((rows, columns), keys)
    first = [_BASE_COLUMN if by_step else _BASE_ROW] if base_first else []
    order = [part for row in cells for part in note_parts(row)]
    order += [h.text for row in cells for h in hazards if h.concerns(row)]
    return table(*(by_step or (rows, columns)), title, [*first, *notes], order=order)


def _with_marks(
    cells: Sequence[Row], keys: Sequence[str], hazards: Sequence[Hazard]
) -> list[Row]:
    """Cells with the footnotes of their row, and with those of their own.

    What limits a number stands at the number, what limits all of a row at its name.
    """
    steps = len({str(row["step"]) for row in cells})
    of_row: dict[str, list[str]] = {}
    for row in across(cells, keys, "step"):
        own = [*records_across(row).values()]
        whole = [n for n in note_parts(own[0]) if all(n in note_parts(r) for r in own)]
        of_row[_name(row, keys)] = [
            *(whole if 1 < steps == len(own) else []),
            *(h.text for h in hazards
              if "step" not in h.where and any(map(h.concerns, own))),
        ]  # fmt: skip
    marks: list[Row] = []
    for row in cells:
        shared = of_row[_name(row, keys)]
        notes = [n for n in note_parts(row) if n not in shared]
        notes += [h.text for h in hazards if "step" in h.where and h.concerns(row)]
        marks.append({**row, "of_row": shared, "own": notes})
    return marks


def _steps_as_rows(plain: Parts, keys: Sequence[str]) -> Parts | None:
    """The same turned round, where it fits better; the unit stands at the step's name.

    What marks the name of a row marks its column, what marks all of a step its name.
    """
    rows, columns = plain
    units = [column.unit for column in columns if column.right]
    alike = len(set(units)) == 1
    over = shown_unit(joined(units)) if alike else ""

    def cell(new: Row) -> str:
        name, unit = text(new["column"].title), small_unit(new["column"].unit)
        return name if alike else f"{name} {unit}"

    def notes(new: Row) -> list[str]:
        of_first, *others = (notes_at(new["column"], row) for row in rows)
        return [n for n in of_first if others and all(n in other for other in others)]

    def head(index: int, row: Row) -> Column:
        return Column(f"cell {index}", _name(row, keys), spanner=over)

    return turned(plain, Column("step", cell=cell, notes=notes), head)


def _name(row: Row, keys: Sequence[str]) -> str:
    return " ".join(str(row[key]) for key in keys)


def _unit(cells: Sequence[Row], step: str) -> str:
    return joined(row["unit"] for row in cells if str(row["step"]) == step)


def _value(row: Row) -> str:
    value, low = figure(row["value"]), row.get("low")
    return value if pd.isna(low) else with_span(value, row["low"], row["high"])
