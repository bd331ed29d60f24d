"""Tables made of db_bench sums: ops_sec of steps (rows) by RocksDB version (columns).

Files fmt.*.abs{0,1}, sum.abs{0,1}.*, csum*.csv have a header, abs.*.tsv and rel2.*.csv
have none; a tsv has the step last, a csv first::

    9.8.4    9.9.3    test                          test,9.8.4,9.9.3,
    1513822  1559014  fillseq.wal_disabled.v400     fillseq.wal_disabled.v400,1.00,1.03

What a row holds is told by its figures, not by the file's name (there are relative tables
under names of absolute ones): integers are operations/s, two decimals are ratios to the
first version, ``rel_ops_sec`` with dimension ``relative_to``. Columns without a header
keep their number as dimension ``column``; rel2 leaves the base out, which shows: its
column 1 is not 1.00 throughout.

The file's name may say compiler and block cache: see db_bench_setup. Other repeated
versions are trials, in the order of columns; ratios to one of them are to ``column 1``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchformats.db_bench.figures import ABSENT, ENGINE, dop_of, figure_of, op_of
from benchformats.db_bench.setup import BASE, BOTH, Setup, setup_of
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number

NAME = "db_bench_tables"
VERSION = 3

_VERSION = re.compile(r"\d{1,3}\.\d{1,4}(?:\.[\w.+-]+)?", re.ASCII)
_STEP = re.compile(
    r"(?:fill|overwrite|bulkload|update|append|merge|delete|multiread|read|fwdrange"
    r"|revrange|seek|newiterator|random|mixgraph)[a-z]*\.[a-z0-9_.]+"
)
_SHAPES = {
    "ops_sec": re.compile(r"\d{1,15}", re.ASCII),
    "rel_ops_sec": re.compile(r"\d{1,9}\.\d\d", re.ASCII),
}
_IS_BASE = "1.00"
NO_HEADER = "no header names the versions: columns are numbered"
HEAD = 20


@dataclass(frozen=True)
class _Table:
    """How the rows of a table are to be read."""

    separator: str
    name_first: bool
    versions: tuple[str, ...] = ()  # none: no header
    base: str = ""  # what ratios are to


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
        why = NO_HEADER if table else "neither versions nor a step in the first line"
        problems.append(Problem(0, why))
    setup = setup_of(file.name)
    if table is not None:
        problems += _doubts(setup, table.versions)
        table = replace(table, base=_base(table, lines))
    rows: list[Row] = []
    for line_no, line in enumerate(lines, 1):
        again = _header(line)  # the same one once more
        if table is None or not line.strip() or (
            again and again.versions == table.versions):  # fmt: skip
            continue
        new, complaints = _rows(table, setup, line, line_no)
        rows += new
        problems += [Problem(line_no, text) for text in complaints]
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
    return (step, parts) if parts and _STEP.fullmatch(step) else None


def _rows(
    table: _Table, setup: Setup, line: str, line_no: int
) -> tuple[list[Row], list[str]]:
    step_and_cells = _cells(table, line)
    if step_and_cells is None:
        return [], ["not a step and its figures"]
    step, cells = step_and_cells
    expected = len(table.versions)
    if expected and len(cells) != expected:
        return [], [f"{step}: {len(cells)} figures for {expected} versions: not read"]
    figures = [c for c in cells if c not in ABSENT]
    shapes = [m for m, shape in _SHAPES.items() if all(map(shape.fullmatch, figures))]
    if len(shapes) != 1:
        return [], [f"{step}: neither operations/s nor ratios of two decimals"]
    return _figures(table, setup, line_no, step, cells, shapes[0]), []


def _figures(
    table: _Table, setup: Setup, line_no: int, step: str, cells: list[str], metric: str
) -> list[Row]:
    relative = metric == "rel_ops_sec"
    unit, direction = ("ratio", "higher") if relative else figure_of(metric)
    versions = table.versions or ("",) * len(cells)
    said = setup.dims_of(table.versions) or [setup.dims] * len(cells)
    trials: Counter[tuple[str, ...]] = Counter()
    rows = []
    for column, (version, own, cell) in enumerate(
        zip(versions, said, cells, strict=True), 1
    ):
        setting = (version, *own.values())
        trials[setting] += 1
        value = number(cell)
        if value is None:
            continue
        dims = own if version else own | {"column": str(column)}
        if relative:
            dims = dims | {"relative_to": table.base}
        rows.append(Row(
            line_no, step, metric, value, unit, direction, op=op_of(step),
            main=not relative and bool(version), dop=dop_of(step),
            trial=trials[setting] if version else 1, version=version, engine=ENGINE,
            dims=dims,
        ))  # fmt: skip
    return rows


def _base(table: _Table, lines: Sequence[str]) -> str:
    """What ratios are to: the first version, or its column where there is another."""
    if table.versions:
        once = table.versions.count(table.versions[0]) == 1
        return table.versions[0] if once else "column 1"
    cells = [parts[1] for line in lines if (parts := _cells(table, line))]
    first = {row[0] for row in cells} - ABSENT
    return "column 1" if first <= {_IS_BASE} else "a version left out"


def _doubts(setup: Setup, versions: tuple[str, ...]) -> list[Problem]:
    """What is taken from the file's name and could be read otherwise."""
    if setup.both and len(set(versions)) < len(versions):
        return [Problem(0, BOTH)]
    if setup.begins_with_base(versions):
        return [Problem(0, f"column 1: {BASE}")]
    return []
