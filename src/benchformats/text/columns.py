"""Samples that a system tool prints in columns between blanks, a header now and then.

What iostat and vmstat have in common: a row belongs to the header above it, rows of a
known shape become a table at once, and of the other lines each text is looked at once.
There is never a Python object per line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from benchformats.lines.lines import bytes_of, texts_of
from benchformats.lines.shapes import Column, Gap, Part, Rows, Shape, read_shapes
from benchformats.parsed import CUT, Parsed, Problem

MANY = 100  # lines of a block with the same problem that are told one by one
FIRST = 200  # lines by which a file is recognised
HEAD = 2**16  # characters in which the first header is looked for

_END = 10  # "\n"
_PARSE = csv.ParseOptions(delimiter=" ", quote_char=False)


@dataclass(frozen=True)
class RowShape:
    """A row twice: as lines.c reads it, and as a pattern for lines odder than that.

    A shape without columns is that of no row.
    """

    shape: Shape
    pattern: str


@dataclass(frozen=True)
class Sorted:
    """The rows of each kind, and which texts the lines have that are no rows."""

    rows: list[Rows]
    others: np.ndarray  # which lines
    texts: pa.StringArray
    at: np.ndarray  # of each such line, which text it is


def sorted_lines(lines: pa.StringArray, *kinds: RowShape) -> Sorted:
    """The rows of each kind; a line is a row of the first kind that it can be.

    Of the lines that are odder than lines.c reads each text is looked at once.
    """
    shapes = [kind.shape for kind in kinds]
    rows = read_shapes(lines, shapes)
    left = ~np.logical_or.reduce([shaped for shaped, _ in rows])
    texts, at = texts_of(lines, left)
    unread, places = np.ones(len(texts), bool), np.flatnonzero(left)
    for number, kind in enumerate(kinds):
        odd = unread & like(texts, kind.pattern)
        if kind.shape.columns and odd.any():
            rows[number] = _joined(rows[number], lines, places[odd[at]])
            unread &= ~odd
    if unread.all():
        return Sorted(rows, left, texts, at)
    left[places[~unread[at]]] = False
    return Sorted(rows, left, *texts_of(lines, left))


def _joined(rows: Rows, lines: pa.StringArray, odd: np.ndarray) -> Rows:
    """The rows, and in their places those of odd lines."""
    shaped, table = rows
    others = table_of(lines.take(pa.array(odd)), table.schema)
    at = np.concatenate((np.flatnonzero(shaped), odd))
    both = pa.concat_tables([table, others]).take(pa.array(np.argsort(at)))
    shaped = shaped.copy()
    shaped[odd] = True
    return shaped, both


def between_blanks(*columns: Column) -> tuple[Part, ...]:
    """Parts of a shape: columns with blanks between them and perhaps at the end."""
    parts = [part for column in columns for part in (Gap(), column)]
    return (*parts[1:], Gap(0), b"\n")


def spread(values: np.ndarray, chosen: np.ndarray, other: int | bool) -> np.ndarray:
    """The values at the chosen lines, ``other`` at all others."""
    of_lines = np.full(len(chosen), other)
    of_lines[chosen] = values
    return of_lines


def placed(
    table: pa.Table,
    places: Mapping[str, np.ndarray],
    shaped: np.ndarray,
    read: np.ndarray,
) -> pa.Table:
    """The rows that are read, after columns that each line of the block has.

    ``table`` has a row for each line of ``shaped``, of which ``read`` are some.
    """
    for number, (name, values) in enumerate(places.items()):
        table = table.add_column(number, name, pa.array(values[shaped]))
    in_table = read[shaped]
    return table if in_table.all() else table.filter(pa.array(in_table))


def mostly(text: str, own: re.Pattern[str]) -> bool:
    """At least half of the first lines are a tool's own, blank ones apart.

    A page or a script that quotes the tool has more lines of other kinds.
    """
    lines = [line for line in text[:HEAD].split("\n")[:FIRST] if line.strip()]
    return 2 * sum(bool(own.match(line)) for line in lines) >= len(lines)


def begins(lines: pa.StringArray, start: str) -> np.ndarray:
    """True for the lines that begin so."""
    return mask(pc.starts_with(lines, start))


def like(lines: pa.StringArray, pattern: str) -> np.ndarray:
    """True for the lines that match."""
    return mask(pc.match_substring_regex(lines, pattern))


def mask(flags: pa.BooleanArray) -> np.ndarray:
    """As numpy has it."""
    return np.asarray(flags.to_numpy(zero_copy_only=False), dtype=bool)


def above(marks: np.ndarray, before: int) -> np.ndarray:
    """For each line the last mark that is not 0, its own included; ``before`` the text's.

    >>> above(np.array([0, 2, 0, 0, 3]), 1).tolist()
    [1, 2, 2, 2, 3]
    """
    last = np.maximum.accumulate(np.where(marks > 0, np.arange(1, len(marks) + 1), 0))
    return np.concatenate(([before], marks))[last]


def table_of(lines: pa.StringArray, schema: pa.Schema) -> pa.Table:
    """Rows as a table; the caller has seen that each has all columns in their shape."""
    if not len(lines):
        return schema.empty_table()
    convert = csv.ConvertOptions(column_types=schema, null_values=[])
    options = csv.ReadOptions(column_names=schema.names, block_size=2**22)
    return csv.read_csv(pa.BufferReader(_single_blanks(lines)), options, _PARSE, convert)


def parts_or_problem(parts: Iterable[Parsed], missing: str) -> Iterator[Parsed]:
    """The parts of a file, and a problem of the whole file if no part has a sample."""
    samples = 0
    for parsed in parts:
        samples += sum(table.num_rows for table in parsed.series.values())
        yield parsed
    if not samples:
        yield Parsed(problems=[Problem(0, missing)])


def problems_at(at: np.ndarray, text: str, first: int, cut: int = -1) -> list[Problem]:
    """One problem of lines at some positions of a block whose first line is ``first``.

    ``cut`` is the position of a line in which the file ends: that is what is told of it.
    """
    problems = [Problem(int(n) + first, CUT if n == cut else text) for n in at[:MANY]]
    if len(at) > MANY:
        problems.append(Problem(int(at[MANY]) + first, f"{text} (and in further lines)"))
    return problems


def _single_blanks(lines: pa.StringArray) -> bytes:
    """The bytes of the lines with one blank between words and none at their ends."""
    data, ends = bytes_of(lines)
    raw = data[ends[0] : ends[-1]]
    blank = (raw == 32) | (raw == 9)
    after_gap = np.concatenate(([True], (blank | (raw == _END))[:-1]))
    spaced = np.where(blank, np.uint8(32), raw)[~(blank & after_gap)]
    return spaced.tobytes().replace(b" \n", b"\n")
