"""RocksDB's statistics as db_bench prints them: compaction tables and what follows.

Columns are found by their names: they grew over the years (CompMergeCPU, Rblob and Wblob,
WPreComp). Size is a number and a unit, in old versions ``Size(MB)`` one number::

    ** Compaction Stats [default] **
    Level    Files   Size     Score Read(GB) ... KeyIn KeyDrop
    ----------------------------------------------------------
      L0      6/0   37.54 MB   0.8      0.0  ...   243K      0
    Uptime(secs): 1800.1 total, 20.0 interval
    Flush(GB): cumulative 97.193, interval 1.247
    Cumulative compaction: 1159.74 GB write, 661.03 MB/s write, ...
    Stalls(count): 12 level0_slowdown, ...       (from 8.1 on: Write Stall (count): ...)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchformats.db_bench.figures import column_name, count_of, gigabytes, seconds_of
from benchformats.parsed import Problem
from benchformats.printed import number

_TITLE = re.compile(r"\*\* Compaction Stats \[(?P<family>.*)\] \*\*")
_TABLES = {"Level": "level", "Priority": "priority"}
_KEYS = ("KeyIn", "KeyDrop")
_COLUMN = re.compile(r"[A-Za-z][\w-]*(?:[({][A-Za-z/]+[)}])?", re.ASCII)
_FILES = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)
_N = r"(\d{1,18}(?:\.\d{1,9})?)"
_PLAIN = r"\d{1,18}(?:\.\d{1,9})?"
_STALLS = re.compile(r"(\d{1,18}) ([a-z]\w*(?: [a-z]\w*)*)", re.ASCII)
_WRITE_STALLS = re.compile(r"([a-z][a-z0-9-]*): (\d{1,18})", re.ASCII)
_LINES = {  # beginning -> the rest, and the names of its numbers
    "Uptime(secs): ": (
        rf"{_N} total, {_N} interval", ("uptime", "uptime_interval")),
    "Flush(GB): ": (
        rf"cumulative {_N}, interval {_N}", ("flush_gb", "flush_interval_gb")),
    "AddFile(GB): ": (
        rf"cumulative {_N}, interval {_N}", ("addfile_gb", "addfile_interval_gb")),
    "Cumulative compaction: ": (
        rf"{_N} GB write, {_N} MB/s write, {_N} GB read, {_N} MB/s read, {_N} seconds",
        ("c_wgb", "c_mbps", "c_rgb", "c_rmbps", "c_secs")),
    "Cumulative writes: ": (
        rf"\S+ writes, \S+ keys, (?:\S+ (?:batches|commit groups), )?{_PLAIN} writes per "
        rf"(?:batch|commit group), ingest: {_N} GB, {_N} MB/s",
        ("ingest_gb", "ingest_mbps")),
    "Estimated pending compaction bytes: ": (_N, ("pending_compaction_bytes",)),
    "Blob file count: ": (
        rf"{_N}, total size: {_N} GB, garbage size: {_N} GB(?:, space amp: {_PLAIN})?",
        ("blob_files", "blob_sz", "blob_garbage_gb")),
    "num-running-compactions: ": (_N, ("running_compactions",)),
    "num-running-flushes: ": (_N, ("running_flushes",)),
}  # fmt: skip
_PATTERNS = {
    start: (re.compile(rest, re.ASCII), names) for start, (rest, names) in _LINES.items()
}
_STALL = "Cumulative stall: "
_STALL_TIME = re.compile(r"(\S{1,20}) H:M:S, " + _N + " percent", re.ASCII)
_COUNTS = ("Stalls(count): ", "Write Stall (count): ")


@dataclass(frozen=True)
class Line:
    """One row of a compaction table: ``values`` by column, counts as numbers."""

    line: int
    label: str  # L0 .. Ln, Sum, Int; Low, High, User, Bottom
    files: int
    compacting: int
    size_mb: float
    values: dict[str, float]


@dataclass(frozen=True)
class Table:
    """A compaction table, per level or per priority."""

    line: int
    family: str
    kind: str
    lines: list[Line]


@dataclass(frozen=True)
class Facts:
    """What a line below the tables says, by metric."""

    line: int
    values: dict[str, float]


def family_of(line: str) -> str | None:
    """The column family whose table a line announces; None where it announces none."""
    title = _TITLE.fullmatch(line.rstrip())
    return title["family"] if title else None


def table(
    lines: Sequence[str], start: int, family: str
) -> tuple[Table | None, int, list[Problem]]:
    """The table announced by ``lines[start]``, the index behind it, and problems."""
    index = start + 1
    header = lines[index].split() if index < len(lines) else []
    known = len(header) > 3 and header[0] in _TABLES and header[1] == "Files"
    if not known or not all(map(_COLUMN.fullmatch, header)):
        return None, index, [Problem(start + 1, "a compaction table without its header")]
    index += 1
    if index < len(lines) and lines[index].startswith("-----"):
        index += 1
    rows, problems = [], []
    while index < len(lines) and lines[index].strip():
        cells = lines[index].split()
        if len(cells) < 2 or "/" not in cells[1]:
            break
        row = _row(index + 1, header, cells)
        if row:
            rows.append(row)
        else:
            why = "a row that does not fit the header of its compaction table: not read"
            problems.append(Problem(index + 1, why))
        index += 1
    return Table(start + 1, family, _TABLES[header[0]], rows), index, problems


def facts(line_no: int, line: str) -> Facts | Problem | None:
    """What a line below the tables says; None where it is no such line."""
    line = line.rstrip()
    for start, (pattern, names) in _PATTERNS.items():
        if line.startswith(start):
            match = pattern.fullmatch(line[len(start) :])
            values = [float(text) for text in match.groups()] if match else []
            return _facts_of(line_no, start, dict(zip(names, values, strict=False)))
    if line.startswith(_STALL):
        match = _STALL_TIME.fullmatch(line[len(_STALL) :])
        seconds = seconds_of(match[1]) if match else None
        stalled = {} if match is None or seconds is None else {
            "stall_s": seconds, "stall_pct": float(match[2])}  # fmt: skip
        return _facts_of(line_no, _STALL, stalled)
    for start in _COUNTS:
        if line.startswith(start):
            return _facts_of(line_no, start, _stall_counts(line[len(start) :]))
    return None


def _facts_of(line_no: int, start: str, values: dict[str, float]) -> Facts | Problem:
    if values:
        return Facts(line_no, values)
    return Problem(line_no, f"{start.strip().rstrip(':')}: cannot be read")


def _row(line_no: int, header: list[str], cells: list[str]) -> Line | None:
    """None where cells and columns do not go together."""
    files = _FILES.fullmatch(cells[1])
    units = int(header[2] == "Size")  # a unit of its own behind the number
    if not files or len(cells) != len(header) + units:
        return None
    if units:
        size = gigabytes(f"{cells[2]} {cells[3]}")
        size_mb = size * 1024 if size is not None else None
    else:
        size_mb = number(cells[2])
    values = {}
    for name, cell in zip(header[3:], cells[3 + units :], strict=True):
        read = count_of if name in _KEYS else number
        values[column_name(name)] = read(cell)
    numbers = {name: value for name, value in values.items() if value is not None}
    if size_mb is None or len(numbers) < len(header) - 3:
        return None
    return Line(line_no, cells[0], int(files[1]), int(files[2]), size_mb, numbers)


def _stall_counts(text: str) -> dict[str, float]:
    """Counts by cause; what follows them on the line (a cache, a total) is left out."""
    counts = {}
    for part in text.split(","):
        part = part.strip()
        if match := _STALLS.fullmatch(part):
            count, name = match.groups()
        elif match := _WRITE_STALLS.fullmatch(part):
            name, count = match.groups()
        else:
            break
        name = re.sub(r"[ -]", "_", name)
        # RocksDB 8.1 to 8.3 do not end the line before this.
        running = name.removeprefix("num_") if name.startswith("num_running_") else ""
        counts[running or f"stall_{name}"] = float(count)
    return counts
