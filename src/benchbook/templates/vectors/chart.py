"""Queries per second over recall: a line for each engine, a dot for each setting."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    coloured,
    distinct,
    drawable,
    finished,
    plot_width,
    shaped,
)

_HEIGHT = 300
_NEEDED = ("cell", "step", "recall", "recall_low", "recall_high", "qps", "qps_low",
           "qps_high", "n")  # fmt: skip


def frontier_chart(fronts: pd.DataFrame, title: str = "") -> alt.Chart:
    """Takes ``search_frontiers``: rates are on a logarithmic axis, recall is not."""
    heading = title or "What recall costs"
    if fronts.empty:
        return finished(alt.Chart(fronts).mark_point(), "No recall yet")
    rows = drawable(fronts, list(_NEEDED))
    names = distinct(rows["cell"])
    x = alt.X("recall:Q", title="recall", scale=alt.Scale(zero=False, nice=True),
              axis=alt.Axis(format=".2~f", tickCount=6))  # fmt: skip
    y = alt.Y("qps:Q", title="queries/s (log scale)",
              scale=alt.Scale(type="log", nice=True, padding=10),
              axis=alt.Axis(format="~s", tickCount=5))  # fmt: skip
    base = alt.Chart(rows).encode(x=x, y=y, color=coloured("cell", names))
    tips = [
        alt.Tooltip("cell:N"), alt.Tooltip("step:N"),
        alt.Tooltip("recall:Q", format=".4f"), alt.Tooltip("qps:Q", format=",.1f"),
        alt.Tooltip("n:Q", title="runs"),
    ]  # fmt: skip
    layers = [
        base.mark_line(strokeWidth=2, aria=False).encode(order="recall:Q"),
        base.mark_rule(strokeWidth=2, aria=False)
        .encode(y="qps_low:Q", y2="qps_high:Q")
        .transform_filter("isValid(datum.qps_low)"),
        base.mark_rule(strokeWidth=2, aria=False)
        .encode(x="recall_low:Q", x2="recall_high:Q")
        .transform_filter("isValid(datum.recall_low)"),
        base.mark_point(filled=True, size=70, opacity=1).encode(
            shape=shaped("cell", names), tooltip=tips
        ),
    ]
    chart = alt.layer(*layers).properties(width=plot_width(), height=_HEIGHT)
    note = "A dot is a setting: how far the index looks; upper right is better."
    bounds = rows[["qps_low", "recall_low"]].notna().any(axis=None)
    return finished(chart, heading, note, "Line: 95% interval." if bounds else "")
