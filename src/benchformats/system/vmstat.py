"""vmstat: one sample a line, the two header lines repeated every 21 rows or so.

::

    procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
     r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
     4  0 104424 6362468 787228 122356912   10    9  3170  4076    0    0 16 10 72  2  0

Columns have the names of the second line: processes, KB (swpd to cache), KB/s (si so),
blocks of 1 KB per second (bi bo), interrupts and context switches per second (in cs) and
percent of all CPUs (us to st, gu). With -S they are other units, of which a file says
nothing: it is read as KB. **Sample 1 is since boot.** ``header`` counts the
``procs`` lines above a row: the scripts of the archives took those for samples of zeros.
vmstat prints one every 21 samples, or as many as a terminal has lines: where one comes
sooner than the first did, another run begins, and is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchformats.lines.shapes import Gap, Integer, Picture, Shape
from benchformats.parsed import Block, Parsed, Problem, TextFile, merged
from benchformats.text.columns import (
    HEAD,
    RowShape,
    Sorted,
    above,
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

NAME = "vmstat"
VERSION = 3

_MEMORY = ("buff cache", "inact active")  # the latter with -a
_CPU = ("", " st", " st gu")  # as vmstat grew
LAYOUTS = frozenset(
    tuple(f"r b swpd free {memory} si so bi bo in cs us sy id wa{cpu}".split())
    for memory in _MEMORY
    for cpu in _CPU
)
_PERCENT = ("us", "sy", "id", "wa", "st", "gu")
_APART = 21  # samples between headers; of fewer a file says nothing
_ROUNDING = 5  # percent that six rounded shares may be off 100 together

_PROCS = r"^-*procs[ -]"
_N = r"[ \t]+\d{1,18}"
_TIME = r"[ \t]+\d{4}-\d\d-\d\d[ \t]+\d\d:\d\d:\d\d"  # of -t
_ZONE = 8  # characters that a time zone's name may have: the header of -t
_HEADERS = re.compile(r"^.*swpd.*$", re.MULTILINE)
_OWN = re.compile(r".*swpd|-*procs|[ \t]*\d[\d \t:-]*$")

_NAMES, _UNKNOWN = 1, 2  # what a line says of those below it


@dataclass
class _State:
    """What one block must know of those before it."""

    columns: tuple[str, ...]
    timed: bool
    mark: int = 0
    header: int = 0
    sample: int = 0
    since: int = -1  # the samples before the last header; -1: there was none
    apart: int = 0  # samples between the first two


def recognises(file: TextFile) -> bool:
    """The names of the columns at the beginning, and little but samples."""
    headed = any(_columns(header[0]) for header in _HEADERS.finditer(file.text[:HEAD]))
    return headed and mostly(file.text, _OWN)


def read(file: TextFile) -> Parsed:
    """Series vmstat: line, header, sample (from 1), then the file's columns."""
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """``read`` in blocks. All rows have the columns of the file's first known header."""
    columns = (_columns(header[0]) for header in _HEADERS.finditer(file.text))
    state = _State(*next(filter(None, columns), ((), False)))
    parts = (_block(block, state) for block in file.blocks())
    yield from parts_or_problem(parts, "no sample of vmstat in known columns")


def _columns(line: str) -> tuple[tuple[str, ...], bool] | None:
    """The columns of a known header, and whether a time follows them."""
    names = tuple(line.split())
    if names in LAYOUTS:
        return names, False
    zone = names[-1]
    if names[:-1] in LAYOUTS and len(zone) <= _ZONE and not zone.islower():
        return names[:-1], True
    return None


def _block(block: Block, state: _State) -> Parsed:
    lines = block.lines
    by_kind = sorted_lines(lines, _row_shape(state.columns, state.timed))
    ((shaped, table),) = by_kind.rows
    if state.timed:  # date and clock as one
        time = pc.binary_join_element_wise(table["date"], table["clock"], " ")
        table = table.drop_columns(["date", "clock"]).append_column("time", time)
    marks, procs, rows = _classed(by_kind, state)
    context = above(marks, state.mark)
    headers = state.header + np.cumsum(procs)
    samples = state.sample + np.cumsum(rows & (context > 0))
    at = np.arange(len(lines)) + block.first_line
    places = {"line": at, "header": headers, "sample": samples}
    read = shaped & (context == _NAMES)
    table = placed(table, places, shaped, read)
    bad = np.flatnonzero(rows & ~read & (context != _UNKNOWN))
    cut = len(lines) - 1 if block.cut else -1
    problems = problems_at(
        np.flatnonzero(marks == _UNKNOWN),
        "not the columns of the file's first header: rows below it are not read",
        block.first_line,
    )
    why = "not a row of the header above it"
    problems += problems_at(bad, why, block.first_line, cut)
    why = "another run begins, or samples are lost: the next one may be since boot"
    problems += problems_at(_begun(procs, samples, state), why, block.first_line)
    if len(lines):
        state.mark, state.header = int(context[-1]), int(headers[-1])
        state.sample = int(samples[-1])
    series = {NAME: table} if table.num_rows else {}
    return Parsed(series=series, problems=problems + _odd(table))


def _begun(procs: np.ndarray, samples: np.ndarray, state: _State) -> np.ndarray:
    """Headers that come before vmstat repeats its own."""
    at = np.flatnonzero(procs)
    counts = samples[at].tolist()
    other = []
    for count in counts:
        apart = count - state.since if state.since >= 0 else 0
        state.apart = state.apart or apart
        other.append(0 < apart < state.apart and state.apart >= _APART)
        state.since = count
    return at[np.array(other, bool)]


@cache
def _row_shape(columns: tuple[str, ...], timed: bool) -> RowShape:
    time = (Picture("date", b"0000-00-00"), Picture("clock", b"00:00:00"))
    parts = between_blanks(*map(Integer, columns), *(time if timed else ()))
    pattern = rf"^[ \t]*\d{{1,18}}(?:{_N}){{{len(columns) - 1}}}{_TIME if timed else ''}"
    return RowShape(Shape((Gap(0), *parts)), rf"{pattern}[ \t]*\n$")


def _classed(by_kind: Sorted, state: _State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What lines say of those below, which are ``procs``, and which should be rows.

    Only lines without the shape of a row are looked at, and each text of them once.
    """
    texts, at, others = by_kind.texts, by_kind.at, by_kind.others
    starts = like(texts, r"^[ \t]*r[ \t]+b[ \t]")
    named = mask(pc.match_substring(texts, "swpd")) | starts
    expected = (state.columns, state.timed)
    headers = [
        bool(n) and _columns(t) == expected
        for t, n in zip(texts.to_pylist(), named, strict=True)
    ]
    marks = np.where(headers, _NAMES, np.where(named, _UNKNOWN, 0))
    procs = like(texts, _PROCS) & ~named
    rows = ~named & ~procs & ~like(texts, r"^\s*$")
    return (
        spread(marks[at], others, 0),
        spread(procs[at], others, False),
        spread(rows[at], others, True),
    )


def _odd(table: pa.Table) -> list[Problem]:
    """Rows whose shares of CPU are not those of one whole: told, and read."""
    if not table.num_rows:
        return []
    shares = [table[n].to_numpy() for n in _PERCENT if n in table.column_names]
    odd = np.abs(np.sum(shares, axis=0) - 100) > _ROUNDING
    at = table["line"].to_numpy()[odd]
    why = "us, sy, id, wa and st are not 100% together: read as printed"
    return problems_at(at, why, 0)
