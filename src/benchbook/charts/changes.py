"""Charts of changes between versions: every test's levels, and the boundaries."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    INK,
    LINE,
    PALETTE,
    WIDTH,
    by_kind,
    drawable,
    finished,
    interval_tip,
    panels,
    plot_width,
    reference,
    row_height,
    with_intervals,
)
from benchmath.changes.shift import SHARED

_AXIS, _GAP, _HEIGHT = 58, 16, 120  # px
_CHANGE = ("median", "min", "max")
_FAR = 1.15  # beyond the 5th or 95th percentile by this factor is outside a panel
_BY_OTHERS = "found only with the other tests' evidence."
_COUNT = 90  # px of `17 of 42` beside the boundaries


def small_multiples(
    frame: pd.DataFrame,
    changes: pd.DataFrame,
    dimension: str = "version",
    columns: int = 3,
    metric: str = "throughput",
    title: str = "",
    own_scales: bool = False,
) -> alt.Chart:
    """A panel per test: its versions relative to the first, its levels and changes.

    Takes a metric frame and the frame of ``version_changes``. Dots have their
    interval where versions were run more than once; the first version of a new level
    has a mark of its own, hollow where only the other tests' evidence finds it. All
    panels have one scale, logarithmic where the dots lie more than a factor 3 apart; with
    ``own_scales`` each has its own, and what lies far outside the other versions is
    drawn at its edge.
    """
    from benchmath.changes.points import version_points  # with SciPy: a second

    points = version_points(frame, changes, dimension, metric)
    points = _drawn(_with_shared(points, changes), _FAR if own_scales else None)
    points = drawable(with_intervals(points, ".3f"), [*points.columns, "interval"])
    axes = _AXIS * (columns if own_scales else 1)
    wide = int((WIDTH - axes - _GAP * (columns - 1)) / columns)
    versions = list(dict.fromkeys(frame[dimension].astype(str)))
    layers = _layers(points, versions).properties(width=wide, height=_HEIGHT)
    facet = panels("test", points["test"], wide, size=13)
    chart = layers.facet(facet, columns=columns, spacing=_GAP)
    chart = chart.resolve_axis(x="independent")
    if own_scales:
        chart = chart.resolve_scale(y="independent")
    heading = title or f"{metric} by {dimension}, ratio to the first one".capitalize()
    hollow = f"Hollow: {_BY_OTHERS}" if points["shared"].any() else ""
    return finished(chart, heading, _signs(points, own_scales), hollow)


def _signs(points: pd.DataFrame, own_scales: bool) -> str:
    """What the marks mean, of those that are there."""
    outside = "; triangle: outside of it" if points["outside"].any() else ""
    signs = {
        "Blue line: levels.": len(points) > 0,
        "Large: the first version of one.": (points["change"] != "").any(),
        "Thin: 95% interval of a version.": points["low"].notna().any(),
        f"Each panel has its own scale{outside}.": own_scales,
    }
    return " ".join(words for words, there in signs.items() if there)


def _layers(points: pd.DataFrame, versions: list[str]) -> alt.LayerChart:
    """Line at 1, levels, intervals, versions, changes; only dots are read out."""
    axis = alt.Axis(labelAngle=-90, labelFontSize=12, labelOverlap="greedy", ticks=False)
    x = alt.X("version:O", sort=versions, title=None, axis=axis)
    base = alt.Chart(points).encode(x=x)
    one = alt.Chart(points).transform_aggregate(versions="count()", groupby=["test"])
    level = base.mark_line(
        interpolate="step", strokeWidth=2, color=PALETTE[4], aria=False
    )
    whisker = base.transform_filter("isValid(datum.low)")
    whisker = whisker.mark_rule(strokeWidth=1.5, color=LINE, aria=False)
    dot = base.mark_point(filled=True, size=20, opacity=1, color=INK)
    side = alt.condition(
        "datum.ratio < datum.drawn", alt.value("triangle-down"), alt.value("triangle-up")
    )
    outside = base.transform_filter("datum.outside").encode(shape=side)
    outside = outside.mark_point(filled=True, size=70, opacity=1, color=INK)
    return alt.layer(
        reference(one).encode(y=alt.datum(1)),
        level.encode(y="level:Q"),
        whisker.encode(y="low:Q", y2="high:Q"),
        dot.encode(y=_ratio_axis(points), tooltip=_tips()),
        outside.encode(y="drawn:Q", tooltip=_tips()),
        *_change_marks(base, points),
    )


def _with_shared(points: pd.DataFrame, changes: pd.DataFrame) -> pd.DataFrame:
    """Which points begin a level that only the other tests' evidence finds."""
    shared = changes[changes["evidence"] == SHARED]
    starts = set(zip(shared["test"], shared["at"], strict=True))
    each = zip(points["test"], points["version"], strict=True)
    return points.assign(shared=[point in starts for point in each])


def _change_marks(base: alt.Chart, points: pd.DataFrame) -> list[alt.Chart]:
    """The first version of each new level, by what it means for the reader.

    Hollow where only the other tests' evidence finds it.
    """
    changed = points[points["change"] != ""]
    marks = base.encode(y="drawn:Q", tooltip=_tips(), **by_kind("change", changed))
    layers = []
    if not changed["shared"].all():
        own = marks.transform_filter("datum.change != '' && !datum.shared")
        layers.append(own.mark_point(filled=True, size=80, opacity=1))
    if changed["shared"].any():
        others = marks.transform_filter("datum.change != '' && datum.shared")
        layers.append(others.mark_point(filled=False, size=80, opacity=1, strokeWidth=2))
    return layers


def _ratio_axis(points: pd.DataFrame) -> alt.Y:
    """A linear axis; a logarithmic one where the dots lie more than a factor 3 apart."""
    ratios = points["drawn"]
    axis = alt.Axis(tickCount=4, format="~g")
    scale, title = alt.Scale(zero=False, nice=False, padding=6), "ratio"
    if len(points) and ratios.max() > 3 * ratios.min():
        scale = alt.Scale(type="log", base=2, nice=False, padding=6)
        title = "ratio (log scale)"
    return alt.Y("drawn:Q", scale=scale, axis=axis, title=title)


def _drawn(points: pd.DataFrame, far: float | None) -> pd.DataFrame:
    """Where each dot is drawn: the few far from all others of their test at an edge."""
    if far is None or points.empty:
        return points.assign(drawn=points["ratio"], outside=False)
    tests = points.groupby("test", sort=False)["ratio"]
    low, high = tests.transform("quantile", 0.05), tests.transform("quantile", 0.95)
    drawn = points["ratio"].clip(low / far, high * far)
    outside = drawn != points["ratio"]
    interval = points[["low", "high"]].mask(outside)  # it would stretch the scale
    return points.assign(drawn=drawn, outside=outside, **interval)


def _tips() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("test:N"),
        alt.Tooltip("version:N"),
        alt.Tooltip("ratio:Q", format=".3f"),
        interval_tip(),
        alt.Tooltip("level:Q", format=".3f"),
        alt.Tooltip("n:Q", title="runs"),
    ]


def boundary_chart(boundaries: pd.DataFrame, title: str = "") -> alt.Chart:
    """Each boundary's median change with the range over the tests that changed there.

    Takes the frame of ``boundaries``; the number of tests stands beside, with
    a star where some are found only with the other tests' evidence.
    """
    named = ["boundary", "hit", "shared", "of", "sentence"]
    boundaries = drawable(boundaries, [*named, *_CHANGE])
    names = list(boundaries["boundary"])
    wide = plot_width(names) - _COUNT
    counts = [
        f"{row['hit']} of {row['of']}{'*' if row['shared'] else ''}"
        for row in boundaries.to_dict("records")
    ]
    sizes = [alt.Tooltip(f"{c}:Q", format="+.1f", title=f"{c}, %") for c in _CHANGE]
    base = alt.Chart(boundaries.assign(tests=counts)).encode(
        y=alt.Y("boundary:N", sort=names, title=None, axis=alt.Axis(grid=True)),
        tooltip=[alt.Tooltip("sentence:N", title="boundary"), *sizes],
    )
    scale = alt.Scale(nice=False, padding=12)
    axis = alt.Axis(format="+f", tickCount=8)  # g would write 30 as 3e+1
    x = alt.X("median:Q", title="change of level, %", scale=scale, axis=axis)
    words = base.mark_text(align="left", dx=8, fontSize=14, color=INK)
    chart = alt.layer(
        reference(alt.Chart(boundaries)).encode(x=alt.datum(0)),
        base.mark_rule(strokeWidth=2, color=PALETTE[0]).encode(x="min:Q", x2="max:Q"),
        base.mark_point(filled=True, size=75, opacity=1, color=PALETTE[0]).encode(x=x),
        words.encode(x=alt.value("width"), text="tests:N"),
    ).properties(width=wide, height=row_height(1))
    heading = title or "Change of level at each boundary (%)"
    ranges = (boundaries["min"] < boundaries["max"]).any()
    notes = "Dot: median of the tests that changed"
    notes += "; line: from lowest to highest." if ranges else "."
    counted = "At the right: how many of the tests." if len(boundaries) else ""
    star = f"*: some of them {_BY_OTHERS}" if boundaries["shared"].any() else ""
    return finished(chart, heading, f"{notes} {counted}".strip(), star)
