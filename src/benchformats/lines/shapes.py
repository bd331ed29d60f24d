r"""Lines of one shape as a table at once; the shape is said part by part.

::

    Shape((b"[ ", Integer("second"), b"s ] thds: ", Integer("dop"), b"\n"))

lines.c does the work; it is several times as fast as patterns and a CSV reader. Those
stay for machines without a compiler, and for lines that are too odd: a shape accepts
nothing that they do not, and gives the same numbers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from benchformats.lines.lines import address, bytes_of, library

PART = 2**13  # lines, at least, that a thread of its own reads
MOST_THREADS = 4


@dataclass(frozen=True)
class Integer:
    """1 to 18 digits, after a minus if that is allowed; int64."""

    column: str
    signed: bool = False


@dataclass(frozen=True)
class Decimal:
    """Digits with so many ``places``, or with any or none (-1); at most 15; float64."""

    column: str
    places: int = -1


@dataclass(frozen=True)
class Word:
    """One or more characters of ASCII, blanks apart."""

    column: str


@dataclass(frozen=True)
class Text:
    """Any printable ASCII up to a quotation mark or backslash."""

    column: str


@dataclass(frozen=True)
class Picture:
    """Text of which each 0 of the ``picture`` is any digit: 00:00:00."""

    column: str
    picture: bytes


@dataclass(frozen=True)
class Integers:
    """One or more whole numbers with commas between them; list of int64."""

    column: str


@dataclass(frozen=True)
class Pairs:
    """Any number of ``[1,2]`` with commas between them; list of their int64 in turn."""

    column: str


@dataclass(frozen=True)
class Gap:
    """``least`` or more blanks and tabs."""

    least: int = 1


@dataclass(frozen=True)
class Padding:
    """Blanks, or nothing."""


Column = Integer | Decimal | Word | Text | Picture | Integers | Pairs
Part = bytes | Gap | Padding | Column

# In the order of enum kind in lines.c.
(_LITERAL, _GAP, _PADDING, _INTEGER, _SIGNED, _DECIMAL, _WORD, _TEXT, _PICTURE,
 _LIST, _PAIRS) = range(11)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """A whole line, its end included."""

    parts: tuple[Part, ...]

    @cached_property
    def columns(self) -> list[Column]:
        """Those that its lines give, in their order."""
        return [p for p in self.parts if not isinstance(p, bytes | Gap | Padding)]

    @cached_property
    def encoded(self) -> tuple[np.ndarray, bytes]:
        """What lines.c takes: kind, column, first and second of each part; literals."""
        literals = b""
        parts, column = [], 0
        for part in self.parts:
            at = len(literals)
            if isinstance(part, bytes):
                literals += part
                parts.append((_LITERAL, 0, at, len(literals)))
            elif isinstance(part, Gap):
                parts.append((_GAP, 0, part.least, 0))
            elif isinstance(part, Padding):
                parts.append((_PADDING, 0, 0, 0))
            elif isinstance(part, Picture):
                literals += part.picture
                parts.append((_PICTURE, column, at, len(literals)))
            else:
                parts.append((*_kind(part, column), 0))
            column += not isinstance(part, bytes | Gap | Padding)
        return np.array(parts, np.int64), literals


class _Store:
    """The memory into which a column is read, and the array that becomes of it."""

    def __init__(self, column: Column, rows: int, size: int) -> None:
        self._column = column
        types: dict[type, tuple[Any, int]] = {
            Integer: (np.int64, rows), Decimal: (np.float64, rows),
            Integers: (np.int64, size // 2 + 1), Pairs: (np.int64, size // 2 + 1),
        }  # fmt: skip
        type_, room = types.get(type(column), (np.uint8, size))
        self.values = np.empty(room, type_)
        plain = isinstance(column, Integer | Decimal)
        self.ends = np.zeros(0 if plain else rows + 1, np.int32)

    def array(self, rows: int) -> pa.Array:
        """The first ``rows`` rows; memory that was not needed does not stay with them."""
        if isinstance(self._column, Integer | Decimal):
            return pa.array(self.values[:rows])
        ends = self.ends[: rows + 1]
        values = self.values[: ends[-1]].copy()
        if isinstance(self._column, Integers | Pairs):
            return pa.ListArray.from_arrays(ends, values)
        buffers = pa.py_buffer(ends), pa.py_buffer(values)
        return pa.StringArray.from_buffers(rows, *buffers)


Rows = tuple[np.ndarray, pa.Table]  # which of the lines, and these as a table, in order


def read_shape(lines: pa.StringArray, shape: Shape) -> Rows:
    """Which of the lines have the shape, and these as a table.

    None has it where lines.c cannot be compiled. Many lines are read in several threads.
    """
    return read_shapes(lines, [shape])[0]


def read_shapes(lines: pa.StringArray, shapes: Sequence[Shape]) -> list[Rows]:
    """The same of several shapes; a line is of the first one that it has."""
    parts = min(os.cpu_count() or 1, MOST_THREADS, len(lines) // PART)
    if parts < 2 or not available():
        return _read_shapes(lines, shapes)
    edges = np.linspace(0, len(lines), parts + 1).astype(int).tolist()
    with ThreadPoolExecutor(parts) as threads:
        coming = [
            threads.submit(_read_shapes, lines[a:b], shapes) for a, b in pairwise(edges)
        ]
    rows = []
    for of_shape in zip(*(part.result() for part in coming), strict=True):
        matched, tables = zip(*of_shape, strict=True)
        rows.append((np.concatenate(matched), pa.concat_tables(tables)))
    return rows


def _read_shapes(lines: pa.StringArray, shapes: Sequence[Shape]) -> list[Rows]:
    asked, rows = np.ones(len(lines), bool), []
    for shape in shapes:
        rows.append(_read_shape(lines, asked, shape))
        asked = asked & ~rows[-1][0]
    return rows


def _read_shape(lines: pa.StringArray, asked: np.ndarray, shape: Shape) -> Rows:
    matched = np.zeros(len(lines), bool)
    if not shape.columns:  # that of no row
        return matched, pa.table({})
    data, ends = bytes_of(lines)
    size = int(ends[-1] - ends[0])
    library_ = library()
    read = library_.benchbook_read_lines if library_ else None
    rows, count = int(np.count_nonzero(asked)) if read else 0, 0
    stores = [_Store(column, rows, size if read else 0) for column in shape.columns]
    if read:
        parts, literals = shape.encoded
        places = [(k.values.ctypes.data, k.ends.ctypes.data) for k in stores]
        columns = np.array(places, np.uintp).reshape(-1, 2)
        count = read(
            address(data), address(ends), address(asked), len(lines), address(parts),
            len(parts), literals, address(columns), address(matched),
        )  # fmt: skip
    names = [column.column for column in shape.columns]
    return matched, pa.table([k.array(count) for k in stores], names)


def available() -> bool:
    """Whether lines.c could be compiled."""
    return library() is not None


def _kind(part: Column, column: int) -> tuple[int, int, int]:
    if isinstance(part, Integer):
        return (_SIGNED if part.signed else _INTEGER), column, 0
    if isinstance(part, Decimal):
        return _DECIMAL, column, part.places
    kinds = {Word: _WORD, Text: _TEXT, Integers: _LIST, Pairs: _PAIRS}
    return kinds[type(part)], column, 0
