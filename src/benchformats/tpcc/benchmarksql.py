"""BenchmarkSQL's end of a run: new orders and all transactions per minute.

::

    07:09:53,455 [Thread-351] INFO   jTPCC : Term-00, Measured tpmC (NewOrders) = 77373.25
    07:09:53,455 [Thread-351] INFO   jTPCC : Term-00, Measured tpmTOTAL = 171959.88

Progress, written over itself in a terminal, may stand before them in the same line.
A limit of transactions per minute is the dimension ``rate``; the weights of transactions
are dimensions where runs of a file differ in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.tpcc.tpcc_mysql import STEP
from benchformats.unlike import differing

NAME = "benchmarksql"
VERSION = 3

_FIGURE = re.compile(r"Measured (?P<name>tpmC \(NewOrders\)|tpmTOTAL) = (?P<value>\S+)")
_COUNT = re.compile(r"Term-00, Transaction Count = (\d{1,15})(?=\s|$)", re.ASCII)
_SETTING = re.compile(r"Term-00, ([a-zA-Z]{1,40})=(\w{1,40})\s*$")
_WORK = frozenset(
    ("newOrderWeight", "paymentWeight", "orderStatusWeight", "deliveryWeight",
     "stockLevelWeight", "terminalWarehouseFixed", "useStoredProcedures")
)  # fmt: skip
_ENGINES = {"oracle": "oracle", "postgres": "postgres", "mysql": "mysql",
            "mariadb": "mariadb", "firebird": "firebird"}  # fmt: skip


def recognises(file: TextFile) -> bool:
    """A rate that it measured."""
    return "Measured tpm" in file.text and any(map(_FIGURE.search, file.lines))


def read(file: TextFile) -> Parsed:
    """``tpmc``, ``tpm_total`` and the number of transactions of each run."""
    lines, problems = whole_lines(file)
    settings: dict[str, str] = {}
    rows: list[Row] = []
    runs = [(0, settings)]  # where the rows of each begin, and what it says above them
    for line_no, line in enumerate(lines, 1):
        if match := _SETTING.search(line):
            if len(rows) > runs[-1][0]:  # another run
                settings = {}
                runs.append((len(rows), settings))
            settings[match[1]] = match[2]
        elif match := _FIGURE.search(line):
            value = number(match["value"])
            new_orders = match["name"].startswith("tpmC")
            name = (
                ("tpmc", "orders/min")
                if new_orders
                else ("tpm_total", "transactions/min")
            )
            if value is None:
                problems.append(Problem(line_no, f"{name[0]} is no number"))
            else:
                rows.append(_row(line_no, name[0], value, name[1], "higher", settings))
        elif match := _COUNT.search(line):
            count = float(match[1])
            rows.append(_row(line_no, "transactions", count, "count", "none", settings))
    if not rows and not problems:
        problems.append(Problem(0, "no rate was measured"))
    work = [(STEP, {name: text for name, text in said.items() if name in _WORK})
            for _, said in runs]  # fmt: skip
    begins = [*(begin for begin, _ in runs), len(rows)]
    of_runs = [dims for dims, (begin, end) in zip(differing(work), pairwise(begins),
               strict=True) for _ in range(begin, end)]  # fmt: skip
    rows = [replace(row, dims={**row.dims, **dims})
            for row, dims in zip(rows, of_runs, strict=True)]  # fmt: skip
    return Parsed(rows, problems=problems)


def _row(
    line: int, metric: str, value: float, unit: str, better: str, said: Mapping[str, str]
) -> Row:
    """A figure of the run that the settings above it are of."""
    terminals = said.get("terminals", "")
    dims = {"tool": "benchmarksql"}
    if "warehouses" in said:
        dims["warehouses"] = said["warehouses"]
    if said.get("limitTxnsPerMin", "0") != "0":
        dims["rate"] = said["limitTxnsPerMin"]
    return Row(line, STEP, metric, value, unit, better, main=metric == "tpmc",
               dop=int(terminals) if re.fullmatch("[0-9]{1,6}", terminals) else 0,
               engine=_ENGINES.get(said.get("db", ""), ""), dims=dims)  # fmt: skip
