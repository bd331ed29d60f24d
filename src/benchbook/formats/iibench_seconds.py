"""o.ib.*, o.ci.*: what the insert benchmark's client prints per second, and at its end.

A command line, a header of 12 columns, or of 17 since May 2023, one line per interval::

    i_sec t_sec i_ips t_ips i_qps t_qps max_i max_q t_ins t_query retry_i retry_q
    i_sec t_sec i_ips t_ips i_dps t_dps i_qps t_qps max_i max_d max_q
        t_ins t_del t_query retry_i retry_d retry_q

i_ is of the interval, t_ since the start: seconds, rows or queries per second, counts;
max_ is the longest response time of the interval in microseconds. Series
``iibench_seconds``: line, run (a header begins one, from 1) and these columns; rows: what
stands below them, see iibench_endings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from benchbook.formats.iibench_endings import Endings
from benchbook.formats.iibench_words import is_query_step
from benchbook.formats.parsed import CUT, Block, Parsed, Problem, TextFile, merged
from benchbook.names import decode_path

NAME = "iibench_seconds"
SERIES = "iibench_seconds"
LOAD = "load"  # the step of a file whose name and folders do not say
MANY = 100  # lines of one block that are told one by one

_SECONDS = ("i_sec", "t_sec")
_COUNTS = frozenset(
    ("i_ips", "t_ips", "i_dps", "t_dps", "i_qps", "t_qps", "max_i", "max_d", "max_q",
     "t_ins", "t_del", "t_query", "retry_i", "retry_d", "retry_q")
)  # fmt: skip
_INDEXED = re.compile(r"o\.ci\.(\d{1,9}[kmgb])$", re.ASCII)
_HEAD = 8192  # characters among which the header stands


@dataclass
class _State:
    """What earlier blocks have said."""

    endings: Endings
    columns: tuple[str, ...] = ()  # of the lines to come; () where they are not known
    first: tuple[str, ...] = ()  # of the file's first header
    run: int = 0
    problems: list[Problem] = field(default_factory=list)


def recognises(file: TextFile) -> bool:
    """A header of known columns near the beginning."""
    return any(_columns(line) for line in file.text[:_HEAD].split("\n"))


def read(file: TextFile) -> Parsed:
    """All seconds as one table, and the figures below them."""
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """The seconds of each block; figures and problems when all have been read."""
    state = _State(_endings(file))
    for block in file.blocks():
        for table in _block(state, block):
            yield Parsed(series={SERIES: table})
    problems = sorted(state.problems + state.endings.problems, key=lambda p: p.line)
    yield Parsed(state.endings.rows, problems=problems)


def _endings(file: TextFile) -> Endings:
    place = decode_path(file.path)
    dims = {"size": found[1]} if (found := _INDEXED.match(file.name)) else {}
    # One of several clients, or inserts in the background, are not the step's rate.
    main = "client" not in place.dims and not is_query_step(place.step)
    return Endings("" if place.step else LOAD, main, dims)


def _columns(line: str) -> tuple[str, ...]:
    """The columns of a header; () of any other line."""
    if not line.startswith("i_sec\t"):
        return ()
    names = tuple(line.split("\t"))
    known = names[:2] == _SECONDS and _COUNTS.issuperset(names[2:])
    return names if known and len(set(names)) == len(names) > 2 else ()


def _block(state: _State, block: Block) -> Iterator[pa.Table]:
    """The tables of a block: one per header, and what precedes the first."""
    data = block.text.encode(errors="replace")
    end = data.rfind(b"\n") + 1
    if end < len(data):
        number = block.first_line + block.text.count("\n")
        state.problems.append(Problem(number, CUT))
    lines = _lines(data[:end])
    headers = np.flatnonzero(_flags(pc.starts_with(lines, "i_sec"))).tolist()
    for header, last in zip([-1, *headers], [*headers, len(lines)], strict=True):
        if header >= 0:
            _header(state, lines[header].as_py()[:-1], block.first_line + header)
        segment = lines.slice(header + 1, last - header - 1)
        if len(segment):
            yield from _segment(state, segment, block.first_line + header + 1)


def _header(state: _State, line: str, line_no: int) -> None:
    """A header begins a run; all of a file have the columns of the first."""
    found = _columns(line)
    state.run += 1
    state.first = state.first or found
    state.columns = found if found == state.first else ()
    if not state.columns:
        why = "not a known header" if not found else "other columns than before"
        state.problems.append(Problem(line_no, f"{why}: its seconds are not read"))


def _lines(data: bytes) -> pa.LargeStringArray:
    r"""Whole lines with their "\n", without a copy."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_string(), len(ends), buffers)


def _segment(state: _State, lines: pa.LargeStringArray, first: int) -> Iterator[pa.Table]:
    """The seconds among lines that have one header; the rest is told or an ending."""
    chosen = _chosen(lines, state.columns, r"\d+")
    _rest(state, lines, first, np.flatnonzero(~chosen))
    if chosen.any():
        try:
            yield _table(state, lines, first, chosen)
        except pa.ArrowInvalid:  # more digits than a number has
            short = _chosen(lines, state.columns, r"\d{1,18}")
            _rest(state, lines, first, np.flatnonzero(chosen & ~short))
            if short.any():
                yield _table(state, lines, first, short)


def _chosen(
    lines: pa.LargeStringArray, columns: tuple[str, ...], digits: str
) -> np.ndarray:
    """Which lines are seconds of these columns."""
    if not columns:
        return np.zeros(len(lines), bool)
    # -1 stands for no statement in some versions of the client.
    signs = ["-?" if name.startswith("max_") else "" for name in columns[2:]]
    counts = "".join(rf"\t{sign}{digits}" for sign in signs)
    pattern = rf"\A{digits}\.\d\t{digits}\.\d{counts}\n\z"
    return _flags(pc.match_substring_regex(lines, pattern))


def _table(
    state: _State, lines: pa.LargeStringArray, first: int, chosen: np.ndarray
) -> pa.Table:
    at = np.flatnonzero(chosen)
    table = pyarrow.csv.read_csv(
        pa.BufferReader(_bytes(lines, chosen)),
        pyarrow.csv.ReadOptions(use_threads=True, column_names=state.columns,
                                block_size=2**24),
        pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False),
        pyarrow.csv.ConvertOptions(
            null_values=[],
            column_types={
                name: pa.float64() if name in _SECONDS else pa.int64()
                for name in state.columns
            },
        ),
    )  # fmt: skip
    columns = dict(zip(table.column_names, table.columns, strict=True))
    run = pa.repeat(pa.scalar(state.run, pa.int64()), len(at))
    return pa.table({"line": pa.array(at + first), "run": run, **columns})


def _bytes(lines: pa.LargeStringArray, chosen: np.ndarray) -> pa.Buffer:
    """The text of the chosen lines, one after the other."""
    kept = lines if chosen.all() else lines.filter(pa.array(chosen))
    offsets = np.frombuffer(kept.buffers()[1], np.int64)[kept.offset :]
    start, end = int(offsets[0]), int(offsets[len(kept)])
    return kept.buffers()[2].slice(start, end - start)


def _rest(
    state: _State, lines: pa.LargeStringArray, first: int, others: np.ndarray
) -> None:
    """Lines that are no seconds: what comes before and after them, or damage."""
    told = 0
    for index in others.tolist():
        text, number = lines[index].as_py()[:-1], first + index
        if "\t" in text:
            told += 1
            why = "not a second of these columns" if state.columns else "no known header"
            if told <= MANY:
                state.problems.append(Problem(number, f"{why}: not read"))
        elif state.run:
            state.endings.take(number, text)
    if told > MANY:
        more = Problem(first, f"and {told - MANY} more lines from here on: not read")
        state.problems.append(more)


def _flags(mask: pa.BooleanArray) -> np.ndarray:
    return mask.to_numpy(zero_copy_only=False)
