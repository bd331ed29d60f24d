"""Throughput over time as panels beside each other, and response times over clients."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from benchbook.charts.curves import curves
from benchbook.charts.look import (
    COLUMN_GAP,
    coloured,
    distinct,
    drawable,
    field,
    finished,
    one_unit,
    panel_width,
    panels,
)
from benchbook.charts.series import lowest_rates
from benchmath.frames import ordered, require
from benchmath.latency.tails import PER_TEN_THOUSAND, TailFrame

_GAP, _BESIDE, _HEIGHT = 16, 46, 130
_DOTS_UP_TO = 60  # seconds of a run: more of them are a line by themselves
_PERCENTILES = {"p999": "p99.9", "p9999": "p99.99"}


def rates_by_panel(
    rates: pd.DataFrame, by: str, panel: str, title: str = "", columns: int = 2
) -> alt.Chart:
    """Per-second rates: a line per run, a colour per ``by``, a panel per ``panel``.

    Takes the frame of ``rates`` with the columns ``by`` and ``panel``. Panels of
    a step have one scale, from 0, and the same seconds: the wheel with Alt zooms, in
    all of them at once. Where there are more than 5,000 seconds each point is the lowest
    rate of so many.
    """
    require(rates, ("run_id", "step", "second", "rate", "unit", by, panel))
    if rates.empty:
        return finished(alt.Chart(rates).mark_point(), title or "No rates yet")
    rates, merged = lowest_rates(
        rates.astype({by: str, panel: str, "step": str}), [by, panel]
    )
    rates = drawable(rates, ["run_id", "step", "second", "rate", "unit", by, panel])
    names = distinct(rates[by])
    parts = [
        _panels_of_step(part, str(step), names, (by, panel), columns)
        for step, part in rates.groupby("step", sort=False)
    ]
    heading = title or "Throughput over time, one line per run"
    lowest = f" Each point: the lowest of {merged} seconds." if merged > 1 else ""
    notes = f"The panels of a step have one scale, from 0.{lowest}"
    return finished(alt.vconcat(*parts, spacing=12), heading, notes)


def tail_curves(tails: TailFrame, clients: str, jobs: str, title: str = "") -> alt.Chart:
    """Percentiles of response times over clients: a panel for each of a step."""
    kept = tails[["step", clients, jobs, "n", *PER_TEN_THOUSAND]]
    long = kept.melt(["step", clients, jobs, "n"], var_name="part")
    panels_of = long["step"].astype(str) + ", " + long["part"].replace(_PERCENTILES)
    long = long.assign(panel=panels_of, unit="µs", low=np.nan, high=np.nan)
    long = ordered(long, {"step": distinct(tails["step"])})
    heading = title or "Response times over clients (µs), all trials together"
    return curves(long, clients, jobs, "panel", heading, columns=3, over="clients")


def _panels_of_step(
    part: pd.DataFrame, step: str, names: list[str], which: tuple[str, str], columns: int
) -> alt.FacetChart:
    by, panel = which
    unit = one_unit(part)
    columns = min(columns, part[panel].nunique())
    part = part.assign(panel=f"{step}, {panel} " + part[panel]).round({"second": 2})
    # Hovering finds points, not lines; without names they take half the room.
    dotted = part.groupby("run_id").size().max() <= _DOTS_UP_TO
    lines = alt.Chart(part.drop(columns=["step", "unit", panel])).mark_line(
        strokeWidth=1.5, opacity=0.8, aria=False,
        point={"size": 14, "aria": False} if dotted else False,
    )  # fmt: skip
    lines = lines.encode(
        x=alt.X(
            "second:Q",
            title="second of the step",
            scale=alt.Scale(zero=True, nice=False),
            axis=alt.Axis(tickCount=5, tickMinStep=1),
        ),
        y=alt.Y(
            "rate:Q",
            title=unit,
            scale=alt.Scale(zero=True),
            axis=alt.Axis(format="~s", tickCount=4),
        ),
        color=coloured(by, names, by, stroke=not dotted),
        detail="run_id:N",
        tooltip=[
            alt.Tooltip("panel:N"),
            alt.Tooltip(f"{field(by)}:N", title=by),
            alt.Tooltip("second:Q", format=".0f"),
            alt.Tooltip("rate:Q", format=",.0f", title=unit),
        ],
    )
    wide = panel_width(columns, _BESIDE)
    facet = panels("panel", part["panel"], wide)
    # Not the wheel alone: that is how a reader gets past the chart.
    zoom = alt.selection_interval(
        bind="scales", encodings=["x"], zoom="wheel![event.altKey]"
    )
    chart = lines.properties(width=wide, height=_HEIGHT).add_params(zoom)
    gaps = alt.RowColnumber(row=_GAP, column=COLUMN_GAP)
    return chart.facet(facet, columns=columns, spacing=gaps)
