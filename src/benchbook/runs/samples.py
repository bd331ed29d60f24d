"""The samples of a driver.jsonl by the million: a table of those, and all other lines.

Only a line exactly as bench/common/record.c prints it is taken for a sample here, and
only with lines.c; every other line is for whoever asks.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import zstandard

from benchbook.formats.lines.lines import bytes_of, lines_of
from benchbook.formats.lines.shapes import (
    Integer,
    Integers,
    Shape,
    Text,
    read_shape,
)
from benchbook.runs.records import OPS, parse

BLOCK = 1 << 23  # bytes that are read at a time
HELD = 1 << 28  # bytes of samples that are kept from check to insert

_SHAPE = Shape((
    b'{"kind":"sample","step":"', Text("step"), b'","op":"', Text("op"),
    b'","t_ns":', Integer("t_ns"), b',"interval_ns":', Integer("interval_ns"),
    b',"ops":', Integer("ops"), b',"rows":', Integer("rows"),
    b',"max_ns":', Integer("max_ns"), b',"clients":[', Integers("clients"), b"]}\n",
))  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """Some lines of a file, each either way."""

    samples: pa.Table
    samples_at: np.ndarray  # their numbers in the file, from 1
    others: list[tuple[int, bytes]]  # number and line, without its end; no blank ones


def pieces(path: Path) -> Iterator[Piece]:
    """A driver.jsonl or driver.jsonl.zst from its first line to its last."""
    first = 1
    for data in _blocks(path):
        lines = lines_of(data)
        usual, samples = read_shape(lines, _SHAPE)
        ops = samples["op"].unique()
        if not pc.all(pc.is_in(ops, pa.array(OPS))).as_py() and len(ops):
            usual, samples = np.zeros(len(lines), bool), samples[:0]
        at = np.arange(len(lines)) + first
        yield Piece(samples, at[usual], _texts(lines, ~usual, at))
        first += len(lines)


def added(kept: list[Piece] | None, piece: Piece) -> list[Piece] | None:
    """The pieces with one more; None from where they would have more than HELD bytes."""
    if kept is None or size_of([*kept, piece]) > HELD:
        return None
    return [*kept, piece]


def size_of(kept: Iterable[Piece]) -> int:
    """Bytes of their samples, about."""
    return sum(piece.samples.nbytes for piece in kept)


def samples_of(piece: Piece) -> pa.Table:
    """All samples of a piece of a checked file, in order of line."""
    records = ((number, parse(line)) for number, line in piece.others)
    odd = [(number, record) for number, record in records if record["kind"] == "sample"]
    if not odd:
        return piece.samples
    table = pa.Table.from_pylist([r for _, r in odd], piece.samples.schema)
    at = np.concatenate((piece.samples_at, [number for number, _ in odd]))
    return pa.concat_tables([piece.samples, table]).take(pa.array(np.argsort(at)))


def open_lines(path: Path) -> io.BufferedReader:
    """The file's bytes, unpacked."""
    file = path.open("rb")
    if path.suffix != ".zst":
        return file
    unpacker = zstandard.ZstdDecompressor()
    unpacked = unpacker.stream_reader(file, read_across_frames=True, closefd=True)
    return io.BufferedReader(unpacked)  # type: ignore[arg-type]


def _blocks(path: Path) -> Iterator[bytes]:
    """Whole lines, some MB at a time."""
    with open_lines(path) as file:
        while chunk := file.read(BLOCK):
            yield chunk if chunk.endswith(b"\n") else chunk + file.readline()


def _texts(
    lines: pa.StringArray, chosen: np.ndarray, at: np.ndarray
) -> list[tuple[int, bytes]]:
    data, ends = bytes_of(lines)
    found = (
        (int(at[i]), data[ends[i] : ends[i + 1]].tobytes().removesuffix(b"\n"))
        for i in np.flatnonzero(chosen).tolist()
    )
    return [(number, text) for number, text in found if text.strip()]
