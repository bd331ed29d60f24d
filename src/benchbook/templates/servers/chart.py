"""Each instance of a server type beside the mean of the type."""

import altair as alt
import pandas as pd

from benchbook.charts.look import (
    coloured,
    distinct,
    drawable,
    finished,
    panels,
    plot_width,
    reference,
    row_height,
    shaped,
)


def instance_dots(rates: pd.DataFrame, title: str = "") -> alt.Chart:
    """Takes ``rates_of_instances``: rows server types, a panel per step, dots instances.

    Where runs of a type differ in more, the clients say, each has a row.

    The scale is the same in all panels: how far an instance is off its type, in percent.
    """
    rows = drawable(rates, ["server", "row", "machine", "step", "runs", "off"])
    rows = rows.assign(zero=0.0)
    servers, names = distinct(rows["server"]), distinct(rows["row"])
    percent = alt.Axis(format="+.1~%", tickCount=6)
    base = alt.Chart(rows).encode(y=alt.Y("row:N", sort=names, title=None))
    dots = base.mark_point(filled=True, size=70, opacity=0.9).encode(
        x=alt.X("off:Q", title="rate against the mean of its type, %", axis=percent),
        color=coloured("server", servers), shape=shaped("server", servers),
        tooltip=[alt.Tooltip("machine:N", title="instance"), alt.Tooltip("step:N"),
                 alt.Tooltip("off:Q", format="+.2%"), alt.Tooltip("runs:Q")],
    )  # fmt: skip
    line = reference(alt.Chart(rows)).encode(x=alt.X("zero:Q"))
    layers = alt.layer(line, dots).properties(
        width=plot_width(names), height=row_height(1)
    )
    chart = layers.facet(panels("step", rows["step"]), columns=1)
    heading = title or "Instances of each server type"
    return finished(chart, heading, "A dot is an instance: the mean of its runs.")
