"""Charts of whole engines: ratios by version, and throughput with its stalls."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    COLUMN_GAP,
    LETTER,
    LOW_ROW,
    PALETTE,
    TALL,
    by_kind,
    drawable,
    field,
    finished,
    interval_tip,
    panel_width,
    panels,
    reference,
    row_axis,
    with_intervals,
)
from benchbook.charts.ratios import (
    base_text,
    interval_note,
    margin_band,
    margin_note,
    ratio_axis,
)
from benchbook.charts.series import lowest_rates
from benchmath.frames import names_of_tests, require

if TYPE_CHECKING:
    from benchmath.ratios.build_series import CalibrationFrame
    from benchmath.ratios.verdicts import VerdictFrame

_GAP = 16
_KIND = {"improved": "better", "regressed": "worse"}
_HEIGHT, _ROW = 120, 20


def version_dots(
    judged: VerdictFrame | CalibrationFrame,
    title: str = "",
    y: str = "me",
    columns: int = 2,
) -> alt.Chart:
    """A panel per step: every version's ratio to the base with its 95% interval.

    Takes the frame of ``verdicts``; versions stand from top to bottom in its
    order, all panels have one scale, the dashed line is 1.00 and the grey band the
    margin. Blue triangles up are surely better, orange ones down surely worse, also
    among all comparisons of the frame.
    """
    # SciPy: for a chart alone
    from benchmath.ratios.build_series import CALIBRATION
    from benchmath.ratios.verdicts import announced

    if judged.empty:
        return finished(alt.Chart(judged).mark_point(), title or "Nothing to compare yet")
    require(judged, ("step", y, "relative", "low", "high", "verdict", "margin", "base"))
    kinds = announced(judged).map(_KIND).fillna("not sure")
    fields = ["test", y, "base", "relative", "low", "high", "n", "verdict", "kind"]
    named = judged.assign(kind=kinds, test=names_of_tests(judged, CALIBRATION, [y]))
    ratios = drawable(named, [*fields, "margin"])
    ratios = ratios[ratios["relative"].notna()].astype({y: str})
    ratios = with_intervals(ratios, ".3f")
    names = list(dict.fromkeys(ratios[y]))
    beside = LETTER * max((len(n) for n in names), default=5)
    wide = panel_width(columns, beside)
    lines = math.ceil(ratios["test"].nunique() / columns) * len(names)
    high = LOW_ROW if lines * _ROW > TALL else _ROW
    row = alt.Y(f"{field(y)}:N", sort=names, title=None, axis=row_axis(high))
    look = by_kind("kind", ratios)
    base = alt.Chart(ratios).encode(y=row, color=look["color"])
    whisker = base.mark_rule(strokeWidth=2, aria=False).encode(x="low:Q", x2="high:Q")
    dot = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=ratio_axis(ratios, 5),
        shape=look["shape"],
        tooltip=[
            alt.Tooltip(f"{field(y)}:N", title="version"),
            alt.Tooltip("test:N"),
            alt.Tooltip("base:N"),
            alt.Tooltip("verdict:N"),
            alt.Tooltip("relative:Q", format=".3f", title="ratio"),
            interval_tip(),
            alt.Tooltip("n:Q", title="runs"),
        ],
    )
    one = alt.Chart(ratios).transform_aggregate(cells="count()", groupby=["test"])
    layers = alt.layer(
        *margin_band(one, ratios, aria=False),
        reference(one).encode(x=alt.datum(1)),
        whisker.transform_filter("isValid(datum.low)"),
        dot,
    ).properties(width=wide, height=alt.Step(high))
    gaps = alt.RowColnumber(row=_GAP, column=COLUMN_GAP)
    facet = panels("test", ratios["test"], wide)
    chart = layers.facet(facet, columns=columns, spacing=gaps)
    heading = title or f"Throughput relative to {base_text(ratios)} (ratio)"
    return finished(chart, heading, f"{interval_note(ratios)} {margin_note(ratios)}")


def engines_over_time(
    rates: pd.DataFrame,
    by: str = "engine",
    title: str = "",
    height: int = _HEIGHT,
) -> alt.Chart | alt.VConcatChart:
    """Per-second rates, a row of panels per step and a panel per engine.

    Takes the frame of ``rates``. The panels of a step have one scale from 0, so
    that a stall shows as a fall to the axis; one line per run. Where there are more than
    5,000 seconds each line shows the lowest rate of so many seconds.
    """
    require(rates, ("run_id", "step", "second", "rate", "unit", by))
    rates, merged = lowest_rates(rates.astype({by: str, "step": str}), [by])
    rates = drawable(rates, ["run_id", "step", "second", "rate", "unit", by])
    names = list(dict.fromkeys(rates[by]))
    wide = panel_width(max(len(names), 1), beside=6 * LETTER)
    steps = [
        _step_panels(part, str(step), by, names, wide, height)
        for step, part in rates.groupby("step", sort=False)
    ]
    heading = title or "Throughput over time, one line per run"
    lowest = f" Each point: the lowest of {merged} seconds." if merged > 1 else ""
    notes = f"The panels of a step have one scale, from 0.{lowest}"
    return finished(alt.vconcat(*steps, spacing=12), heading, notes)


def _step_panels(
    part: pd.DataFrame, step: str, by: str, names: list[str], wide: int, height: int
) -> alt.FacetChart:
    """The panels of one step, side by side, with one scale."""
    most = float(part["rate"].max()) if len(part) else 1.0
    unit = str(part["unit"].iloc[0])
    y = alt.Y(
        "rate:Q",
        title=unit,
        scale=alt.Scale(domain=[0, most or 1.0], nice=True),
        axis=alt.Axis(format="~s", tickCount=4),
    )
    second = alt.X(
        "second:Q",
        title="second",
        scale=alt.Scale(zero=True),
        axis=alt.Axis(tickCount=4, tickMinStep=1),
    )
    part = part.assign(panel=f"{step}, " + part[by])
    lines = alt.Chart(part).mark_line(
        strokeWidth=1.5, opacity=0.8, color=PALETTE[0],
        point={"size": 20, "color": PALETTE[0]},
    )  # fmt: skip
    lines = lines.encode(
        x=second,
        y=y,
        detail="run_id:N",
        tooltip=[
            alt.Tooltip(f"{field(by)}:N", title=by),
            alt.Tooltip("second:Q", format=".0f"),
            alt.Tooltip("rate:Q", format=",.0f", title=unit),
        ],
    ).properties(width=wide, height=height)
    order = [f"{step}, {name}" for name in names if name in set(part[by])]
    gaps = alt.RowColnumber(row=_GAP, column=COLUMN_GAP)
    return lines.facet(panels("panel", order, wide), columns=len(names), spacing=gaps)
