"""A row per cell: counts with the lowest and highest run, threads, response times."""

from collections.abc import Iterable, Sequence

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Footnote,
    figure,
    hazard_notes,
    marked,
    nothing,
    small,
    styled,
    text,
)
from benchbook.tables.steps import NOT_RECORDED
from benchmath.costs.busy import BusyFrame
from benchmath.costs.ranges import RangeFrame
from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.latency.tails import TAILS, TailFrame
from benchmath.prose import number, span

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
    rows = ranges[keys].drop_duplicates().reset_index(drop=True)
    cells = rows.map(text)
    headers = ranges.attrs.get("heads", {})
    columns = [Column(key, headers.get(key, key), "", key != "step") for key in keys]
    place = {tuple(row): i for i, row in enumerate(rows.itertuples(index=False))}
    for (metric, unit), part in ranges.groupby(["metric", "unit"], sort=False):
        at = [place[tuple(row)] for row in part[keys].itertuples(index=False)]
        shown = [_cell(row.mean, row.min, row.max, row.n) for row in part.itertuples()]
        cells[metric] = pd.Series(shown, index=at).reindex(rows.index, fill_value="")
        header = headers.get(str(metric), str(metric))
        columns.append(Column(str(metric), header, str(unit), True))
    notes = hazard_notes(rows.to_dict("records"), hazards, "step")
    return styled(cells, columns, title, notes, [_LEGEND])


def busy_table(busy: BusyFrame, clients: str, jobs: str, title: str | None = None) -> GT:
    """Threads, CPUs and CPUs used: takes the frame of ``busy``."""
    require(busy, ("step", clients, jobs, "threads", "cpus", "used", "within"))
    if busy.empty:
        return nothing(NOT_RECORDED, title)
    cells = busy[["step", clients, jobs, "cpus"]].map(text)
    cells["threads"] = [
        number(row.threads) if row.within else marked(number(row.threads), "worse")
        for row in busy.itertuples()
    ]
    cells["used"] = [
        _cell(row.used, row.used_min, row.used_max, row.n) for row in busy.itertuples()
    ]
    columns = [
        Column("step", "step"), Column(clients, "clients", "", True),
        Column(jobs, "background jobs", "", True),
        Column("threads", "together", "threads", True), Column("cpus", "CPUs", "", True),
        Column("used", "used by the process", "CPUs", True),
    ]  # fmt: skip
    without = [Footnote("not sampled", i, "used") for i, used in enumerate(busy["used"])
               if pd.isna(used)]  # fmt: skip
    notes = ["Coloured: more threads than CPUs.", _LEGEND]
    return styled(cells, columns, title, without, notes)


def tails_table(
    tails: TailFrame, clients: str, jobs: str, title: str | None = None
) -> GT:
    """Response times in microseconds: takes the frame of ``tails``."""
    require(tails, ("step", clients, jobs, *TAILS.columns))
    if tails.empty:
        return nothing(NOT_RECORDED, title)
    cells = tails[["step", clients, jobs]].map(text)
    columns = [
        Column("step", "step"), Column(clients, "clients", "", True),
        Column(jobs, "jobs", "", True),
    ]  # fmt: skip
    for name, head in _TIMES.items():
        cells[name] = [number(value) for value in tails[name]]
        columns.append(Column(name, head, "µs", True))
    cells["slowest_pct"] = [number(value) for value in tails["slowest_pct"]]
    columns.append(Column("slowest_pct", "slowest 1%", "% of the time", True))
    return styled(cells, columns, title, notes=[_MERGED])


def _cell(mean: float, low: float, high: float, n: int) -> str:
    shown = figure(mean)
    if n == 1 or pd.isna(mean) or figure(low) == figure(high):
        return shown
    return f"{shown}<br>{small(span(low, high, figure))}"
