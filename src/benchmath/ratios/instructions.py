"""Instructions per operation beside the base's: counted, so without an interval."""

from collections.abc import Mapping
from typing import Annotated

import pandas as pd

from benchmath.frames import (
    METRIC,
    Kind,
    MetricFrame,
    check_base,
    further_dimensions,
    label,
)

COUNTED = Kind(
    "counted_instructions", ("me", "instructions", "base", "ratio", "n", "spread")
)
CountedFrame = Annotated[pd.DataFrame, COUNTED]


def counted_instructions(counted: MetricFrame, base: Mapping[str, str]) -> CountedFrame:
    """One row per step and cell, the base's own among them.

    ``counted`` is a metric frame of runs under callgrind. Columns: step, further
    dimensions that tell cells apart, me, instructions (mean per operation), base (the
    base's), ratio, n, spread (largest over least count of the n runs, less 1: what is
    left of chance). A cell whose base was not counted has NaN.
    """
    if counted.empty:
        return pd.DataFrame(columns=["step", *COUNTED.columns])
    rows = counted[counted["metric"] == "instructions_o"]
    free = further_dimensions(rows, METRIC, [*base, "step"])
    keys = ["step", *free, *base]
    cells = rows.groupby(keys, sort=False, dropna=False)["value"].agg(
        instructions="mean", n="size", most="max", least="min"
    )
    cells = cells.reset_index()
    cells = cells.assign(
        me=label(cells, list(base)), spread=cells["most"] / cells["least"] - 1
    )
    own = cells[check_base(cells[keys], base)]
    theirs = own[["step", *free, "instructions"]].rename(columns={"instructions": "base"})
    cells = cells.merge(theirs, on=["step", *free], how="left")
    cells = cells.assign(ratio=cells["instructions"] / cells["base"])
    return COUNTED.of(cells, ["step", *free])
