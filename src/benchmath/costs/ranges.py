"""Means of counted things over the trials, with the lowest and the highest of them.

Stalls come in a few trials or in none: an interval of Student's says nothing of them.
"""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd

from benchmath.costs.io import main_op
from benchmath.frames import Kind, MetricFrame, places

RANGES = Kind("ranges", ("metric", "unit", "n", "mean", "min", "max"))
RangeFrame = Annotated[pd.DataFrame, RANGES]
_PART_OF_ANOTHER = "_with_"  # of the stalls, those while files are compacted
_STALL, _NO_CAUSES = "stall_", ("stall_s", "stall_pct")


def ranges(metric: MetricFrame, names: Sequence[str], by: Sequence[str]) -> RangeFrame:
    """Mean, min and max over the runs of each metric of a step's main op, by cell.

    Columns: step, ``by``, then metric (in the order of ``names``), unit, n, mean, min,
    max. What a cell lacks has no row.
    """
    rows = main_op(metric)
    rows = rows[rows["metric"].isin(list(names))]
    keys = ["step", *by]
    cell = rows.groupby(keys, sort=False, dropna=False).ngroup()
    rows = rows.assign(cell=cell, place=places(rows["metric"], names))
    grouped = rows.groupby(["cell", "place", *keys, "metric", "unit"], dropna=False)
    table = grouped["value"].agg(n="size", mean="mean", min="min", max="max")
    return RANGES.of(table.reset_index(), keys)


def stall_causes(metric: MetricFrame) -> list[str]:
    """The metrics that count stalls by cause, each stall once, as they come."""
    names = dict.fromkeys(metric["metric"])
    return [
        name for name in names
        if name.startswith(_STALL) and name not in _NO_CAUSES
        and "_total_" not in name and _PART_OF_ANOTHER not in name
    ]  # fmt: skip


def that_occur(table: RangeFrame, always: Sequence[str] = ()) -> RangeFrame:
    """Without the metrics that were 0 in every run, but for those of ``always``."""
    most = table.groupby("metric")["max"].transform("max")
    return table[(most > 0) | table["metric"].isin(list(always))]
