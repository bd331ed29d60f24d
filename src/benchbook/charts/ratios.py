"""Charts of ratios and of variation: dots with intervals, horizontal, full names."""

import altair as alt
import numpy as np
import pandas as pd

from benchbook.charts.look import (
    INK,
    KINDS,
    LETTER,
    LINE,
    LOW_NAME,
    LOW_ROW,
    PALETTE,
    TALL,
    coloured,
    distinct,
    drawable,
    field,
    finished,
    interval_tip,
    one_unit,
    panels,
    plot_width,
    reference,
    row_axis,
    row_height,
    row_pixels,
    shaped,
    with_intervals,
)
from benchmath.prose import counted
from benchmath.ratios.power import ALPHA

_MANY = 100  # dots of three compared and more: a map of numbers reads better
_WORDS = {"improved": "better", "regressed": "worse", "changed": "changed"}
_CELL_GAP = 0.04  # of a cell of the matrix
_MAP_ROW = 18  # px of a row of the map
_PANEL_GAP = 8  # px: panels have no axis between them


def relative_dots(
    relative: pd.DataFrame,
    title: str = "",
    y: str = "step",
    panel: str | None = None,
    note: str | None = None,
) -> alt.Chart:
    """The ratios of ``relative`` as dots with intervals around a line at 1.00.

    One row per value of ``y``, one colour and shape per me, one panel per value of
    ``panel``; all panels have one scale. Cells without a ratio are not drawn. Where the
    frame has verdicts, a grey band is the margin: an interval inside it is equivalent.
    ``note`` takes the place of the line on intervals. More than a hundred dots, of three
    or more that are compared, are a ``ratio_map``.
    """
    relative = _told_apart(relative, y, panel)
    if relative["me"].nunique() > 2 and relative["relative"].count() > _MANY:
        return ratio_map(relative, title, y, panel)
    columns = [y, "me", "base", "relative", "low", "high", "n", "n_base", "note"]
    judged = [c for c in ("verdict", "margin") if c in relative.columns]
    ratios = drawable(relative, [*columns, *judged, *([panel] if panel else [])])
    ratios = ratios[ratios["relative"].notna()].astype({y: str, "me": str})
    ratios = with_intervals(ratios, ".3f")
    ratios = ratios.assign(  # a dot without an interval has a line of no length
        drawn_low=ratios["low"].fillna(ratios["relative"]),
        drawn_high=ratios["high"].fillna(ratios["relative"]),
    )
    names, mes = list(dict.fromkeys(ratios[y])), list(dict.fromkeys(ratios["me"]))
    sizes = ratios.groupby([y, panel] if panel else [y]).size()
    beside, height = _rows(sizes)
    row = alt.Y(f"{field(y)}:N", sort=names, title=None, axis=row_axis(height.step))
    base = alt.Chart(ratios).encode(y=row, color=coloured("me", mes))
    if beside > 1:
        base = base.encode(yOffset=alt.YOffset("me:N", sort=mes))
    x = ratio_axis(ratios, 6)
    labels = [y, *([panel] if panel else []), "me", "base", *judged[:1]]
    tips = _tips(labels, "relative", ".3f")
    # No layer filters: Vega-Lite warns of layers whose rows are not the same.
    whisker = base.mark_rule(strokeWidth=2, invalid=None)
    whiskers = [whisker.encode(x="drawn_low:Q", x2="drawn_high:Q")]
    dot = base.mark_point(filled=True, size=75, opacity=1, invalid=None).encode(
        x=x, shape=shaped("me", mes), tooltip=tips
    )
    line = reference(alt.Chart(ratios)).encode(x=alt.XDatum(1))
    band = alt.Chart(ratios).transform_aggregate(cells="count()")  # one, not one per dot
    known = ratios["low"].notna().any()
    layers = alt.layer(
        *margin_band(band, ratios), line, *(whiskers if known else []), dot
    ).properties(width=plot_width(names), height=height)
    heading = title or f"Throughput relative to {base_text(ratios)} (ratio)"
    words = note if note is not None else interval_note(ratios)
    chart = _panels(layers, panel, relative)
    return finished(chart, heading, f"{words} {margin_note(ratios)}".strip())


def _told_apart(relative: pd.DataFrame, y: str, panel: str | None) -> pd.DataFrame:
    """The frame, its steps named as tests: two dots of one name say nothing."""
    if y != "step":
        return relative
    # SciPy: for a chart alone
    from benchmath.ratios.verdicts import tests_of

    return relative.assign(step=tests_of(relative, *filter(None, [panel])))


def ratio_map(
    relative: pd.DataFrame, title: str = "", y: str = "step", panel: str | None = None
) -> alt.Chart:
    """The ratios of ``relative`` as numbers, a column per me.

    Coloured is what stands by its verdict, after Benjamini-Hochberg where the frame has
    ``q``: the deeper, the farther from 1.00, up to a factor of 2. The rest is grey.
    """
    columns = [y, "me", "base", "relative", "low", "high", "n"]
    judged = [c for c in ("verdict", "q") if c in relative.columns]
    cells = drawable(relative, [*columns, *judged, *([panel] if panel else [])])
    cells = with_intervals(cells[cells["relative"].notna()], ".3f")
    cells = cells.astype({y: str, "me": str})
    verdicts = cells.get("verdict", pd.Series("", cells.index)).map(_WORDS)
    stands = cells.get("q", pd.Series(0.0, cells.index)) <= ALPHA
    cells = cells.assign(
        says=verdicts.where(stands).fillna("not sure"),
        depth=0.2 + 0.8 * np.log2(cells["relative"].astype(float)).abs().clip(upper=1),
    )
    cells.loc[cells["says"] == "not sure", "depth"] = 0.12
    wide = plot_width(dict.fromkeys(cells[y]))
    across = alt.Scale(paddingInner=_CELL_GAP, paddingOuter=0)
    side = alt.Axis(domain=False, ticks=False, labelFontSize=LOW_NAME)
    base = alt.Chart(cells).encode(
        x=alt.X("me:N", axis=_above(tilted=True), title=None, sort=None,
                scale=across),
        y=alt.Y(f"{field(y)}:N", axis=side, title=None, sort=None, scale=across),
        tooltip=_tips([y, "me", "base", *judged[:1]], "relative", ".3f"),
    )  # fmt: skip
    kinds = [kind for kind in KINDS if kind in set(cells["says"])]
    colour = alt.Scale(domain=kinds, range=[KINDS[kind][0] for kind in kinds])
    legend = alt.Legend(title=None, columns=max(len(kinds), 1))
    rect = base.mark_rect(invalid=None).encode(
        color=alt.Color("says:N", scale=colour, legend=legend),
        opacity=alt.Opacity("depth:Q", scale=None, legend=None),
    )
    ink = alt.condition("datum.depth > 0.6", alt.value("white"), alt.value(INK))
    words = base.mark_text(fontSize=LOW_NAME).encode(
        text=alt.Text("relative:Q", format=".2f"), color=ink
    )
    chart = alt.layer(rect, words).properties(width=wide, height=alt.Step(_MAP_ROW))
    heading = title or f"Throughput relative to {base_text(cells)} (ratio)"
    notes = "Coloured: beyond the margin, and it stands; the deeper, the farther from 1."
    return finished(_panels(chart, panel, relative), heading, notes)


def _above(tilted: bool) -> alt.Axis:
    """Names above their columns; tilted where columns are narrower than names."""
    return alt.Axis(
        orient="top", labelAngle=-30 if tilted else 0, domain=False, ticks=False
    )


def _fit(names: pd.Series, wide: float) -> bool:
    """Has each name room above its column, of all columns of ``wide`` pixels?"""
    own = distinct(names)
    return max((len(name) for name in own), default=0) <= wide / max(len(own), 1) / LETTER


def _rows(sizes: pd.Series) -> tuple[int, alt.Step]:
    """How many marks stand beside each other in a row, and how high a row is.

    Where a screen would not show the chart at once, the marks of a row share a line.
    """
    beside = max(sizes, default=1)
    if len(sizes) * row_pixels(beside) <= TALL:
        return beside, row_height(beside)
    return 1, alt.Step(LOW_ROW)


def cov_intervals(
    cov: pd.DataFrame, title: str = "", y: str = "step", color: str | None = None
) -> alt.Chart:
    """CoV of each cell in percent with its interval; the limit is a dashed line.

    Takes the frame of ``coefficient_of_variation``. An interval that leaves
    the picture (three runs bound little) is cut at four times the largest CoV.
    """
    extra = [color] if color else []
    cells = drawable(cov, [y, "cov", "low", "high", "limit", "n", "verdict", *extra])
    cells = cells[cells["cov"].notna()].astype({y: str})
    most = 4 * max(cells["cov"].max(), cells["limit"].max()) if len(cells) else 1.0
    ceiling = min(most, 1.05 * cells["high"].max()) if len(cells) else most
    cells = with_intervals(cells, ".2%")
    cells = cells.assign(drawn_high=cells["high"].clip(upper=ceiling))
    names = list(dict.fromkeys(cells[y]))
    groups = list(dict.fromkeys(cells[color].astype(str))) if color else ["CoV"]
    drawn = alt.Chart(cells.drop(columns="high"))  # some are infinite
    base = drawn.encode(
        y=alt.Y(f"{field(y)}:N", sort=names, title=None, axis=alt.Axis(grid=True))
    )
    if color:
        base = base.encode(
            color=coloured(color, groups, color), yOffset=f"{field(color)}:N"
        )
    axis = alt.Axis(format=".1~%", tickCount=8)
    top = alt.Scale(domain=[0, ceiling], nice=False)
    x = alt.X("cov:Q", title="stddev / mean over runs, %", axis=axis, scale=top)
    blue = {} if color else {"color": PALETTE[0]}
    whisker = base.mark_rule(strokeWidth=2, **blue)
    whisker = whisker.encode(x="low:Q", x2="drawn_high:Q")
    whisker = whisker.transform_filter("isValid(datum.low)")
    dot = base.mark_point(filled=True, size=75, opacity=1, **blue).encode(
        x=x, tooltip=_tips([y, *extra, "verdict"], "cov", ".2%")
    )
    limit = reference(drawn).encode(x="limit:Q")
    chart = alt.layer(limit, whisker, dot).properties(
        width=plot_width(names), height=row_height(len(groups))
    )
    signs = {
        "Dashed: the limit.": cells["limit"].notna().any(),
        "Line: 95% interval.": cells["low"].notna().any(),
        "Lines that reach the edge go on.": (cells["high"] > ceiling).any(),
    }
    notes = " ".join(words for words, there in signs.items() if there)
    return finished(chart, title or "Variation between runs: CoV (%)", notes)


def throughput_matrix(
    summary: pd.DataFrame,
    x: str = "flags",
    y: str = "compiler",
    title: str = "",
    panel: str | None = None,
) -> alt.Chart:
    """Absolute throughput of each combination of two dimensions, as written numbers.

    Takes the frame of ``summary``; the shade is the share of the panel's
    largest, from 0.
    """
    columns = [x, y, "value", "low", "high", "n", "unit", *([panel] if panel else [])]
    cells = with_intervals(drawable(summary, columns), ",.1f").astype({x: str, y: str})
    unit = one_unit(cells) if len(cells) else "nothing measured"
    cells = cells.assign(share=cells["value"] / _most(cells, panel))
    wide = plot_width(dict.fromkeys(cells[y]))
    across = alt.Scale(paddingInner=_CELL_GAP, paddingOuter=0)
    top = _above(tilted=not _fit(cells[x], wide))
    side = alt.Axis(domain=False, ticks=False)
    base = alt.Chart(cells).encode(
        x=alt.X(f"{field(x)}:N", axis=top, title=None, sort=None, scale=across),
        y=alt.Y(f"{field(y)}:N", axis=side, title=None, sort=None, scale=across),
        tooltip=_tips([*([panel] if panel else []), y, x, "unit"], "value", ",.1f"),
    )
    shade = alt.Scale(domain=[0, 1], scheme="blues")
    share = alt.Color("share:Q", scale=shade, legend=None)
    rect = base.mark_rect(invalid=None).encode(color=share)  # as in relative_dots
    ink = alt.condition("datum.share > 0.6", alt.value("white"), alt.value("#222"))
    form = ",.0f" if float(cells["value"].max()) >= 100 else ",.1f"
    words = base.mark_text(fontSize=14).encode(
        text=alt.Text("value:Q", format=form), color=ink
    )
    chart = alt.layer(rect, words).properties(width=wide, height=alt.Step(34))
    heading = title or f"Throughput by {y} and {x} ({unit})"
    each = "the largest of its panel" if panel else "the largest"
    notes = f"The darker, the nearer to {each}."
    return finished(_panels(chart, panel, summary), heading, notes)


def interval_note(ratios: pd.DataFrame) -> str:
    """What the lines of a chart of ratios are, by whether it has any."""
    if ratios.empty:
        return ""
    bare = int(ratios["low"].isna().sum())
    if bare == len(ratios):
        return "Dots alone: too few runs for an interval."
    if bare:
        return f"Line: 95% interval; {counted(bare, 'dot')} without: too few runs."
    return "Line: 95% interval."


def margin_note(ratios: pd.DataFrame) -> str:
    """What the shaded band is, where there is one."""
    if "margin" not in ratios.columns or ratios.empty:
        return ""
    return "Shaded: differences too small to matter."


def margin_band(chart: alt.Chart, ratios: pd.DataFrame, **mark: bool) -> list[alt.Chart]:
    """The band around 1 in which a difference does not matter: one a panel."""
    if not margin_note(ratios):
        return []
    margin = float(ratios["margin"].iloc[0])
    edges = {"x": alt.XDatum(1 - margin), "x2": alt.X2Datum(1 + margin)}
    return [chart.mark_rect(color=LINE, opacity=0.2, **mark).encode(**edges)]


def _most(cells: pd.DataFrame, panel: str | None) -> pd.Series | float:
    if panel is None:
        return float(cells["value"].max())
    return cells.groupby(panel, dropna=False)["value"].transform("max")


def ratio_axis(ratios: pd.DataFrame, ticks: int) -> alt.X:
    """A linear axis; a logarithmic one where the dots lie more than a factor 3 apart."""
    values = ratios["relative"]
    title = f"ratio to {base_text(ratios)}"
    axis = alt.Axis(format="~g", tickCount=ticks)
    if len(ratios) and max(values.max(), 1) > 3 * min(values.min(), 1):
        log = alt.Scale(type="log", nice=False, padding=12)
        return alt.X("relative:Q", scale=log, axis=axis, title=f"{title} (log scale)")
    linear = alt.Scale(zero=False, nice=True, padding=12)
    return alt.X("relative:Q", scale=linear, axis=axis, title=title)


def _panels(
    chart: alt.LayerChart, panel: str | None, frame: pd.DataFrame
) -> alt.LayerChart | alt.FacetChart:
    if not panel:
        return chart
    own = chart.facet(panels(panel, frame[panel]), columns=1, spacing=_PANEL_GAP)
    return own.resolve_scale(y="independent", yOffset="independent")


def _tips(names: list[str], value: str, form: str) -> list[alt.Tooltip]:
    """``me`` is what is compared with the base."""
    titles = {"me": "compared"}
    named = [alt.Tooltip(f"{field(n)}:N", title=titles.get(n, n)) for n in names]
    number = alt.Tooltip(f"{value}:Q", format=form)
    return [*named, number, interval_tip(), alt.Tooltip("n:Q", title="runs")]


def base_text(ratios: pd.DataFrame) -> str:
    """What the ratios are relative to, as headings say it."""
    return ", ".join(distinct(ratios["base"])) or "the base"
