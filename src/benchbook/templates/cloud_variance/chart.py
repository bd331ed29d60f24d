"""The CoV of every step of every setup: dots on one scale, a panel per dop."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    coloured,
    drawable,
    finished,
    panels,
    plot_width,
    reference,
    row_height,
    shaped,
)
from benchmath.prose import counted

LOWEST, HIGHEST = 1e-4, 0.2  # the same scale in every chart of a post


def cov_by_step(cov: pd.DataFrame, workload: str, title: str = "") -> alt.Chart:
    """Every step's CoV (compatible) of one workload: rows servers, panels dop.

    Takes the frame of ``coefficient_of_variation``. The axis is logarithmic
    and the same for every workload, because the intervals of few runs are factors; what
    lies outside 0.01% to 20% is drawn on the edge.
    """
    columns = ["workload", "machine", "dop", "step", "cov_published", "limit", "n"]
    cells = drawable(cov[cov["workload"] == workload], columns)
    steps = list(dict.fromkeys(cells["step"]))
    machines = list(dict.fromkeys(cells["machine"]))
    cells = cells.assign(clients=[counted(int(d), "client") for d in cells["dop"]])
    clients = [counted(d, "client") for d in sorted({int(d) for d in cells["dop"]})]
    scale = alt.Scale(type="log", domain=[LOWEST, HIGHEST], nice=False, clamp=True)
    axis = alt.Axis(format=".2~%", values=[1e-4, 1e-3, 0.01, 0.03, 0.1])
    x = alt.X("cov_published:Q", scale=scale, axis=axis, title="CoV, % (log scale)")
    names = alt.Axis(grid=True)
    base = alt.Chart(cells).encode(
        y=alt.Y("machine:N", sort=machines, title=None, axis=names)
    )
    tips = [alt.Tooltip(f"{c}:N") for c in ("machine", "clients", "step")]
    dots = base.mark_point(filled=True, size=70, opacity=0.9).encode(
        x=x,
        color=coloured("step", steps),
        shape=shaped("step", steps),
        tooltip=[*tips, alt.Tooltip("cov_published:Q", format=".2%", title="CoV")],
    )
    limit = reference(alt.Chart(cells)).encode(x=alt.X("limit:Q"))
    layers = alt.layer(limit, dots).properties(
        width=plot_width(machines), height=row_height(1)
    )
    chart = layers.facet(panels("clients", clients), columns=1)
    heading = title or f"CoV of each step, {workload}"
    return finished(chart.resolve_scale(y="independent"), heading, _signs(cells))


def _signs(cells: pd.DataFrame) -> str:
    """What line and edges mean, of those that are there."""
    signs = {
        "Dashed: the limit.": cells["limit"].notna().any(),
        f"Dots on the left edge lie at {LOWEST:.2%} or less.": (
            cells["cov_published"] <= LOWEST
        ).any(),
        f"Dots on the right edge lie at {HIGHEST:.0%} or more.": (
            cells["cov_published"] >= HIGHEST
        ).any(),
    }
    return " ".join(words for words, there in signs.items() if there)
