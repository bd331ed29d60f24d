"""What the formats of the sysbench family share: numbers as printed, tests, units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from benchformats.names import is_scan
from benchformats.printed import number

# name -> unit and which is better: rates and response times of sb.r and of its tables
FIGURES = {
    "qps": ("queries/s", "higher"),
    "trx": ("transactions/s", "higher"),
    "ips": ("rows/s", "higher"),
}
RESPONSE_TIME = ("ms", "lower")

_DECIMALS = re.compile(r"\d+(?:\.(\d+))?", re.ASCII)
_SCAN_UNITS = {0: "krows/s", 3: "Mrows/s"}


def ratio(text: str) -> float | None:
    """A number of a relative table, where ``inf`` stands for a base of 0."""
    return math.inf if text == "inf" else number(text)


def op_of(step: str) -> str:
    """What a test's rate counts."""
    if step == "prepare":
        return "insert"
    return "scan" if is_scan(step) else "query"


def scan_unit(cells: Iterable[str]) -> str:
    """Unit of the throughput of a scan, told by its shape: '' where it does not tell.

    Until March 2025 it was printed in millions of rows per second with 3 decimals, since
    then in thousands as integers; other shapes were made by hand.
    """
    matches = [_DECIMALS.fullmatch(cell) for cell in cells]
    decimals = {len(match[1] or "") if match else -1 for match in matches}
    units = {_SCAN_UNITS.get(places, "") for places in decimals}
    return units.pop() if len(units) == 1 else ""


def figure_of(metric: str, step: str, cells: Iterable[str]) -> tuple[str, str]:
    """Unit and direction of a figure of sb.r or of a table made of it.

    A scan that failed or was not run leaves a word or 0, which tell nothing.
    """
    unit, direction = FIGURES.get(metric, RESPONSE_TIME)
    if metric == "qps" and is_scan(step):
        unit = scan_unit(c for c in cells if c != "0" and number(c) is not None)
    return unit, direction
