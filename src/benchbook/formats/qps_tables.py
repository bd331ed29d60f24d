"""qps.abs.*, qps.rel.*, sum.*: throughput of tests (rows) by DBMS (columns).

Inputs, a header, and rows with the name of the test last::

    col-1 : x.my5621_rel.z10a_bee.pk1          Relative to: x.my5621_rel.z10a_bee.pk1
    col-2 : x.my5631_rel.z10a_bee.pk1          col-1 : x.my5631_rel.z10a_bee.pk1

    col-1  col-2                               col-1
    2444   2385   hot-points_range=100         0.98  hot-points_range=100

Also read: copies with titles of groups, shortened names (``.edit``) or remarks behind the
name (``.markup``), the older ``sum.<tag>`` (``hot-points range=100``), the averages of
groups (``.`` before the header, name first), and the blocks of ``qps_blocks``. Ratios are
``rel_qps``, of dimension ``base``. A scan is in Mrows/s or krows/s: see sysbench_words.
The csv files name no columns: they hold what the tsv beside them holds and are not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchbook.formats import qps_blocks
from benchbook.formats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchbook.formats.sysbench_words import (
    NO_NUMBER,
    figure_of,
    is_scan,
    number,
    op_of,
    ratio,
    step_name,
)

NAME = "qps_tables"
VERSION = 3

_INPUT = re.compile(r"(?:(?P<column>col-\d+) : |Relative to: )(?P<tag>[A-Za-z][^\s,]*)")
_HEADER = re.compile(r"(?P<first>\.\t)?col-\d+(?:\tcol-\d+)*", re.ASCII)
_GROUP = re.compile(r"- [a-z][\w -]*")
_NAME = re.compile(r"[a-z][\w.-]*(?:[_ ]range=\d+)?", re.ASCII)
_CSV = re.compile(r"(?:[a-z][\w.-]*_range=\d+|point|range|write)(?:,[^,]*)+", re.ASCII)
_RATIO = re.compile(r"\d+\.\d\d", re.ASCII)  # rates are integers or have 3 decimals
AVERAGES = ("point", "range", "write")


@dataclass
class _Table:
    """What the head of a table has said so far."""

    tags: dict[str, str] = field(default_factory=dict)  # column -> DBMS
    base: str = ""
    columns: list[str] = field(default_factory=list)
    name_first: bool = False
    rows: int = 0


def recognises(file: TextFile) -> bool:
    """A list of inputs or a header among the first lines, a csv of tests, or blocks."""
    head = file.lines[:40]
    return (
        any(_INPUT.fullmatch(x.rstrip()) or _HEADER.fullmatch(x.rstrip()) for x in head)
        or _is_csv(file)
        or qps_blocks.recognises(file)
    )


def read(file: TextFile) -> Parsed:
    """The figures of a table; of a csv only where they are to be read from."""
    if _is_csv(file):
        told = "the same table as its tsv, which alone names the columns: not read"
        return Parsed(problems=[Problem(0, told)])
    if qps_blocks.recognises(file):
        return qps_blocks.read(file)
    return _read_table(file)


def _is_csv(file: TextFile) -> bool:
    head = [line.rstrip() for line in file.lines[:20] if line.strip()]
    return bool(head) and all(_CSV.fullmatch(line) for line in head)


def _read_table(file: TextFile) -> Parsed:
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    table = _Table()
    for line_no, line in enumerate(lines, 1):
        line = line.rstrip()
        told: list[str] = []
        if found := _INPUT.fullmatch(line):
            table = _Table() if table.rows or not found["column"] else table
            told = _input(table, found)
        elif header := _HEADER.fullmatch(line):
            table.name_first = bool(header["first"])
            table.columns = line.removeprefix(".\t").split("\t")
        elif line and not _GROUP.fullmatch(line):
            table.rows += 1
            new, told = _row(table, line, line_no)
            rows += new
        problems += [Problem(line_no, text) for text in told]
    return Parsed(rows, problems=problems)


def _input(table: _Table, found: re.Match[str]) -> list[str]:
    column = found["column"]
    if not column:
        table.base = found["tag"]
        return []
    if column in table.tags:
        table.tags[column] = ""  # two DBMS: neither is believed
        return [f"{column} is named twice: not read"]
    table.tags[column] = found["tag"]
    return []


def _row(table: _Table, line: str, line_no: int) -> tuple[list[Row], list[str]]:
    if not table.columns:
        return [], ["no header says what the columns are"]
    name, values = _name_and_values(
        line.split("\t"), len(table.columns), table.name_first
    )
    if not name:
        return [], [f"not {len(table.columns)} values and the name of a test"]
    step = step_name(name)
    unit, direction = figure_of("qps", step, [v for v in values if v != "0"])
    metric = "qps"
    if table.base:
        metric, unit = "rel_qps", "ratio"
    if table.name_first:
        metric += "_average"
    rows, problems = [], [] if unit else ["scan: not known in what unit"]
    dims = {"relative_to": table.base} if table.base else {}
    for column, cell in zip(table.columns, values, strict=True):
        value, told = _value(table, column, cell, step)
        if value is None:
            problems.append(f"{column}: {told}")
        else:
            rows.append(Row(line_no, step, metric, value, unit, direction,
                            table.tags[column], op_of(step), main=metric == "qps",
                            dims=dims))  # fmt: skip
    return rows, problems


def _name_and_values(
    cells: list[str], count: int, name_first: bool
) -> tuple[str, list[str]]:
    """The name is '' where the line is not ``count`` values and a name."""
    first, rest = cells[0], cells[1:]
    numbers = [ratio(cell) is not None for cell in rest]
    if len(rest) == count and all(numbers) and ratio(first) is None:
        known = first in AVERAGES or _NAME.fullmatch(first)
        return (first, rest) if known else ("", [])
    if name_first or len(cells) <= count:
        return "", []
    return (cells[count] if _NAME.fullmatch(cells[count]) else ""), cells[:count]


def _value(table: _Table, column: str, cell: str, step: str) -> tuple[float | None, str]:
    """What a cell says, or why it is not believed."""
    if not table.tags.get(column):
        return None, "no input of this name"
    value = ratio(cell) if table.base else number(cell)
    if _RATIO.fullmatch(cell) and not (table.base or table.name_first):
        return None, "a ratio, but to what no line says"
    if cell == "0" and is_scan(step) and not table.base:
        return None, "0, a scan that was not run"
    return value, NO_NUMBER
