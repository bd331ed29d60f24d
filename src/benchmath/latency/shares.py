"""Response times in the buckets of published reports: percent of operations in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind, require
from benchmath.latency.histogram import bucket_value

LIMITS = {
    "256us": 256e3, "1ms": 1e6, "4ms": 4e6, "16ms": 16e6, "64ms": 64e6, "256ms": 256e6,
    "1s": 1e9, "4s": 4e9, "16s": 16e9, "gt": np.inf,
}  # fmt: skip
SHARES = Kind("response_shares", (*LIMITS, "max_ms", "count"))
SharesFrame = Annotated[pd.DataFrame, SHARES]


def response_shares(
    hists: pd.DataFrame, by: Sequence[str] = ("engine", "step", "op", "clock")
) -> SharesFrame:
    """Percent of the operations that took up to each limit and more than the one before.

    Needs the columns of the view ``hists`` and ``by``. Columns: ``by``, one per limit
    (256us, 1ms, ..., 16s, gt), max_ms, count. A bucket counts where its middle lies.
    """
    require(hists, (*by, "unit", "sub_bits", "bucket", "count"))
    if (hists["unit"] != "ns").any():
        raise ValueError("a histogram is not in ns")
    kinds = hists[["bucket", "sub_bits"]].drop_duplicates()
    kinds = kinds.assign(
        middle=[bucket_value(int(b), int(s)) for b, s in kinds.itertuples(index=False)]
    )
    hists = hists.merge(kinds, on=["bucket", "sub_bits"])
    bounds = list(LIMITS.values())
    hists["limit"] = np.searchsorted(bounds, hists["middle"], side="left")
    records = []
    for labels, cell in hists.groupby(list(by), sort=False, dropna=False):
        counts = cell.groupby("limit")["count"].sum()
        total = counts.sum()
        shares = {name: 100 * counts.get(i, 0) / total for i, name in enumerate(LIMITS)}
        row = dict(zip(by, labels, strict=True)) | shares
        records.append(row | {"max_ms": cell["middle"].max() / 1e6, "count": int(total)})
    return pd.DataFrame.from_records(records, columns=[*by, *SHARES.columns])
