"""Percona's tpcc-mysql: new orders per minute, and what each transaction did.

::

    <Raw Results>
      [0] sc:1125874 lt:223356  rt:0  fl:0 avg_rt: 3.9 (5)
    <TpmC>
                     67461.500 TpmC
"""

from __future__ import annotations

import re

import pyarrow as pa

from benchformats.failures import too_many_failed
from benchformats.parsed import Parsed, Problem, Row, TextFile, records_table, whole_lines
from benchformats.printed import number

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
_COUNTS = {"sc": "in_time", "lt": "late", "rt": "retries", "fl": "failures"}


def recognises(file: TextFile) -> bool:
    """Its raw results or its rate."""
    return any(line.rstrip() in ("<TpmC>", "<Raw Results>") for line in file.lines)


def read(file: TextFile) -> Parsed:
    """``tpmc``; counts and mean response time of each transaction; intervals."""
    lines, problems = whole_lines(file)
    settings: dict[str, int] = {}
    figures: list[tuple[int, str, float | None, str, str]] = []
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
    series = {SERIES: records_table(intervals, {"line": pa.int64()})} if intervals else {}
    known = {metric: value for _, metric, value, *_ in figures}
    if known.get("tpmc") is None:
        why = "a run without its TpmC: it failed or was cut"
        return Parsed([], series, [*problems, Problem(0, why)])
    count = {key: sum(value or 0.0 for _, metric, value, *_ in figures
                      if metric.endswith(f"_{word}"))
             for key, word in _COUNTS.items()}  # fmt: skip
    if failure := too_many_failed(count["fl"], count["sc"] + count["lt"]):
        return Parsed([], series, [*problems, Problem(0, f"{failure}: not read")])
    dims = {"tool": "tpcc-mysql"}
    if "warehouse" in settings:
        dims["warehouses"] = str(settings["warehouse"])
    rows = [
        Row(line, STEP, metric, value, unit, direction, main=metric == "tpmc",
            dop=settings.get("connection", 0), dims=dims)
        for line, metric, value, unit, direction in figures
        if value is not None and value >= 0
    ]  # fmt: skip
    return Parsed(rows, series, problems)
