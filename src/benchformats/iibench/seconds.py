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
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from benchformats.iibench.endings import Endings
from benchformats.iibench.figures import is_query_step
from benchformats.lines.lines import bytes_of
from benchformats.lines.shapes import Decimal, Integer, Part, Shape, read_shape
from benchformats.names import decode_path
from benchformats.parsed import CUT, Block, Parsed, Problem, Row, TextFile, merged
from benchformats.text.columns import begins, like

NAME = "iibench_seconds"
VERSION = 3
SERIES = "iibench_seconds"
LOAD = "load"  # the step of a file without queries whose name and folders do not say
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
    queries: bool = False  # there were some
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
    rows, complaints = _figures(file, state)
    problems = [*complaints, *state.problems, *state.endings.problems]
    yield Parsed(rows, problems=sorted(problems, key=lambda problem: problem.line))


def _endings(file: TextFile) -> Endings:
    place = decode_path(file.path)
    dims = {"size": size[1]} if (size := _INDEXED.match(file.name)) else {}
    # One of several clients, or inserts in the background, are not the step's rate.
    main = "client" not in place.dims and not is_query_step(place.step)
    return Endings("" if place.step else LOAD, main, dims)


def _figures(file: TextFile, state: _State) -> tuple[list[Row], list[Problem]]:
    """What stands below the seconds, unless it is of a step that nothing names."""
    rows = state.endings.rows
    if not state.queries or state.endings.step != LOAD or _INDEXED.match(file.name):
        return rows, []
    why = "nothing says of which step the figures below the seconds are: not read"
    return [row for row in rows if row.step != LOAD], [Problem(0, why)]


def _columns(line: str) -> tuple[str, ...]:
    """The columns of a header; () of any other line."""
    if not line.startswith("i_sec\t"):
        return ()
    names = tuple(line.split("\t"))
    if names[:2] != _SECONDS or not _COUNTS.issuperset(names[2:]):
        return ()
    return names if len(set(names)) == len(names) > 2 else ()


def _block(state: _State, block: Block) -> Iterator[pa.Table]:
    """The tables of a block: one per header, and what precedes the first."""
    lines = block.lines
    if block.cut:
        lines = lines[:-1]
        state.problems.append(Problem(block.first_line + len(lines), CUT))
    headers = np.flatnonzero(begins(lines, "i_sec")).tolist()
    for header, last in zip([-1, *headers], [*headers, len(lines)], strict=True):
        if header >= 0:
            _header(state, lines[header].as_py()[:-1], block.first_line + header)
        segment = lines.slice(header + 1, last - header - 1)
        if len(segment):
            seconds = _seconds(state, segment, block.first_line + header + 1)
            tables = [table for table in seconds if table.num_rows]
            if len(tables) > 1:
                tables = [pa.concat_tables(tables).sort_by("line")]
            yield from tables


def _header(state: _State, line: str, line_no: int) -> None:
    """A header begins a run; all of a file have the columns of the first."""
    columns = _columns(line)
    state.run += 1
    state.first = state.first or columns
    state.columns = columns if columns == state.first else ()
    if not state.columns:
        why = "not a known header" if not columns else "other columns than before"
        state.problems.append(Problem(line_no, f"{why}: its seconds are not read"))


def _seconds(state: _State, lines: pa.StringArray, first: int) -> Iterator[pa.Table]:
    """The seconds among lines that have one header; the rest is told or an ending."""
    at = np.arange(len(lines)) + first
    if state.columns:
        plain, table = read_shape(lines, _shape(state.columns))
        yield _placed(state, at[plain], table)
        if plain.any():
            lines, at = lines.filter(pa.array(~plain)), at[~plain]
    chosen = _chosen(lines, state.columns)
    _rest(state, lines, at, ~chosen, first)
    if chosen.any():
        yield _placed(state, at[chosen], _read(state, lines, chosen))


@cache
def _shape(columns: tuple[str, ...]) -> Shape:
    """A second as lines.c reads it; _chosen has the pattern of the same."""
    parts: list[Part] = []
    for name in columns:
        signed = name.startswith("max_")
        number = Decimal(name, 1) if name in _SECONDS else Integer(name, signed)
        parts += [b"\t", number]
    return Shape((*parts[1:], b"\n"))


def _chosen(lines: pa.StringArray, columns: tuple[str, ...]) -> np.ndarray:
    """Which lines are seconds of these columns."""
    if not columns:
        return np.zeros(len(lines), bool)
    # -1 stands for no statement in some versions of the client.
    signs = ["-?" if name.startswith("max_") else "" for name in columns[2:]]
    counts = "".join(rf"\t{sign}\d{{1,18}}" for sign in signs)
    return like(lines, rf"\A\d{{1,18}}\.\d\t\d{{1,18}}\.\d{counts}\n\z")


def _read(state: _State, lines: pa.StringArray, chosen: np.ndarray) -> pa.Table:
    data, ends = bytes_of(lines.filter(pa.array(chosen)))
    return pyarrow.csv.read_csv(
        pa.BufferReader(data[ends[0] : ends[-1]]),
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


def _placed(state: _State, at: np.ndarray, table: pa.Table) -> pa.Table:
    """Seconds with the number of their line and run."""
    if "t_query" in table.column_names:
        state.queries |= bool(pc.any(pc.greater(table["t_query"], 0)).as_py())
    run = pa.repeat(pa.scalar(state.run, pa.int64()), len(at))
    return table.add_column(0, "run", run).add_column(0, "line", pa.array(at))


def _rest(
    state: _State, lines: pa.StringArray, at: np.ndarray, others: np.ndarray, first: int
) -> None:
    """Lines that are no seconds: what comes before and after them, or damage."""
    count = 0
    for index in np.flatnonzero(others).tolist():
        text, number = lines[index].as_py()[:-1], int(at[index])
        if "\t" in text:
            count += 1
            why = "not a second of these columns" if state.columns else "no known header"
            if count <= MANY:
                state.problems.append(Problem(number, f"{why}: not read"))
        elif state.run:
            state.endings.take(number, text)
    if count > MANY:
        more = Problem(first, f"and {count - MANY} more lines from here on: not read")
        state.problems.append(more)
