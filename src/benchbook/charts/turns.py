"""A chart of sessions: how the ratio to the base comes out, round by round."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    coloured,
    distinct,
    drawable,
    finished,
    interval_tip,
    panels,
    plot_width,
    reference,
    shaped,
    with_intervals,
)

_HEIGHT = 120
_BESIDE = 0.025  # of the width, between the intervals at the right edge


def turn_dots(
    blocks: pd.DataFrame, judged: pd.DataFrame | None = None, title: str = ""
) -> alt.Chart:
    """A panel per test: ratios of rates of an arm and its base that took turns.

    Takes the frame of ``results.turn_blocks``: a dot per block of rounds, a line per
    session for all rounds so far. ``judged`` is the frame of ``verdicts``, a
    row per step and arm: its interval stands at the right edge. Each panel has a scale
    of its own.
    """
    if blocks.empty:
        return finished(alt.Chart(blocks).mark_point(), title or "No turns yet")
    fields = ["test", "step", "session", "run_id", "me", "base", "round", "rounds"]
    dots = drawable(blocks, [*fields, "ratio", "so_far"])
    mes, tests = distinct(dots["me"]), distinct(dots["test"])
    if judged is not None:
        dots = _with_intervals(dots, judged)
    layers = [_line_at_one(dots), *_of_rounds(dots, mes)]
    if judged is not None:
        layers += _of_intervals(dots, mes)
    plots = alt.layer(*layers).properties(width=plot_width(), height=_HEIGHT)
    chart = plots.facet(panels("test", tests), columns=1, spacing=14)
    chart = chart.resolve_scale(x="independent", y="independent")
    base = ", ".join(distinct(dots["base"]))
    heading = title or f"Throughput relative to {base}, turn by turn (ratio)"
    words = "Dot: a few rounds. Line: all rounds so far."
    if judged is not None and dots["low"].notna().any():
        words += " Right: 95% interval."
    return finished(chart, heading, words)


def _line_at_one(dots: pd.DataFrame) -> alt.Chart:
    """One a panel, not one a dot."""
    line = alt.Chart(dots).transform_aggregate(blocks="count()", groupby=["test"])
    return reference(line).encode(y=alt.YDatum(1))


def _rounds_axis(name: str) -> alt.X:
    axis = alt.Axis(tickMinStep=1, tickCount=6)
    return alt.X(f"{name}:Q", title="round of the step", axis=axis)


def _of_rounds(dots: pd.DataFrame, mes: list[str]) -> list[alt.Chart]:
    base = alt.Chart(dots).encode(x=_rounds_axis("round"), color=coloured("me", mes))
    scale = alt.Scale(zero=False, padding=8)
    axis = alt.Axis(format=".4~g", tickCount=4)
    mark = base.mark_point(filled=True, size=26, opacity=0.5).encode(
        y=alt.Y("ratio:Q", title="ratio", scale=scale, axis=axis),
        shape=shaped("me", mes),
        tooltip=[
            alt.Tooltip("test:N"), alt.Tooltip("me:N", title="compared"),
            alt.Tooltip("base:N"),
            alt.Tooltip("session:N"), alt.Tooltip("round:Q", title="to round"),
            alt.Tooltip("rounds:Q"), alt.Tooltip("ratio:Q", format=".3f"),
            alt.Tooltip("so_far:Q", format=".3f", title="ratio so far"),
        ],
    )  # fmt: skip
    line = base.mark_line(strokeWidth=2).encode(y="so_far:Q", detail="run_id:N")
    return [mark.transform_filter("isValid(datum.ratio)"), line]


def _of_intervals(dots: pd.DataFrame, mes: list[str]) -> list[alt.Chart]:
    """Behind the last round, an arm beside the other."""
    base = alt.Chart(dots).transform_filter("isValid(datum.relative)")
    base = base.encode(x=_rounds_axis("at"), color=coloured("me", mes))
    whisker = base.mark_rule(strokeWidth=2.5).encode(y="low:Q", y2="high:Q")
    mark = base.mark_point(filled=True, size=60, opacity=1).encode(
        y="relative:Q",
        shape=shaped("me", mes),
        tooltip=[
            alt.Tooltip("test:N"), alt.Tooltip("me:N", title="compared"),
            alt.Tooltip("relative:Q", format=".4f", title="ratio"), interval_tip(),
        ],
    )  # fmt: skip
    return [whisker.transform_filter("isValid(datum.low)"), mark]


def _with_intervals(dots: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """relative, its interval and at (their place) in one row of each test and arm."""
    cells = drawable(judged, ["step", "me", "relative", "low", "high"])
    if cells.duplicated(["step", "me"]).any():
        raise ValueError("several rows for one step and me: select before drawing")
    ends = dots[~dots.duplicated(["test", "me"])][["test", "step", "me"]]
    last = ends["test"].map(dots.groupby("test")["round"].max())
    beside = ends["me"].map(distinct(dots["me"]).index) + 1
    ends = ends.assign(at=last * (1 + _BESIDE * beside)).reset_index()
    cells = with_intervals(cells, ".4f").astype({"me": str})
    placed = ends.merge(cells, on=["step", "me"]).set_index("index")
    joined = dots.join(placed[["at", "relative", "low", "high", "interval"]])
    return joined.fillna({"interval": ""})  # JSON has no NaN
