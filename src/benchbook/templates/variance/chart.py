"""Charts for planning a study: what a number of runs can see."""

import altair as alt
import pandas as pd

from benchbook.charts.look import coloured, drawable, finished, plot_width
from benchmath.frames import ordered

MOST_STEPS = 7  # as many as there are colours
_SMALLEST = "smallest difference, %"


def smallest_effects(curve: pd.DataFrame, title: str = "") -> alt.Chart:
    """The smallest difference found with 80% power over the runs per side, per step.

    Takes the frame of ``power_curve``. With more steps than colours those with
    the least, the most and evenly spaced noise between them are drawn.
    """
    curve = drawable(_chosen(curve), ["step", "cov", "trials", "smallest_effect"])
    steps = list(dict.fromkeys(curve["step"]))
    percent = alt.Axis(format="~%", tickCount=6)
    top = alt.Scale(domainMin=0)
    lines = (
        alt.Chart(curve)
        .mark_line(strokeWidth=2.5)
        .encode(
            x=alt.X("trials:Q", title="runs per side"),
            y=alt.Y("smallest_effect:Q", title=_SMALLEST, axis=percent, scale=top),
            color=coloured("step", steps, stroke=True),
            tooltip=[
                "step:N",
                alt.Tooltip("trials:Q", title="runs per side"),
                alt.Tooltip("smallest_effect:Q", format=".2%", title=_SMALLEST),
            ],
        )
        .properties(width=plot_width(), height=300)
    )
    return finished(lines, title or "Smallest difference found with 80% power")


def _chosen(curve: pd.DataFrame) -> pd.DataFrame:
    """The rows of at most seven steps, from the quietest to the noisiest."""
    steps = curve.drop_duplicates("step").sort_values("cov", kind="stable")["step"]
    count = min(MOST_STEPS, len(steps))
    places = [round(i * (len(steps) - 1) / max(count - 1, 1)) for i in range(count)]
    chosen = list(dict.fromkeys(steps.iloc[places]))
    return ordered(curve[curve["step"].isin(chosen)], {"step": chosen})
