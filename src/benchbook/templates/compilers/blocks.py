"""Charts of a study that may have several sizes of blocks."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from benchbook.charts.curves import curves
from benchbook.charts.look import PALETTE
from benchbook.charts.ratios import relative_dots
from benchbook.results.results import Results
from benchmath.ratios.relative import summary

SIZE = "block_size"


def ratios_by_block(relative: pd.DataFrame) -> alt.Chart:
    """Ratios to the base: a panel per size where there are several."""
    sizes = list(dict.fromkeys(relative[SIZE]))
    if len(sizes) > 1:
        title = "Ratio to the base, by bytes of a block"
        return relative_dots(relative, title=title, panel=SIZE)
    return relative_dots(relative, f"Ratio to the base, blocks of {sizes[0]} bytes")


def over_blocks(results: Results) -> list[Any]:
    """A curve per build and a panel per function, to display; nothing for one size.

    Of more builds than a chart has colours those with the flags of the base.
    """
    rows = summary(results.metric)
    rows = rows.assign(build=rows["compiler"] + " " + rows["flags"])
    if rows[SIZE].nunique() < 2:
        return []
    flags = results.base.get("flags", rows["flags"].iloc[0])
    if rows["build"].nunique() > len(PALETTE):
        rows = rows[rows["flags"] == flags]
    return [curves(rows, SIZE, "build", over="bytes of a block")]
