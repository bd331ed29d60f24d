"""What sysbench's output says of one test: counters, intervals and response times."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from benchformats.agreement import Contradiction
from benchformats.parsed import TextFile
from benchformats.sysbench.output import Command, read, read_command
from benchformats.sysbench.series import HISTOGRAM, INTERVALS


@dataclass(frozen=True)
class Interval:
    """What one line per interval says: rates between two whole seconds."""

    second: int  # at which it ends
    tps: float
    qps: float


@dataclass(frozen=True)
class SysbenchResult:
    """One run of one test."""

    queries: int
    events: int
    retries: int  # events that were begun again: "ignored errors"
    dop: int = 0
    elapsed_s: float | None = None
    longest_ms: float | None = None
    command: Command = field(default_factory=Command)
    intervals: tuple[Interval, ...] = ()
    histogram: tuple[tuple[float, int], ...] = ()  # milliseconds, events


def read_result(text: str) -> SysbenchResult | None:
    """The last run of a file; None where its statistics are not there, or not whole.

    ValueError says which figures of it contradict each other.
    """
    parsed = read(TextFile("sb.o", text))
    for problem in parsed.problems:
        if isinstance(problem, Contradiction):
            raise ValueError(problem.text)
    counted = {row.metric: row.value for row in parsed.rows}
    if "queries" not in counted or "transactions" not in counted:
        return None
    return SysbenchResult(
        queries=int(counted["queries"]),
        events=int(counted["transactions"]),
        retries=int(counted.get("errors", 0)),
        dop=parsed.rows[-1].dop,
        elapsed_s=counted.get("elapsed_s"),
        longest_ms=counted.get("rtmax"),
        command=read_command(text.partition("\n")[0], 1) or Command(),
        intervals=tuple(
            Interval(row["second"], row["tps"], row["qps"])
            for row in _rows(parsed.series.get(INTERVALS))
        ),
        histogram=tuple(
            (row["value_ms"], row["count"]) for row in _rows(parsed.series.get(HISTOGRAM))
        ),
    )


def _rows(table: pa.Table | None) -> list[dict[str, Any]]:
    return table.to_pylist() if table is not None else []
