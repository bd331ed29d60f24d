"""Tables made of db_bench sums: ops_sec of steps (rows) by RocksDB version (columns).

Files fmt.*.abs{0,1}, sum.abs{0,1}.*, csum*.csv have a header, abs.*.tsv and rel2.*.csv
have none; a tsv has the step last, a csv first::

    9.8.4    9.9.3    test                          test,9.8.4,9.9.3,
    1513822  1559014  fillseq.wal_disabled.v400     fillseq.wal_disabled.v400,1.00,1.03

What a row holds is told by its figures, not by the file's name (there are relative tables
under names of absolute ones): integers are operations/s, two decimals are ratios to the
first version, ``rel_ops_sec`` with dimension ``base``. Columns without a header keep
their number as dimension ``column``; rel2 leaves the base out, so its column 1 is the
second version. Repeated versions are trials, in the order of columns.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from benchbook.formats.db_bench_words import (
    ABSENT,
    ENGINE,
    dop_of,
    figure_of,
    number,
    op_of,
)
from benchbook.formats.parsed import Parsed, Problem, Row, TextFile, whole_lines

NAME = "db_bench_tables"
VERSION = 2

_VERSION = re.compile(r"\d{1,3}\.\d{1,4}(?:\.[\w.+-]+)?", re.ASCII)
_STEP = re.compile(
    r"(?:fill|overwrite|bulkload|update|append|merge|delete|multiread|read|fwdrange"
    r"|revrange|seek|newiterator|random|mixgraph)[a-z]*\.[a-z0-9_.]+"
)
_SHAPES = {
    "ops_sec": re.compile(r"\d{1,15}", re.ASCII),
    "rel_ops_sec": re.compile(r"\d{1,9}\.\d\d", re.ASCII),
}
NO_HEADER = "no header names the versions: columns are numbered"
HEAD = 20


@dataclass(frozen=True)
class _Table:
    """How the rows of a table are to be read."""

    separator: str
    name_first: bool
    versions: tuple[str, ...] = ()  # none: no header


def recognises(file: TextFile) -> bool:
    """A header of versions and ``test``, or steps of db_bench and numbers."""
    head = [line for line in file.lines[:HEAD] if line.strip()]
    if not head:
        return False
    if _header(head[0]):
        return True
    table = _without_header(head[0])
    return table is not None and all(_cells(table, line) for line in head)


def read(file: TextFile) -> Parsed:
    """One row per version and step; a row that does not fit is a problem."""
    lines, problems = whole_lines(file)
    first = next((line for line in lines if line.strip()), "")
    table = _header(first)
    if table is None:
        table = _without_header(first)
        told = NO_HEADER if table else "neither versions nor a step in the first line"
        problems.append(Problem(0, told))
    rows: list[Row] = []
    for line_no, line in enumerate(lines, 1):
        if table is None or not line.strip() or _header(line) == table:
            continue
        new, told_row = _rows(table, line, line_no)
        rows += new
        problems += [Problem(line_no, text) for text in told_row]
    return Parsed(rows, problems=problems)


def _header(line: str) -> _Table | None:
    tabs, commas = line.rstrip().split("\t"), line.rstrip().rstrip(",").split(",")
    if len(tabs) > 1 and tabs[-1] == "test":
        table = _Table("\t", False, tuple(tabs[:-1]))
    elif len(commas) > 1 and commas[0] == "test":
        table = _Table(",", True, tuple(commas[1:]))
    else:
        return None
    return table if all(map(_VERSION.fullmatch, table.versions)) else None


def _without_header(line: str) -> _Table | None:
    tabs, commas = line.rstrip().split("\t"), line.rstrip().split(",")
    if len(tabs) > 1 and _STEP.fullmatch(tabs[-1]):
        return _Table("\t", False)
    if len(commas) > 1 and _STEP.fullmatch(commas[0]):
        return _Table(",", True)
    return None


def _cells(table: _Table, line: str) -> tuple[str, list[str]] | None:
    """The step and the cells of a row; None where the line is no row."""
    parts = [part.strip() for part in line.split(table.separator)]
    step = parts.pop(0 if table.name_first else -1)
    known = bool(_STEP.fullmatch(step))
    return (step, parts) if known and parts else None


def _rows(table: _Table, line: str, line_no: int) -> tuple[list[Row], list[str]]:
    found = _cells(table, line)
    if found is None:
        return [], ["not a step and its figures"]
    step, cells = found
    wanted = len(table.versions)
    if wanted and len(cells) != wanted:
        return [], [f"{step}: {len(cells)} figures for {wanted} versions: not read"]
    told = [c for c in cells if c not in ABSENT]
    shapes = [m for m, shape in _SHAPES.items() if all(map(shape.fullmatch, told))]
    if len(shapes) != 1:
        return [], [f"{step}: neither operations/s nor ratios of two decimals"]
    return _figures(table, line_no, step, cells, shapes[0]), []


def _figures(
    table: _Table, line_no: int, step: str, cells: list[str], metric: str
) -> list[Row]:
    relative = metric == "rel_ops_sec"
    unit, direction = ("ratio", "higher") if relative else figure_of(metric)
    versions = table.versions or ("",) * len(cells)
    trials: Counter[str] = Counter()
    rows = []
    for column, (version, cell) in enumerate(zip(versions, cells, strict=True), 1):
        trials[version] += 1
        value = number(cell)
        if value is None:
            continue
        dims = {} if table.versions else {"column": str(column)}
        if relative:
            dims["relative_to"] = table.versions[0] if table.versions else "column 1"
        rows.append(Row(
            line_no, step, metric, value, unit, direction, op=op_of(step),
            main=not relative and bool(version), dop=dop_of(step),
            trial=trials[version] if version else 1, version=version, engine=ENGINE,
            dims=dims,
        ))  # fmt: skip
    return rows
