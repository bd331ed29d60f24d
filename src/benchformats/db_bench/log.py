"""What db_bench prints: results, response times, stalls and compaction statistics.

A V2 line (RocksDB 7 and later) counts its operations and seconds::

    crc32c : 0.212 micros/op 4708112 ops/sec 0.272 seconds 1280000 operations; 18391.1 MB/s (4096 per op)

A V1 line has only the rates, so it gives no counters. ``read`` takes whole logs (a file
benchmark_<step>.log is one step; others may hold many), ``read_micro`` only the lines of
checksums, hashes and compression that a run of our own names.

Figures have the names of report.tsv; percentiles have its decimals and more. Statistics
count from the opening of the database, so they are figures only of the first result after
that; as series they are all there: db_bench_intervals, _stats, _compaction, _histogram.
``w_amp_correct`` is GB written by compaction, which has flushes already, over GB
ingested; c_wsecs is the column Comp(sec), summed over threads. ``usec_op_correct`` is the
time at a client where usec_op is of all clients together, before RocksDB 6.0. A warm-up
and a line that repeats another digit for digit are no results. Results after a flush or a
compaction by hand have it as dimension ``after``: the LSM tree has another shape. Result
lines that were put together from logs, under titles, do not say that: they are numbered
as dimension ``result``, and are no trials.
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from benchformats.db_bench.figures import step_of_log
from benchformats.db_bench.results import Result, result_of
from benchformats.db_bench.rows import Place, places, rows
from benchformats.db_bench.runs import Run, runs_of
from benchformats.parsed import Parsed, TextFile, records_table, whole_lines

Owned = Sequence[tuple[Run, Place]]
Record = dict[str, Any]

_INTERVAL = ("interval_ops", "ops", "interval_ops_sec", "ops_sec", "interval_s", "secs")
_BUCKET = ("line", "low", "high", "count", "pct", "cumulative_pct")
_TYPES = {
    "line": pa.int64(), "trial": pa.int64(), "dop": pa.int64(), "dump": pa.int64(),
    "thread": pa.int64(), "files": pa.int64(), "compacting": pa.int64(),
    "low": pa.uint64(), "high": pa.uint64(), "count": pa.int64(),
    "step": pa.string(), "engine": pa.string(), "version": pa.string(),
    "after": pa.string(), "time": pa.string(), "family": pa.string(),
    "histogram": pa.string(), "by": pa.string(), "level": pa.string(),
}  # fmt: skip


def series(owned: Owned) -> dict[str, pa.Table]:
    """db_bench_intervals, _stats, _compaction, _histogram: those that are not empty."""
    records: dict[str, list[Record]] = {}
    for kind in ("intervals", "stats", "compaction", "histogram"):
        records[f"db_bench_{kind}"] = []
    for run, place in owned:
        named = {"step": place.step, "trial": place.trial, "dop": place.dop,
                 "engine": run.engine, "version": run.version,
                 "after": run.after}  # fmt: skip
        for kind, record in _records(run):
            records[f"db_bench_{kind}"].append(named | record)
    return {name: _table(of_kind, owned) for name, of_kind in records.items() if of_kind}


def _records(run: Run) -> Iterator[tuple[str, Record]]:
    """What a run printed repeatedly, by the series that it belongs to."""
    for one in run.intervals:
        said = {"line": one.line, "time": one.time, "thread": one.thread}
        yield "intervals", said | dict(zip(_INTERVAL, one.figures, strict=True))
    for number, dump in enumerate(run.dumps, 1):
        facts = {name: value for name, (_, value) in dump.facts.items()}
        said = {"line": dump.line, "dump": number, "family": dump.family}
        yield "stats", said | facts
        for table, line in [(t, line) for t in dump.tables for line in t.lines]:
            said = {"line": line.line, "dump": number, "family": table.family,
                    "by": table.kind, "level": line.label, "files": line.files,
                    "compacting": line.compacting, "size_mb": line.size_mb}  # fmt: skip
            yield "compaction", said | line.values
    for histogram in run.histograms:
        for bucket in histogram.buckets:
            figures = dict(zip(_BUCKET, bucket, strict=True))
            yield "histogram", {"histogram": histogram.kind} | figures


def _table(records: list[Record], owned: Owned) -> pa.Table:
    """Columns in order of appearance; ``after`` and ``dop`` only where they say much.

    A dop that is not known for all is left to what the names of the folders say.
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    left_out = set()
    if not any(run.after for run, _ in owned):
        left_out.add("after")
    if not all(place.dop for _, place in owned):
        left_out.add("dop")
    order = ["line", *(name for name in names if name not in {"line", *left_out})]
    whole = [{name: one.get(name) for name in order} for one in records]
    return records_table(whole, _TYPES)


NAME = "db_bench"
VERSION = 7
TESTS = ("crc32c", "xxhash", "xxhash64", "xxh3", "compress", "uncompress")

_BLOCK_SIZE = re.compile(r"--block_size=(\d+)")
_KNOWN = re.compile(
    r"^(?:[^\n]*\r)?[A-Za-z][\w.-]{0,60} *: +[\d.]+ micros/op"
    r"|^\*\* Compaction Stats \[[^\n]*\] \*\*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class MicroResult:
    """One result line; counters are None where the line does not give them."""

    test: str
    ops: int | None
    bytes: int | None
    elapsed_ns: int | None


def recognises(file: TextFile) -> bool:
    """A result line, or a compaction table (which a log of RocksDB's own has too)."""
    text = file.text  # looking for words first is much faster than for lines
    has_words = " micros/op" in text or "** Compaction Stats [" in text
    return has_words and bool(_KNOWN.search(text))


def read(file: TextFile) -> Parsed:
    """Figures of all results, and what is printed repeatedly as series."""
    lines, problems = whole_lines(file)
    runs, complaints = runs_of(lines)
    owned = list(zip(runs, places(runs, step_of_log(file.name)), strict=True))
    figures = [row for run, place in owned for row in rows(run, place)]
    problems = sorted([*problems, *complaints], key=lambda p: p.line)
    return Parsed(figures, series(owned), problems)


def read_micro(text: str) -> list[MicroResult]:
    """All result lines of a log, in its order.

    compress and uncompress do not print their block size: it is taken from the command
    line, which bench/db_bench.sh writes above each result.
    """
    results = []
    block_size = 0
    for line in text.splitlines():
        if command := _BLOCK_SIZE.search(line):
            block_size = int(command[1])
        elif isinstance(result := result_of(0, line), Result) and result.name in TESTS:
            results.append(_micro(result, block_size))
    return results


def _micro(result: Result, block_size: int) -> MicroResult:
    """The rate has more digits than the seconds, which are rounded to a thousandth."""
    ops, rate = result.figures.get("ops"), result.figures.get("ops_sec")
    size = int(result.block_size or block_size)
    if ops is None:
        return MicroResult(result.name, None, None, None)
    seconds = ops / rate if rate else result.figures["elapsed_s"]
    size_of_all = int(ops) * size if size else None
    return MicroResult(result.name, int(ops), size_of_all, round(seconds * 1e9))
