"""Ratios of published figures as dots: one scale for all machines and units."""

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    coloured,
    distinct,
    drawable,
    finished,
    panels,
    plot_width,
    row_height,
    shaped,
)
from benchbook.charts.ratios import relative_dots
from benchmath.frames import require
from benchmath.prose import counted
from benchmath.published import in_panels

_FEWEST = 3  # dots that are worth a chart; the table beside it says the same
_NOTE = "One published figure a dot: no interval."


def published_dots(
    ratios: pd.DataFrame,
    base: Mapping[str, str],
    metrics: Sequence[str] | None = None,
    title: str = "",
) -> list[alt.Chart]:
    """The frame of ``published_ratios`` around 1.00, a panel per machine and unit.

    ``metrics`` chooses some. Ratios of 0 and cells without a base are not drawn. No chart
    for fewer than three dots.
    """
    require(ratios, ("machine", "metric", "relative"))
    chosen = ratios if metrics is None else ratios[ratios["metric"].isin(metrics)]
    ratios = chosen[chosen["relative"] > 0]
    if len(ratios) < _FEWEST:
        return []
    ratios = ratios.sort_values("machine", kind="stable", key=_appearance)
    heading = title or f"Published figures relative to {ratios['base'].iloc[0]} (ratio)"
    ratios = in_panels(ratios, base)
    chart = relative_dots(ratios, heading, y="row", panel="panel", note=_NOTE)
    chart = chart.resolve_axis(x="independent")  # a scale under each of many panels
    return [chart]


def server_dots(figures: pd.DataFrame, metrics: Sequence[str] | None) -> list[alt.Chart]:
    """Published metrics by server and clients: a row for each, a panel per step.

    ``figures`` is the frame of ``published_figures``. No chart of a metric that fewer
    than three servers have, or that says nothing of clients.
    """
    known = figures[figures["dop"].astype(str) != ""] if "dop" in figures else None
    if known is None:
        return []
    chosen = [known[known["metric"] == metric] for metric in metrics or ()]
    return [_by_server(one) for one in chosen if one["machine"].nunique() >= _FEWEST]


def _by_server(figures: pd.DataFrame) -> alt.Chart:
    figures = figures.assign(me=figures["engine"] + " " + figures["version"])
    rows = drawable(figures, ["machine", "dop", "me", "step", "value", "unit"])
    clients = rows["dop"].astype(int)
    names = [counted(number, "client") for number in clients]
    rows = rows.assign(server=rows["machine"] + ", " + pd.Series(names))
    rows = rows.iloc[clients.argsort(kind="stable")].reset_index(drop=True)
    servers, mes = distinct(rows["server"]), distinct(figures["me"])
    units = ", ".join(distinct(rows["unit"]))
    wide, few = plot_width(servers), alt.Axis(tickCount=6)
    dots = alt.Chart(rows).mark_point(filled=True, size=70, opacity=0.9).encode(
        x=alt.X("value:Q", title=units, scale=alt.Scale(zero=True), axis=few),
        y=alt.Y("server:N", sort=servers, title=None, axis=alt.Axis(grid=True)),
        color=coloured("me", mes), shape=shaped("me", mes),
        tooltip=["server:N", "me:N", "step:N", alt.Tooltip("value:Q", title=units)],
    )  # fmt: skip
    chart = dots.properties(width=wide, height=row_height(1)).facet(
        panels("step", rows["step"], wide), columns=1
    )
    chart = chart.resolve_scale(x="independent", y="independent")
    metric = figures["metric"].iloc[0]
    return finished(chart, f"{metric} by server and clients ({units})", _NOTE)


def _appearance(names: pd.Series) -> pd.Series:
    return pd.Series(pd.factorize(names)[0], index=names.index)
