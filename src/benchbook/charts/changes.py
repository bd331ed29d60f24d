"""Charts of changes between versions: every test's levels, and the boundaries."""

from textwrap import wrap

import altair as alt
import pandas as pd

from benchbook.analysis.changes.shift import SHARED
from benchbook.charts.look import (
    INK,
    PALETTE,
    WIDTH,
    coloured,
    drawable,
    finished,
    plot_width,
    row_height,
    shaped,
)

_AXIS, _GAP, _HEIGHT = 44, 16, 120  # px
_LETTER = 7.9  # px of a letter of a panel's name
_CHANGE = ("median", "min", "max")
_FAR = 1.15  # beyond the 5th or 95th percentile by this factor is outside a panel
_ONE_SCALE = (
    "Blue: levels. Large: the first version of one. Thin: 95% interval of a version."
)
_OWN_SCALES = (
    "Blue: levels. Large: the first version of one. "
    "Each panel has its own scale; triangle: outside of it."
)
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

    Takes a metric frame and the frame of ``analysis.version_changes``. Dots have their
    interval where versions were run more than once; the first version of a new level
    has a mark of its own, hollow where only the other tests' evidence finds it. All
    panels have one scale, logarithmic where the dots lie more than a factor 3 apart; with
    ``own_scales`` each has its own, and what lies far outside the other versions is
    drawn at its edge.
    """
    from benchbook.analysis.changes.points import version_points  # with SciPy: a second

    points = version_points(frame, changes, dimension, metric)
    points = _drawn(_with_shared(points, changes), _FAR if own_scales else None)
    wide = int((WIDTH - _AXIS - _GAP * (columns - 1)) / columns)
    names = [_in_lines(test, int(wide / _LETTER)) for test in points["test"]]
    points = drawable(points.assign(panel=names), ["panel", *points.columns])
    versions = list(dict.fromkeys(frame[dimension].astype(str)))
    layers = _layers(points, versions, wide).properties(width=wide, height=_HEIGHT)
    order = list(dict.fromkeys(points["panel"]))
    header = alt.Header(labelFontSize=13, labelExpr="split(datum.label, '\\n')")
    facet = alt.Facet("panel:N", title=None, sort=order, header=header)
    chart = layers.facet(facet, columns=columns, spacing=_GAP)
    chart = chart.resolve_axis(x="independent")
    heading = title or f"{metric} by {dimension}, ratio to the first one".capitalize()
    words = _OWN_SCALES if own_scales else _ONE_SCALE
    if own_scales:
        chart = chart.resolve_scale(y="independent")
    hollow = "Hollow:" if points["shared"].any() else ""
    return _explained(finished(chart, heading, words), hollow)


def _layers(points: pd.DataFrame, versions: list[str], wide: int) -> alt.LayerChart:
    """Line at 1, levels, intervals, versions, changes; only dots are read out."""
    axis = alt.Axis(labelAngle=-90, labelFontSize=12, labelOverlap="greedy", ticks=False)
    x = alt.X("version:O", sort=versions, title=None, axis=axis)
    base = alt.Chart(points).encode(x=x)
    one = alt.Chart(points).transform_aggregate(versions="count()", groupby=["panel"])
    one = one.mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    step = wide / max(len(versions), 1)
    level = base.mark_tick(
        orient="horizontal",
        thickness=2,
        size=step,
        color=PALETTE[4],
        opacity=1,
        aria=False,
    )
    whisker = base.transform_filter("isValid(datum.low)")
    whisker = whisker.mark_rule(strokeWidth=1.5, color=INK, aria=False)
    dot = base.mark_point(filled=True, size=20, opacity=1, color=INK)
    side = alt.condition(
        "datum.ratio < datum.drawn", alt.value("triangle-down"), alt.value("triangle-up")
    )
    outside = base.transform_filter("datum.outside").encode(shape=side)
    outside = outside.mark_point(filled=True, size=70, opacity=1, color=INK)
    return alt.layer(
        one.encode(y=alt.datum(1)),
        level.encode(y="level:Q"),
        whisker.encode(y="low:Q", y2="high:Q"),
        dot.encode(y=_ratio_axis(points), tooltip=_tips()),
        outside.encode(y="drawn:Q", tooltip=_tips()),
        _change_marks(base, points),
    )


def _explained(chart: alt.Chart, sign: str) -> alt.Chart:
    """A second line under the title where a sign says whose evidence it is."""
    if sign:
        chart.title.subtitle = [*chart.title.subtitle, f"{sign} {_BY_OTHERS}"]
    return chart


def _with_shared(points: pd.DataFrame, changes: pd.DataFrame) -> pd.DataFrame:
    """Which points begin a level that only the other tests' evidence finds."""
    shared = changes[changes["evidence"] == SHARED]
    starts = set(zip(shared["test"], shared["at"], strict=True))
    each = zip(points["test"], points["version"], strict=True)
    return points.assign(shared=[point in starts for point in each])


def _change_marks(base: alt.Chart, points: pd.DataFrame) -> alt.LayerChart:
    """The first version of each new level, by what it means for the reader.

    Hollow where only the other tests' evidence finds it.
    """
    kinds = [
        "better",
        "worse",
        *(["changed"] if "changed" in set(points["change"]) else []),
    ]
    marks = base.encode(
        y="drawn:Q",
        color=coloured("change", kinds),
        shape=shaped("change", kinds),
        tooltip=_tips(),
    )
    own = marks.transform_filter("datum.change != '' && !datum.shared")
    layers = [own.mark_point(filled=True, size=80, opacity=1)]
    if points["shared"].any():
        others = marks.transform_filter("datum.change != '' && datum.shared")
        layers.append(others.mark_point(filled=False, size=80, opacity=1, strokeWidth=2))
    return alt.layer(*layers)


def _ratio_axis(points: pd.DataFrame) -> alt.Y:
    """A linear axis; a logarithmic one where the dots lie more than a factor 3 apart."""
    ratios = points["drawn"]
    axis = alt.Axis(tickCount=4, format="~g")
    scale = alt.Scale(zero=False, nice=False, padding=6)
    if len(points) and ratios.max() > 3 * ratios.min():
        scale = alt.Scale(type="log", base=2, nice=False, padding=6)
    return alt.Y("drawn:Q", scale=scale, axis=axis, title=None)


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


def _in_lines(name: str, letters: int) -> str:
    """A long name in lines, broken after its own separators where there are any."""
    if len(name) <= letters:
        return name
    for separator in "_. ":
        name = name.replace(separator, separator + "\u200b ")
    lines = wrap(name, letters + name.count("\u200b"))
    return "\n".join(line.replace("\u200b ", "").replace("\u200b", "") for line in lines)


def _tips() -> list[alt.Tooltip]:
    named = [alt.Tooltip("test:N"), alt.Tooltip("version:N")]
    numbers = [
        alt.Tooltip(f"{column}:Q", format=".3f")
        for column in ("ratio", "low", "high", "level")
    ]
    return [*named, *numbers, alt.Tooltip("n:Q", title="runs")]


def boundary_chart(boundaries: pd.DataFrame, title: str = "") -> alt.Chart:
    """Each boundary's median change with the range over the tests that changed there.

    Takes the frame of ``analysis.boundaries``; the number of tests stands beside, with
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
    words = base.mark_text(align="left", fontSize=14, color=INK)
    zero = alt.Chart(boundaries).mark_rule(color=INK, strokeDash=[4, 3])
    chart = alt.layer(
        zero.encode(x=alt.datum(0)),
        base.mark_rule(strokeWidth=2, color=PALETTE[0]).encode(x="min:Q", x2="max:Q"),
        base.mark_point(filled=True, size=75, opacity=1, color=PALETTE[0]).encode(x=x),
        words.encode(x=alt.value(wide + 8), text="tests:N"),
    ).properties(width=wide, height=row_height(1))
    heading = title or "Change of level at each boundary (%)"
    notes = "Dot: median of the tests that changed; line: from lowest to highest."
    star = "*: some of them" if boundaries["shared"].any() else ""
    return _explained(finished(chart, heading, notes), star)
