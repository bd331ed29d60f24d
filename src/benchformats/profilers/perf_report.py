"""perf report --stdio: tables of overhead by command, object and symbol.

::

    # Samples: 4K of event 'cycles'
    # Event count (approx.): 27550963166
    #
    # Overhead  Command   Shared Object      Symbol
    # ........  ........  .................  ..............
    #
        46.64%  postgres  postgres           [.] pg_utf_mblen

The dots say where columns begin and end: cells may hold blanks. One table per event. Call
graphs below a row are not read; ``4K`` samples is rounded, and so no figure. Nor are
hierarchies, whose rows are parts of those above them: ``Command / Shared Object``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pyarrow as pa

from benchformats.metric_names import event_metric, metric_name
from benchformats.parsed import Parsed, Problem, Row, TextFile, records_table, whole_lines
from benchformats.profilers.perf import LONGEST, loop_of, step_of

NAME = "perf_report"
SERIES = "perf_report"
VERSION = 3
STEP = "profile"
FIRST = 100  # lines below its header by which a table is recognised

_SAMPLES = re.compile(
    r"# Samples: (?P<samples>\d{1,18})(?P<unit>[KMG]?) +of event(?P<group>s?)"
    r" '(?P<event>[^']+)'",
    re.ASCII,
)
_COUNT = re.compile(r"# Event count \(approx\.\): (\d{1,18})$", re.ASCII)
_WIDTHS = re.compile(r"\.+")
_PERCENT = re.compile(r"\d{1,3}\.\d\d%", re.ASCII)
_INTEGER = re.compile(r"\d{1,18}", re.ASCII)
_SYMBOL = re.compile(r"\[(.)\] (\S.*)")
_MAIN = {"overhead", "children", "self"}  # one of these is a table's first column
_SHARES = {
    name: f"{name}_pct" for name in (*_MAIN, "sys", "usr", "guest_sys", "guest_usr")
}
_NO_WORD = re.compile(r"[^a-z0-9_]+")
_WHOLE = {"line", "samples", "period"}
_TYPES = dict.fromkeys(_SHARES.values(), pa.float64()) | dict.fromkeys(_WHOLE, pa.int64())
_TREE = re.compile(r"\s*[|`-]|\s{12}|\d{1,3}\.\d\d% \S")  # a line of a call graph


@dataclass(frozen=True)
class Column:
    """Where a column's cells stand in a line."""

    name: str
    start: int
    end: int | None  # None: the last, to the line's end


def recognises(file: TextFile) -> bool:
    """The header of a table with the dots below it, and little but rows after them."""
    lines = file.lines[:2000]
    for line_no, pair in enumerate(pairwise(lines), 2):
        if columns := _columns(*pair):
            after = [line for line in lines[line_no:][:FIRST] if line.strip()]
            own = [line for line in after if line.startswith("#") or _TREE.match(line)
                   or _record(line, columns)]  # fmt: skip
            return 2 * len(own) >= len(after)
    return False


def read(file: TextFile) -> Parsed:
    """Lines of the tables as the series ``perf_report``; the events counted as rows.

    Columns: line, event, overhead_pct (or children_pct and self_pct), what else the
    header names (sys, usr and those of guests are shares too), the symbol's level (``.``
    user, ``k`` kernel) and name.
    """
    lines, problems = whole_lines(file)
    step, dims = step_of(file.path, STEP), loop_of(file.name)
    announced = event = ""  # of the table to come, of the one that is being read
    columns: list[Column] = []
    rows: list[Row] = []
    records: list[dict[str, object]] = []
    for line_no, (before, line) in enumerate(zip(["", *lines], lines, strict=False), 1):
        if line.startswith("#"):
            sampled = _SAMPLES.match(line)
            if sampled:
                announced, columns = sampled["event"], []
            if sampled and sampled["group"]:  # sums of what cannot be added
                announced = ""
                problems.append(Problem(line_no, "a group of events: not read"))
            if begun := _columns(before, line):
                columns, event, announced = begun, announced, ""
            metric, value = _total(line, sampled)
            if metric and announced:
                name = f"{event_metric(announced)}_{metric}"
                rows.append(Row(line_no, step, name, value, "count", "none", dims=dims))
        elif line.strip() and not _TREE.match(line):
            record = _record(line, columns)
            if record:
                records.append({"line": line_no, "event": event, **record})
            else:
                problems.append(Problem(line_no, "not a line of the table"))
    table = records_table(records, _TYPES, pa.string())
    return Parsed(rows, {SERIES: table} if records else {}, problems)


def _total(line: str, sampled: re.Match[str] | None) -> tuple[str, float]:
    """What a comment counts: samples or events; "" where nothing, or a rounded number."""
    if sampled:
        return ("" if sampled["unit"] else "samples"), float(sampled["samples"])
    count = _COUNT.match(line)
    return ("sampled", float(count[1])) if count else ("", 0.0)


def _columns(header: str, dots: str) -> list[Column]:
    """Columns of a header by the dots below it; [] where they are no such lines."""
    if len(dots) > LONGEST or not dots.startswith("# ") or not header.startswith("# "):
        return []
    if set(dots) != set("# ."):
        return []
    starts = [width.start() for width in _WIDTHS.finditer(dots)]
    ends: list[int | None] = [*starts[1:], None]
    names = [header[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    if not names or names[0].lower() not in _MAIN or any(" / " in n for n in names):
        return []
    names = [_NO_WORD.sub("_", metric_name(name)).strip("_") for name in names]
    names = [_SHARES.get(name, name) for name in names]
    if not all(names) or len(set(names)) < len(names):
        return []
    return [Column(*one) for one in zip(names, starts, ends, strict=True)]


def _record(line: str, columns: Sequence[Column]) -> dict[str, object] | None:
    """Cells of a line; None where they do not stand in their columns."""
    cells: dict[str, object] = {}
    for column in columns:
        cell = line[column.start : column.end]
        aside = line[column.start - 2 : column.start].strip() and column.start > 2
        text = cell.strip()
        if aside or (column.end and cell[-2:].strip()) or not text:
            return None
        if column.name in _SHARES.values():
            if not _PERCENT.fullmatch(text):
                return None
            cells[column.name] = float(text[:-1])
        elif column.name == "symbol" and (symbol := _SYMBOL.fullmatch(text)):
            cells |= {"level": symbol[1], "symbol": symbol[2]}
        elif column.name in _WHOLE:
            if not _INTEGER.fullmatch(text):
                return None
            cells[column.name] = int(text)
        else:
            cells[column.name] = text
    return cells or None
