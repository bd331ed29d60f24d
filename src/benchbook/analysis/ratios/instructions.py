"""Instructions per operation beside the base's: counted, so without an interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import pandas as pd

from benchbook.analysis.frames import (
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
    found = rows.groupby(keys, sort=False, dropna=False)["value"].agg(
        instructions="mean", n="size", most="max", least="min"
    )
    found = found.reset_index()
    found = found.assign(
        me=label(found, list(base)), spread=found["most"] / found["least"] - 1
    )
    own = found[check_base(found[keys], base)]
    theirs = own[["step", *free, "instructions"]].rename(columns={"instructions": "base"})
    found = found.merge(theirs, on=["step", *free], how="left")
    found = found.assign(ratio=found["instructions"] / found["base"])
    return COUNTED.of(found, ["step", *free])


def repeatability(counts: pd.DataFrame) -> pd.DataFrame:
    """How much the counts of the same step differ from run to run.

    ``counts``: engine, step, turn, instructions, operations. One row per engine and step:
    runs, operations of the first, instructions_o (instructions per operation, median) and
    differ_pct, the largest instructions_o less the least, in percent of the median.
    """
    counts = counts.assign(instructions_o=counts["instructions"] / counts["operations"])
    by = counts.groupby(["engine", "step"], sort=False)
    table = by.agg(
        runs=("turn", "size"),
        operations=("operations", "first"),
        instructions_o=("instructions_o", "median"),
    )
    spread = by["instructions_o"].max() - by["instructions_o"].min()
    return table.assign(differ_pct=100 * spread / table["instructions_o"]).reset_index()
