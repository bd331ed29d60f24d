"""A driver.jsonl as samples by the million and lines one by one.

What is exactly as bench/common/record.c prints a sample becomes a row of a table here;
any other line is for recordfile.py. Of 400,000 samples (67 MB, one CPU) lines.c makes a
table in 0.10 s, pyarrow.json in 0.35 s, DuckDB in 0.51 s (0.29 s of it to look whether
that is all that the lines hold) and msgspec in 0.59 s without a table: lines.c, which
archives need anyway, costs a shape here, and pyarrow takes its place where there is no
compiler.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from benchbook.runs.records import OPS, Record, RecordError, parse
from benchformats.lines.lines import bytes_of, lines_of
from benchformats.lines.shapes import (
    Integer,
    Integers,
    Pairs,
    Rows,
    Shape,
    Text,
    available,
    read_shapes,
)

BLOCK = 1 << 23  # bytes that are read at a time
LONGEST_LINE = 1 << 24  # bytes; a hist of all buckets has a tenth of it
HELD = 1 << 28  # bytes of samples that are kept from check to insert
# Samples pack into a tenth, stacks into a fiftieth of what they were: what unpacks to
# much more, beyond the bytes allowed to any file, is no record of anything.
MOST_PACKED = 250
SMALL = 1 << 26
TOO_MUCH = f"the file unpacks to more than {MOST_PACKED} times its size"

_PLAIN = (
    b'{"kind":"sample","step":"', Text("step"), b'","op":"', Text("op"),
    b'","t_ns":', Integer("t_ns"), b',"interval_ns":', Integer("interval_ns"),
    b',"ops":', Integer("ops"), b',"rows":', Integer("rows"),
    b',"max_ns":', Integer("max_ns"), b',"clients":[', Integers("clients"),
)  # fmt: skip
_TIMED = (b'],"sub_bits":', Integer("sub_bits"), b',"times":[', Pairs("times"), b"]}\n")
_SHAPES = (Shape((*_PLAIN, *_TIMED)), Shape((*_PLAIN, b"]}\n")))
_BEGIN = '{"kind":"sample",'
_NULL = r":\s*null"
_COUNTS = ("t_ns", "interval_ns", "ops", "rows", "max_ns")
SAMPLES = pa.schema(
    [("step", pa.string()), ("op", pa.string())]
    + [(name, pa.int64()) for name in _COUNTS]
    + [("clients", pa.list_(pa.int64())), ("sub_bits", pa.int64())]
    + [(name, pa.list_(pa.int64())) for name in ("buckets", "counts")]
)
_TIMES = pa.list_(pa.list_(pa.int64()))
_OBJECT = pa.schema(
    [("kind", pa.string()), *(SAMPLES.field(i) for i in range(9)), ("times", _TIMES)]
)


@dataclass(frozen=True)
class Piece:
    """Some lines of a file: usual ones of a kind as a table, the others as they are."""

    usual: pa.Table
    usual_at: np.ndarray  # their numbers in the file, from 1
    lines: pa.StringArray
    others_at: np.ndarray  # numbers of all other lines
    first: int  # number of the first line

    def others(self) -> Iterator[tuple[int, bytes]]:
        """Number and line, without its end; one at a time, for there may be millions."""
        data, ends = bytes_of(self.lines)
        for number in self.others_at.tolist():
            at = number - self.first
            yield number, data[ends[at] : ends[at + 1]].tobytes().removesuffix(b"\n")


def samples_among(lines: pa.StringArray) -> Rows:
    """Which of the lines are usual samples, and these as a table."""
    rows = _of_shapes(lines) if available() else _read_json(lines)
    return of_known_ops(*rows)


def _of_shapes(lines: pa.StringArray) -> Rows:
    """Samples with response times and without, in order of line."""
    (timed, with_times), (plain, without) = read_shapes(lines, _SHAPES)
    pairs = with_times["times"].combine_chunks()
    numbers = pairs.values.to_numpy()
    ends = pa.array(pairs.offsets.to_numpy() // 2, pa.int32())
    table = _with_buckets(with_times, ends, numbers[0::2], numbers[1::2])
    if not plain.any():
        return timed, table
    nothing = [pa.nulls(len(without), SAMPLES.field(n).type) for n in SAMPLES.names[8:]]
    columns = [*(without[name] for name in SAMPLES.names[:8]), *nothing]
    both = pa.concat_tables([table, pa.table(columns, SAMPLES)])
    places = np.concatenate((np.flatnonzero(timed), np.flatnonzero(plain)))
    return timed | plain, both.take(pa.array(np.argsort(places)))


def _with_buckets(
    table: pa.Table,
    ends: pa.Array,
    buckets: np.ndarray,
    counts: np.ndarray,
    missing: pa.Array = None,
) -> pa.Table:
    """The samples with their pairs in two lists, side by side."""
    lists = [
        pa.ListArray.from_arrays(ends, pa.array(numbers, pa.int64()), mask=missing)
        for numbers in (buckets, counts)
    ]
    columns = [*(table[name] for name in SAMPLES.names[:9]), *lists]
    return pa.table(columns, SAMPLES)


def sample_row(record: Record) -> Record:
    """A record of its own as a row: buckets and counts of its response times apart."""
    pairs = record.get("times")
    if pairs is None:
        return record
    return record | {"buckets": [b for b, _ in pairs], "counts": [c for _, c in pairs]}


def of_known_ops(usual: np.ndarray, rows: pa.Table) -> Rows:
    """The same, unless one has an op that there is not: then none is usual."""
    ops = rows["op"].unique()
    if not len(ops) or pc.all(pc.is_in(ops, pa.array(OPS))).as_py():
        return usual, rows
    return np.zeros(len(usual), bool), rows[:0]


def pieces(
    path: Path, among: Callable[[pa.StringArray], Rows] = samples_among
) -> Iterator[Piece]:
    """A file of records, packed or not, from its first line to its last.

    RecordError names the line where it is damaged or longer than any record.
    """
    first = 1
    for data in _blocks(path):
        lines = lines_of(data)
        usual, rows = among(lines)
        at = np.arange(len(lines)) + first
        yield Piece(rows, at[usual], lines, at[~usual], first)
        first += len(lines)


def with_odd(piece: Piece, odd: list[tuple[int, Record]]) -> tuple[pa.Table, np.ndarray]:
    """All rows of a piece in order of line: the usual ones and these records."""
    if not odd:
        return piece.usual, piece.usual_at
    table = pa.Table.from_pylist([record for _, record in odd], piece.usual.schema)
    at = np.concatenate((piece.usual_at, [number for number, _ in odd]))
    order = np.argsort(at)
    return pa.concat_tables([piece.usual, table]).take(pa.array(order)), at[order]


def samples_of(path: Path) -> Iterator[pa.Table]:
    """The samples of a checked file again, in order of line."""
    for piece in pieces(path):
        records = ((number, parse(line)) for number, line in piece.others())
        odd = [(n, sample_row(one)) for n, one in records if one["kind"] == "sample"]
        yield with_odd(piece, odd)[0]


def size_of(tables: Iterable[pa.Table]) -> int:
    """Bytes of samples, about."""
    return sum(table.nbytes for table in tables)


def open_lines(path: Path) -> io.BufferedReader:
    """The file's bytes, unpacked; reading what is damaged is an OSError."""
    if path.suffix != ".zst":
        return path.open("rb")
    unpacked = pa.input_stream(str(path), compression="zstd")
    return io.BufferedReader(unpacked)  # type: ignore[arg-type]


def most_bytes(path: Path) -> int:
    """How many bytes a file of a run may have, unpacked."""
    size = path.stat().st_size
    return SMALL + MOST_PACKED * size if path.suffix == ".zst" else size


def is_bounded(path: Path) -> bool:
    """Whether a file has no more bytes, unpacked, than one of its size may have."""
    left = most_bytes(path)
    if path.suffix == ".zst":
        with open_lines(path) as file:
            while left >= 0 and (chunk := file.read(BLOCK)):
                left -= len(chunk)
    return left >= 0


def _blocks(path: Path) -> Iterator[bytes]:
    """Whole lines, some MB at a time."""
    left, lines = most_bytes(path), 0
    with open_lines(path) as file:
        while True:
            try:
                chunk = file.read(BLOCK)
                if chunk and not chunk.endswith(b"\n"):
                    chunk += file.readline(LONGEST_LINE)
            except OSError as error:
                lines = _lines_before_damage(path)
                text = f"{path.name} is damaged after line {lines}: {error}"
                raise RecordError(text) from None
            if not chunk:
                return
            if len(chunk) - chunk.rfind(b"\n", 0, -1) > LONGEST_LINE:
                lines += chunk.count(b"\n", 0, -1) + 1
                raise RecordError(
                    f"{path.name} line {lines}: longer than the {LONGEST_LINE} bytes "
                    "that a record may have"
                )
            lines += chunk.count(b"\n")
            left -= len(chunk)
            if left < 0:
                raise RecordError(f"{path.name} line {lines}: {TOO_MUCH}")
            yield chunk


def _lines_before_damage(path: Path) -> int:
    lines = 0
    with open_lines(path) as file:
        try:
            while chunk := file.read1():
                lines += chunk.count(b"\n")
        except OSError:
            return lines
    return lines


def _read_json(lines: pa.StringArray) -> Rows:
    """Which lines are samples, and these as a table: all that begin so, or none.

    A line that begins so cannot go on with what the line before left open, so there is
    an object in each if there are as many.
    """
    matched = pc.starts_with(lines, _BEGIN).to_numpy(zero_copy_only=False)
    samples = lines.filter(pa.array(matched))
    data, ends = bytes_of(samples)
    nothing = np.zeros(len(lines), bool), SAMPLES.empty_table()
    # A null reads like a field that is missing, which it may not be.
    if not matched.any() or pc.any(pc.match_substring_regex(samples, _NULL)).as_py():
        return nothing
    try:
        table = pa.json.read_json(
            pa.BufferReader(pa.py_buffer(data[ends[0] : ends[-1]])),
            pa.json.ReadOptions(block_size=BLOCK),
            pa.json.ParseOptions(_OBJECT, unexpected_field_behavior="error"),
        )
        table.validate(full=True)
    except pa.ArrowInvalid:
        return nothing
    times = table["times"].combine_chunks()
    columns = [*table.select(SAMPLES.names[:8]), pc.list_flatten(table["clients"])]
    sound = len(table) == np.count_nonzero(matched) and _counts_only(columns)
    if not sound or not _pairs_only(times) or _least(table["sub_bits"]) < 0:
        return nothing
    sizes = pc.fill_null(pc.list_value_length(times), 0).to_numpy()
    ends = pa.array(np.concatenate(([0], np.cumsum(sizes))), pa.int32())
    numbers = times.flatten().flatten().to_numpy()
    return matched, _with_buckets(
        table, ends, numbers[0::2], numbers[1::2], times.is_null()
    )


def _counts_only(columns: Sequence[pa.ChunkedArray]) -> bool:
    """Whether nothing is missing and no number negative."""
    numbers = [column for column in columns if pa.types.is_integer(column.type)]
    return not any(column.null_count for column in columns) and all(
        _least(column) >= 0 for column in numbers
    )


def _pairs_only(times: pa.ListArray) -> bool:
    """Whether each list that is there holds pairs of counts."""
    pairs = times.flatten()
    sizes = pc.unique(pc.list_value_length(pairs)).to_pylist()
    return sizes in ([], [2]) and _counts_only([pairs, pairs.flatten()])


def _least(numbers: pa.Array | pa.ChunkedArray) -> int:
    """The least of them; 0 of none."""
    return pc.min(numbers).as_py() or 0
