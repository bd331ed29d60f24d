"""Charts along an order: time, percentiles, position of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

if TYPE_CHECKING:  # a second of every notebook, and few have a chart so dense
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

from benchbook.charts.look import (
    PALETTE,
    ROWS_MAX,
    WIDTH,
    coloured,
    distinct,
    drawable,
    field,
    finished,
    in_grid,
    one_unit,
    panels,
    plot_width,
    reference,
    shaped,
)

_SHOWN = {"p50": "p50", "p95": "p95", "p99": "p99", "p999": "p99.9", "max": "max"}
_TEXT = "#333333"  # of matplotlib, which draws on white
_HEIGHT, _GAP = 150, 20  # px
_DENSE = (*PALETTE[:-1], _TEXT)


def throughput_over_time(
    rates: pd.DataFrame, by: str = "config", panel: str = "step", title: str = ""
) -> alt.Chart | Figure:
    """Per-second rates: a line per run, a colour per ``by``, a panel per step.

    Takes the frame of ``rates`` with the column ``by``; the axis starts at 0. Panels of
    something else than steps are compared: their rates have one scale.
    More than 5,000 rows are drawn by ``dense_series`` instead.
    """
    if len(rates) > ROWS_MAX:
        return dense_series(rates, by, panel, title)
    rates = drawable(rates, ["run_id", "second", "rate", "unit", by, panel])
    rates = _with_panels(rates.astype({by: str}), panel)
    second = alt.X(
        "second:Q",
        title="second of the step",
        scale=alt.Scale(zero=True),
        axis=alt.Axis(tickCount=8),
    )
    axis, dotted = alt.Axis(format="~s", tickCount=4), _single_seconds(rates)
    lines = alt.Chart(rates).mark_line(strokeWidth=1.5, opacity=0.8, point=dotted)
    lines = lines.encode(
        x=second,
        y=alt.Y("rate:Q", title="per second", axis=axis, scale=alt.Scale(zero=True)),
        color=coloured(by, rates[by], by, stroke=not dotted),
        detail="run_id:N",
        tooltip=[
            alt.Tooltip(f"{field(by)}:N", title=by),
            alt.Tooltip("panel:N", title=panel),
            alt.Tooltip("second:Q", format=".0f"),
            alt.Tooltip("rate:Q", format=",.0f", title="per second"),
        ],
    )
    chart = in_grid(lines, "panel", rates["panel"], 1, _HEIGHT, _GAP)
    chart = chart.resolve_scale(x="independent")
    note = "Scales begin at 0; all panels have one of rates."
    if not _is_compared(panel):
        chart = chart.resolve_scale(y="independent")
        note = "Each panel has its own scales, all from 0."
    heading = title or "Throughput over time, one line per run"
    one = rates["panel"].nunique() <= 1
    return finished(chart, heading, "Both scales begin at 0." if one else note)


def _is_compared(panel: str) -> bool:
    """Do panels show the same work? Those of steps do not."""
    return panel != "step"


def latency_percentiles(
    percentiles: pd.DataFrame, by: str = "clock", panel: str = "step", title: str = ""
) -> alt.Chart:
    """Response time at p50, p95, p99, p99.9 and maximum, on a logarithmic axis.

    Takes the frame of ``percentiles``; one row of ``by`` and ``panel`` each.
    """
    long = _long(drawable(percentiles, [by, panel, "count", *_SHOWN]), by, panel)
    groups, order = list(dict.fromkeys(long[by])), list(dict.fromkeys(long[panel]))
    place = alt.X(
        "percentile:N",
        sort=list(_SHOWN.values()),
        title=None,
        axis=alt.Axis(labelAngle=0),
    )
    time = alt.Y(
        "time_us:Q",
        title="µs (log scale)",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(format="~s", tickCount=4),
    )
    base = alt.Chart(long).encode(x=place, y=time, color=coloured(by, groups))
    points = base.mark_point(filled=True, size=75, opacity=1).encode(
        shape=shaped(by, groups),
        tooltip=[
            alt.Tooltip(f"{field(by)}:N", title=by),
            alt.Tooltip(f"{field(panel)}:N", title=panel),
            "percentile:N",
            alt.Tooltip("time_us:Q", format=",.1f", title="µs"),
            alt.Tooltip("count:Q", format=",", title="operations"),
        ],
    )
    chart = alt.layer(base.mark_line(strokeWidth=1.5), points)
    chart = chart.properties(width=plot_width(), height=150)
    facet = panels(panel, order)
    heading = title or "Response time by percentile (µs, log scale)"
    return finished(chart.facet(facet, columns=1), heading)


def drift_by_position(
    deviations: pd.DataFrame, panel: str = "step", title: str = ""
) -> alt.Chart:
    """Each run's deviation from its cell's mean over the order in which runs were made.

    Takes the frame of ``deviations``; the line is the least-squares trend.
    """
    deviations = drawable(deviations, ["position", "deviation_pct", panel])
    deviations = deviations.astype({panel: str})
    base = alt.Chart(deviations).encode(
        x=alt.X(
            "position:Q",
            title="position of the run in the study",
            axis=alt.Axis(tickMinStep=1),
        ),
        y=alt.Y("deviation_pct:Q", title="% from the mean", axis=alt.Axis(tickCount=4)),
    )
    zero = reference(alt.Chart(deviations)).encode(y=alt.YDatum(0))
    dots = base.mark_point(filled=True, size=45, color=PALETTE[0], opacity=0.8).encode(
        tooltip=[
            alt.Tooltip(f"{field(panel)}:N", title=panel),
            "position:Q",
            alt.Tooltip("deviation_pct:Q", format="+.2f", title="% from the mean"),
        ]
    )
    trend = base.mark_line(color=PALETTE[1], strokeWidth=2)
    trend = trend.transform_regression("position", "deviation_pct", groupby=[panel])
    order = list(dict.fromkeys(deviations[panel]))
    facet = panels(panel, order)
    chart = alt.layer(zero, dots, trend).properties(width=plot_width(), height=110)
    heading = title or "Throughput by position of the run (% from the cell's mean)"
    return finished(chart.facet(facet, columns=1), heading)


def dense_series(
    rates: pd.DataFrame, by: str = "config", panel: str = "step", title: str = ""
) -> Figure:
    """Throughput over time for more than 5,000 rows, drawn by matplotlib.

    Takes the frame of ``throughput_over_time``; every axis starts at 0.
    """
    import matplotlib.pyplot as plt
    from matplotlib.lines import Line2D

    rates = _with_panels(rates, panel)
    names, groups = list(dict.fromkeys(rates["panel"])), distinct(rates[by])
    size = (WIDTH / 100, 0.8 + 2 * len(names))
    figure, axes = plt.subplots(
        len(names), 1, figsize=size, squeeze=False, sharey=_is_compared(panel)
    )
    for axis, name in zip(axes[:, 0], names, strict=True):
        _draw_runs(axis, rates[rates["panel"] == name], by, groups)
        axis.set_title(name, loc="left", fontsize=11, color=_TEXT)
        axis.set(ylabel="per second", ylim=(0, None), xlim=(0, None))
        axis.spines[["top", "right"]].set_visible(False)
    axes[-1, 0].set_xlabel("second of the step")
    colours = [_DENSE[i % len(_DENSE)] for i in range(len(groups))]
    lines = [Line2D([], [], color=colour) for colour in colours]
    figure.legend(lines, groups, loc="upper right", ncols=4, frameon=False, title=by)
    figure.suptitle(title or "Throughput over time", x=0.01, ha="left", fontsize=12)
    figure.tight_layout()
    plt.close(figure)  # the notebook shows what is returned, once
    return figure


def lowest_rates(rates: pd.DataFrame, by: Sequence[str]) -> tuple[pd.DataFrame, int]:
    """The rates, or where they are too many for a chart the lowest of each few seconds.

    ``by`` are columns to keep beside run_id, step and unit. Also how many seconds a point
    stands for: a stall is seen in the lowest, and not in a mean.
    """
    merged, lowest = 1, rates
    keys = ["run_id", "step", "unit", *by]
    while len(lowest) > ROWS_MAX:
        merged *= 2
        block = rates.groupby(["run_id", "step"], sort=False).cumcount() // merged
        grouped = rates.assign(block=block).groupby([*keys, "block"], sort=False)
        lowest = grouped.agg(second=("second", "first"), rate=("rate", "min"))
        lowest = lowest.reset_index()
    return lowest, merged


def _long(table: pd.DataFrame, by: str, panel: str) -> pd.DataFrame:
    """One row per percentile instead of one column."""
    if table.duplicated([by, panel]).any():
        raise ValueError(f"several rows for one {by} and {panel}: select before drawing")
    long = table.astype({by: str, panel: str}).melt(
        [by, panel, "count"], list(_SHOWN), "percentile", "time_us"
    )
    return long.assign(percentile=long["percentile"].map(_SHOWN))


def _draw_runs(axis: Axes, part: pd.DataFrame, by: str, groups: list[str]) -> None:
    for (name, _), run in part.groupby([by, "run_id"], sort=False):
        colour = _DENSE[groups.index(str(name)) % len(_DENSE)]
        axis.plot(run["second"], run["rate"], color=colour, lw=0.7, alpha=0.8)


def _with_panels(rates: pd.DataFrame, panel: str) -> pd.DataFrame:
    """The name and unit of each panel; two units in one panel are refused."""
    for _, part in rates.groupby(panel, sort=False):
        one_unit(part)
    names = rates[panel].astype(str) + " (" + rates["unit"].astype(str) + ")"
    return rates.assign(panel=names)


def _single_seconds(rates: pd.DataFrame) -> bool:
    """Short runs also get points: a line of one or two samples cannot be seen."""
    return bool((rates.groupby("run_id").size() < 30).any())
