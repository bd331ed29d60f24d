"""A db_bench log as events, in order; what is not understood is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchbook.formats import db_bench_dumps as dumps
from benchbook.formats.db_bench_results import (
    Histogram,
    NoResult,
    Result,
    histogram,
    histogram_kind,
    result_of,
)
from benchbook.formats.parsed import Problem

_BANNER = re.compile(r"(?P<engine>RocksDB|LevelDB):\s+version (?P<version>\S+)")
_OPTION = re.compile(r"--(threads|block_size)=(\d{1,12})(?!\d)", re.ASCII)
_INTERVAL = re.compile(
    r"(?:(?P<time>\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d)\s+)?\.\.\. thread (\d{1,9}): "
    r"\((\d{1,18}),(\d{1,18})\) ops and \(([\d.]{1,20}),([\d.]{1,20})\) ops/second "
    r"in \(([\d.]{1,20}),([\d.]{1,20})\) seconds",
    re.ASCII,
)
_ACTION = re.compile(
    r"(?P<what>flush)(?: memtable)|(?P<level>compact[01]) found |(?P<all>compactall)"
)
_AVERAGE = re.compile(r"\S+ \[(?:AVG|MEDIAN|CI95)\s")
_WARMUP, _COUNTED = "Warming up benchmark", "Running benchmark for"


@dataclass(frozen=True)
class Interval:
    """What one thread says every few seconds: of this interval, of all of its time."""

    line: int
    time: str
    thread: int
    figures: tuple[float, ...]


@dataclass(frozen=True)
class Banner:
    """A process starts."""

    engine: str
    version: str


@dataclass(frozen=True)
class Said:
    """A word of the log that says how later results are to be read."""

    what: str  # command, after, warm-up
    values: dict[str, str]


Event = (
    Result | NoResult | Histogram | Interval | Banner | Said
    | dumps.Table | dumps.Facts | Problem
)  # fmt: skip


def events(lines: Sequence[str]) -> Iterator[Event]:
    """All that is understood, in order; other lines are passed over."""
    index = 0
    while index < len(lines):
        line = lines[index].rpartition("\r")[2]  # progress is overwritten on terminals
        kind, family = histogram_kind(line), dumps.family_of(line)
        if kind:
            found, index, problems = histogram(lines, index, kind)
            yield found
            yield from problems
        elif family is not None:
            table, index, problems = dumps.table(lines, index, family)
            if table:
                yield table
            yield from problems
        else:
            index += 1
            event = _event(index, line)
            if event:
                yield event


def _event(line_no: int, line: str) -> Event | None:
    if not line.strip() or _AVERAGE.match(line):
        return None
    if banner := _BANNER.match(line):
        return _banner(banner["engine"], banner["version"])
    if "... thread " in line:
        return _interval(line_no, line)
    if action := _ACTION.match(line):
        what = action["what"] or action["level"] or action["all"]
        return Said("after", {"after": what})
    if line.startswith((_WARMUP, _COUNTED)):
        return Said("warm-up", {"on": "1"} if line.startswith(_WARMUP) else {})
    if line.startswith("WARNING: "):
        return Problem(line_no, f"db_bench warns: {line.removeprefix('WARNING: ')[:80]}")
    if "db_bench" in line and "--" in line:
        return Said("command", dict(_OPTION.findall(line)))
    return result_of(line_no, line) or dumps.facts(line_no, line)


def _banner(engine: str, version: str) -> Banner:
    """RocksDB called itself LevelDB until 2015; LevelDB's own versions are 1.x."""
    renamed = engine == "LevelDB" and not version.startswith("1.")
    return Banner("rocksdb" if renamed else engine.lower(), version)


def _interval(line_no: int, line: str) -> Interval | Problem:
    found = _INTERVAL.fullmatch(line.rstrip())
    try:
        figures = tuple(float(text) for text in found.groups()[2:]) if found else ()
    except ValueError:
        figures = ()
    if not found or not figures:
        return Problem(line_no, "an interval that cannot be read")
    return Interval(line_no, found["time"] or "", int(found[2]), figures)
