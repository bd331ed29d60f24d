"""sysbench 1.x's interval lines of constant shape, read by the column, not by the line.

A file may hold millions of them. A line belongs here only if it matches the whole shape,
digit by digit; then what stands between its numbers says nothing, and is taken off all
lines at once. Lines of any other shape are for sysbench_series.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.csv

from benchbook.formats.sample_lines import like

INTEGER = r"\d{1,18}"
DECIMAL = r"\d{1,18}(?:\.\d{1,18})?"


@dataclass(frozen=True)
class Shape:
    """A whole line, and the columns of what `_numbers` leaves of it; "" are empty."""

    pattern: str
    columns: tuple[str, ...]


_TIME = rf"\A\[ *{INTEGER}s *\] thds: {INTEGER} "
_LATENCY = rf"lat \(ms,{INTEGER}%\): {DECIMAL}"
SHAPES = (
    Shape(
        rf"{_TIME}tps: {DECIMAL} qps: {DECIMAL}"
        rf" \(r/w/o: {DECIMAL}/{DECIMAL}/{DECIMAL}\) {_LATENCY}"
        rf" err/s: {DECIMAL} reconn/s: {DECIMAL} *\n\z",
        ("second", "dop", "tps", "qps", "", "", "reads_s", "writes_s", "other_s",
         "percentile", "lat_ms", "", "err_s", "", "reconn_s"),
    ),
    Shape(
        rf"{_TIME}eps: {DECIMAL} {_LATENCY} *\n\z",
        ("second", "dop", "eps", "percentile", "lat_ms"),
    ),
)  # fmt: skip
_SEPARATORS = bytes.maketrans(b"/,", b"::")
_WORDS = bytes(set(range(256)) - set(b"0123456789.:/,\n"))


def shaped(lines: pa.StringArray) -> list[np.ndarray]:
    """Which lines have each of SHAPES; no line has two of them."""
    return [like(lines, shape.pattern) for shape in SHAPES]


def numbers(
    lines: pa.StringArray, chosen: np.ndarray, shape: Shape, whole: tuple[str, ...]
) -> pa.Table:
    """The numbers of lines that have a shape; int64 the columns ``whole``, else float64.

    Each is converted as Arrow's cast converts its text.
    """
    names = [name or f"-{i}" for i, name in enumerate(shape.columns)]
    kept = [name for name in shape.columns if name]
    types = {name: pa.int64() if name in whole else pa.float64() for name in kept}
    return pyarrow.csv.read_csv(
        pa.BufferReader(_numbers(lines, chosen)),
        pyarrow.csv.ReadOptions(column_names=names, block_size=2**22),
        pyarrow.csv.ParseOptions(delimiter=":", quote_char=False),
        pyarrow.csv.ConvertOptions(
            null_values=[], include_columns=kept, column_types=types
        ),
    )


def _numbers(lines: pa.StringArray, chosen: np.ndarray) -> bytes:
    """The chosen lines with ":" between their numbers, and nothing else."""
    kept = lines if chosen.all() else lines.filter(pa.array(chosen))
    _, ends, text = kept.buffers()
    start, end = np.frombuffer(ends, np.int32)[[kept.offset, kept.offset + len(kept)]]
    return text[int(start) : int(end)].to_pybytes().translate(_SEPARATORS, _WORDS)
