"""Headers of db_bench reports over the years, under the names of today's columns.

benchmark.sh of RocksDB wrote three kinds, each with more columns later, and a script for
LevelDB a fourth, the only one with an average::

    ops/sec  mb/sec  Size-GB        L0_GB           Sum_GB  W-Amp  ...  Test      (2015)
    ops/sec  mb/sec  usec/op        avg             p50     Test         (LevelDB, 2015)
    ops_sec  mb_sec  total_size_gb  level0_size_gb  sum_gb  ...  test_name  ...   (2021)
    ops_sec  mb_sec  lsm_sz         blob_sz         c_wgb   ...  test       ...   (2022)

What those of 2015 (L0_MB too) and 2021 say of L0 is GB written to it, not its size. Their
size of the LSM tree is what RocksDB printed over 1024, but that has a unit of its own
since 2017: it is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchbook.formats.db_bench_words import ENGINE, FIGURES
from benchbook.formats.parsed import metric_name

TEXTS = ("test", "date", "version", "job_id", "githash")
SIZE_WITHOUT_UNIT = "size_gb"  # as printed it may be in GB, over 1024

_HEADER = re.compile(
    r"^ops[_/]sec\t(?:[^\n]*\t)?(?:test|Test|test_name)(?:\t[^\n]*)?$", re.MULTILINE
)
_STARTS = ("ops_sec\t", "ops/sec\t")
_TODAY = {
    "total_size_gb": SIZE_WITHOUT_UNIT,
    "l0_gb": "l0_wgb",
    "l0_mb": "l0_wgb",
    "level0_size_gb": "l0_wgb",
    "sum_gb": "c_wgb",
    "write_amplification": "w_amp",
    "w_mb_s": "c_mbps",
    "write_mbps": "c_mbps",
    "stall_time": "stall_s",
    "stall_percent": "stall_pct",
    "test_name": "test",
    "test_date": "date",
    "rocksdb_version": "version",
}


def has_header(text: str) -> bool:
    """There is a header in the text: lists and comments may precede it."""
    return any(start in text for start in _STARTS) and bool(_HEADER.search(text))


def is_header(line: str) -> bool:
    """The line names columns."""
    return line.startswith(_STARTS)


def columns_of(line: str) -> tuple[list[str], str]:
    """The columns that a header names, and what is wrong with it.

    None where it cannot be believed.
    """
    names = [_name(column) for column in line.rstrip("\r").split("\t")]
    distinct = len(set(names)) == len(names) and "" not in names
    if not distinct or "test" not in names:
        return [], "a header with a column twice or unnamed, or without test"
    known = {*FIGURES, *TEXTS, SIZE_WITHOUT_UNIT}
    unknown = [name for name in names if name not in known]
    if unknown:
        return names, f"unknown column {', '.join(unknown)}: read without a unit"
    if SIZE_WITHOUT_UNIT in names:
        return names, "the size of the LSM tree is over 1024 in an unknown unit: not read"
    return names, ""


def engine_of(columns: Sequence[str]) -> str:
    """Whose report has these columns."""
    return "leveldb" if "avg" in columns else ENGINE


def _name(column: str) -> str:
    name = re.sub(r"^percentile_", "p", metric_name(column))
    return _TODAY.get(name, name)
