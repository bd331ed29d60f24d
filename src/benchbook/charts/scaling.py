"""Throughput over clients: means with intervals, the law, and the rate without limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from benchbook.analysis.frames import names_of_tests
from benchbook.charts.look import (
    INK,
    PALETTE,
    WIDTH,
    distinct,
    drawable,
    finished,
    plot_width,
)

if TYPE_CHECKING:
    from benchbook.analysis.scaling import EfficiencyFrame, ScalingFrame

_GAP, _HEIGHT, _BESIDE = 16, 170, 56


def scaling_curves(
    law: ScalingFrame, efficiency: EfficiencyFrame, title: str = "", columns: int = 2
) -> alt.Chart:
    """A panel per test: rates by clients as dots with intervals, and the law as a curve.

    Takes the frames of ``analysis.scaling``; each panel has a scale of its own from 0.
    The thin line is the law's one client times the clients, as far as it fits in.
    """
    # With SciPy's statistics, which take a second to import.
    from benchbook.analysis.scaling import CURVES, EFFICIENCY, curves

    if efficiency.empty:
        return finished(alt.Chart(efficiency).mark_point(), title or "No rates yet")
    dots = efficiency.assign(
        test=names_of_tests(efficiency, EFFICIENCY, ["dop"]),
        clients=efficiency["dop"].astype(int),
    )
    tests = distinct(dots["test"])
    columns = min(columns, len(tests))
    numbers = ("rate", "rate_low", "rate_high", "speedup", "efficiency")
    dots = drawable(dots, ["test", "clients", "unit", "n", *numbers])
    lines = curves(law).rename(columns={"rate": "law"})
    lines = lines.assign(test=names_of_tests(lines, CURVES.extended("lines", "law"), []))
    lines = drawable(lines, ["test", "clients", "unit", "law", "ideal"])
    # One table: only layers of the same data can be put into panels.
    rows = pd.concat([dots, lines], ignore_index=True) if len(lines) else dots
    base = alt.Chart(rows).encode(x=_clients_axis(sorted(set(dots["clients"]))))
    layers = [*(_curve(base) if len(lines) else []), *_dots(base)]
    one = plot_width() if columns == 1 else WIDTH // columns - _BESIDE - _GAP
    panels = alt.layer(*layers).properties(width=one, height=_HEIGHT)
    facet = alt.Facet("test:N", title=None, sort=tests)
    chart = panels.facet(facet, columns=columns, spacing=_GAP)
    chart = chart.resolve_scale(y="independent", x="independent")
    units = ", ".join(distinct(dots["unit"]))
    heading = title or f"Throughput of all clients together ({units})"
    notes = "Dots: means with 95% interval. Line: the fitted law. Thin: no contention."
    return finished(chart, heading, notes)


def _clients_axis(ticks: list[int]) -> alt.X:
    scale = alt.Scale(type="log", base=2, nice=False, padding=10)
    axis = alt.Axis(values=ticks, format="d", grid=False, labelOverlap=True)
    return alt.X("clients:Q", title="clients (log scale)", scale=scale, axis=axis)


def _dots(base: alt.Chart) -> list[alt.Chart]:
    whisker = base.mark_rule(strokeWidth=2, color=PALETTE[0], aria=False).encode(
        y="rate_low:Q", y2="rate_high:Q"
    )
    dot = base.mark_point(filled=True, size=60, color=PALETTE[0], opacity=1).encode(
        y=_rate_axis("rate"),
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
    ideal = base.mark_line(strokeWidth=1, color=INK, aria=False).encode(y="ideal:Q")
    law = base.mark_line(strokeWidth=2, color=PALETTE[1], aria=False).encode(y="law:Q")
    return [
        ideal.transform_filter("isValid(datum.ideal)"),
        law.transform_filter("isValid(datum.law)"),
    ]


def _rate_axis(name: str) -> alt.Y:
    axis = alt.Axis(format="~s", tickCount=4)
    return alt.Y(f"{name}:Q", title=None, axis=axis, scale=alt.Scale(zero=True))
