"""Values over a number that was varied: clients, bytes of a block."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    coloured,
    distinct,
    drawable,
    field,
    finished,
    in_grid,
    interval_tip,
    shaped,
    with_intervals,
)

_HEIGHT = 170  # px


def curves(
    summary: pd.DataFrame,
    x: str,
    by: str,
    panel: str = "step",
    title: str = "",
    columns: int = 2,
    over: str = "",
) -> alt.Chart:
    """Means with 95% intervals over the numbers of ``x``: a line per value of ``by``.

    Takes the frame of ``summary``. ``x``, called ``over``, is on a log scale; a panel per
    ``panel``, each with a scale of its own from 0, beside as many as ``columns``.
    """
    rows = drawable(summary, [x, by, panel, "value", "low", "high", "n", "unit"])
    unit = ", ".join(distinct(rows["unit"])) or "nothing measured"
    rows = with_intervals(rows, ",.1f").astype({x: float, by: str, panel: str})
    rows = rows.sort_values(x, kind="stable")
    lines = distinct(summary[by])
    base = alt.Chart(rows).encode(
        x=log_axis(x, over or x, sorted(set(rows[x]))),
        color=_named(coloured(by, lines), by, lines),
    )
    each = alt.layer(_between(base), *_means(base, x, by, unit, lines))
    chart = in_grid(each, panel, summary[panel], columns, _HEIGHT)
    chart = chart.resolve_scale(x="independent", y="independent")
    heading = title or f"Throughput over {over or x} ({unit})"
    whiskers = "Whiskers: 95% intervals. " if rows["low"].notna().any() else ""
    return finished(
        chart, heading, f"{whiskers}Each panel has a scale of its own, from 0."
    )


def log_axis(x: str, name: str, ticks: list[Any]) -> alt.X:
    """An axis for the numbers that were measured, on a log scale of base 2."""
    scale = alt.Scale(type="log", base=2, nice=False, padding=10)
    axis = alt.Axis(values=ticks, format="d", grid=False, labelOverlap=True)
    return alt.X(f"{field(x)}:Q", title=f"{name} (log scale)", scale=scale, axis=axis)


def _named(channel: Any, by: str, lines: list[str]) -> Any:
    """With ``by`` above the legend, where its words are bare numbers."""
    if len(lines) > 1 and all(word.isdigit() for word in lines):
        channel.legend.title = by
    return channel


def _between(base: alt.Chart) -> alt.Chart:
    line = base.transform_filter("isValid(datum.value)").mark_line(strokeWidth=1.5)
    return line.encode(y="value:Q")


def _means(
    base: alt.Chart, x: str, by: str, unit: str, lines: list[str]
) -> tuple[alt.Chart, alt.Chart]:
    """Whiskers, and dots whose shapes repeat the colours."""
    whisker = base.mark_rule(strokeWidth=1.5, aria=False).encode(y="low:Q", y2="high:Q")
    axis, scale = alt.Axis(format="~s", tickCount=4), alt.Scale(zero=True)
    dot = base.mark_point(filled=True, size=50, opacity=1).encode(
        y=alt.Y("value:Q", title=unit, axis=axis, scale=scale),
        shape=_named(shaped(by, lines), by, lines),
        tooltip=[
            alt.Tooltip(f"{field(by)}:N", title=by),
            alt.Tooltip(f"{field(x)}:Q", format=",d", title=x),
            alt.Tooltip("value:Q", format=",.1f", title=unit),
            interval_tip(),
            alt.Tooltip("n:Q", title="runs"),
        ],
    )
    return (
        whisker.transform_filter("isValid(datum.low)"),
        dot.transform_filter("isValid(datum.value)"),
    )
