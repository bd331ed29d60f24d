"""Where the CPU time of an operation goes: stacked bars, a panel per step."""

import altair as alt
import pandas as pd

from benchbook.analysis.costs.parts import PARTS, REST, WHOLE
from benchbook.analysis.frames import require
from benchbook.charts.look import INK, PALETTE, drawable, field, finished, plot_width

# What is nobody's in particular is grey; user and system of a side stand together.
_COLOURS = {
    "server": PALETTE[0], "server user": PALETTE[0], "server system": PALETTE[4],
    "client": PALETTE[1], "client user": PALETTE[1], "client system": PALETTE[5],
    "interrupts": PALETTE[3], REST: INK,
}  # fmt: skip


def cost_bars(costs: pd.DataFrame, by: str = "engine", title: str = "") -> alt.Chart:
    """Takes the frame of ``analysis.cpu_costs``; a bar per value of ``by`` in each step.

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
    steps = list(dict.fromkeys(times["step"]))
    present = [part for part in PARTS if part in set(times["part"])]
    scale = alt.Scale(domain=present, range=[_COLOURS[part] for part in present])
    colour = alt.Color("part:N", scale=scale, sort=present, legend=alt.Legend(title=None))
    bars = alt.Chart(times.astype({by: str})).mark_bar(height=16).encode(
        y=alt.Y(f"{field(by)}:N", sort=names, title=None),
        x=alt.X("sum(us):Q", title=None, axis=alt.Axis(format=".4~g", tickCount=6)),
        color=colour,
        order=alt.Order("place:Q"),
        tooltip=[
            alt.Tooltip("step:N"), alt.Tooltip(f"{field(by)}:N"), alt.Tooltip("part:N"),
            alt.Tooltip("us:Q", format=".3~g", title="microseconds"),
        ],
    ).properties(width=plot_width(names), height=alt.Step(24))  # fmt: skip
    facet = alt.Facet("step:N", title=None, sort=steps)
    chart = bars.facet(facet, columns=1, spacing=14).resolve_scale(x="independent")
    heading = title or "CPU time per row or query (microseconds)"
    return finished(chart, heading, "Each panel has a scale of its own, from 0.")
