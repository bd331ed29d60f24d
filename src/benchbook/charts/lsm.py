"""The tree of RocksDB over the seconds of a step."""

from __future__ import annotations

import altair as alt
import pandas as pd

from benchbook.charts.look import coloured, drawable, finished, panels, plot_width
from benchmath.frames import ordered

_HEIGHT = 120
_COUNTS = {"l0_files": "files of L0", "compacting": "compactions of L0 that run"}


def levels_over_time(sizes: pd.DataFrame, title: str = "") -> alt.Chart:
    """MB of each level over time, stacked: a panel per case, all on the same scales.

    Takes the frame of ``sizes_over_time`` with a column case.
    """
    heading = title or "LSM levels over time"
    if sizes.empty:
        return finished(alt.Chart(sizes).mark_area(), f"{heading}: no LOG tells of them")
    held = sizes.groupby("level")["size_mb"].transform("max") > 0
    rows = drawable(sizes[held], ["case", "second", "level", "size_mb", "files"])
    by_time = rows.sort_values(["second", "level"], kind="stable")
    rows = ordered(by_time, {"case": rows["case"]})
    # Stacked here: Vega would put a 0 wherever another case has a moment of its own.
    rows["top"] = rows.groupby(["case", "second"], sort=False)["size_mb"].cumsum()
    rows["bottom"] = rows["top"] - rows["size_mb"]
    rows = rows.assign(level="L" + rows["level"].astype(str))
    area = alt.Chart(rows).mark_area().encode(
        x=alt.X("second:Q", title="second of the load", scale=alt.Scale(zero=True)),
        y=alt.Y(
            "bottom:Q", title="MB (2²⁰ bytes)", axis=alt.Axis(format="~s", tickCount=4)
        ),
        y2="top:Q",
        color=coloured("level", sorted(set(rows["level"])), "level"),
        tooltip=[
            alt.Tooltip("case:N"), alt.Tooltip("level:N"),
            alt.Tooltip("second:Q", format=".2f"),
            alt.Tooltip("size_mb:Q", format=",.0f", title="MB"),
            alt.Tooltip("files:Q", format=",d"),
        ],
    )  # fmt: skip
    area = area.properties(width=plot_width(), height=_HEIGHT)
    chart = area.facet(panels("case", rows["case"]), columns=1)
    return finished(chart, heading, "Of the first run of each case.")


def l0_over_time(seconds: pd.DataFrame, title: str = "") -> alt.Chart:
    """Files of L0 and compactions that read them, per second: a panel per run.

    Takes the frame of ``activity`` with a column trial that names its runs.
    """
    heading = title or "Files of L0 and their compactions"
    if seconds.empty:
        return finished(
            alt.Chart(seconds).mark_line(), f"{heading}: no LOG tells of them"
        )
    long = seconds.melt(["trial", "second"], list(_COUNTS), "what", "count").dropna()
    rows = drawable(long, ["trial", "second", "what", "count"])
    rows = rows.assign(what=rows["what"].map(_COUNTS))
    lines = alt.Chart(rows).mark_line(strokeWidth=1.5, interpolate="step-before").encode(
        x=alt.X("second:Q", title="second of the step", scale=alt.Scale(zero=True)),
        y=alt.Y("count:Q", title="number of them", axis=alt.Axis(tickCount=4)),
        color=coloured("what", list(_COUNTS.values()), stroke=True),
        tooltip=[
            alt.Tooltip("what:N"), alt.Tooltip("second:Q", format=".0f"),
            alt.Tooltip("count:Q", format=".1f"),
        ],
    )  # fmt: skip
    lines = lines.properties(width=plot_width(), height=_HEIGHT)
    chart = lines.facet(panels("trial", rows["trial"]), columns=1)
    return finished(chart.resolve_scale(x="independent"), heading)
