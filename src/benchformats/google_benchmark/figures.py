"""What the two formats of Google Benchmark share: one benchmark's run as rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchformats.metric_names import metric_name
from benchformats.parsed import Row
from benchformats.units import direction_of

UNITS = ("ns", "us", "ms", "s")
RATES = {"bytes_per_second": "bytes/s", "items_per_second": "items/s"}

_AGGREGATE = re.compile(r"(.+)_(mean|median|stddev|cv|BigO|RMS)$")
_THREADS = re.compile(r"/threads:(\d{1,6})(?=/|_|$)", re.ASCII)
_SPREADS = ("stddev", "cv")


@dataclass(frozen=True)
class Run:
    """One line of results, as printed."""

    line: int
    name: str  # without the aggregate's
    unit: str
    real_time: float
    cpu_time: float | None
    aggregate: str = ""  # mean, median, stddev, cv or what the user computes
    percentage: bool = False  # of an aggregate: cv, which has no unit
    counters: Mapping[str, float] = field(default_factory=dict)
    dims: Mapping[str, str] = field(default_factory=dict)
    threads: int = 0
    trial: int | None = None


def split_name(name: str) -> tuple[str, str]:
    """A name and the aggregate that its end says; '' where it says none."""
    match = _AGGREGATE.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def threads_of(name: str) -> int:
    """The number of threads that a name says; 1 where it says none."""
    match = _THREADS.search(name)
    return int(match[1]) if match else 1


def rows_of(runs: Iterable[Run]) -> list[Row]:
    """Figures of the runs; of a benchmark whose runs are there its aggregates are not."""
    runs = list(runs)
    measured = {run.name for run in runs if not run.aggregate}
    medians = {run.name for run in runs if run.aggregate == "median"}
    rows: list[Row] = []
    for run in runs:
        if run.aggregate and run.name in measured:
            continue
        best = "median" if run.name in medians else "mean"
        rows += _rows(run, main=run.aggregate in ("", best))
    return rows


def _rows(run: Run, main: bool) -> list[Row]:
    suffix = f"_{run.aggregate.lower()}" if run.aggregate else ""
    spread = run.aggregate in _SPREADS or run.percentage
    times = {"real_time": run.real_time, "cpu_time": run.cpu_time}
    units = {name: run.unit for name in times} | {
        name: RATES.get(name, "") for name in run.counters
    }
    rows = []
    for name, value in {**times, **run.counters}.items():
        if value is None:
            continue
        unit = "ratio" if run.percentage else units[name]
        direction = "none" if spread else direction_of(units[name])
        rows.append(Row(run.line, run.name, metric_name(name) + suffix, value, unit,
                        direction, main=main and name == "real_time", dop=run.threads,
                        trial=run.trial, dims=run.dims))  # fmt: skip
    return rows
