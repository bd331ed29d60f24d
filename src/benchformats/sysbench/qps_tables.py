"""qps.abs.*, qps.rel.*, sum.*: throughput of tests (rows) by DBMS (columns).

Inputs, a header, and rows with the name of the test last::

    col-1 : x.my5621_rel.z10a_bee.pk1          Relative to: x.my5621_rel.z10a_bee.pk1
    col-2 : x.my5631_rel.z10a_bee.pk1          col-1 : x.my5631_rel.z10a_bee.pk1

    col-1  col-2                               col-1
    2444   2385   hot-points_range=100         0.98  hot-points_range=100

Also read: copies with titles of groups (in lines of their own or behind the header),
shortened names (``.edit``) or remarks behind the name (``.markup``), the older
``sum.<tag>`` (``hot-points range=100``), the averages of groups (``.`` before the header,
name first), and the blocks of ``qps_blocks``. Ratios are ``rel_qps``, of dimension
``base``. A scan is in Mrows/s or krows/s: see sysbench_words. The csv files name no
columns: they hold what the tsv beside them holds and are not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchformats.names import is_scan
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number
from benchformats.sysbench import qps_blocks
from benchformats.sysbench.figures import figure_of, op_of, ratio

NAME = "qps_tables"
VERSION = 4

_INPUT = re.compile(r"(?:(?P<column>col-\d+) : |Relative to: )(?P<tag>[A-Za-z][^\s,]*)")
_HEADER = re.compile(
    r"(?P<first>\.\t)?(?P<columns>col-\d+(?:\tcol-\d+)*)(?:\t[a-z][a-z ,-]*)?", re.ASCII
)
_GROUP = re.compile(r"- [a-z][\w -]*")
_NAME = re.compile(r"[a-z][\w.-]*(?:[_ ]range=\d+)?", re.ASCII)
_CSV = re.compile(r"(?:[a-z][\w.-]*_range=\d+|point|range|write)(?:,[^,]*)+", re.ASCII)
_RATIO = re.compile(r"\d+\.\d\d", re.ASCII)  # rates are integers or have 3 decimals
AVERAGES = ("point", "range", "write")
_SHORT = "a test is missing and which one nothing says: not read"
_FAILED = "every ratio is 0, so its runs failed: not read"
_NO_DBMS = "no line says which DBMS the columns are: not read"


@dataclass
class _Table:
    """What a table has said so far."""

    tags: dict[str, str] = field(default_factory=dict)  # column -> DBMS
    base: str = ""
    columns: list[str] = field(default_factory=list)
    name_first: bool = False
    rows: int = 0
    figures: list[tuple[str, Row]] = field(default_factory=list)  # with their columns
    empty: dict[str, int] = field(default_factory=dict)  # column -> its first such line


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
        why = "the same table as its tsv, which alone names the columns: not read"
        return Parsed(problems=[Problem(0, why)])
    if qps_blocks.recognises(file):
        return qps_blocks.read(file)
    return _read_table(file)


def _is_csv(file: TextFile) -> bool:
    head = [line.rstrip() for line in file.lines[:20] if line.strip()]
    return bool(head) and all(_CSV.fullmatch(line) for line in head)


def _read_table(file: TextFile) -> Parsed:
    lines, problems = whole_lines(file)
    table = _Table()
    tables = [table]
    for line_no, line in enumerate(lines, 1):
        line = line.rstrip()
        complaints: list[str] = []
        if match := _INPUT.fullmatch(line):
            if table.rows or not match["column"]:
                table = _Table()
                tables.append(table)
            complaints = _input(table, match)
        elif header := _HEADER.fullmatch(line):
            table.name_first = bool(header["first"])
            table.columns = header["columns"].split("\t")
        elif line and not _GROUP.fullmatch(line):
            table.rows += 1
            complaints = _row(table, line, line_no)
        problems += [Problem(line_no, text) for text in complaints]
    if not any(table.tags for table in tables):
        return Parsed(problems=[Problem(0, _NO_DBMS)])
    doubted = [_doubted(table) for table in tables]
    problems += [problem for of_table in doubted for problem in of_table.values()]
    rows = [
        row
        for table, of_table in zip(tables, doubted, strict=True)
        for column, row in table.figures
        if column not in of_table
    ]
    return Parsed(rows, problems=sorted(problems, key=lambda problem: problem.line))


def _doubted(table: _Table) -> dict[str, Problem]:
    """Columns whose figures look like any others and are not, and why.

    The columns are pasted side by side, each as long as its DBMS has files: an empty cell
    at the end of one means that figures above it may be of the tests below.
    """
    problems = {column: Problem(line, _SHORT) for column, line in table.empty.items()}
    for column in table.columns if table.base else ():
        ratios = [row for of, row in table.figures if of == column]
        if len(ratios) > 1 and not any(row.value for row in ratios):
            problems.setdefault(column, Problem(ratios[0].line, _FAILED))
    return {c: Problem(p.line, f"{c}: {p.text}") for c, p in problems.items()}


def _input(table: _Table, match: re.Match[str]) -> list[str]:
    column = match["column"]
    if not column:
        table.base = match["tag"]
        return []
    if column in table.tags:
        table.tags[column] = ""  # two DBMS: neither is believed
        return [f"{column} is named twice: not read"]
    table.tags[column] = match["tag"]
    return []


def _row(table: _Table, line: str, line_no: int) -> list[str]:
    """Take in a line of figures; what is wrong with it."""
    if not table.columns:
        return ["no header says what the columns are"]
    name, values = _name_and_values(
        line.split("\t"), len(table.columns), table.name_first
    )
    if not name:
        return [f"not {len(table.columns)} values and the name of a test"]
    step = "_".join(name.split())  # update-index range=100
    unit, direction = figure_of("qps", step, values)
    metric = "qps"
    if table.base:
        metric, unit = "rel_qps", "ratio"
    if table.name_first:
        metric += "_average"
    problems = [] if unit else ["scan: not known in what unit"]
    dims = {"relative_to": table.base} if table.base else {}
    for column, cell in zip(table.columns, values, strict=True):
        value, why = _value(table, column, cell, step)
        if not cell:
            table.empty.setdefault(column, line_no)
        elif value is None:
            problems.append(f"{column}: {why}")
        else:
            row = Row(line_no, step, metric, value, unit, direction, table.tags[column],
                      op_of(step), main=metric == "qps", dims=dims)  # fmt: skip
            table.figures.append((column, row))
    return problems


def _name_and_values(
    cells: list[str], count: int, name_first: bool
) -> tuple[str, list[str]]:
    """The name is '' where the line is not ``count`` values and a name."""
    first, rest = cells[0], cells[1:]
    numbers = [ratio(cell) is not None for cell in rest]
    if len(rest) == count and all(numbers) and ratio(first) is None:
        is_name = first in AVERAGES or _NAME.fullmatch(first)
        return (first, rest) if is_name else ("", [])
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
