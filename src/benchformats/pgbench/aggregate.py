"""pgbench's aggregated log, ``-l --aggregate-interval``: sums over some seconds a line.

::

    1345828501 5601 1542744 483552416 61 2573       start, transactions, sum, squares, ...

Latencies are microseconds. What stands behind the maximum (lag, skipped, retries,
failures) no line names, so it is not read. The logs of all threads of a run are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa

from benchformats.names import decode_path
from benchformats.parsed import (
    CUT,
    Block,
    Parsed,
    Problem,
    Row,
    TextFile,
    dated,
    merged,
    records_table,
)
from benchformats.pgbench.log import run_of as run_of

NAME = "pgbench_aggregate"
VERSION = 2
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
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """The series and problems block by block; rows at the end."""
    busy: list[list[int]] = []  # intervals with a transaction
    first = 0
    for block in file.blocks():
        intervals, problems = _intervals(block)
        busy += [values for _, values in intervals if values[1]]
        first = first or next((line for line, values in intervals if values[1]), 0)
        records = [
            {"line": line_no, **dict(zip(_COLUMNS, map(float, values), strict=True))}
            for line_no, values in intervals
        ]
        table = records_table(records, {"line": pa.int64()})
        series = {SERIES: table} if records else {}
        yield Parsed(series=series, problems=problems)
    if not busy:
        yield Parsed(problems=[Problem(0, "no interval has a transaction")])
        return
    count = sum(values[1] for values in busy)
    step = decode_path(file.path).step or "pgbench"
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
    yield Parsed(dated(rows, str(min(values[0] for values in busy))))


def _intervals(block: Block) -> tuple[list[tuple[int, list[int]]], list[Problem]]:
    """Line and numbers of each interval of a block, and lines that are none."""
    lines = block.text.removesuffix("\n").split("\n")
    last = block.first_line + len(lines) - 1
    problems = [Problem(last, CUT)] if block.cut else []
    intervals = []
    for line_no, line in enumerate(lines[:-1] if block.cut else lines, block.first_line):
        if _LINE.fullmatch(line) and _plausible(line.split()):
            intervals.append((line_no, [int(word) for word in line.split()[:6]]))
        elif line.strip():
            problems.append(Problem(line_no, "not an interval of pgbench"))
    return intervals, problems


def _plausible(words: list[str]) -> bool:
    count, total, squares, least, most = (int(word) for word in words[1:6])
    return least <= most and total <= count * most and squares >= total
