"""Histograms of response times, of cells.

Percentiles of several runs are those of their merged histogram; a mean of percentiles
is not a percentile.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind, require, row_per_group
from benchmath.latency.buckets import bucket_value, percentile

PERMILLES = {"p50": 500, "p95": 950, "p99": 990, "p999": 999, "max": 1000}
PERCENTILES = Kind("percentiles", ("n", "count", *PERMILLES))
PercentileFrame = Annotated[pd.DataFrame, PERCENTILES]


def require_ns(hists: pd.DataFrame, columns: Iterable[str]) -> None:
    """ValueError for histograms without these columns, or not in nanoseconds."""
    require(hists, (*columns, "unit", "sub_bits", "bucket", "count"))
    if (hists["unit"] != "ns").any():
        raise ValueError("a histogram is not in ns")


def percentiles(
    hists: pd.DataFrame, by: Sequence[str] = ("step", "op", "clock")
) -> PercentileFrame:
    """p50, p95, p99, p99.9 and maximum in microseconds for each combination of ``by``.

    Needs the columns of the view ``hists`` (run_id, step, op, clock, unit, sub_bits,
    bucket, count) and ``by``. Columns: ``by``, n (runs), count (operations), p50, p95,
    p99, p999, max. Clocks and ops are never merged.
    """
    require_ns(hists, (*by, "run_id", "op", "clock"))
    return row_per_group(hists, by, _row, PERCENTILES.columns)


def _row(cell: pd.DataFrame) -> dict[str, float]:
    for column in ("sub_bits", "op", "clock"):
        if cell[column].nunique() > 1:
            raise ValueError(f"histograms of different {column} cannot be merged")
    merged = cell.groupby("bucket")["count"].sum().sort_index()
    counts = [(int(b), int(c)) for b, c in merged.items()]
    sub_bits = int(cell["sub_bits"].iloc[0])
    times = {n: percentile(counts, p, sub_bits) / 1e3 for n, p in PERMILLES.items()}
    return {"n": cell["run_id"].nunique(), "count": int(np.sum(merged))} | times


FINER = {"1us": 1e3, "4us": 4e3, "16us": 16e3, "64us": 64e3}
LIMITS = {
    "256us": 256e3, "1ms": 1e6, "4ms": 4e6, "16ms": 16e6, "64ms": 64e6, "256ms": 256e6,
    "1s": 1e9, "4s": 4e9, "16s": 16e9, "gt": np.inf,
}  # fmt: skip
SHARES = Kind("response_shares", (*FINER, *LIMITS, "max_ms", "count"))
SharesFrame = Annotated[pd.DataFrame, SHARES]


def response_shares(
    hists: pd.DataFrame,
    by: Sequence[str] = ("engine", "step", "op", "clock"),
    finer: bool = False,
) -> SharesFrame:
    """Percent of the operations that took up to each limit and more than the one before.

    Needs the columns of the view ``hists`` and ``by``. Columns: ``by``, one per limit
    (256us, 1ms, ..., 16s, gt; ``finer`` begins with 1us, 4us, 16us, 64us), max_ms, count.
    A bucket counts where its middle lies.
    """
    require_ns(hists, by)
    kinds = hists[["bucket", "sub_bits"]].drop_duplicates()
    kinds = kinds.assign(
        middle=[bucket_value(int(b), int(s)) for b, s in kinds.itertuples(index=False)]
    )
    hists = hists.merge(kinds, on=["bucket", "sub_bits"])
    limits = FINER | LIMITS if finer else LIMITS
    reached = np.searchsorted(list(limits.values()), hists["middle"], side="left")
    hists["limit"] = np.array(list(limits))[reached]
    row = partial(_shares, limits=limits)
    return row_per_group(hists, by, row, (*limits, "max_ms", "count"))


def _shares(cell: pd.DataFrame, limits: Iterable[str]) -> dict[str, float]:
    counts = cell.groupby("limit")["count"].sum()
    total = counts.sum()
    shares = {name: 100 * counts.get(name, 0) / total for name in limits}
    return shares | {"max_ms": cell["middle"].max() / 1e6, "count": int(total)}
