"""Samples that a system tool prints in columns between blanks, a header now and then.

What iostat and vmstat have in common: lines are classed by how they begin, a row belongs
to the header above it, rows of a known shape become a table at once. There is never a
Python object per line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from benchbook.formats.parsed import CUT, Parsed, Problem

MANY = 100  # lines of a block with the same problem that are told one by one

_END = 10  # "\n"
_PARSE = csv.ParseOptions(delimiter=" ", quote_char=False)


def lines_of(text: str) -> pa.StringArray:
    r"""The lines of a text, each with its "\n": only one that was cut lacks it."""
    data = text.encode()
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _END) + 1
    if data and not data.endswith(b"\n"):
        ends = np.append(ends, len(data))
    offsets = np.concatenate(([0], ends)).astype(np.int32)
    return pa.StringArray.from_buffers(
        len(ends), pa.py_buffer(offsets), pa.py_buffer(data)
    )


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


def words(line: str) -> tuple[str, ...]:
    """The words of a header."""
    return tuple(line.split())


def table_of(lines: pa.StringArray, types: Mapping[str, pa.DataType]) -> pa.Table:
    """Rows as a table; the caller has seen that each has all columns in their shape."""
    schema = pa.schema(types)
    if not len(lines):
        return schema.empty_table()
    convert = csv.ConvertOptions(column_types=schema, null_values=[])
    options = csv.ReadOptions(column_names=list(types), block_size=2**22)
    return csv.read_csv(pa.BufferReader(_single_blanks(lines)), options, _PARSE, convert)


def or_told(parts: Iterable[Parsed], missing: str) -> Iterator[Parsed]:
    """The parts of a file, and a problem of the whole file if no part has a sample."""
    samples = 0
    for parsed in parts:
        samples += sum(table.num_rows for table in parsed.series.values())
        yield parsed
    if not samples:
        yield Parsed(problems=[Problem(0, missing)])


def told(at: np.ndarray, text: str, first: int, cut: int = -1) -> list[Problem]:
    """One problem of lines at some positions of a block whose first line is ``first``.

    ``cut`` is the position of a line in which the file ends: that is what is told of it.
    """
    problems = [Problem(int(n) + first, CUT if n == cut else text) for n in at[:MANY]]
    if len(at) > MANY:
        problems.append(Problem(int(at[MANY]) + first, f"{text} (and in further lines)"))
    return problems


def _single_blanks(lines: pa.StringArray) -> bytes:
    """The bytes of the lines with one blank between words and none at their ends."""
    raw = np.frombuffer(_joined(lines), np.uint8)
    blank = (raw == 32) | (raw == 9)
    after_gap = np.concatenate(([True], (blank | (raw == _END))[:-1]))
    spaced = np.where(blank, np.uint8(32), raw)[~(blank & after_gap)]
    return spaced.tobytes().replace(b" \n", b"\n")


def _joined(lines: pa.StringArray) -> bytes:
    """The bytes of all lines, one after the other."""
    _, offsets, data = lines.buffers()
    ends = np.frombuffer(offsets, np.int32)[lines.offset : lines.offset + len(lines) + 1]
    return memoryview(data)[ends[0] : ends[-1]].tobytes()
