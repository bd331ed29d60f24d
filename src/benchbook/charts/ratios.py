"""Charts of ratios and of variation: dots with intervals, horizontal, full names."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    INK,
    coloured,
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
    shown = drawable(relative, [*columns, *judged, *([panel] if panel else [])])
    shown = shown[shown["relative"].notna()].astype({y: str, "me": str})
    names, mes = list(dict.fromkeys(shown[y])), list(dict.fromkeys(shown["me"]))
    row = alt.Y(f"{field(y)}:N", sort=names, title=None, axis=alt.Axis(grid=True))
    sizes = shown.groupby([y, panel] if panel else [y]).size()
    beside = max(sizes, default=1)
    base = alt.Chart(shown).encode(y=row, color=coloured("me", mes))
    if beside > 1:
        base = base.encode(yOffset=alt.YOffset("me:N", sort=mes))
    x = _ratio_axis(shown)
    told = [y, *([panel] if panel else []), "me", "base", *judged[:1]]
    tips = _tips(told, "relative", ".3f")
    whisker = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q")
    whisker = whisker.transform_filter("isValid(datum.low)")
    dot = base.mark_point(filled=True, size=75, opacity=1).encode(
        x=x, shape=shaped("me", mes), tooltip=tips
    )
    line = alt.Chart(shown).mark_rule(color=INK, strokeDash=[4, 3]).encode(
        x=alt.XDatum(1)
    )  # fmt: skip
    layers = alt.layer(*_margin(shown), line, whisker, dot).properties(
        width=plot_width(names), height=row_height(beside)
    )
    heading = title or f"Throughput relative to {_base(shown)} (ratio)"
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
    shown = drawable(cov, [y, "cov", "low", "high", "limit", "n", "verdict", *extra])
    shown = shown[shown["cov"].notna()].astype({y: str})
    most = 4 * max(shown["cov"].max(), shown["limit"].max()) if len(shown) else 1.0
    ceiling = min(most, 1.05 * shown["high"].max()) if len(shown) else most
    shown = shown.assign(shown_high=shown["high"].clip(upper=ceiling))
    names = list(dict.fromkeys(shown[y]))
    groups = list(dict.fromkeys(shown[color].astype(str))) if color else ["CoV"]
    base = alt.Chart(shown).encode(
        y=alt.Y(f"{field(y)}:N", sort=names, title=None, axis=alt.Axis(grid=True))
    )
    if color:
        base = base.encode(
            color=coloured(color, groups, color), yOffset=f"{field(color)}:N"
        )
    axis = alt.Axis(format=".1~%")
    top = alt.Scale(domain=[0, ceiling], nice=False)
    x = alt.X("cov:Q", title="stddev / mean over runs, %", axis=axis, scale=top)
    whisker = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="shown_high:Q")
    dot = base.mark_point(filled=True, size=75, opacity=1).encode(
        x=x, tooltip=_tips([y, *extra, "verdict"], "cov", ".2%")
    )
    limit = alt.Chart(shown).mark_rule(color=INK, strokeDash=[4, 3]).encode(
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
    shown = drawable(summary, columns).astype({x: str, y: str})
    unit = one_unit(shown) if len(shown) else "nothing measured"
    shown = shown.assign(share=shown["value"] / _most(shown, panel))
    top = alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False)
    side = alt.Axis(domain=False, ticks=False)
    base = alt.Chart(shown).encode(
        x=alt.X(f"{field(x)}:N", axis=top, title=None, sort=None),
        y=alt.Y(f"{field(y)}:N", axis=side, title=None, sort=None),
        tooltip=_tips([*([panel] if panel else []), y, x, "unit"], "value", ",.1f"),
    )
    shade = alt.Scale(domain=[0, 1], scheme="blues")
    rect = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color("share:Q", scale=shade, legend=None)
    )
    ink = alt.condition("datum.share > 0.6", alt.value("white"), alt.value("#222"))
    form = ",.0f" if float(shown["value"].max()) >= 100 else ",.1f"
    words = base.mark_text(fontSize=14).encode(
        text=alt.Text("value:Q", format=form), color=ink
    )
    wide = plot_width(dict.fromkeys(shown[y]))
    chart = alt.layer(rect, words).properties(width=wide, height=alt.Step(34))
    heading = title or f"Throughput by {y} and {x} ({unit})"
    return finished(_panels(chart, panel, summary), heading)


def _margin(shown: pd.DataFrame) -> list[alt.Chart]:
    """The band around 1 in which a difference does not matter."""
    if "margin" not in shown.columns or shown.empty:
        return []
    margin = float(shown["margin"].iloc[0])
    band = alt.Chart(shown).transform_aggregate(cells="count()")  # one, not one per dot
    edges = {"x": alt.XDatum(1 - margin), "x2": alt.X2Datum(1 + margin)}
    return [band.mark_rect(color=INK, opacity=0.15).encode(**edges)]


def _most(shown: pd.DataFrame, panel: str | None) -> pd.Series | float:
    if panel is None:
        return float(shown["value"].max())
    return shown.groupby(panel, dropna=False)["value"].transform("max")


def _ratio_axis(shown: pd.DataFrame) -> alt.X:
    """A linear axis; a logarithmic one where the dots lie more than a factor 3 apart."""
    ratios = shown["relative"]
    title = f"ratio to {_base(shown)}"
    if len(shown) and max(ratios.max(), 1) > 3 * min(ratios.min(), 1):
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
    order = [str(v) for v in dict.fromkeys(frame[panel])]
    facet = alt.Facet(f"{field(panel)}:N", title=None, sort=order)
    own = chart.facet(facet, columns=1)
    return own.resolve_scale(y="independent", yOffset="independent")


def _tips(names: list[str], value: str, form: str) -> list[alt.Tooltip]:
    numbers = [alt.Tooltip(f"{c}:Q", format=form) for c in (value, "low", "high")]
    named = [alt.Tooltip(f"{field(n)}:N", title=n) for n in names]
    return [*named, *numbers, alt.Tooltip("n:Q", title="runs")]


def _base(shown: pd.DataFrame) -> str:
    return ", ".join(dict.fromkeys(shown["base"].astype(str))) or "the base"
