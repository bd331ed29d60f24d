"""How long a run will take, before any was made: from the sizes of its steps.

The rates are those of this laboratory's own posts on two CPUs; what `plan` says is
compared with what those posts took by a benchmark beside the tests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import Driver

LOAD, INDEX = "l.i0", "l.x"  # in key order without indexes; then three of them
STARTED_S = 0.05  # a process and its facts
PROBED_S = 0.35  # the disk and a piece of work, before and after
SERVER_S = 3.0  # to initialise, start and stop one
SCANNED_ROWS_PER_S = 3_000_000.0
# hnsw of 100 numbers with m 16, the slowest of the indexes that posts have.
VECTORS_INDEXED_PER_S = 3_000.0
# What takes about as long whatever it works on; any other step takes UNSIZED_S.
FIXED_S = {"flush_mt_l0": 10.0}
UNSIZED_S, UNSIZED_OF_WORKLOAD_S = 1.0, 0.4
_BUILDS = re.compile(r"index$|(re)?build(_|$)")  # of a workload that searches vectors
_WRITERS = re.compile(r"q[rp]?(\d+)\.")  # of a query step: their rate


@dataclass(frozen=True)
class Rates:
    """Rows per second of one client, of the insert benchmark's steps."""

    load: float
    index: float  # of the rows loaded, for all indexes together
    usual: float  # in transactions of 50 to 100 rows, with indexes
    cleaned: float  # of the rows loaded


EMBEDDED = Rates(load=700_000, index=200_000, usual=10_000, cleaned=10_000_000)
SERVER = Rates(load=170_000, index=190_000, usual=10_000, cleaned=1_500_000)


def run_seconds(cell: Cell, driver: Driver) -> float:
    """A guess of one run's length in seconds, set-up of its server included."""
    is_server = cell.engine in driver.servers
    rates = SERVER if is_server else EMBEDDED
    probe = 0.0 if driver.only_calculates([s.step for s in cell.steps]) else PROBED_S
    start = SERVER_S if is_server and not cell.connect else 0.0
    # Clients of a server on one CPU share what it can do; rows are those of each.
    shared = cell.dop if is_server and cell.placement in ("same", "split") else 1
    loaded = cell.dop * sum(
        float(s.amount) for s in cell.steps if s.step == LOAD and s.size == "rows"
    )
    vectors = float(dict(cell.dims).get("vectors") or 0)
    unsized = UNSIZED_OF_WORKLOAD_S if driver.workload else UNSIZED_S
    steps = (
        vectors / VECTORS_INDEXED_PER_S
        if vectors and _BUILDS.match(step.step)
        else _step_seconds(step, rates, loaded, shared, unsized)
        for step in cell.steps
    )
    return STARTED_S + start + probe + sum(steps)


def _step_seconds(
    step: Step, rates: Rates, loaded: float, shared: int, unsized: float
) -> float:
    if step.size == "seconds":
        return float(step.amount) + float(step.warmup or 0)
    if step.size == "rows":
        writers = _WRITERS.match(step.step)
        rate = rates.load if step.step == LOAD else rates.usual
        return float(step.amount) / (float(writers[1]) if writers else rate / shared)
    if loaded and step.step == INDEX:
        return loaded / rates.index
    if loaded and step.step.startswith("scan."):
        return loaded / SCANNED_ROWS_PER_S
    if loaded and step.step == "cleanup":
        return unsized + loaded / rates.cleaned
    return FIXED_S.get(step.step, unsized)
