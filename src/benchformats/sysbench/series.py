"""What sysbench prints per interval (--report-interval) and per bucket (--histogram).

Three kinds of interval lines, of sysbench 1.0 and 1.1 and of 0.4 and 0.5::

    [ 10s ] thds: 4 tps: 812.40 qps: 16248.01 (r/w/o: 11373.61/3249.60/1624.80) lat (ms,95%): 6.32 err/s: 0.00 reconn/s: 0.00
    [ 10s ] thds: 4 eps: 812.40 lat (ms,95%): 6.32
    [  10s] threads: 4, tps: 812.40, reads: 11373.61, writes: 3249.60, response time: 6.32ms (95%), errors: 0.00, reconnects:  0.00

and buckets of response times, in milliseconds::

           0.063 |****                                     12345
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchformats.lines.shapes import Decimal, Integer, Padding, Shape, read_shapes
from benchformats.parsed import Block, Problem
from benchformats.text.columns import like, mask

INTERVALS = "sysbench_interval"
HISTOGRAM = "sysbench_histogram"

_I = r"\d{1,18}"
_N = r"\d{1,18}(?:\.\d{1,18})?"
_TIME = rf"^\[ *(?P<second>{_I})s *\] "
_PATTERNS = (
    rf"{_TIME}thds: (?P<dop>{_I}) tps: (?P<tps>{_N}) qps: (?P<qps>{_N})"
    rf" \(r/w/o: (?P<reads_s>{_N})/(?P<writes_s>{_N})/(?P<other_s>{_N})\)"
    rf" lat \(ms,(?P<percentile>{_I})%\): (?P<lat_ms>{_N})"
    rf" err/s:? (?P<err_s>{_N}) reconn/s:? (?P<reconn_s>{_N}) *$",
    rf"{_TIME}thds: (?P<dop>{_I}) eps: (?P<eps>{_N})"
    rf" lat \(ms,(?P<percentile>{_I})%\): (?P<lat_ms>{_N}) *$",
    rf"{_TIME}(?:Intermediate results: )?(?:threads: )?(?P<dop>{_I})(?: threads)?,"
    rf" tps: +(?P<tps>{_N}), reads(?:/s)?: +(?P<reads_s>{_N}),"
    rf" writes(?:/s)?: +(?P<writes_s>{_N}),? response time: +(?P<lat_ms>{_N})ms"
    rf" \((?P<percentile>{_I})%\)(?:, errors: +(?P<err_s>{_N}))?"
    rf"(?:, reconnects: +(?P<reconn_s>{_N}))?(?:, min: +{_N}ms, max: +{_N}ms)? *$",
)
_COLUMNS = ("second", "dop", "tps", "qps", "reads_s", "writes_s", "other_s", "eps",
            "lat_ms", "percentile", "err_s", "reconn_s")  # fmt: skip
_WHOLE = ("second", "dop", "count")
_OPTIONAL = ("err_s", "reconn_s")
# The first two patterns as lines.c reads them.
_BEGIN = (b"[", Padding(), Integer("second"), b"s", Padding(), b"] thds: ",
          Integer("dop"))  # fmt: skip
_LATENCY = (b" lat (ms,", Decimal("percentile", 0), b"%): ", Decimal("lat_ms"))
_SHAPES = (
    Shape((
        *_BEGIN, b" tps: ", Decimal("tps"), b" qps: ", Decimal("qps"),
        b" (r/w/o: ", Decimal("reads_s"), b"/", Decimal("writes_s"), b"/",
        Decimal("other_s"), b")", *_LATENCY, b" err/s: ", Decimal("err_s"),
        b" reconn/s: ", Decimal("reconn_s"), Padding(), b"\n",
    )),
    Shape((*_BEGIN, b" eps: ", Decimal("eps"), *_LATENCY, Padding(), b"\n")),
)  # fmt: skip
_OTHERS = r"^\[ *\d+s *\] (?:queue length: |Checkpoint report:)"
_BUCKET = rf"^ *(?P<value_ms>{_N}) \|\** +(?P<count>{_I})$"


@dataclass(frozen=True)
class Lines:
    """The whole lines of a block: those of constant shape, and all others."""

    constant: list[tuple[np.ndarray, pa.Table]]  # numbers in the file, and figures
    other: pa.StringArray  # lines of no such shape, without "\n"
    other_at: np.ndarray  # their numbers in the file


def sorted_out(block: Block) -> Lines:
    """The lines of a block by their shape; a line in which the file ends is left out."""
    lines = block.lines[:-1] if block.cut else block.lines
    at = np.arange(len(lines)) + block.first_line
    rows = read_shapes(lines, _SHAPES)
    constant = [(at[chosen], table) for chosen, table in rows if chosen.any()]
    others = ~np.logical_or.reduce([chosen for chosen, _ in rows])
    texts = pc.utf8_slice_codeunits(lines.filter(pa.array(others)), 0, -1)
    return Lines(constant, texts, at[others])


def besides(lines: Lines) -> list[tuple[int, str]]:
    """Numbered lines that are no interval's; a checkpoint's line is among them."""
    interval = pc.and_not(
        pc.starts_with(lines.other, "["), pc.ends_with(lines.other, "Checkpoint report:")
    )
    chosen = ~mask(interval)
    texts = lines.other.filter(pa.array(chosen)).to_pylist()
    return list(zip(lines.other_at[chosen].tolist(), texts, strict=True))


def intervals(
    lines: Lines, starts: Sequence[int]
) -> tuple[pa.Table | None, list[Problem]]:
    """Interval lines as a table, None where there are none, and those not understood.

    Columns: line, run (from 1: the runs of the file begin at the lines ``starts``),
    second, dop, tps, qps, reads_s, writes_s, other_s, eps, lat_ms (of the percentile in
    ``percentile``), err_s, reconn_s; NULL what a version does not print.
    """
    tables = [_constant(at, table, starts) for at, table in lines.constant]
    left_at, left = _chosen(lines, r"[", r"^\[ *\d{1,18}s *\] ")
    for pattern in _PATTERNS:
        if len(left):
            parts = pc.extract_regex(left, pattern)
            read = mask(parts.is_valid())
            tables.append(_table(parts.filter(read), _COLUMNS, left_at[read], starts))
            left_at, left = left_at[~read], left.filter(~read)
    other = like(left, _OTHERS)
    problems = [Problem(int(n), "not a known interval line") for n in left_at[~other]]
    tables = [table for table in tables if table.num_rows]
    if len(tables) < 2:  # in order of line already
        return (tables[0] if tables else None), problems
    return pa.concat_tables(tables).sort_by("line"), problems


def histogram(lines: Lines, starts: Sequence[int]) -> pa.Table | None:
    """Buckets as a table of line, run, value_ms and count; None where there are none."""
    at, buckets = _chosen(lines, " ", _BUCKET)
    if not len(buckets):
        return None
    return _table(pc.extract_regex(buckets, _BUCKET), ("value_ms", "count"), at, starts)


def _constant(at: np.ndarray, table: pa.Table, starts: Sequence[int]) -> pa.Table:
    columns = _places(at, starts)
    for name in _COLUMNS:
        absent = name not in table.column_names
        columns[name] = pa.nulls(len(at), _type(name)) if absent else table[name]
    return pa.table(columns)


def _chosen(lines: Lines, start: str, pattern: str) -> tuple[np.ndarray, pa.StringArray]:
    """Numbers of the other lines that begin with ``start`` and match, and the lines."""
    begun = mask(pc.starts_with(lines.other, start))
    at, texts = lines.other_at[begun], lines.other.filter(pa.array(begun))
    match = like(texts, pattern)
    return at[match], texts.filter(pa.array(match))


def _places(at: np.ndarray, starts: Sequence[int]) -> dict[str, pa.Array]:
    runs = np.searchsorted(np.asarray(starts, dtype=np.int64), at, "right")
    return {"line": pa.array(at), "run": pa.array(np.maximum(runs, 1))}


def _type(name: str) -> pa.DataType:
    return pa.int64() if name in _WHOLE else pa.float64()


def _table(
    parts: pa.StructArray, names: Sequence[str], at: np.ndarray, starts: Sequence[int]
) -> pa.Table:
    """The groups of a pattern as numbers; NULL what the pattern or a line lacks."""
    columns = _places(at, starts)
    groups = {field.name for field in parts.type}
    for name in names:
        type_ = _type(name)
        if name in groups:
            text = pc.struct_field(parts, name)
            if name in _OPTIONAL:
                text = pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)
            columns[name] = text.cast(type_)
        else:
            columns[name] = pa.nulls(len(parts), type_)
    return pa.table(columns)
