"""Percona's tpcc-mysql: new orders per minute, and what each transaction did.

::

    <Raw Results>
      [0] sc:1125874 lt:223356  rt:0  fl:0 avg_rt: 3.9 (5)
    <TpmC>
                     67461.500 TpmC
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pyarrow as pa

from benchformats.parsed import Parsed, Problem, Row, TextFile, records_table, whole_lines
from benchformats.printed import number
from benchformats.unlike import too_many_failed

NAME = "tpcc_mysql"
VERSION = 2
STEP = "tpc-c"
SERIES = "tpcc_mysql_interval"

_RAW = re.compile(
    r"\s*\[(?P<at>[0-4])\] sc:(?P<sc>\d+)\s+lt:(?P<lt>\d+)\s+rt:(?P<rt>\d+)\s+"
    r"fl:(?P<fl>\d+)(?: avg_rt: (?P<avg>\S+).*)?\s*",
    re.ASCII,
)
_TPMC = re.compile(r"\s*(\S+) TpmC\s*")
_SETTING = re.compile(r"\s*\[(warehouse|connection)\]: (\d{1,9})")
_INTERVAL = re.compile(
    r"\s*(\d{1,9}), trx: (\d{1,12}), 95%: ([\d.]+), 99%: ([\d.]+), max_rt: ([\d.]+), "
)
_TRANSACTIONS = ("new_order", "payment", "order_status", "delivery", "stock_level")
_COLUMNS = ("second", "new_orders", "p95_ms", "p99_ms", "max_ms")
Printed = tuple[int, str, float | None, str, str]
_COUNTS = {"sc": "in_time", "lt": "late", "rt": "retries", "fl": "failures"}


def recognises(file: TextFile) -> bool:
    """Its raw results or its rate."""
    return any(line.rstrip() in ("<TpmC>", "<Raw Results>") for line in file.lines)


def read(file: TextFile) -> Parsed:
    """``tpmc``; counts and mean response time of each transaction; intervals."""
    lines, problems = whole_lines(file)
    settings: dict[str, int] = {}
    rows: list[Row] = []
    figures: list[Printed] = []  # of the run that is being read
    intervals: list[dict[str, float | None]] = []
    part = ""
    for line_no, line in enumerate(lines, 1):
        if line.startswith("<"):
            part = line.rstrip()
        elif match := _SETTING.match(line):
            settings[match[1]] = int(match[2])
        elif match := _INTERVAL.match(line):
            figures_of = zip(_COLUMNS, map(number, match.groups()), strict=True)
            intervals.append({"line": line_no, **dict(figures_of)})
        elif part == "<Raw Results>" and (match := _RAW.fullmatch(line)):
            name = _TRANSACTIONS[int(match["at"])]
            figures += [(line_no, f"{name}_{word}", number(match[key]), "count", "none")
                        for key, word in _COUNTS.items()]  # fmt: skip
            if match["avg"]:
                average = number(match["avg"])
                figures.append((line_no, f"{name}_avg", average, "ms", "lower"))
        elif part == "<TpmC>" and (match := _TPMC.fullmatch(line)):
            figures.append((line_no, "tpmc", number(match[1]), "orders/min", "higher"))
            run = _run(figures, settings)
            if isinstance(run, Problem):
                problems.append(run)
            else:
                rows += run
            figures = []
    series = {SERIES: records_table(intervals, {"line": pa.int64()})} if intervals else {}
    if figures or not rows + problems:
        line_no = figures[0][0] if figures else 0
        why = "a run without its TpmC: it failed or was cut"
        problems.append(Problem(line_no, why))
    return Parsed(rows, series, problems)


def _run(figures: Sequence[Printed], settings: Mapping[str, int]) -> list[Row] | Problem:
    """The figures of a run, or why they are none."""
    count = {key: sum(value or 0.0 for _, metric, value, *_ in figures
                      if metric.endswith(f"_{word}"))
             for key, word in _COUNTS.items()}  # fmt: skip
    failure = too_many_failed(count["fl"], count["sc"] + count["lt"])
    if failure or figures[-1][2] is None:
        why = f"{failure}: not read" if failure else "a run whose TpmC is no number"
        return Problem(figures[-1][0], why)
    dims = {"tool": "tpcc-mysql"}
    if "warehouse" in settings:
        dims["warehouses"] = str(settings["warehouse"])
    return [
        Row(line, STEP, metric, value, unit, direction, main=metric == "tpmc",
            dop=settings.get("connection", 0), dims=dims)
        for line, metric, value, unit, direction in figures
        if value is not None and value >= 0
    ]  # fmt: skip
