"""Response time percentiles from histograms, merged over the runs of a cell.

Percentiles of several runs are those of their merged histogram; a mean of percentiles
is not a percentile.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind, require
from benchmath.latency.histogram import percentile

PERMILLES = {"p50": 500, "p95": 950, "p99": 990, "p999": 999, "max": 1000}
PERCENTILES = Kind("percentiles", ("n", "count", *PERMILLES))
PercentileFrame = Annotated[pd.DataFrame, PERCENTILES]


def percentiles(
    hists: pd.DataFrame, by: Sequence[str] = ("step", "op", "clock")
) -> PercentileFrame:
    """p50, p95, p99, p99.9 and maximum in microseconds for each combination of ``by``.

    Needs the columns of the view ``hists`` (run_id, step, op, clock, unit, sub_bits,
    bucket, count) and ``by``. Columns: ``by``, n (runs), count (operations), p50, p95,
    p99, p999, max. Clocks and ops are never merged.
    """
    require(hists, (*by, "run_id", "op", "clock", "unit", "sub_bits", "bucket", "count"))
    if (hists["unit"] != "ns").any():
        raise ValueError("a histogram is not in ns")
    records = []
    for labels, cell in hists.groupby(list(by), sort=False, dropna=False):
        records.append(dict(zip(by, labels, strict=True)) | _row(cell))
    return pd.DataFrame.from_records(records, columns=[*by, *PERCENTILES.columns])


def _row(cell: pd.DataFrame) -> dict[str, float]:
    for column in ("sub_bits", "op", "clock"):
        if cell[column].nunique() > 1:
            raise ValueError(f"histograms of different {column} cannot be merged")
    merged = cell.groupby("bucket")["count"].sum().sort_index()
    counts = [(int(b), int(c)) for b, c in merged.items()]
    sub_bits = int(cell["sub_bits"].iloc[0])
    times = {n: percentile(counts, p, sub_bits) / 1e3 for n, p in PERMILLES.items()}
    return {"n": cell["run_id"].nunique(), "count": int(np.sum(merged))} | times
