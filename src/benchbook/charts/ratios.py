"""Charts of ratios and of variation: dots with intervals, horizontal, full names."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    INK,
    coloured,
    distinct,
    drawable,
    field,
    finished,
    one_unit,
    plot_width,
    row_height,
    shaped,
)


def relative_dots(
    relative: pd.DataFrame,
    title: str = "",
    y: str = "step",
    panel: str | None = None,
) -> alt.Chart:
    """The ratios of ``analysis.relative`` as dots with intervals around a line at 1.00.

    One row per value of ``y``, one colour and shape per me, one panel per value of
    ``panel``; all panels have one scale. Cells without a ratio are not drawn. Where the
    frame has verdicts, a grey band is the margin: an interval inside it is equivalent.
    """
    columns = [y, "me", "base", "relative", "low", "high", "n", "n_base", "note"]
    judged = [c for c in ("verdict", "margin") if c in relative.columns]
    ratios = drawable(relative, [*columns, *judged, *([panel] if panel else [])])
    ratios = ratios[ratios["relative"].notna()].astype({y: str, "me": str})
    names, mes = list(dict.fromkeys(ratios[y])), list(dict.fromkeys(ratios["me"]))
    row = alt.Y(f"{field(y)}:N", sort=names, title=None, axis=alt.Axis(grid=True))
    sizes = ratios.groupby([y, panel] if panel else [y]).size()
    beside = max(sizes, default=1)
    base = alt.Chart(ratios).encode(y=row, color=coloured("me", mes))
    if beside > 1:
        base = base.encode(yOffset=alt.YOffset("me:N", sort=mes))
    x = _ratio_axis(ratios)
    labels = [y, *([panel] if panel else []), "me", "base", *judged[:1]]
    tips = _tips(labels, "relative", ".3f")
    whisker = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q")
    whisker = whisker.transform_filter("isValid(datum.low)")
    dot = base.mark_point(filled=True, size=75, opacity=1).encode(
        x=x, shape=shaped("me", mes), tooltip=tips
    )
    line = alt.Chart(ratios).mark_rule(color=INK, strokeDash=[4, 3]).encode(
        x=alt.XDatum(1)
    )  # fmt: skip
    band = alt.Chart(ratios).transform_aggregate(cells="count()")  # one, not one per dot
    layers = alt.layer(*margin_band(band, ratios), line, whisker, dot).properties(
        width=plot_width(names), height=row_height(beside)
    )
    heading = title or f"Throughput relative to {base_text(ratios)} (ratio)"
    notes = "Line: 95% interval; no line: one run, no interval."
    return finished(_panels(layers, panel, relative), heading, notes)


def cov_intervals(
    cov: pd.DataFrame, title: str = "", y: str = "step", color: str | None = None
) -> alt.Chart:
    """CoV of each cell in percent with its interval; the limit is a dashed line.

    Takes the frame of ``analysis.coefficient_of_variation``. An interval that leaves
    the picture (three runs bound little) is cut at four times the largest CoV.
    """
    extra = [color] if color else []
    cells = drawable(cov, [y, "cov", "low", "high", "limit", "n", "verdict", *extra])
    cells = cells[cells["cov"].notna()].astype({y: str})
    most = 4 * max(cells["cov"].max(), cells["limit"].max()) if len(cells) else 1.0
    ceiling = min(most, 1.05 * cells["high"].max()) if len(cells) else most
    cells = cells.assign(drawn_high=cells["high"].clip(upper=ceiling))
    names = list(dict.fromkeys(cells[y]))
    groups = list(dict.fromkeys(cells[color].astype(str))) if color else ["CoV"]
    base = alt.Chart(cells).encode(
        y=alt.Y(f"{field(y)}:N", sort=names, title=None, axis=alt.Axis(grid=True))
    )
    if color:
        base = base.encode(
            color=coloured(color, groups, color), yOffset=f"{field(color)}:N"
        )
    axis = alt.Axis(format=".1~%")
    top = alt.Scale(domain=[0, ceiling], nice=False)
    x = alt.X("cov:Q", title="stddev / mean over runs, %", axis=axis, scale=top)
    whisker = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="drawn_high:Q")
    dot = base.mark_point(filled=True, size=75, opacity=1).encode(
        x=x, tooltip=_tips([y, *extra, "verdict"], "cov", ".2%")
    )
    limit = alt.Chart(cells).mark_rule(color=INK, strokeDash=[4, 3]).encode(
        x="limit:Q"
    )  # fmt: skip
    chart = alt.layer(limit, whisker, dot).properties(
        width=plot_width(names), height=row_height(len(groups))
    )
    heading = title or "Variation between runs: CoV (%) with 95% interval"
    return finished(chart, heading, "Dashed: the limit. Lines that reach the edge go on.")


def throughput_matrix(
    summary: pd.DataFrame,
    x: str = "flags",
    y: str = "compiler",
    title: str = "",
    panel: str | None = None,
) -> alt.Chart:
    """Absolute throughput of each combination of two dimensions, as written numbers.

    Takes the frame of ``analysis.summary``; the shade is the share of the panel's
    largest, from 0.
    """
    columns = [x, y, "value", "low", "high", "n", "unit", *([panel] if panel else [])]
    cells = drawable(summary, columns).astype({x: str, y: str})
    unit = one_unit(cells) if len(cells) else "nothing measured"
    cells = cells.assign(share=cells["value"] / _most(cells, panel))
    top = alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False)
    side = alt.Axis(domain=False, ticks=False)
    base = alt.Chart(cells).encode(
        x=alt.X(f"{field(x)}:N", axis=top, title=None, sort=None),
        y=alt.Y(f"{field(y)}:N", axis=side, title=None, sort=None),
        tooltip=_tips([*([panel] if panel else []), y, x, "unit"], "value", ",.1f"),
    )
    shade = alt.Scale(domain=[0, 1], scheme="blues")
    rect = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color("share:Q", scale=shade, legend=None)
    )
    ink = alt.condition("datum.share > 0.6", alt.value("white"), alt.value("#222"))
    form = ",.0f" if float(cells["value"].max()) >= 100 else ",.1f"
    words = base.mark_text(fontSize=14).encode(
        text=alt.Text("value:Q", format=form), color=ink
    )
    wide = plot_width(dict.fromkeys(cells[y]))
    chart = alt.layer(rect, words).properties(width=wide, height=alt.Step(34))
    heading = title or f"Throughput by {y} and {x} ({unit})"
    return finished(_panels(chart, panel, summary), heading)


def margin_band(chart: alt.Chart, ratios: pd.DataFrame, **mark: bool) -> list[alt.Chart]:
    """The band around 1 in which a difference does not matter: one a panel."""
    if "margin" not in ratios.columns or ratios.empty:
        return []
    margin = float(ratios["margin"].iloc[0])
    edges = {"x": alt.XDatum(1 - margin), "x2": alt.X2Datum(1 + margin)}
    return [chart.mark_rect(color=INK, opacity=0.15, **mark).encode(**edges)]


def _most(cells: pd.DataFrame, panel: str | None) -> pd.Series | float:
    if panel is None:
        return float(cells["value"].max())
    return cells.groupby(panel, dropna=False)["value"].transform("max")


def _ratio_axis(ratios: pd.DataFrame) -> alt.X:
    """A linear axis; a logarithmic one where the dots lie more than a factor 3 apart."""
    values = ratios["relative"]
    title = f"ratio to {base_text(ratios)}"
    if len(ratios) and max(values.max(), 1) > 3 * min(values.min(), 1):
        log = alt.Scale(type="log", nice=False, padding=12)
        ticks = alt.Axis(format="~g", tickCount=6)
        return alt.X("relative:Q", scale=log, axis=ticks, title=f"{title} (log scale)")
    linear = alt.Scale(zero=False, nice=True, padding=12)
    return alt.X("relative:Q", scale=linear, title=title)


def _panels(
    chart: alt.LayerChart, panel: str | None, frame: pd.DataFrame
) -> alt.LayerChart | alt.FacetChart:
    if not panel:
        return chart
    facet = alt.Facet(f"{field(panel)}:N", title=None, sort=distinct(frame[panel]))
    own = chart.facet(facet, columns=1)
    return own.resolve_scale(y="independent", yOffset="independent")


def _tips(names: list[str], value: str, form: str) -> list[alt.Tooltip]:
    numbers = [alt.Tooltip(f"{c}:Q", format=form) for c in (value, "low", "high")]
    named = [alt.Tooltip(f"{field(n)}:N", title=n) for n in names]
    return [*named, *numbers, alt.Tooltip("n:Q", title="runs")]


def base_text(ratios: pd.DataFrame) -> str:
    """What the ratios are relative to, as headings say it."""
    return ", ".join(distinct(ratios["base"])) or "the base"
