"""iostat -x: devices and CPUs per report, all devices, in the layouts of its years.

A report is a header of CPUs with a row, a header of devices with a row for each::

    avg-cpu:  %user   %nice %system %iowait  %steal   %idle
              39.47    0.00   41.37    0.00    0.00   19.16

    Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s ...
    md2              0.00      0.00     0.00   0.00    0.00     0.00    5.00 ...

Columns are found by their names; with -m they are rMB/s and wMB/s instead of rkB/s and
wkB/s. Rates are per second, awaits in ms, request sizes in KB (sectors of 512 bytes in
avgrq-sz, in rsec/s and wsec/s, and in Blk_read and Blk_wrtn). **The first report is since
boot unless iostat ran with -y**, which no file says: it is report 1, and one below each
further banner, which is told. The banner's number of CPUs counts those that are switched
off.

iostat never separates thousands: where all figures have a comma, it is the decimal sign.
Rows that were taken out of reports stand under one header without a banner: there a
device that stands once more is of the next report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchformats.lines.lines import texts_of
from benchformats.lines.shapes import Decimal, Gap, Integer, Shape, Word
from benchformats.metric_names import metric_name
from benchformats.parsed import Block, Parsed, Problem, TextFile, merged
from benchformats.text.columns import (
    HEAD,
    RowShape,
    Sorted,
    above,
    begins,
    between_blanks,
    like,
    mask,
    mostly,
    parts_or_problem,
    placed,
    problems_at,
    sorted_lines,
    spread,
)

NAME = "iostat"
VERSION = 4
CPU = "iostat_cpu"

_TIMES = "r_await w_await"
_UBUNTU_20 = (
    "r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await wareq-sz"
    " d/s dkB/s drqm/s %drqm d_await dareq-sz"
)
_CENTOS_6 = "rrqm/s wrqm/s r/s w/s rkB/s wkB/s avgrq-sz avgqu-sz await"
_KILOBYTES = (
    f"{_CENTOS_6} svctm %util",
    f"{_CENTOS_6} svctm %util".replace("kB/s", "sec/s"),
    f"{_CENTOS_6} {_TIMES} svctm %util".replace("kB/s", "sec/s"),
    f"{_CENTOS_6} {_TIMES} svctm %util",
    "tps kB/s rqm/s await areq-sz aqu-sz %util",  # -s
    "tps kB_read/s kB_wrtn/s kB_read kB_wrtn",  # without -x
    "tps kB_read/s kB_wrtn/s kB_dscd/s kB_read kB_wrtn kB_dscd",
    "tps Blk_read/s Blk_wrtn/s Blk_read Blk_wrtn",
    f"r/s w/s rkB/s wkB/s rrqm/s wrqm/s %rrqm %wrqm {_TIMES} aqu-sz rareq-sz wareq-sz"
    " svctm %util",
    f"{_UBUNTU_20} aqu-sz %util",
    f"{_UBUNTU_20} f/s f_await aqu-sz %util",
)
LAYOUTS = frozenset(
    tuple(columns.replace("kB", unit).split())
    for columns in _KILOBYTES
    for unit in ("kB", "MB")
)
_CPU_COLUMNS = ("%user", "%nice", "%system", "%iowait", "%steal", "%idle")

_N = r"[ \t]+\d{1,15}\.\d\d"  # always two decimals: a cut number has less
_SUM = re.compile(r"\w+_(?:read|wrtn|dscd)$")  # columns of whole numbers
_END = r"[ \t]*\n$"
_TIME = (  # of -t
    r"^(?:Time: |\d+[/.-]\d+[/.-]\d+[T ])\d+:\d+:\d+(?:[+-]\d{4}| [AP]M)?\s*$"
)
_NO_DEVICE = "^(?:Device|avg-cpu|Linux$)"
_CPU_ROW = RowShape(
    Shape((Gap(), *between_blanks(*(Decimal(metric_name(n), 2) for n in _CPU_COLUMNS)))),
    rf"^(?:{_N}){{6}}{_END}",
)
_COMMAS = re.compile(r"(?:[ \t]+\d{1,15},\d\d){3}(?=\s)", re.ASCII)
_DOTS = re.compile(r"(?:[ \t]+\d{1,15}\.\d\d){3}(?=\s)", re.ASCII)
_HEADERS = re.compile(r"^(?:Device|avg-cpu).*$", re.MULTILINE)
_OWN = re.compile(r"(?:Device|avg-cpu|Linux )|\S*(?:[ \t]+[\d.,]+)+[ \t]*$|" + _TIME)

_DEVICES, _CPUS, _UNKNOWN, _BETWEEN = 1, 2, 3, 4  # what a line says of those below it


@dataclass
class _State:
    """What one block must know of those before it."""

    layout: tuple[str, ...]
    picked: bool = False  # rows taken out of reports
    counts: dict[str, int] = field(default_factory=dict)  # devices of such, how often
    mark: int = 0
    header: int = 0  # the last header: _DEVICES or _CPUS
    report: int = 0
    banner: bool = False  # there was one


def recognises(file: TextFile) -> bool:
    """A header of devices in a known layout, or of CPUs, and little but reports."""
    head = (header[0] for header in _HEADERS.finditer(file.text[:HEAD]))
    headed = any(_layout(line) or _is_cpu_header(line) for line in head)
    return headed and mostly(file.text, _OWN)


def read(file: TextFile) -> Parsed:
    """Series iostat (line, report, device, figures) and iostat_cpu (line, report, %)."""
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """``read`` in blocks; all reports have the layout of the first known header."""
    layouts = (_layout(header[0]) for header in _HEADERS.finditer(file.text))
    # One header of devices and nothing above it: iostat begins with a banner.
    picked = file.text.startswith("Device") and len(_HEADERS.findall(file.text)) == 1
    state = _State(next(filter(None, layouts), ()), picked)
    blocks = file.blocks()
    if _COMMAS.search(file.text[:HEAD]) and not _DOTS.search(file.text[:HEAD]):
        blocks = (replace(b, data=b.data.replace(b",", b".")) for b in blocks)
    parts = (_block(block, state) for block in blocks)
    yield from parts_or_problem(parts, "no report of iostat in a known layout")


def _layout(line: str) -> tuple[str, ...]:
    """The columns after ``Device`` if the header is a known one, else ()."""
    first, *columns = tuple(line.split()) or ("",)
    of_devices = first in ("Device", "Device:")
    return tuple(columns) if of_devices and tuple(columns) in LAYOUTS else ()


def _is_cpu_header(line: str) -> bool:
    return tuple(line.split()) == ("avg-cpu:", *_CPU_COLUMNS)


def _block(block: Block, state: _State) -> Parsed:
    lines = block.lines
    by_kind = sorted_lines(lines, _device_shape(state.layout), _CPU_ROW)
    rows, (cpu_rows, cpus) = by_kind.rows
    device_rows, devices = _without_words(*rows)
    if device_rows is not rows[0]:  # some of them are no rows
        others = ~device_rows & ~cpu_rows
        by_kind = Sorted(by_kind.rows, others, *texts_of(lines, others))
    marks, headers = _classed(by_kind, state)
    reports = _reports(headers, state)
    context = above(marks, state.mark)
    read_devices = device_rows & (context == _DEVICES)
    if state.picked:
        names = devices["device"].filter(pa.array(read_devices[device_rows]))
        reports[read_devices] = _times(names, state.counts)
    read_cpus = cpu_rows & (context == _CPUS)
    unread = (marks == 0) & ~read_devices & ~read_cpus & (context != _UNKNOWN)
    first = block.first_line
    cut = len(lines) - 1 if block.cut else -1
    why = "not a known header, or not that of the file: rows below it are not read"
    problems = problems_at(np.flatnonzero(marks == _UNKNOWN), why, first)
    problems += problems_at(
        np.flatnonzero(unread), "not a row of the header above it", first, cut
    )
    at = np.arange(len(lines)) + first
    banners = np.flatnonzero(spread(begins(by_kind.texts, "Linux ")[by_kind.at],
                                    by_kind.others, False))  # fmt: skip
    why = "another run begins: its first report may be since boot"
    problems += problems_at(banners[0 if state.banner else 1 :], why, first)
    state.banner |= bool(len(banners))
    places = {"line": at, "report": reports}
    series = {
        NAME: placed(devices, places, device_rows, read_devices),
        CPU: placed(cpus, places, cpu_rows, read_cpus),
    }
    problems += _twice(series[NAME], "the device")
    problems += _twice(series[CPU], "the row of CPUs")
    if len(lines):
        state.mark = int(context[-1])
    tables = {name: table for name, table in series.items() if table.num_rows}
    return Parsed(series=tables, problems=problems)


def _without_words(shaped: np.ndarray, table: pa.Table) -> tuple[np.ndarray, pa.Table]:
    """Rows of devices without those whose name is a word of iostat's own."""
    if not table.num_rows:
        return shaped, table
    names = table["device"].unique()
    odd = names.filter(pc.match_substring_regex(names, _NO_DEVICE))
    if not len(odd):
        return shaped, table
    devices = ~mask(pc.is_in(table["device"], odd))
    return spread(devices, shaped, False), table.filter(pa.array(devices))


@cache
def _device_shape(layout: tuple[str, ...]) -> RowShape:
    sums = [bool(_SUM.match(name)) for name in layout]
    columns = [
        Integer(metric_name(name)) if whole else Decimal(metric_name(name), 2)
        for name, whole in zip(layout, sums, strict=True)
    ]
    numbers = "".join(r"[ \t]+\d{1,18}" if whole else _N for whole in sums)
    pattern = rf"^\S+{numbers}{_END}"
    return RowShape(Shape(between_blanks(Word("device"), *columns)), pattern)


def _classed(by_kind: Sorted, state: _State) -> tuple[np.ndarray, np.ndarray]:
    """What each line says of those below it, and which are headers of which kind.

    Only the others than rows are looked at, and each text of them once.
    """
    texts, at, others = by_kind.texts, by_kind.at, by_kind.others
    devices, cpus = begins(texts, "Device"), begins(texts, "avg-cpu")
    between = begins(texts, "Linux ") | like(texts, r"^\s*$") | like(texts, _TIME)
    marks = np.where(between, _BETWEEN, 0)
    for number in np.flatnonzero(devices | cpus).tolist():
        header = texts[number].as_py()
        known = bool(state.layout) and _layout(header) == state.layout
        other = _CPUS if _is_cpu_header(header) else _UNKNOWN
        marks[number] = _DEVICES if known else other
    kinds = np.where(devices, _DEVICES, np.where(cpus, _CPUS, 0))
    return spread(marks[at], others, 0), spread(kinds[at], others, 0)


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


def _times(names: pa.ChunkedArray, counts: dict[str, int]) -> np.ndarray:
    """How often each name stood until now, itself included; ``counts`` goes on."""
    encoded = pc.dictionary_encode(names.combine_chunks())
    codes = encoded.indices.to_numpy()
    times = np.zeros(len(codes), np.int64)
    for code, name in enumerate(encoded.dictionary.to_pylist()):
        at = np.flatnonzero(codes == code)
        times[at] = np.arange(1, len(at) + 1) + counts.get(name, 0)
        counts[name] = counts.get(name, 0) + len(at)
    return times


def _twice(table: pa.Table, what: str) -> list[Problem]:
    """Rows that a report has twice: a header between them is lost."""
    if not table.num_rows:
        return []
    keys = table["report"].to_numpy()
    if "device" in table.column_names:
        names = pc.dictionary_encode(table["device"].combine_chunks())
        keys = keys * len(names.dictionary) + names.indices.to_numpy()
    if (np.diff(keys) > 0).all():
        return []
    again = np.ones(table.num_rows, dtype=bool)
    again[np.unique(keys, return_index=True)[1]] = False
    at = table["line"].to_numpy()[again]
    return problems_at(at, f"{what} is in this report already: a header is missing", 0)
