"""Result lines and histograms of db_bench: what a benchmark says when it is done.

V1 has rates, V2 (RocksDB 7) operations and seconds too, LevelDB only the time::

    readrandom   :  10.218 micros/op 97866 ops/sec;   39.2 MB/s (979 of 1000 found)
    overwrite    :   7.854 micros/op 127320 ops/sec 60.001 seconds 7639327 operations;
    Microseconds per write:
    Count: 1000 Average: 3.1042  StdDev: 1.21
    Min: 1  Median: 3.0021  Max: 88
    Percentiles: P50: 3.00 P75: 3.61 P99: 9.90 P99.9: 18.02 P99.99: 40.10
    ------------------------------------------------------
    (       2,       3 ]      493  49.300%  49.300% ##########
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchformats.parsed import Problem
from benchformats.printed import number

_N = r"\d{1,18}(?:\.\d{1,9})?"
_RESULT = re.compile(
    rf"(?P<name>[A-Za-z][\w.-]*)\s*:\s+(?P<usec_op>{_N}) micros/op"
    rf"(?: (?P<ops_sec>\d{{1,18}}) ops/sec)?"
    rf"(?: (?P<elapsed_s>{_N}) seconds (?P<ops>\d{{1,18}}) operations)?;"
    rf"(?:\s+(?P<mb_sec>{_N}) MB/s)?(?P<message>(?:\s*\(.*\))?)"
    r"(?: PERF_CONTEXT:)?",  # of --perf_level; its counters follow
    re.ASCII,
)
_FOUND = re.compile(r"\((?P<found>\d{1,18}) of (?P<searched>\d{1,18}) found", re.ASCII)
_PER_OP = re.compile(r"\((\d{1,18}) per op\)", re.ASCII)
_FAILED = re.compile(r"failure|failed|corrupt|error", re.IGNORECASE)
FIGURES = ("ops_sec", "usec_op", "mb_sec", "elapsed_s", "ops")

_KIND = re.compile(r"Microseconds per (?P<kind>\w+):")
_LEVEL = re.compile(r"\*\* Level (?P<level>\d{1,4}) read latency histogram \(micros\):")
_SUMMARY = (
    re.compile(
        rf"Count: (?P<count>\d{{1,18}})\s+Average: (?P<avg>{_N})"
        rf"\s+StdDev: (?P<stddev>{_N})",
        re.ASCII,
    ),
    re.compile(rf"Min: (?P<pmin>{_N})\s+Median: {_N}\s+Max: (?P<pmax>{_N})", re.ASCII),
    re.compile(rf"Percentiles:(?: P\d{{1,2}}(?:\.\d{{1,4}})?: {_N})+", re.ASCII),
)
_PERCENTILE = re.compile(rf"P(\d{{1,2}}(?:\.\d{{1,4}})?): ({_N})", re.ASCII)
_BUCKET = re.compile(
    rf"[(\[]\s*(\d{{1,20}}),\s*(\d{{1,20}}) ?[\])]\s+(\d{{1,18}})"
    rf"\s+({_N})%\s+({_N})%\s*#*\s*",
    re.ASCII,
)
_LIKE_BUCKET = re.compile(r"[(\[]\s*\d+,")
_UINT64 = 2**64


@dataclass(frozen=True)
class Result:
    """One benchmark that finished: its figures under the names of report.tsv."""

    line: int
    text: str
    name: str
    figures: dict[str, float]
    block_size: str = ""  # bytes of an operation, where it says


@dataclass(frozen=True)
class NoResult:
    """A benchmark whose result is not believed: what follows is not of the one above."""

    line: int
    text: str


@dataclass(frozen=True)
class Histogram:
    """Response times (``read``) or read latencies of a level (``level 2``), in us."""

    line: int
    kind: str
    figures: dict[str, tuple[int, float]]  # metric -> its line and value
    buckets: list[tuple[int, int, int, int, float, float]] = field(default_factory=list)
    count: float = -1.0  # of its values, as it says; -1: it does not


def result_of(line_no: int, line: str) -> Result | NoResult | None:
    """The result on a line, why it is not believed, or None where there is none."""
    if "micros/op" not in line:
        return None
    match = _RESULT.fullmatch(line.rstrip())
    if not match:
        return NoResult(line_no, "a result that cannot be read")
    message = match["message"]
    if _FAILED.search(message):
        return NoResult(line_no, f"{match['name']}: {message.strip()[:60]}: not read")
    figures = {name: number(match[name]) for name in FIGURES if match[name]}
    if counted := _FOUND.search(message):
        figures |= {name: number(text) for name, text in counted.groupdict().items()}
    if counted and _found_nothing(match["name"], *map(int, counted.groups())):
        return NoResult(line_no, f"{match['name']}: not one key was found: not read")
    per_op = _PER_OP.search(message)
    numbers = {name: value for name, value in figures.items() if value is not None}
    return Result(
        line_no, line.strip(), match["name"], numbers, per_op[1] if per_op else ""
    )


def _found_nothing(name: str, found: int, searched: int) -> bool:
    """As in a database that is empty, or has other keys: that is fast."""
    return searched > 0 and not found and "missing" not in name


def histogram_kind(line: str) -> str:
    """What a line announces the histogram of; '' where it announces none."""
    if title := _KIND.fullmatch(line.rstrip()):
        return title["kind"]
    title = _LEVEL.fullmatch(line.rstrip())
    return f"level {title['level']}" if title else ""


def histogram(
    lines: Sequence[str], start: int, kind: str
) -> tuple[Histogram, int, list[Problem]]:
    """The histogram announced by ``lines[start]``, the index behind it, and problems."""
    figures: dict[str, tuple[int, float]] = {}
    problems = []
    index = start + 1
    for pattern in _SUMMARY:
        line = lines[index].rstrip() if index < len(lines) else ""
        if match := pattern.fullmatch(line):
            figures |= {m: (index + 1, v) for m, v in _summary(match).items()}
            index += 1
        else:
            problems.append(Problem(start + 1, "a histogram that is not complete"))
            break
    if index < len(lines) and lines[index].startswith("-----"):
        index += 1
    buckets = []
    while index < len(lines) and _LIKE_BUCKET.match(lines[index]):
        bucket = _bucket(index + 1, lines[index])
        if bucket:
            buckets.append(bucket)
        else:
            problems.append(Problem(index + 1, "a bucket that cannot be read"))
        index += 1
    _, count = figures.pop("count", (0, -1.0))
    if count >= 0 and not problems and sum(bucket[3] for bucket in buckets) != count:
        problems.append(Problem(start + 1, f"its buckets do not hold {count:.0f} values"))
    return Histogram(start + 1, kind, figures, buckets, count), index, problems


def _summary(match: re.Match[str]) -> dict[str, float]:
    texts = match.groupdict() or {
        f"p{name.replace('.', '_')}": text for name, text in _PERCENTILE.findall(match[0])
    }
    values = {name: number(text) for name, text in texts.items()}
    return {name: value for name, value in values.items() if value is not None}


def _bucket(line_no: int, line: str) -> tuple[int, int, int, int, float, float] | None:
    match = _BUCKET.fullmatch(line)
    if not match:
        return None
    low, high, count = (int(text) for text in match.groups()[:3])
    if not low <= high < _UINT64:
        return None
    return line_no, low, high, count, float(match[4]), float(match[5])
