"""JMH's CSV (-rf csv) and its variant with semicolons (-rf scsv): a line per result.

::

    "Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: n"
    "org.example.Sort.quick","thrpt",4,25,11.500000,0.120000,"ops/ms",1000

Score is the figure of the mode, as in JMH's JSON, and half of its interval is
``thrpt_error``. Secondary results stand behind a colon of the benchmark's name. JMH
prints six decimals, after a comma in some locales, and never separates thousands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from benchformats.jmh.json import MODES, secondary
from benchformats.json_file import text_of
from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.text.table import header_of, table_of

NAME = "jmh_csv"
ONCE = True

_OWN = ["Benchmark", "Mode", "Threads", "Samples", "Score"]
_COUNT = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_ERROR = "Score Error ("
_PARAMETER = "Param: "
_COMMA = re.compile(r"(-?\d+),(\d{6})", re.ASCII)
_PERCENTILE = re.compile(r"(?:.*·)?p([01]\.\d+)", re.ASCII)


def recognises(file: TextFile) -> bool:
    """Its first columns, whatever stands between them."""
    return header_of(file.text)[: len(_OWN)] == _OWN


def read(file: TextFile) -> Parsed:
    """Score and error of each result."""
    lines, problems = whole_lines(file)
    table = table_of("\n".join(lines))
    if table is None or table.header[: len(_OWN)] != _OWN:
        return Parsed(problems=[*problems, Problem(0, "no header of JMH")])
    rows: list[Row] = []
    problems += table.problems
    for line, cells in table.rows:
        said = dict(zip(table.header, map(text_of, cells), strict=True))
        rows += _rows(line, said, problems)
    return Parsed(rows, problems=problems)


def _rows(line: int, said: Mapping[str, str], problems: list[Problem]) -> list[Row]:
    step, _, label = said["Benchmark"].partition(":")
    mode, unit = said["Mode"], said.get("Unit", "")
    score, threads = _figure(said["Score"]), said["Threads"]
    metric, direction = _metric(label, mode, unit)
    if not step or not metric or not direction or not _COUNT.fullmatch(threads):
        told = f"{step or 'a benchmark'}: no mode and threads: not read"
        problems.append(Problem(line, told))
        return []
    if score is None or score < 0:
        told = f"{step}: Score {said['Score']!r} is no figure: not read"
        problems.append(Problem(line, told))
        return []
    dims = {name.removeprefix(_PARAMETER): value for name, value in said.items()
            if name.startswith(_PARAMETER) and value}  # fmt: skip
    row = Row(line, step, metric, score, unit, direction, main=not label,
              dop=int(threads), dims=dims)  # fmt: skip
    cells = (cell for name, cell in said.items() if name.startswith(_ERROR))
    error = _figure(next(cells, ""))
    if error is None or error < 0:  # NaN of a single sample
        return [row]
    name = f"{metric}_error"
    return [row, replace(row, metric=name, value=error, direction="none", main=False)]


def _metric(label: str, mode: str, unit: str) -> tuple[str, str]:
    """The metric of a result, and which direction of it is better."""
    if not label:
        return mode, MODES.get(mode, "")
    if percentile := _PERCENTILE.fullmatch(label):
        return metric_name(f"p{float(percentile[1]) * 100:.6g}"), MODES.get(mode, "")
    return secondary(label, unit)


def _figure(cell: str) -> float | None:
    return number(_COMMA.sub(r"\1.\2", cell) if _COMMA.fullmatch(cell) else cell)
