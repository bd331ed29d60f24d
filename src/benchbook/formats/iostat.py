"""iostat -x: devices and CPUs per report, all devices, in the four layouts of its years.

A report is a header of CPUs with a row, a header of devices with a row for each::

    avg-cpu:  %user   %nice %system %iowait  %steal   %idle
              39.47    0.00   41.37    0.00    0.00   19.16

    Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s ...
    md2              0.00      0.00     0.00   0.00    0.00     0.00    5.00 ...

Columns are found by their names; with -m they are rMB/s and wMB/s instead of rkB/s and
wkB/s. Rates are per second, awaits in ms, request sizes in KB (sectors of 512 bytes in
avgrq-sz). **The first report is since boot unless iostat ran with -y**, which no file
says: it is report 1. The banner's number of CPUs counts those that are switched off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchbook.formats.parsed import (
    Block,
    Parsed,
    Problem,
    TextFile,
    merged,
    metric_name,
)
from benchbook.formats.sample_lines import (
    above,
    begins,
    like,
    lines_of,
    mask,
    or_told,
    table_of,
    told,
    words,
)

NAME = "iostat"
CPU = "iostat_cpu"

_TIMES = "r_await w_await"
_UBUNTU_20 = (
    "r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await wareq-sz"
    " d/s dkB/s drqm/s %drqm d_await dareq-sz"
)
_KILOBYTES = (
    f"rrqm/s wrqm/s r/s w/s rkB/s wkB/s avgrq-sz avgqu-sz await {_TIMES} svctm %util",
    f"r/s w/s rkB/s wkB/s rrqm/s wrqm/s %rrqm %wrqm {_TIMES} aqu-sz rareq-sz wareq-sz"
    " svctm %util",
    f"{_UBUNTU_20} aqu-sz %util",
    f"{_UBUNTU_20} f/s f_await aqu-sz %util",
)
LAYOUTS = frozenset(
    words(columns.replace("kB/s", unit))
    for columns in _KILOBYTES
    for unit in ("kB/s", "MB/s")
)
_CPU_COLUMNS = words("%user %nice %system %iowait %steal %idle")

_N = r"[ \t]+\d{1,15}\.\d\d"  # always two decimals: a cut number has less
_END = r"[ \t]*\n$"
_TIME = r"^\d+[/.-]\d+[/.-]\d+[T ]\d+:\d+:\d+(?:[+-]\d{4}| [AP]M)?\s*$"  # of -t
_HEADERS = re.compile(r"^(?:Device|avg-cpu).*$", re.MULTILINE)
_HEAD = 2**16  # characters in which the first report's headers are looked for

_DEVICES, _CPUS, _UNKNOWN, _BETWEEN = 1, 2, 3, 4  # what a line says of those below it


@dataclass
class _State:
    """What one block must know of those before it."""

    layout: tuple[str, ...]
    mark: int = 0
    header: int = 0  # the last header: _DEVICES or _CPUS
    report: int = 0


def recognises(file: TextFile) -> bool:
    """A header of devices in a known layout, or of CPUs, at the beginning."""
    head = (found[0] for found in _HEADERS.finditer(file.text[:_HEAD]))
    return any(_layout(line) or _is_cpu_header(line) for line in head)


def read(file: TextFile) -> Parsed:
    """Series iostat (line, report, device, figures) and iostat_cpu (line, report, %)."""
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """``read`` in blocks; all reports have the layout of the first known header."""
    layouts = (_layout(found[0]) for found in _HEADERS.finditer(file.text))
    state = _State(next(filter(None, layouts), ()))
    parts = (_block(block, state) for block in file.blocks())
    yield from or_told(parts, "no report of iostat in a known layout")


def _layout(line: str) -> tuple[str, ...]:
    """The columns after ``Device`` if the header is a known one, else ()."""
    first, *columns = words(line) or ("",)
    known = first in ("Device", "Device:") and tuple(columns) in LAYOUTS
    return tuple(columns) if known else ()


def _is_cpu_header(line: str) -> bool:
    return words(line) == ("avg-cpu:", *_CPU_COLUMNS)


def _block(block: Block, state: _State) -> Parsed:
    lines = lines_of(block.text)
    marks, headers = _marks(lines, state)
    reports = _reports(headers, state)
    context = above(marks, state.mark)
    rows = marks == 0
    first = block.first_line
    cut = -1 if block.text.endswith("\n") else len(lines) - 1
    shape = rf"^\S+(?:{_N}){{{len(state.layout)}}}{_END}"
    devices = _chosen(lines, rows & (context == _DEVICES), shape)
    cpus = _chosen(lines, rows & (context == _CPUS), rf"^(?:{_N}){{6}}{_END}")
    bad = np.flatnonzero(rows & ~devices & ~cpus & (context != _UNKNOWN))
    problems = _header_problems(lines, marks, first, state)
    problems += told(bad, "not a row of the header above it", first, cut)
    series = {
        NAME: _table(lines, devices, reports, first, ("device", *state.layout)),
        CPU: _table(lines, cpus, reports, first, _CPU_COLUMNS),
    }
    problems += _twice(series[NAME], "the device")
    problems += _twice(series[CPU], "the row of CPUs")
    if len(lines):
        state.mark = int(context[-1])
    known = {name: table for name, table in series.items() if table.num_rows}
    return Parsed(series=known, problems=problems)


def _marks(lines: pa.StringArray, state: _State) -> tuple[np.ndarray, np.ndarray]:
    """What each line says of those below it, and which are headers of which kind."""
    devices, cpus = begins(lines, "Device"), begins(lines, "avg-cpu")
    marks = np.zeros(len(lines), np.int8)
    other = begins(lines, "Linux ") | like(lines, r"^\s*$") | like(lines, _TIME)
    marks[other] = _BETWEEN
    marks[devices | cpus] = _UNKNOWN
    headers = lines.filter(pa.array(devices | cpus))
    kinds = {text: _kind(text, state.layout) for text in headers.unique().to_pylist()}
    for kind in (_DEVICES, _CPUS):
        texts = pa.array([t for t, k in kinds.items() if k == kind], pa.string())
        marks[mask(pc.is_in(lines, texts))] = kind
    return marks, np.where(devices, _DEVICES, np.where(cpus, _CPUS, 0))


def _kind(header: str, layout: tuple[str, ...]) -> int:
    if layout and _layout(header) == layout:
        return _DEVICES
    return _CPUS if _is_cpu_header(header) else _UNKNOWN


def _reports(headers: np.ndarray, state: _State) -> np.ndarray:
    """The report of each line, from 1: it begins with CPUs, or devices without them."""
    at = np.flatnonzero(headers)
    kinds = headers[at]
    before = np.concatenate(([state.header], kinds))[: len(kinds)]
    begun = np.zeros(len(headers), np.int64)
    begun[at] = (kinds == _CPUS) | (before != _CPUS)
    reports = state.report + np.cumsum(begun)
    if len(at):
        state.header, state.report = int(kinds[-1]), int(reports[-1])
    return reports


def _chosen(lines: pa.StringArray, rows: np.ndarray, shape: str) -> np.ndarray:
    """True for the rows that have this shape."""
    chosen = rows.copy()
    chosen[rows] = like(lines.filter(pa.array(rows)), shape)
    return chosen


def _table(
    lines: pa.StringArray, rows: np.ndarray, reports: np.ndarray, first: int,
    columns: tuple[str, ...],
) -> pa.Table:  # fmt: skip
    types = {
        metric_name(name): pa.string() if name == "device" else pa.float64()
        for name in columns
    }
    table = table_of(lines.filter(pa.array(rows)), types)
    table = table.add_column(0, "report", pa.array(reports[rows]))
    return table.add_column(0, "line", pa.array(np.flatnonzero(rows) + first))


def _header_problems(
    lines: pa.StringArray, marks: np.ndarray, first: int, state: _State
) -> list[Problem]:
    at = np.flatnonzero(marks == _UNKNOWN)
    text = "not a known header, or not that of the file: rows below it are not read"
    return told(at, text, first)


def _twice(table: pa.Table, what: str) -> list[Problem]:
    """Rows that a report has twice: a header between them is lost."""
    if not table.num_rows:
        return []
    keys = table["report"].to_numpy()
    if "device" in table.column_names:
        names = pc.dictionary_encode(table["device"].combine_chunks())
        keys = keys * len(names.dictionary) + names.indices.to_numpy()
    again = np.ones(table.num_rows, dtype=bool)
    again[np.unique(keys, return_index=True)[1]] = False
    at = table["line"].to_numpy()[again]
    return told(at, f"{what} is in this report already: a header is missing", 0)
