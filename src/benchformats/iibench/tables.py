"""o.sum.*, mrg.*, rel.*: steps of the insert benchmark as tables of one line each.

19, 20 or 21 columns, of which the last is the DBMS::

    ips qps rps rmbps wps wmbps rpq rkbpq wpi wkbpi csps cpups cspq cpupq dbgb1 dbgb2
        rss maxop p50 p99 tag

o.sum has one line per step of one DBMS (see iibench_runorder; o.sum.c with commas), mrg
one line per DBMS of the step in the file's name, in groups between lines ``-``. rel is
mrg relative to the first line of each group, which is left out: two decimals, 1 where
both are 0, inf where only the base is. Its figures are ``rel_...`` of dimension
``group``, from 1; the base stands in mrg alone. mrg.some and rel.some have several steps,
each under its name. p50 and p99 are no response times but rates that a share of the first
client's seconds reach: ``rate_p50`` and ``rate_p99`` of dimension client 1. Also read:
what iibench_shares and iibench_getmin tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchformats.iibench import getmin as iibench_getmin
from benchformats.iibench import shares as iibench_shares
from benchformats.iibench.figures import (
    ABSENT,
    METRICS,
    RESPONSE_TIMES,
    cells_of,
    is_query_step,
    op_of,
    ratio,
)
from benchformats.names import decode_path
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number

_LOADS = ("l.i0", "l.x", "l.i1")
_RATES = (100, 200, 400, 600, 800, 1000)
ORDERS: tuple[tuple[tuple[str, int], ...], ...] = (
    (*((s, 0) for s in _LOADS), *((f"q{r}.{n}", r) for r in _RATES for n in (1, 2))),
    (*((s, 0) for s in _LOADS), ("q100.1", 100), ("q500.1", 500), ("q1000.1", 1000)),
    (
        *((s, 0) for s in (*_LOADS, "l.i2")),
        *(
            (f"{kind}{rate}.L{level}", rate)
            for level, (kind, rate) in enumerate(
                ((k, r) for r in (100, 500, 1000) for k in ("qr", "qp")), 1
            )
        ),
    ),
    (("l", 0), ("q1000", 1000), ("q100", 100)),
)
_SLACK = 0.05  # by which a rate that was kept may miss its target


def steps_of(rates: Sequence[tuple[float, float]]) -> list[str]:
    """The step of each line, from its inserts and queries per second; '' if unknown.

    A query step that missed its rate has fewer inserts; so an order fits where all
    rates were kept, or, if there is none, where none has more inserts than it asks for.
    """
    possible = [order for order in ORDERS if _loads_fit(order, rates)]
    fitting = [order for order in possible if _rates_fit(order, rates, 1 - _SLACK)]
    fitting = fitting or [order for order in possible if _rates_fit(order, rates, 0.0)]
    named = [{order[i][0] for order in fitting} for i in range(len(rates))]
    return [names.pop() if len(names) == 1 else "" for names in named]


def _loads_fit(
    order: Sequence[tuple[str, int]], rates: Sequence[tuple[float, float]]
) -> bool:
    """As many lines or fewer, without queries exactly where the order loads."""
    return len(rates) <= len(order) and all(
        (queries == 0) == (target == 0)
        for (_, target), (_, queries) in zip(order, rates, strict=False)
    )


def _rates_fit(
    order: Sequence[tuple[str, int]], rates: Sequence[tuple[float, float]], low: float
) -> bool:
    """Inserts are ``low`` to 1 times the target of all clients.

    How many clients there are is told by the first query step, which asks for least and
    so most likely kept its rate.
    """
    steps = [
        (target, inserts)
        for (_, target), (inserts, _) in zip(order, rates, strict=False)
        if target
    ]
    if not steps:
        return True
    least = min(target for target, _ in steps)
    clients = next(inserts / target for target, inserts in steps if target == least)
    return all(
        low * target * clients <= inserts <= (1 + _SLACK) * target * clients
        for target, inserts in steps
    )


NAME = "iibench_tables"
VERSION = 3

_STEP = re.compile(r"(?:l(?:\.x|\.i\d)?|q[rp]?(?:\.L)?\d[\w.]*)", re.ASCII)
_RATE = re.compile(r"p(\d\d)")
_OTHERS = (iibench_shares, iibench_getmin)
_ALWAYS_PER_INSERT = ("wpi", "wkbpi")
_RELATIVE = re.compile(r"(?:\d+\.\d\d|1|inf|NA)", re.ASCII)


@dataclass
class _Table:
    """What the lines before have said."""

    step: str  # of the lines to come; '' where only the order tells
    titled: bool = False  # a line of its own said the step
    header: list[str] = field(default_factory=list)
    group: int = 1


@dataclass(frozen=True)
class _Line:
    """A line of figures: by column, and what it belongs to."""

    number: int
    cells: dict[str, str]
    step: str
    group: int


def recognises(file: TextFile) -> bool:
    """A header that begins with ips and qps and ends with tag, or one of the others."""
    head = file.text[:4096].split("\n")[:5]
    others = any(other.recognises(file) for other in _OTHERS)
    return others or any(_is_header(line) for line in head)


def read(file: TextFile) -> Parsed:
    """All figures of all lines whose step is known."""
    for other in _OTHERS:
        if other.recognises(file):
            return other.read(file)
    texts, problems = whole_lines(file)
    table = _Table(decode_path(file.path).step)
    lines: list[_Line] = []
    for line_no, text in enumerate(texts, 1):
        entry, complaints = _take(table, line_no, text)
        lines += [entry] if entry else []
        problems += [Problem(line_no, why) for why in complaints]
    relative = _is_relative(file, lines)
    rows: list[Row] = []
    for line, step in zip(lines, _steps(lines), strict=True):
        figures, complaints = _figures(line, step, relative)
        rows += figures
        problems += [Problem(line.number, why) for why in complaints]
    return Parsed(rows, problems=sorted(problems, key=lambda problem: problem.line))


def _is_header(line: str) -> bool:
    cells = cells_of(line)
    return cells[:2] == ["ips", "qps"] and cells[-1] == "tag"


def _take(table: _Table, line_no: int, text: str) -> tuple[_Line | None, list[str]]:
    """A line of figures, or what the table learns from it, or why it is not read."""
    if not text:
        return None, []
    if _is_header(text):
        if table.header and table.titled:
            table.step = ""  # of another step, whose title is lost
        table.header, table.group = cells_of(text), 1
        return None, []
    if text == "-":
        table.group += 1
        return None, []
    if _STEP.fullmatch(text):
        table.step, table.titled, table.header = text, True, []
        return None, []
    cells = cells_of(text)
    if not table.header:
        return None, ["no header says what the columns are: not read"]
    if len(cells) != len(table.header) or len(set(table.header)) != len(cells):
        return None, [f"{len(cells)} cells where the header has {len(table.header)}"]
    if number(cells[-1]) is not None or not cells[-1]:
        return None, ["the last cell is no name of a DBMS: not read"]
    named = dict(zip(table.header, cells, strict=True))
    return _Line(line_no, named, table.step, table.group), []


def _is_relative(file: TextFile, lines: list[_Line]) -> bool:
    """Whether the file is a rel: by its content; where that is damaged, by most of it."""
    shapes = [_relative_line(line) for line in lines]
    if len(set(shapes)) > 1:
        return 2 * sum(shapes) > len(shapes) or file.name.startswith("rel.")
    return any(shapes)


def _relative_line(line: _Line) -> bool:
    """Context switches per second have two decimals only where they are divided."""
    cells = [line.cells.get(name, "") for name in ("ips", "csps", "cpups")]
    return all(_RELATIVE.fullmatch(cell) for cell in cells)


def _steps(lines: list[_Line]) -> list[str]:
    """The step of each line: said, or told by the order of all; '' where neither."""
    if any(line.step for line in lines):
        return [line.step for line in lines]
    rates = [(number(line.cells["ips"]), number(line.cells["qps"])) for line in lines]
    whole = [(i, q) for i, q in rates if i is not None and q is not None]
    if len(whole) != len(lines) or len({line.cells["tag"] for line in lines}) != 1:
        return [""] * len(lines)
    return steps_of(whole)


def _figures(line: _Line, step: str, relative: bool) -> tuple[list[Row], list[str]]:
    if not step:
        return [], ["nothing says of which step this line is: not read"]
    if _relative_line(line) != relative:
        return [], ["relative and absolute figures mixed: not read"]
    if _did_not_run(line):
        return [], ["a step that did not run: not read"]
    op = op_of(step, is_query_step(step))
    rows, problems = [], []
    for column, cell in line.cells.items():
        if column == "tag" or cell in ABSENT:
            continue
        value = ratio(cell) if relative else number(cell)
        metric = _metric(line, column, cell)
        if value is None or not metric:
            why = NO_NUMBER if metric else "not a column of this format"
            problems.append(f"{column}: {why}")
        else:
            rows.append(_row(line, step, metric, value, op, relative))
    return rows, problems


def _did_not_run(line: _Line) -> bool:
    """The script found no file: it prints rates of 0, and of vmstat's averages none."""
    rates = {line.cells["ips"], line.cells["qps"]}
    return rates == {"0"} and not line.cells.get("csps", "?")


def _metric(line: _Line, column: str, cell: str) -> str:
    """The metric of a column; '' of none of this format."""
    if share := _RATE.fullmatch(column):
        return f"rate_p{share[1]}"
    if column == "cpupq" and not line.cells.keys() & {"ccpupq", "dbgb1"}:
        # Until 2020 no one divided by the number of CPUs: percent of all / rate, which
        # mrg printed times a million.
        return "cpu_o" if "." in cell else "mcpu_o"
    return column if column in METRICS else ""


def _row(
    line: _Line, step: str, metric: str, value: float, op: str, relative: bool
) -> Row:
    if metric.startswith("rate_p"):
        unit, direction = METRICS["qps" if op == "query" else "ips"]
    else:
        unit, direction = METRICS[metric]
    if metric == "qps":
        op = "query"
    elif op == "query" and metric in (*_ALWAYS_PER_INSERT, "ips"):
        op = "insert"
    main = metric == ("qps" if is_query_step(step) else "ips")
    dims = {"client": "1"} if metric.startswith("rate_p") else {}
    if relative:
        dims["group"] = str(line.group)
        metric, unit, main = f"rel_{metric}", "ratio", False
    clock = "actual" if metric.removeprefix("rel_") in RESPONSE_TIMES else ""
    return Row(line.number, step, metric, value, unit, direction, line.cells["tag"], op,
               main, clock=clock, dims=dims)  # fmt: skip
