"""Ratios of published figures as dots: one scale for all machines and units."""

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from benchbook.charts.ratios import relative_dots
from benchmath.frames import require
from benchmath.published import in_panels

_FEWEST = 3  # dots that are worth a chart; the table beside it says the same
_NOTE = "One published figure a dot: no interval."


def published_dots(
    ratios: pd.DataFrame,
    base: Mapping[str, str],
    metrics: Sequence[str] | None = None,
    title: str = "",
) -> list[alt.Chart]:
    """The frame of ``published_ratios`` around 1.00, a panel per machine and unit.

    ``metrics`` chooses some. Ratios of 0 and cells without a base are not drawn. No chart
    for fewer than three dots.
    """
    require(ratios, ("machine", "metric", "relative"))
    chosen = ratios if metrics is None else ratios[ratios["metric"].isin(metrics)]
    ratios = chosen[chosen["relative"] > 0]
    if len(ratios) < _FEWEST:
        return []
    ratios = ratios.sort_values("machine", kind="stable", key=_appearance)
    heading = title or f"Published figures relative to {ratios['base'].iloc[0]} (ratio)"
    ratios = in_panels(ratios, base)
    chart = relative_dots(ratios, heading, y="row", panel="panel", note=_NOTE)
    chart = chart.resolve_axis(x="independent")  # a scale under each of many panels
    return [chart]


def _appearance(names: pd.Series) -> pd.Series:
    return pd.Series(pd.factorize(names)[0], index=names.index)
