"""sb.r.*: one line with one value per dop, then engine, test and range.

The name of the file says which figure it is::

    sb.r.qps.point-query.range100.pk1   13337<TAB>innodb point-query range=100
    sb.r.rt95.update-index.range100.pk1   0.89<TAB>pgsql update-index range=100

Nothing says which dops several values belong to: they are told apart by ``dop_no``, and a
run that failed leaves fewer of them. qps of a scan is in rows (see sysbench_words).
"""

from __future__ import annotations

import re

from benchformats.names import decode_path, is_scan
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number
from benchformats.sysbench.figures import figure_of, op_of

NAME = "sysbench_r"

_LINE = re.compile(
    r"(?P<cells>(?:[^\t]*\t)*)[a-z]\w* (?P<test>[a-z][\w.-]*) range=(?P<n>\d+)$", re.ASCII
)
_FIGURE = re.compile(r"sb\.r\.(qps|trx|rtavg|rtmin|rtmax|rt\d{1,3})\.")


def recognises(file: TextFile) -> bool:
    """One line of values that ends with engine, test and range."""
    lines = [line for line in file.lines[:3] if line.strip()]
    return len(lines) == 1 and bool(_LINE.match(lines[0].rstrip()))


def read(file: TextFile) -> Parsed:
    """The values of the line, with the metric of the file's name."""
    lines, problems = whole_lines(file)
    named = _FIGURE.match(file.name)
    if not named:
        why = "the name does not say which figure this is: sb.r.qps, sb.r.rtavg, ..."
        return Parsed(problems=[*problems, Problem(0, why)])
    rows: list[Row] = []
    for line_no, line in enumerate(lines, 1):
        if line.strip():
            figures, complaints = _line(line.rstrip(), line_no, named[1], file.path)
            rows += figures
            problems += [Problem(line_no, text) for text in complaints]
    return Parsed(rows, problems=problems)


def _line(line: str, line_no: int, metric: str, path: str) -> tuple[list[Row], list[str]]:
    match = _LINE.match(line)
    if not match:
        return [], ["not values, engine, test and range"]
    step = f"{match['test']}_range={match['n']}"
    named = decode_path(path).step
    if named and named != step:
        return [], [f"the line is of {step}, the name of {named}: not read"]
    cells = match["cells"].split("\t")[:-1]
    if not cells:
        return [], ["no value: the run failed"]
    unit, direction = figure_of(metric, step, cells)
    rows, problems = [], []
    for position, cell in enumerate(cells, 1):
        value = number(cell)
        if value is None:
            problems.append(f"value {position}: {NO_NUMBER}")
        elif cell == "0" and metric == "qps" and is_scan(step):
            problems.append(f"value {position}: 0, a scan that was not run at this dop")
        else:
            dims = {"dop_no": str(position)} if len(cells) > 1 else {}
            clock = "actual" if metric.startswith("rt") else ""
            rows.append(Row(line_no, step, metric, value, unit, direction, clock=clock,
                            op=op_of(step), main=metric == "qps", dims=dims))  # fmt: skip
    return rows, problems
