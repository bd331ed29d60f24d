"""BenchmarkSQL's end of a run: new orders and all transactions per minute.

::

    07:09:53,455 [Thread-351] INFO   jTPCC : Term-00, Measured tpmC (NewOrders) = 77373.25
    07:09:53,455 [Thread-351] INFO   jTPCC : Term-00, Measured tpmTOTAL = 171959.88

Progress, written over itself in a terminal, may stand before them in the same line.
"""

from __future__ import annotations

import re

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.tpcc.tpcc_mysql import STEP

NAME = "benchmarksql"

_FIGURE = re.compile(r"Measured (?P<name>tpmC \(NewOrders\)|tpmTOTAL) = (?P<value>\S+)")
_COUNT = re.compile(r"Term-00, Transaction Count = (\d{1,15})(?=\s|$)", re.ASCII)
_SETTING = re.compile(r"Term-00, (warehouses|terminals|db)=(\w{1,40})\s*$")
_ENGINES = {"oracle": "oracle", "postgres": "postgres", "mysql": "mysql",
            "mariadb": "mariadb", "firebird": "firebird"}  # fmt: skip


def recognises(file: TextFile) -> bool:
    """A rate that it measured."""
    return "Measured tpm" in file.text and any(map(_FIGURE.search, file.lines))


def read(file: TextFile) -> Parsed:
    """``tpmc``, ``tpm_total`` and the number of transactions of each run."""
    lines, problems = whole_lines(file)
    settings: dict[str, str] = {}
    figures: list[tuple[int, str, float | None, str, str]] = []
    for line_no, line in enumerate(lines, 1):
        if match := _SETTING.search(line):
            settings[match[1]] = match[2]
        elif match := _FIGURE.search(line):
            value = number(match["value"])
            new_orders = match["name"].startswith("tpmC")
            name = (
                ("tpmc", "orders/min")
                if new_orders
                else ("tpm_total", "transactions/min")
            )
            figures.append((line_no, name[0], value, name[1], "higher"))
            if value is None:
                problems.append(Problem(line_no, f"{name[0]} is no number"))
        elif match := _COUNT.search(line):
            figures.append((line_no, "transactions", float(match[1]), "count", "none"))
    warehouses, terminals = settings.get("warehouses", ""), settings.get("terminals", "")
    dims = {"tool": "benchmarksql"} | ({"warehouses": warehouses} if warehouses else {})
    rows = [
        Row(line, STEP, metric, value, unit, direction, main=metric == "tpmc",
            dop=int(terminals) if re.fullmatch("[0-9]{1,6}", terminals) else 0,
            engine=_ENGINES.get(settings.get("db", ""), ""),
            dims=dims)
        for line, metric, value, unit, direction in figures
        if value is not None
    ]  # fmt: skip
    if not rows and not problems:
        problems.append(Problem(0, "no rate was measured"))
    return Parsed(rows, problems=problems)
