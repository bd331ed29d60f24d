"""The one look of all charts: size, type, colours, and what a title says.

Charts are 640 px wide with type of 14 px and more; site/charts.js fits them to the page.
Backgrounds are transparent, text has the colour of the text around it and lines are mid
grey, so that a chart reads on a light and on a dark page. Nothing here needs more than
Vega-Lite 5.20.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
import pandas as pd

from benchmath.frames import require
from benchmath.prose import span

WIDTH = 640
ROWS_MAX = 5000  # Altair's own limit
INK = "currentColor"
LINE = "#808080"  # of reference lines and axes: 3:1 and more on white and on near black
FONT = "system-ui, DejaVu Sans, sans-serif"

# Okabe and Ito, without their yellow (unreadable on white); black is INK here.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", INK)
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "wedge")
KINDS = {  # colour and shape of what a comparison says; grey and round: nothing sure
    "better": (PALETTE[0], "triangle-up"),
    "worse": (PALETTE[1], "triangle-down"),
    "changed": (PALETTE[2], "diamond"),
    "not sure": (LINE, "circle"),
}

LETTER = 8.4  # px of a letter of a label, on average at most
_BOLD_LETTER = 9.2  # of a panel's name
_TITLE_LETTERS, _NOTE_LETTERS = 62, 84  # that the width has room for
_SYMBOL = 40  # px that an entry of a legend has beside its words
TALL = 700  # px of rows; with title, legend and names of panels a screen shows them
LOW_ROW = 13  # px, in which a name of LOW_NAME just fits
LOW_NAME = 12  # px
_AROUND = 70  # px of an axis and a name, below and above a panel
_BESIDE = 56  # px of the axis beside each of several panels
COLUMN_GAP = 40  # px between panels: the last label of one and the first of the next fit


def finished(chart: alt.TopLevelMixin, title: str, *notes: str) -> alt.Chart:
    """A chart with its title, a line or more for each note, and the project's look."""
    heading = broken(title, _TITLE_LETTERS)
    parts = alt.TitleParams(
        heading[0] if len(heading) == 1 else heading,
        subtitle=[line for note in notes if note for line in broken(note, _NOTE_LETTERS)],
        anchor="start",
        frame="bounds",
    )
    return (
        chart.properties(title=parts, background="transparent")
        .configure(font=FONT, padding=6)
        .configure_view(stroke=None)
        .configure_title(
            fontSize=17, color=INK, subtitleFontSize=14, subtitleColor=INK, offset=12
        )
        .configure_axis(
            labelFontSize=14,
            titleFontSize=14,
            titleFontWeight="normal",
            labelColor=INK,
            titleColor=INK,
            domainColor=LINE,
            tickColor=LINE,
            gridColor=LINE,
            gridOpacity=0.25,
            labelLimit=300,
            labelSeparation=6,
            labelFlush=False,  # moved inwards, the first and last meet their neighbours
        )
        .configure_header(
            labelFontSize=14,
            labelFontWeight="bold",
            labelColor=INK,
            labelAnchor="start",
            labelLimit=WIDTH,
            titleColor=INK,
            titleFontSize=14,
        )
        .configure_legend(
            labelFontSize=14,
            titleFontSize=14,
            labelColor=INK,
            titleColor=INK,
            titleFontWeight="normal",
            orient="top",
            labelLimit=400,
            symbolSize=90,
            symbolOpacity=1,
        )
    )


def plot_width(labels: Iterable[object] = ()) -> int:
    """What is left of the width beside the labels of the y axis."""
    longest = max((len(str(label)) for label in labels), default=5)
    return int(WIDTH - 40 - min(300, LETTER * longest))


def panel_width(columns: int, beside: float = 0) -> int:
    """Of panels beside each other; ``beside`` is what stands left of the first one."""
    return int((WIDTH - 24 - beside - COLUMN_GAP * (columns - 1)) / columns)


def in_grid(
    chart: alt.Chart | alt.LayerChart, name: str, values: Iterable[object],
    columns: int, height: int, gap: int = 16,
) -> alt.FacetChart:  # fmt: skip
    """A panel per value, beside as many as ``columns``.

    Where they are more than a screen shows, a column more and lower ones.
    """
    names = distinct(values)
    columns = max(1, min(columns, len(names)))
    if math.ceil(len(names) / columns) * (height + _AROUND) > TALL:
        columns, height = columns + 1, int(0.65 * height)
    wide = plot_width() if columns == 1 else panel_width(columns) - _BESIDE
    plots = chart.properties(width=wide, height=height)
    return plots.facet(panels(name, names, wide), columns=columns, spacing=gap)


def row_pixels(marks: int) -> int:
    """Px of one row that holds so many marks beside each other."""
    return max(26, 8 + 14 * marks)


def row_height(marks: int) -> alt.Step:
    """Height of one row that holds so many marks beside each other."""
    return alt.Step(row_pixels(marks), **{"for": "position"})


def row_axis(pixels: float) -> alt.Axis:
    """The axis of rows so high: smaller names in the lowest ones."""
    size = LOW_NAME if pixels <= LOW_ROW else alt.Undefined
    return alt.Axis(grid=True, labelFontSize=size)


def panels(
    name: str, values: Iterable[object], width: float = WIDTH, size: int = 14
) -> alt.Facet:
    """A panel per value, in their order; names longer than a panel take several lines."""
    names = distinct(values)
    letters = int(width / (_BOLD_LETTER * size / 14))
    lines = {one: broken(one, letters, "_.,/ ") for one in names}
    long = any(len(of_one) > 1 for of_one in lines.values())
    header = alt.Header(labelFontSize=size)
    if long:
        header.labelExpr = f"({json.dumps(lines, ensure_ascii=False)})[datum.label]"
    return alt.Facet(f"{field(name)}:N", title=None, sort=names, header=header)


def coloured(
    name: str,
    values: Iterable[object],
    title: str = "",
    stroke: bool = False,
) -> alt.Color:
    """Colours of the palette in the order of the values; no legend for a single one.

    ``stroke``: the marks are lines, and so is what the legend shows.
    """
    domain = distinct(values)
    if len(domain) > len(PALETTE):
        raise ValueError(
            f"{len(domain)} values of {name}: at most {len(PALETTE)} colours"
        )
    legend = _legend(domain)
    if legend is not None and title:
        legend.title = title
    if legend is not None and stroke:
        legend.symbolType, legend.symbolStrokeWidth = "stroke", 3
    scale = alt.Scale(domain=domain, range=list(PALETTE[: len(domain)]))
    return alt.Color(f"{field(name)}:N", scale=scale, legend=legend)


def shaped(name: str, values: Iterable[object]) -> alt.Shape:
    """Shapes that repeat the colours, for those who do not see these."""
    domain = distinct(values)
    scale = alt.Scale(domain=domain, range=list(SHAPES[: len(domain)]))
    return alt.Shape(f"{field(name)}:N", scale=scale, legend=_legend(domain))


def by_kind(name: str, rows: pd.DataFrame) -> dict[str, Any]:
    """Colour and shape by a column of kinds; the legend has those that are there."""
    kinds = [kind for kind in KINDS if kind in set(rows[name])]
    legend = alt.Legend(title=None, columns=len(kinds)) if kinds else None
    colours = alt.Scale(domain=kinds, range=[KINDS[kind][0] for kind in kinds])
    shapes = alt.Scale(domain=kinds, range=[KINDS[kind][1] for kind in kinds])
    return {
        "color": alt.Color(f"{name}:N", scale=colours, legend=legend),
        "shape": alt.Shape(f"{name}:N", scale=shapes, legend=legend),
    }


def _legend(domain: Sequence[str]) -> alt.Legend | None:
    """As many columns as the longest of its words leaves room for."""
    if len(domain) <= 1:
        return None
    return alt.Legend(title=None, columns=legend_columns(domain))


def legend_columns(words: Iterable[str]) -> int:
    """How many entries of a legend stand side by side."""
    longest = max((len(word) for word in words), default=1)
    return max(1, int(WIDTH / (_SYMBOL + LETTER * longest)))


def reference(chart: alt.Chart) -> alt.Chart:
    """The dashed line that marks are held against."""
    return chart.mark_rule(color=LINE, strokeDash=[4, 3], aria=False)


def with_intervals(frame: pd.DataFrame, form: str) -> pd.DataFrame:
    """The frame with its low and high as words for a tooltip: a bound may be missing."""
    show = f"{{:{form}}}".format
    each = zip(frame["low"].astype(float), frame["high"].astype(float), strict=True)
    return frame.assign(interval=[span(low, high, show) for low, high in each])


def interval_tip() -> alt.Tooltip:
    """Of a frame that has its intervals as words."""
    return alt.Tooltip("interval:N", title="95% interval")


def broken(text: str, letters: int, after: str = " ") -> list[str]:
    """A text in lines, broken only after one of these characters; all of it is kept."""
    stop = re.escape(after)
    words = re.findall(f"[^{stop}]+[{stop}]*|[{stop}]+", text)
    lines = [""]
    for word in words:
        if lines[-1] and len((lines[-1] + word).rstrip()) > letters:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def field(name: str) -> str:
    """A column name as Vega-Lite reads it: its special characters escaped."""
    return "".join(f"\\{c}" if c in ".[]:" else c for c in name)


def drawable(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """The columns that the chart needs, plainly typed, after checking the size."""
    require(frame, columns)
    if len(frame) > ROWS_MAX:
        raise ValueError(f"{len(frame)} rows are more than a chart carries ({ROWS_MAX})")
    table = frame[list(dict.fromkeys(columns))].reset_index(drop=True)
    flags = [c for c in table.columns if str(table[c].dtype) == "boolean"]
    return table.astype(dict.fromkeys(flags, object))


def one_unit(frame: pd.DataFrame) -> str:
    """The unit of all rows; different units on one axis are refused."""
    units = list(dict.fromkeys(frame["unit"].astype(str)))
    if len(units) != 1:
        raise ValueError(f"one axis cannot show {' and '.join(units) or 'nothing'}")
    return units[0]


def distinct(values: Iterable[object]) -> list[str]:
    """Each value once, as text, in the order in which they come."""
    return [str(v) for v in dict.fromkeys(values)]
