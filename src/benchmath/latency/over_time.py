"""Response times second by second, in cells of time and response time: a heat map's."""

from collections.abc import Sequence
from itertools import chain, count
from typing import Annotated

import pandas as pd

from benchmath.frames import Kind, require
from benchmath.latency.buckets import bucket_lower, bucket_of, bucket_width

OVER_TIME = Kind(
    "response_times_over_time",
    ("begin_s", "end_s", "lower_us", "upper_us", "count", "share_pct"),
)
OverTimeFrame = Annotated[pd.DataFrame, OVER_TIME]
CELLS = 1200  # that a chart still draws small
COLUMNS = 60  # of a panel
FINEST = 2  # sub_bits of the samples: four parts of a doubling
_WIDTHS = (1, 2, 5, 10, 15, 30)  # seconds of a column; then whole minutes


def times_over_time(
    times: pd.DataFrame, by: Sequence[str] = ("step",), cells: int = CELLS
) -> OverTimeFrame:
    """How many operations took how long, by time within their step.

    Needs the columns of the view ``sample_times`` (second, lower_ns, count) and ``by``.
    Columns: ``by``, begin_s, end_s, lower_us and upper_us of a cell, count, share_pct (of
    the operations of ``by`` in that time). Runs of one ``by`` are added up. With more
    than ``cells`` of them cells grow: up to 60 columns a panel, and of response times 4
    parts of a doubling, 2, or a whole one.
    """
    require(times, (*by, "second", "lower_ns", "count"))
    if times.empty:
        return pd.DataFrame(columns=[*by, *OVER_TIME.columns])
    # A sample ends a little late, and the last one of a step may be of a moment.
    last = times["second"].round().clip(lower=1).astype(int)
    width = next(w for w in chain(_WIDTHS, count(60, 60)) if w * COLUMNS >= last.max())
    begin = (last - 1) // width * width
    rows = times[[*by, "lower_ns", "count"]].assign(begin_s=begin, end_s=begin + width)
    finer = (_cells(rows, by, bits) for bits in range(FINEST, 0, -1))
    table = next((t for t in finer if len(t) <= cells), _cells(rows, by, 0))
    totals = table.groupby([*by, "begin_s"], sort=False, dropna=False)["count"]
    shares = 100 * table["count"] / totals.transform("sum")
    return OVER_TIME.of(table.assign(share_pct=shares), by)


def _cells(rows: pd.DataFrame, by: Sequence[str], sub_bits: int) -> pd.DataFrame:
    """Rows added up where a doubling has 2**sub_bits parts, in order of ``by``."""
    bounds = {lower: _bounds(int(lower), sub_bits) for lower in rows["lower_ns"].unique()}
    lower, upper = (rows["lower_ns"].map({k: v[i] for k, v in bounds.items()})
                    for i in range(2))  # fmt: skip
    placed = rows.assign(lower_us=lower, upper_us=upper)
    keys = [*by, "begin_s", "end_s", "lower_us", "upper_us"]
    table = placed.groupby(keys, sort=False, dropna=False)["count"].sum().reset_index()
    order = table.groupby([*by], sort=False, dropna=False).ngroup()
    sorted_ = table.assign(_order=order).sort_values(["_order", "begin_s", "lower_us"])
    return sorted_.drop(columns="_order").reset_index(drop=True)


def _bounds(lower_ns: int, sub_bits: int) -> tuple[float, float]:
    """From where to where the bucket goes that holds a value [us]."""
    bucket = bucket_of(lower_ns, sub_bits)
    lower = bucket_lower(bucket, sub_bits)
    return lower / 1e3, (lower + bucket_width(bucket, sub_bits)) / 1e3
