"""What a db_bench log says more than once: intervals, dumps, tables, buckets.

All have line, step, trial, engine and version of the result they belong to (step '' where
there is none), and ``after`` where a log has results before and after a flush or such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchbook.formats.db_bench_rows import Place
from benchbook.formats.db_bench_runs import Run

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
    found = {
        "db_bench_intervals": _intervals(owned),
        "db_bench_stats": _stats(owned),
        "db_bench_compaction": _compaction(owned),
        "db_bench_histogram": _histograms(owned),
    }
    tables = {name: _table(list(records), owned) for name, records in found.items()}
    return {name: table for name, table in tables.items() if table.num_rows}


def _named(run: Run, place: Place) -> Record:
    return {"step": place.step, "trial": place.trial, "dop": place.dop,
            "engine": run.engine, "version": run.version, "after": run.after}  # fmt: skip


def _intervals(owned: Owned) -> Iterator[Record]:
    for run, place in owned:
        for one in run.intervals:
            figures = dict(zip(_INTERVAL, one.figures, strict=True))
            said = {"line": one.line, "time": one.time, "thread": one.thread}
            yield _named(run, place) | said | figures


def _stats(owned: Owned) -> Iterator[Record]:
    for run, place in owned:
        for number, dump in enumerate(run.dumps, 1):
            facts = {name: value for name, (_, value) in dump.facts.items()}
            said = {"line": dump.line, "dump": number, "family": dump.family}
            yield _named(run, place) | said | facts


def _compaction(owned: Owned) -> Iterator[Record]:
    for run, place in owned:
        for number, dump in enumerate(run.dumps, 1):
            for table in dump.tables:
                for line in table.lines:
                    said = {"line": line.line, "dump": number, "family": table.family,
                            "by": table.kind, "level": line.label, "files": line.files,
                            "compacting": line.compacting,
                            "size_mb": line.size_mb}  # fmt: skip
                    yield _named(run, place) | said | line.values


def _histograms(owned: Owned) -> Iterator[Record]:
    for run, place in owned:
        for histogram in run.histograms:
            for bucket in histogram.buckets:
                figures = dict(zip(_BUCKET, bucket, strict=True))
                yield _named(run, place) | {"histogram": histogram.kind} | figures


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
    columns: Mapping[str, pa.Array] = {
        name: pa.array([r.get(name) for r in records], _TYPES.get(name, pa.float64()))
        for name in ["line", *(n for n in names if n not in {"line", *left_out})]
    }
    return pa.table(columns)
