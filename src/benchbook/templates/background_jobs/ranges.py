"""A row per cell: counts with the lowest and highest run, threads, response times."""

from collections.abc import Iterable, Sequence

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    figure,
    nothing,
    table,
    warned,
    with_span,
)
from benchbook.tables.steps import NOT_RECORDED
from benchmath.costs.busy import BusyFrame
from benchmath.costs.ranges import RangeFrame
from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.latency.tails import QUICK_US, TAILS, TailFrame
from benchmath.prose import number

_TIMES = {
    "mean": "mean", "p50": "p50", "p99": "p99", "p999": "p99.9", "p9999": "p99.99",
    "max": "max",
}  # fmt: skip
_MERGED = "All trials of a cell together. Slowest 1%: what of all time they took."
_LEGEND = "Arithmetic mean over the trials; small: lowest and highest of them."


def ranges_table(
    ranges: RangeFrame,
    by: Sequence[str],
    hazards: Iterable[Hazard] = (),
    title: str | None = None,
) -> GT:
    """Takes the frame of ``ranges``."""
    keys = ["step", *by]
    require(ranges, (*keys, "metric", "unit", "n", "mean", "min", "max"))
    if ranges.empty:
        return nothing(NOT_RECORDED, title)
    heads = ranges.attrs.get("heads", {})
    columns = [Column(key, heads.get(key), "", key != "step") for key in keys]
    columns += [
        Numbers(metric, heads.get(metric), unit, of=metric, cell=_mean)
        for metric, unit in dict.fromkeys(
            zip(ranges["metric"], ranges["unit"], strict=True)
        )
    ]
    return table(across(ranges, keys, "metric"), columns, title, [_LEGEND], hazards)


def busy_table(busy: BusyFrame, clients: str, jobs: str, title: str | None = None) -> GT:
    """Threads, CPUs and CPUs used: takes the frame of ``busy``."""
    require(busy, ("step", clients, jobs, "threads", "cpus", "used", "within"))
    if busy.empty:
        return nothing(NOT_RECORDED, title)
    columns = [
        Column("step"),
        Numbers(clients, "clients"),
        Numbers(jobs, "background jobs"),
        Numbers("threads", "together", "threads", cell=_threads),
        Numbers("cpus", "CPUs"),
        Numbers("used", "used by the process", "CPUs", cell=_used, notes=_not_sampled),
    ]
    notes = ["Coloured: more threads than CPUs.", _LEGEND]
    return table(busy, columns, title, notes)


def tails_table(
    tails: TailFrame, clients: str, jobs: str, title: str | None = None
) -> GT:
    """Response times in microseconds: takes the frame of ``tails``."""
    require(tails, ("step", clients, jobs, *TAILS.columns))
    if tails.empty:
        return nothing(NOT_RECORDED, title)
    columns = [
        Column("step"),
        Numbers(clients, "clients"),
        Numbers(jobs, "jobs"),
        *(Numbers(name, head, "µs", show=number) for name, head in _TIMES.items()),
        Numbers("quick_pct", f"up to {QUICK_US} µs", "% of operations", show=number),
        Numbers("slowest_pct", "slowest 1%", "% of the time", show=number),
    ]
    return table(tails, columns, title, [_MERGED])


def _threads(row: Row) -> str:
    return warned(number(row["threads"]), not row["within"])


def _mean(row: Row) -> str:
    return _cell(row["mean"], row["min"], row["max"], row["n"])


def _used(row: Row) -> str:
    return _cell(row["used"], row["used_min"], row["used_max"], row["n"])


def _not_sampled(row: Row) -> list[str]:
    return ["not sampled"] if pd.isna(row["used"]) else []


def _cell(mean: float, low: float, high: float, n: int) -> str:
    shown = figure(mean)
    if n == 1 or pd.isna(mean) or figure(low) == figure(high):
        return shown
    return with_span(shown, low, high)
