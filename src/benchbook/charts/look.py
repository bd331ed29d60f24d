"""The one look of all charts: size, type, colours, and what a title says.

Charts are 640 px wide with type of 14 px and more; the site scales the SVG to the
width of the page. Backgrounds are transparent and ink is mid grey, so that a chart
reads on a light and on a dark page. Nothing here needs more than Vega-Lite 5.20.
"""

from collections.abc import Iterable, Sequence

import altair as alt
import pandas as pd

WIDTH = 640
ROWS_MAX = 5000  # Altair's own limit
INK = "#6b6b6b"
FONT = "system-ui, DejaVu Sans, sans-serif"

# Okabe and Ito, without their yellow (unreadable on white); black is INK here.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", INK)
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "wedge")


def finished(chart: alt.TopLevelMixin, title: str, subtitle: str = "") -> alt.Chart:
    """A chart with its title and the project's look."""
    lines = [subtitle] if subtitle else []
    parts = alt.TitleParams(title, subtitle=lines, anchor="start", frame="group")
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
            domainColor="#9a9a9a",
            tickColor="#9a9a9a",
            gridColor="#9a9a9a",
            gridOpacity=0.25,
            labelLimit=300,
            labelFlush=False,  # moved inwards, the first and last meet their neighbours
        )
        .configure_header(
            labelFontSize=14,
            labelFontWeight="bold",
            labelColor=INK,
            labelAnchor="start",
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
            columns=3,
            symbolSize=90,
        )
    )


def plot_width(labels: Iterable[object] = ()) -> int:
    """What is left of the width beside the labels of the y axis."""
    longest = max((len(str(label)) for label in labels), default=5)
    return int(WIDTH - 40 - min(300, 8.4 * longest))


def row_height(marks: int) -> alt.Step:
    """Height of one row that holds so many marks beside each other."""
    return alt.Step(max(26, 8 + 14 * marks), **{"for": "position"})


def coloured(name: str, values: Iterable[object], title: str = "") -> alt.Color:
    """Colours of the palette in the order of the values; no legend for a single one."""
    domain = distinct(values)
    if len(domain) > len(PALETTE):
        raise ValueError(
            f"{len(domain)} values of {name}: at most {len(PALETTE)} colours"
        )
    legend = alt.Legend(title=title or None) if len(domain) > 1 else None
    scale = alt.Scale(domain=domain, range=list(PALETTE[: len(domain)]))
    return alt.Color(f"{field(name)}:N", scale=scale, legend=legend)


def shaped(name: str, values: Iterable[object]) -> alt.Shape:
    """Shapes that repeat the colours, for those who do not see these."""
    domain = distinct(values)
    legend = alt.Legend(title=None) if len(domain) > 1 else None
    scale = alt.Scale(domain=domain, range=list(SHAPES[: len(domain)]))
    return alt.Shape(f"{field(name)}:N", scale=scale, legend=legend)


def field(name: str) -> str:
    """A column name as Vega-Lite reads it: its special characters escaped."""
    return "".join(f"\\{c}" if c in ".[]:" else c for c in name)


def drawable(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """The columns that the chart needs, plainly typed, after checking the size."""
    missing = [c for c in columns if c not in frame.columns]
    if missing:
        raise ValueError(f"the frame has no column {', '.join(missing)}")
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
