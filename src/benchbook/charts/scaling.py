"""Throughput over clients: means with intervals, the law, and the rate without limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from benchbook.charts.curves import log_axis
from benchbook.charts.look import (
    LINE,
    PALETTE,
    distinct,
    drawable,
    finished,
    in_grid,
)
from benchmath.frames import names_of_tests

if TYPE_CHECKING:
    from benchmath.scaling import EfficiencyFrame, ScalingFrame

_HEIGHT = 170  # px


def scaling_curves(
    law: ScalingFrame, efficiency: EfficiencyFrame, title: str = "", columns: int = 2
) -> alt.Chart:
    """A panel per test: rates by clients as dots with intervals, and the law as a curve.

    Takes the frames of ``scaling``; each panel has a scale of its own from 0.
    The thin line is the law's one client times the clients, as far as it fits in.
    """
    # With SciPy's statistics, which take a second to import.
    from benchmath.scaling import CURVES, EFFICIENCY, curves

    if efficiency.empty:
        return finished(alt.Chart(efficiency).mark_point(), title or "No rates yet")
    dots = efficiency.assign(
        test=names_of_tests(efficiency, EFFICIENCY, ["dop"]),
        clients=efficiency["dop"].astype(int),
    )
    tests = distinct(dots["test"])
    numbers = ("rate", "rate_low", "rate_high", "speedup", "efficiency")
    dots = drawable(dots, ["test", "clients", "unit", "n", *numbers])
    lines = curves(law).rename(columns={"rate": "law"})
    lines = lines.assign(test=names_of_tests(lines, CURVES.extended("lines", "law"), []))
    lines = drawable(lines, ["test", "clients", "unit", "law", "ideal"])
    # One table: only layers of the same data can be put into panels.
    rows = pd.concat([dots, lines], ignore_index=True) if len(lines) else dots
    base = alt.Chart(rows).encode(
        x=log_axis("clients", "clients", sorted(set(dots["clients"])))
    )
    units = ", ".join(distinct(dots["unit"]))
    layers = [*(_curve(base) if len(lines) else []), *_dots(base, units)]
    chart = in_grid(alt.layer(*layers), "test", tests, columns, _HEIGHT)
    chart = chart.resolve_scale(y="independent", x="independent")
    heading = title or f"Throughput of all clients together ({units})"
    return finished(chart, heading, _signs(dots, lines))


def _signs(dots: pd.DataFrame, lines: pd.DataFrame) -> str:
    """What dots and lines mean, of those that are there."""
    interval = " with 95% interval" if dots["rate_low"].notna().any() else ""
    law = " Line: the fitted law. Thin: no contention." if len(lines) else ""
    return f"Dots: means{interval}.{law}"


def _dots(base: alt.Chart, unit: str) -> list[alt.Chart]:
    whisker = base.mark_rule(strokeWidth=2, color=PALETTE[0], aria=False).encode(
        y="rate_low:Q", y2="rate_high:Q"
    )
    axis = alt.Axis(format="~s", tickCount=4)
    scale = alt.Scale(zero=True)
    dot = base.mark_point(filled=True, size=60, color=PALETTE[0], opacity=1).encode(
        y=alt.Y("rate:Q", title=unit, axis=axis, scale=scale),
        tooltip=[
            alt.Tooltip("test:N"),
            alt.Tooltip("clients:Q", format="d"),
            alt.Tooltip("rate:Q", format=",.1f"),
            alt.Tooltip("unit:N"),
            alt.Tooltip("speedup:Q", format=".3f", title="times one client"),
            alt.Tooltip("efficiency:Q", format=".3f"),
            alt.Tooltip("n:Q", title="runs"),
        ],
    )
    return [
        whisker.transform_filter("isValid(datum.rate_low)"),
        dot.transform_filter("isValid(datum.rate)"),
    ]


def _curve(base: alt.Chart) -> list[alt.Chart]:
    ideal = base.mark_line(strokeWidth=1, color=LINE, aria=False).encode(y="ideal:Q")
    law = base.mark_line(strokeWidth=2, color=PALETTE[1], aria=False).encode(y="law:Q")
    return [
        ideal.transform_filter("isValid(datum.ideal)"),
        law.transform_filter("isValid(datum.law)"),
    ]
