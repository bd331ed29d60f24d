"""pgbench's aggregated log, ``-l --aggregate-interval``: sums over some seconds a line.

::

    1345828501 5601 1542744 483552416 61 2573       start, transactions, sum, squares, ...

Latencies are microseconds. What stands behind the maximum (lag, skipped, retries,
failures) no line names, so it is not read.
"""

from __future__ import annotations

import re

import pyarrow as pa

from benchbook.formats.names import decode_path
from benchbook.formats.parsed import Parsed, Problem, Row, TextFile, whole_lines

NAME = "pgbench_aggregate"
SERIES = "pgbench_aggregate"

_LINE = re.compile(r"\d{9,11}(?: \d{1,15}){2} \d{1,25}(?: \d{1,15}){2,12} *", re.ASCII)
_COLUMNS = ("start_s", "transactions", "sum_us", "squares_us2", "min_us", "max_us")


def recognises(file: TextFile) -> bool:
    """Nothing but intervals in its first lines, none longest below its shortest."""
    lines = file.lines[:20]
    return bool(lines) and all(
        _LINE.fullmatch(line) and _plausible(line.split()) for line in lines
    )


def read(file: TextFile) -> Parsed:
    """The intervals as a series; transactions, mean, shortest and longest over all."""
    lines, problems = whole_lines(file)
    intervals: list[tuple[int, list[int]]] = []
    for line_no, line in enumerate(lines, 1):
        if _LINE.fullmatch(line) and _plausible(line.split()):
            intervals.append((line_no, [int(word) for word in line.split()[:6]]))
        elif line.strip():
            problems.append(Problem(line_no, "not an interval of pgbench"))
    count = sum(values[1] for _, values in intervals)
    if not count:
        return Parsed(problems=problems or [Problem(0, "no interval has a transaction")])
    step = decode_path(file.path).step or "pgbench"
    first = intervals[0][0]
    busy = [values for _, values in intervals if values[1]]
    figures = {
        "latency_avg": sum(values[2] for values in busy) / count,
        "min": min(values[4] for values in busy),
        "max": max(values[5] for values in busy),
    }
    rows = [
        Row(first, step, name, float(value), "us", "lower", main=name == "latency_avg")
        for name, value in figures.items()
    ]
    rows.append(Row(first, step, "transactions", float(count), "count", "none"))
    columns: dict[str, pa.Array] = {
        name: pa.array([float(v[at]) for _, v in intervals], pa.float64())
        for at, name in enumerate(_COLUMNS)
    }
    table = pa.table(
        {"line": pa.array([no for no, _ in intervals], pa.int64()), **columns}
    )
    return Parsed(rows, {SERIES: table}, problems)


def _plausible(words: list[str]) -> bool:
    count, total, squares, least, most = (int(word) for word in words[1:6])
    return least <= most and total <= count * most and squares >= total
