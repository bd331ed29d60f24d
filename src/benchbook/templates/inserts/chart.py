"""A heat map: how response times were spread, second by second."""

import altair as alt
import pandas as pd

from benchbook.charts.look import drawable, finished, panels, plot_width

_HEIGHT = 130
_LEAST_US = 1e-3  # the axis is logarithmic, and the first bucket begins at 0
# Neither so dark nor so light that it is lost on a dark or on a light page.
_SCHEME = alt.SchemeParams("viridis", extent=[0.2, 0.95])


def latency_heat_map(
    times: pd.DataFrame, panel: str = "test", colour: str = "share", title: str = ""
) -> alt.Chart:
    """Time along x, response time along y, the more operations in a cell the brighter.

    Takes the frame of ``results.response_times_over_time``: one row per cell and
    ``panel``. ``colour``: "share" of the operations of its seconds, or their "count";
    the scale is logarithmic, because a thousandth of them matters. All panels have the
    same scales, but for time.
    """
    if times.empty:
        nothing = alt.Chart(pd.DataFrame({"none": []})).mark_rect()
        return finished(nothing, title or "No response times by second")
    if colour not in ("share", "count"):
        raise ValueError(f"colour is share or count, not {colour!r}")
    field, unit = (
        ("share_pct", "% of operations") if colour == "share" else (colour, "operations")
    )
    cells = drawable(times, [panel, "begin_s", "end_s", "lower_us", "upper_us",
                             "count", "share_pct"])  # fmt: skip
    if cells.duplicated([panel, "begin_s", "lower_us"]).any():
        raise ValueError(f"several rows for one cell of a {panel}: select before drawing")
    cells = cells.astype({panel: str}).rename(columns={panel: "panel"})
    cells = cells.assign(
        lower_us=cells["lower_us"].clip(lower=_LEAST_US),
        share_pct=[float(f"{share:.3g}") for share in cells["share_pct"]],
    )
    log = alt.Scale(type="log", nice=False)
    legend = alt.Legend(title=unit, format="~s" if colour == "count" else ".2~r",
                        gradientLength=260)  # fmt: skip
    seconds = alt.Axis(tickCount=8, grid=False)
    rects = alt.Chart(cells).mark_rect(aria=False)  # a label of each would triple the SVG
    rects = rects.encode(
        x=alt.X("begin_s:Q", title="second of the step", axis=seconds),
        x2="end_s:Q",
        y=alt.Y("lower_us:Q", title="µs (log scale)", scale=log,
                axis=alt.Axis(format="~s", tickCount=4, grid=False)),
        y2="upper_us:Q",
        color=alt.Color(f"{field}:Q", legend=legend,
                        scale=alt.Scale(type="log", scheme=_SCHEME)),
        tooltip=[
            alt.Tooltip("panel:N", title=panel),
            alt.Tooltip("begin_s:Q", title="from second"),
            alt.Tooltip("end_s:Q", title="to second"),
            alt.Tooltip("lower_us:Q", format=",.4~r", title="from µs"),
            alt.Tooltip("upper_us:Q", format=",.4~r", title="to µs"),
            alt.Tooltip("count:Q", format=",", title="operations"),
            alt.Tooltip("share_pct:Q", format=".3~r", title="% of operations"),
        ],
    )  # fmt: skip
    rects = rects.properties(width=plot_width(), height=_HEIGHT)
    facet = panels("panel", cells["panel"])
    chart = rects.facet(facet, columns=1, spacing=14).resolve_scale(x="independent")
    words = (
        "Response times and colours are on log scales. Blank: no operation took so long."
    )
    return finished(chart, title or "Response times over time (µs, log scale)", words)
