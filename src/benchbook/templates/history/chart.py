"""A small panel per test: its commits, its levels, and where a new one begins."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    LINE,
    PALETTE,
    by_kind,
    drawable,
    finished,
    panel_width,
    panels,
)

_COLUMNS, _HEIGHT, _GAP = 2, 44, 10  # px
_NEEDED = ("test", "place", "commit", "time", "value", "unit", "level", "kind")


def sparklines(points: pd.DataFrame, title: str = "") -> alt.Chart:
    """The points of ``histories``: a line per test, each on a scale of its own."""
    points = drawable(points, _NEEDED)
    x = alt.X("place:Q", axis=None, scale=alt.Scale(nice=False, padding=5))
    y = alt.Scale(zero=False, nice=False, padding=5)
    base = alt.Chart(points).encode(x=x)
    tips = [alt.Tooltip("test:N"), alt.Tooltip("commit:N"), alt.Tooltip("time:N"),
            alt.Tooltip("value:Q", format=".4~g"), alt.Tooltip("unit:N")]  # fmt: skip
    line = base.mark_line(strokeWidth=1, color=LINE, aria=False)
    level = base.mark_line(interpolate="step-after", strokeWidth=2, color=PALETTE[4],
                           aria=False)  # fmt: skip
    hover = base.mark_point(opacity=0, size=60, aria=False)
    begin = base.transform_filter("datum.kind != ''").mark_point(
        filled=True, size=80, opacity=1
    )
    kinds = by_kind("kind", points[points["kind"] != ""])
    value = alt.Y("value:Q", axis=None, scale=y)
    width = panel_width(_COLUMNS)
    layers = alt.layer(
        line.encode(y=value), level.encode(y=alt.Y("level:Q", axis=None, scale=y)),
        hover.encode(y=value, tooltip=tips),
        begin.encode(y=value, tooltip=tips, **kinds),
    ).properties(width=width, height=_HEIGHT)  # fmt: skip
    facet = panels("test", points["test"], width, size=13)
    chart = layers.facet(facet, columns=_COLUMNS, spacing=_GAP)
    chart = chart.resolve_scale(x="independent", y="independent")
    note = "First to last commit. Blue: levels; a mark: the first commit of a new one."
    heading = title or "Every test over its commits"
    return finished(chart, heading, note, "Each panel has its own scale.")
