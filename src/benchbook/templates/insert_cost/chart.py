"""Where the CPU time of an operation goes: stacked bars, a panel per step."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    LINE,
    PALETTE,
    drawable,
    field,
    finished,
    legend_columns,
    panels,
    plot_width,
)
from benchmath.costs.cpu import PARTS, REST, WHOLE
from benchmath.frames import require

# What is nobody's in particular is grey; user and system of a side stand together.
_COLOURS = {
    "server": PALETTE[0], "server user": PALETTE[0], "server system": PALETTE[4],
    "client": PALETTE[1], "client user": PALETTE[1], "client system": PALETTE[5],
    "interrupts": PALETTE[3], REST: LINE,
}  # fmt: skip


def cost_bars(costs: pd.DataFrame, by: str = "engine", title: str = "") -> alt.Chart:
    """Takes the frame of ``cpu_costs``; a bar per value of ``by`` in each step.

    Each panel has a scale of its own from 0, in microseconds per row or query. A rest
    below 0 (the clocks of processes told more than those of the machine) is left out.
    """
    require(costs, ("step", "metric", "mean", by))
    parts = costs[(costs["metric"] != WHOLE) & (costs["mean"] > 0)]
    order = {part: i for i, part in enumerate(PARTS)}
    times = drawable(
        parts.assign(part=parts["metric"], us=parts["mean"],
                     place=parts["metric"].map(order)),
        ["step", by, "part", "us", "place"],
    )  # fmt: skip
    names = list(dict.fromkeys(times[by].astype(str)))
    present = [part for part in PARTS if part in set(times["part"])]
    scale = alt.Scale(domain=present, range=[_COLOURS[part] for part in present])
    legend = alt.Legend(title=None, columns=legend_columns(present))
    unit = "µs per row or query"
    bars = alt.Chart(times.astype({by: str})).mark_bar(height=16).encode(
        y=alt.Y(f"{field(by)}:N", sort=names, title=None),
        x=alt.X("sum(us):Q", title=unit, axis=alt.Axis(format=",.4~r", tickCount=6)),
        color=alt.Color("part:N", scale=scale, sort=present, legend=legend),
        order=alt.Order("place:Q"),
        tooltip=[
            alt.Tooltip("step:N"), alt.Tooltip(f"{field(by)}:N"), alt.Tooltip("part:N"),
            alt.Tooltip("us:Q", format=",.3~r", title=unit),
        ],
    ).properties(width=plot_width(names), height=alt.Step(24))  # fmt: skip
    chart = bars.facet(panels("step", times["step"]), columns=1, spacing=14)
    chart = chart.resolve_scale(x="independent")
    heading = title or "CPU time per row or query (µs)"
    about = "Each panel has a scale of its own, from 0."
    if " " in by:
        about += f" A bar each: {by.replace(' ', ', ')}."
    return finished(chart, heading, about)
