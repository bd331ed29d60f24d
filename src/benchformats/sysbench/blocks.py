"""The lines of sysbench's statistics, 0.4 to 1.1: label, what it says, in what unit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchformats.printed import number

# header of a block -> which labels it has
BLOCKS = {
    "SQL statistics:": "sql",
    "OLTP test statistics:": "sql",
    "Throughput:": "general",
    "General statistics:": "general",
    "Test execution summary:": "general",
    "Latency (ms):": "times",
    "Threads fairness:": "fairness",
}
# 0.4 and 0.5 print no rate of queries
MAIN = {"SQL statistics:": "qps", "OLTP test statistics:": "tps"}

_N = r"(\d+(?:\.\d+)?)"
_COUNT = re.compile(r"(\d+)", re.ASCII)
_PLAIN = re.compile(_N, re.ASCII)
_RATE = re.compile(rf"(\d+)\s*\({_N} per sec\.\)", re.ASCII)
_SECONDS = re.compile(rf"{_N}s?", re.ASCII)
_MILLISECONDS = re.compile(rf"{_N}(?:ms)?", re.ASCII)
_PAIR = re.compile(rf"{_N}/{_N}", re.ASCII)
_NO_EVENT = "18446744073709.55"  # the shortest time of none: 2^64 - 1 ns
_PERCENTILE = re.compile(
    r"(?:approx\.\s+)?(\d{1,3})(?:th|st|nd|rd)? percentile", re.ASCII
)


@dataclass(frozen=True)
class Figure:
    """One figure of a line; ``time`` marks response times."""

    metric: str
    value: float
    unit: str
    direction: str
    time: bool = False


@dataclass(frozen=True)
class _Line:
    """How a label's text reads, and what its numbers are; '' = said elsewhere."""

    pattern: re.Pattern[str]
    metrics: tuple[tuple[str, str, str], ...]


def _one(pattern: re.Pattern[str], *figure: str) -> _Line:
    metric, unit, direction = figure
    return _Line(pattern, ((metric, unit, direction),))


def _counted(name: str, rate: str, unit: str, direction: str = "none") -> _Line:
    better = "higher" if direction == "none" else direction
    return _Line(_RATE, ((name, "count", direction), (rate, unit, better)))


def _spread(name: str, unit: str) -> _Line:
    return _Line(_PAIR, ((name, unit, "none"), (f"{name}_sd", unit, "none")))


_SQL = {
    "read": _one(_COUNT, "reads", "count", "none"),
    "write": _one(_COUNT, "writes", "count", "none"),
    "other": _one(_COUNT, "others", "count", "none"),
    "total": _one(_COUNT, "queries", "count", "none"),
    "transactions": _counted("transactions", "tps", "transactions/s"),
    "queries": _counted("", "qps", "queries/s"),
    "read/write requests": _counted("rw_requests", "rw_requests_s", "1/s"),
    "other operations": _counted("other_ops", "other_ops_s", "1/s"),
    "ignored errors": _counted("errors", "errors_s", "1/s", "lower"),
    "deadlocks": _counted("deadlocks", "deadlocks_s", "1/s", "lower"),
    "reconnects": _counted("reconnects", "reconnects_s", "1/s", "lower"),
}
_TIMES = {
    name: _one(_MILLISECONDS, f"rt{name}", "ms", "none" if name == "sum" else "lower")
    for name in ("min", "avg", "max", "sum")
}
_GENERAL = _TIMES | {
    "events/s (eps)": _one(_PLAIN, "eps", "events/s", "higher"),
    "time elapsed": _one(_SECONDS, "elapsed_s", "s", "none"),
    "total time": _one(_SECONDS, "elapsed_s", "s", "none"),
    "total number of events": _one(_COUNT, "events", "count", "none"),
    "total time taken by event execution": _one(_SECONDS, "event_s", "s", "none"),
}
_FAIRNESS = {
    "events (avg/stddev)": _spread("thread_events", "count"),
    "execution time (avg/stddev)": _spread("thread_s", "s"),
}
_LINES = {"sql": _SQL, "general": _GENERAL, "times": _TIMES, "fairness": _FAIRNESS}


def figures_of(block: str, line: str) -> tuple[list[Figure], str]:
    """The figures of a line of a block, or why it has none; neither for other lines."""
    label, colon, text = (part.strip() for part in line.partition(":"))
    if not colon:
        return [], "not a line of the statistics"
    meaning = _LINES[block].get(label)
    percentile = _PERCENTILE.fullmatch(label)
    if percentile and block in ("general", "times"):
        meaning = _one(_MILLISECONDS, f"rt{int(percentile[1])}", "ms", "lower")
    if not meaning or not text:
        return [], ""
    if text == _NO_EVENT:
        return [], f"{label}: of no event, so no figure"
    numbers = meaning.pattern.fullmatch(text)
    values = [number(part) for part in numbers.groups()] if numbers else [None]
    if not numbers or None in values:
        return [], f"{label}: not a figure of this line"
    figures = [
        Figure(metric, value, unit, direction, metric.startswith("rt"))
        for value, (metric, unit, direction) in zip(values, meaning.metrics, strict=True)
        if metric and value is not None
    ]
    return figures, ""
