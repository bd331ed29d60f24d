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
from dataclasses import dataclass

from benchbook.formats.db_bench_rows import places, rows
from benchbook.formats.db_bench_runs import runs_of
from benchbook.formats.db_bench_series import series
from benchbook.formats.db_bench_words import step_of_log
from benchbook.formats.parsed import Parsed, TextFile, whole_lines

NAME = "db_bench"
VERSION = 4
TESTS = ("crc32c", "xxhash", "xxhash64", "xxh3", "compress", "uncompress")

_LINE = re.compile(
    rf"""^(?P<test>{"|".join(TESTS)})\s*:
    \s+(?P<micros>[\d.]+)\s+micros/op
    \s+(?P<rate>\d+)\s+ops/sec
    (?:\s+(?P<seconds>[\d.]+)\s+seconds\s+(?P<ops>\d+)\s+operations)?;
    (?:\s+(?P<mb_per_s>[\d.]+)\s+MB/s)?
    (?:\s+\((?P<size>\d+)\s+per\s+op\))?""",
    re.VERBOSE,
)
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
    mb_per_s: float | None  # as printed; a MB is 2^20 bytes
    ops: int | None
    bytes: int | None
    elapsed_ns: int | None


def recognises(file: TextFile) -> bool:
    """A result line, or a compaction table (which a log of RocksDB's own has too)."""
    text = file.text  # looking for words first is much faster than for lines
    known = " micros/op" in text or "** Compaction Stats [" in text
    return known and bool(_KNOWN.search(text))


def read(file: TextFile) -> Parsed:
    """Figures of all results, and what is printed repeatedly as series."""
    lines, problems = whole_lines(file)
    runs, told = runs_of(lines)
    owned = list(zip(runs, places(runs, step_of_log(file.name)), strict=True))
    found = [row for run, place in owned for row in rows(run, place)]
    return Parsed(found, series(owned), sorted([*problems, *told], key=lambda p: p.line))


def read_micro(text: str) -> list[MicroResult]:
    """All result lines of a log, in its order.

    compress and uncompress do not print their block size: it is taken from the command
    line, which bench/db_bench.sh writes above each result.
    """
    results = []
    block_size: int | None = None
    for line in text.splitlines():
        if command := _BLOCK_SIZE.search(line):
            block_size = int(command[1])
        elif found := _LINE.match(line):
            results.append(_result(found, block_size))
    return results


def _result(found: re.Match[str], block_size: int | None) -> MicroResult:
    size = int(found["size"]) if found["size"] else block_size
    ops = int(found["ops"]) if found["ops"] else None
    return MicroResult(
        test=found["test"],
        mb_per_s=float(found["mb_per_s"]) if found["mb_per_s"] else None,
        ops=ops,
        bytes=ops * size if ops is not None and size is not None else None,
        elapsed_ns=_elapsed_ns(ops, int(found["rate"]), found["seconds"]),
    )


def _elapsed_ns(ops: int | None, rate: int, seconds: str | None) -> int | None:
    """The rate has more digits than the seconds, which are rounded to a thousandth."""
    if ops is None or seconds is None:
        return None
    if rate == 0:
        return round(float(seconds) * 1e9)
    return round(ops / rate * 1e9)
